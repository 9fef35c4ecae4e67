// SPDX-License-Identifier: Apache-2.0
#include "models/wan/delay_box/delay_box.h"
#include "models/common/param_json.h"
#include "models/net/frame/not_lost.h"

#include <fmt/format.h>

namespace longhaul {
namespace {

/// A dark line loses the frames that are due on it. The box emulates a wire and does not wait for
/// one.
EthMacParams port_params() {
  EthMacParams params;
  params.hold_without_carrier.value = false;
  return params;
}

void check_choice(const char* box, const Param<std::string>& param,
                  std::initializer_list<const char*> valid) {
  for (const char* choice : valid) {
    if (param() == choice) return;
  }
  throw ConfigError(fmt::format("{}.{}: got \"{}\", wants {}", box, param.name, echo(param()),
                                fmt::join(valid, " or ")));
}

}  // namespace

DelayBox::DelayBox(const sc_core::sc_module_name& name, DelayBoxParams params)
    : sc_core::sc_module(name),
      west_mac("west", port_params()),
      east_mac("east", port_params()),
      west_to_east("west_to_east", params.west, params.seed(), params.memory().count),
      east_to_west("east_to_west", params.east, params.seed(), params.memory().count),
      params_(std::move(params)),
      west_inlet_(west_to_east, params_.pause() == "pass"),
      east_inlet_(east_to_west, params_.pause() == "pass") {
  check_choice(sc_module::name(), params_.bad_fcs, {"drop", "pass"});
  check_choice(sc_module::name(), params_.pause, {"drop", "honour", "pass"});
  set_up_port(west_mac, east_to_west, west_inlet_);
  set_up_port(east_mac, west_to_east, east_inlet_);
}

nlohmann::json DelayBox::describe_params() const { return describe(params_); }

std::vector<std::string> DelayBox::changeable() const {
  std::vector<std::string> names;
  const auto append = [&names](DelayPathParams path) {
    std::apply([&names](const auto&... param) { (names.emplace_back(param.name), ...); },
               path.fields());
  };
  append(params_.west);
  append(params_.east);
  return names;
}

void DelayBox::change(const std::string& name, const nlohmann::json& value,
                      const std::string& where) {
  DelayBoxParams after = params_;
  configure(after, nlohmann::json{{name, value}}, where);
  west_to_east.take(params_.west, after.west);
  east_to_west.take(params_.east, after.east);
  params_ = std::move(after);
}

void DelayBox::set_up_port(EthMac& mac, DelayPath& source, Inlet& sink) {
  mac.attach(source, sink);
  source.set_output(mac);
  mac.set_max_frame(Frame::kMaxBytes + Frame::kFcsBytes);
  mac.set_flow_control(false, params_.pause() == "honour");
  mac.set_pass_control(true, true);
  mac.set_accept_bad_fcs(params_.bad_fcs() == "pass");
}

void DelayBox::Inlet::frame_received(const FrameRef& frame) {
  const bool pause = ethernet::type(*frame) == ethernet::kTypeMacControl &&
                     read_be16(frame->head() + ethernet::kHeaderBytes) == ethernet::kOpcodePause;
  if (pause && !pass_pause_) {
    path_.refuse(frame, path_.pause_dropped, observe::not_lost::kPauseEnds);
  } else {
    path_.accept(frame);
  }
}

}  // namespace longhaul
