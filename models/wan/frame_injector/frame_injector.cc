// SPDX-License-Identifier: Apache-2.0
#include "models/wan/frame_injector/frame_injector.h"

#include "models/common/param_json.h"

namespace longhaul::wan::frame_injector {

FrameInjectorBox::FrameInjectorBox(const sc_core::sc_module_name& name,
                                   const FrameInjectorParams& params)
    : sc_module(name),
      west("west"),
      east("east"),
      west_to_east("west_to_east", params, params.towards() != "west", east),
      east_to_west("east_to_west", params, params.towards() != "east", west),
      params_(params),
      at_west_(west_to_east, east_to_west),
      at_east_(east_to_west, west_to_east) {
  west.attach(east_to_west, at_west_);
  east.attach(west_to_east, at_east_);
}

nlohmann::json FrameInjectorBox::describe_params() const { return describe(params_); }

void FrameInjectorBox::start_of_simulation() {
  if (params_.cut_every() == sc_core::SC_ZERO_TIME) return;
  next_cut_ps_ = to_ps(params_.begin()) + to_ps(params_.cut_every());
  cut_timer_.set(next_cut_ps_);
}

void FrameInjectorBox::toggle() {
  const bool cut = out.value() == 0;
  out.set(cut ? 1 : 0);
  if (cut) {
    cuts.add();
    cut_timer_.set(next_cut_ps_ + to_ps(params_.cut_for()));
    next_cut_ps_ += to_ps(params_.cut_every());
  } else {
    cut_timer_.set(next_cut_ps_);
  }
  west.enable_laser(!cut);
  east.enable_laser(!cut);
  east_to_west.set_cut(cut);
  west_to_east.set_cut(cut);
}

}  // namespace longhaul::wan::frame_injector
