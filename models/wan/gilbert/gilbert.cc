// SPDX-License-Identifier: Apache-2.0
#include "models/wan/gilbert/gilbert.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "models/common/param_json.h"

namespace longhaul::wan::gilbert {
namespace {

/// A dark line loses the frames that are due on it.
EthMacParams port_params() {
  EthMacParams params;
  params.hold_without_carrier.value = false;
  return params;
}

void set_up_port(EthMac& mac, GilbertPath& source, GilbertPath& sink) {
  mac.attach(source, sink);
  mac.set_max_frame(Frame::kMaxBytes + Frame::kFcsBytes);
  mac.set_flow_control(false, false);
  mac.set_pass_control(true, true);
}

}  // namespace

GilbertPath::GilbertPath(const sc_core::sc_module_name& name, const GilbertPathParams& params,
                         std::uint64_t seed, EthMac& output)
    : sc_module(name),
      params_(params),
      output_(output),
      state_stream_(seed, std::string(sc_module::name()) + ".state"),
      loss_stream_(seed, std::string(sc_module::name()) + ".loss") {}

void GilbertPath::frame_received(const FrameRef& frame) {
  if (state_stream_.chance(is_bad_ ? params_.to_good() : params_.to_bad())) {
    is_bad_ = !is_bad_;
    bad.set(is_bad_ ? 1 : 0);
    if (is_bad_) bursts.add();
  }
  if (loss_stream_.chance(is_bad_ ? params_.loss_in_bad() : params_.loss_in_good())) {
    lost.add();
    tap.report(now(), frame, observe::FrameFate::kDropped,
               is_bad_ ? "loss in a burst" : "loss between bursts");
    return;
  }
  // After the delay is reduced, no frame overtakes an earlier one.
  last_release_ps_ = std::max(last_release_ps_, now_ps() + to_ps(params_.delay()));
  line_.push_back({frame, last_release_ps_});
  if (line_.size() == 1) output_.kick();
}

FrameRef GilbertPath::take_frame() {
  FrameRef frame = line_.pop_front().frame;
  passed.add();
  tap.report(now(), frame, observe::FrameFate::kSent);
  return frame;
}

GilbertBox::GilbertBox(const sc_core::sc_module_name& name, const GilbertParams& params)
    : sc_module(name),
      west_mac("west", port_params()),
      east_mac("east", port_params()),
      west_to_east("west_to_east", params.west, params.seed(), east_mac),
      east_to_west("east_to_west", params.east, params.seed(), west_mac),
      params_(params) {
  set_up_port(west_mac, east_to_west, west_to_east);
  set_up_port(east_mac, west_to_east, east_to_west);
}

nlohmann::json GilbertBox::describe_params() const { return describe(params_); }

std::vector<std::string> GilbertBox::changeable() const {
  std::vector<std::string> names;
  for (GilbertPathParams path : {params_.west, params_.east}) {
    std::apply([&names](const auto&... param) { (names.emplace_back(param.name), ...); },
               path.fields());
  }
  return names;
}

void GilbertBox::change(const std::string& name, const nlohmann::json& value,
                        const std::string& where) {
  configure(params_, nlohmann::json{{name, value}}, where);
  west_to_east.take(params_.west);
  east_to_west.take(params_.east);
}

}  // namespace longhaul::wan::gilbert
