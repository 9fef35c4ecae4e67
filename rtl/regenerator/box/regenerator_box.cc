// SPDX-License-Identifier: Apache-2.0
#include "rtl/regenerator/box/regenerator_box.h"

#include <array>

#include "models/common/param_json.h"

namespace longhaul::cosim::regenerator {
namespace {

constexpr std::uint64_t kPowerUpUnitPs = 32 * 8'000;  // clocks; a reset needs four of each domain
/// After a frame, a receive domain still holds its last byte. The read pointer also returns from
/// the other clock. Both are done within the clocks in which the buffer drains.
constexpr ClockDomain::Gating kRxGating{true, 128};

TraceSelection selection() {
  TraceSelection chosen;
  chosen.top = "regenerator.regenerator_top";
  chosen.leave_out = {"rx_clk_i", "rx_rst_ni", "tx_clk_i", "tx_rst_ni", "rxd_i",
                      "rx_dv_i",  "rx_er_i",   "txd_o",    "tx_en_o",   "tx_er_o"};
  chosen.decimal = {"level", "gap_q", "wait_q"};
  chosen.states = {{"gen_way.u_way.state_q", {{0, "idle"}, {1, "frame"}, {2, "gap"}}}};
  return chosen;
}

}  // namespace

RegeneratorBox::RegeneratorBox(const sc_core::sc_module_name& name, const Params& params)
    : sc_module(name), params_(params) {}

nlohmann::json RegeneratorBox::describe_params() const { return describe(params_); }

void RegeneratorBox::trace(const observe::WaveScope& scope) {
  trace_ = std::make_unique<WaveTrace>(scope.scope("rtl"), block_, selection());
  make_model_ = [this] { return make_traced_model(*trace_); };
}

void RegeneratorBox::start_of_simulation() {
  model_ = make_model_();
  block_.set_model(*model_.rtl);
  Pins& pins = model_.pins;
  ClockDomain& tx_clock = block_.add_clock(pins.clk_125m, {units::MHz(125), params_.clock_ppm()});
  const std::array<double, kPorts> offsets{params_.west_ppm(), params_.east_ppm()};
  for (std::size_t n = 0; n < kPorts; ++n) {
    ClockDomain& rx_clock =
        block_.add_clock(pins.rx_clk.at(n), {units::MHz(125), offsets.at(n), 0, kRxGating});
    WirePort& port = n == 0 ? west_ : east_;
    port.connect_gmii(rx_clock, pins.gmii_rx.at(n), tx_clock, pins.gmii_tx.at(n), nullptr, "gmii");
  }
  std::uint32_t units = 0;
  pins.arst_n.set(false);
  block_.power_up(kPowerUpUnitPs, [&] {
    ++units;
    if (units == 2) pins.arst_n.set(true);
    return units > 3;
  });
}

}  // namespace longhaul::cosim::regenerator
