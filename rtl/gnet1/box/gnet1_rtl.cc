// SPDX-License-Identifier: Apache-2.0
#include "rtl/gnet1/box/gnet1_rtl.h"

#include <string>

#include "models/common/param_json.h"
#include "models/wan/gnet1/gnet1_regs.h"
#include "rtl/gnet1/box/gnet1_trace.h"

namespace longhaul::cosim {
namespace {

constexpr std::uint64_t kPowerUpUnitPs =
    32 * 32'000ULL;  // 32 clocks of 31.25 MHz; a reset needs four
// A gated receive domain holds its state. Time, room and enable enter it through two flip-flops,
// but are used only at a start delimiter, after eight bytes of preamble. The last word of a frame
// leaves within these clocks.
constexpr ClockDomain::Gating kRxGating{true, 16};

constexpr std::uint32_t kGpsPulseClocks = 4;  // of 32 ns: the box wants 100 ns

struct Cause {
  wan::gnet1_regs::Counter counter;
  const char* why;
};

using wan::gnet1_regs::Counter;
constexpr std::array<Cause, Gnet1Rtl::kLossCounters> kCauses{{
    {Counter::kRxLost, "no room at reception"},
    {Counter::kTailDrop, "router queue full"},
    {Counter::kRedDrop, "RED"},
    {Counter::kSramDrop, "memory full"},
    {Counter::kDiscards, "discarded"},
    {Counter::kNoRoute, "no route"},
}};

double partner_ppm(const wan::Gnet1Params& params, std::size_t port) {
  const double box = params.clock_ppm();
  const double partner = params.ports[port].partner_ppm();
  return box + partner + box * partner * 1e-6;
}

}  // namespace

Gnet1Rtl::Gnet1Rtl(const sc_core::sc_module_name& name, wan::Gnet1Params params)
    : wan::Gnet1(name),
      params_(std::move(params)),
      registers_("registers", block_, wan::gnet1_regs::kMapBytes) {
  for (std::size_t i = 0; i < kPorts; ++i) {
    ports_[i] = std::make_unique<WirePort>(("p" + std::to_string(i)).c_str(), block_);
    ports_[i]->find_losses(losses_, i);
  }
  for (const wan::Gnet1Write& write : wan::gnet1_reset_writes(params_, sc_module::name())) {
    registers_.post(write.offset, write.value);
  }
}

nlohmann::json Gnet1Rtl::describe_params() const { return describe(params_); }

void Gnet1Rtl::trace(const observe::WaveScope& scope) {
  trace_ = std::make_unique<WaveTrace>(scope.scope("rtl"), block_, gnet1_trace());
  make_model_ = [this] { return make_traced_gnet1_model(*trace_); };
}

std::uint32_t Gnet1Rtl::counter_now(std::size_t port, wan::gnet1_regs::Counter counter) {
  if (model_.counters == nullptr) return 0;
  return model_.counters[port * wan::gnet1_regs::kCounterCount + static_cast<std::size_t>(counter)];
}

/// The counters of the port show which stage lost the frame: its counter exceeds the reported
/// losses.
void Gnet1Rtl::frame_lost(std::size_t port, const FrameRef& frame) {
  Told& told = told_.at(port);
  const char* why = nullptr;
  std::uint64_t left = 0;
  for (std::size_t i = 0; i < kCauses.size(); ++i) {
    const std::uint64_t more = counter_now(port, kCauses[i].counter) - told.counted[i];
    if (more == 0) continue;
    left += more;
    why =
        why == nullptr ? kCauses[i].why : "lost in the box";  // several have: it is not known which
  }
  ++told.frames;
  if (left <= told.frames) {
    for (std::size_t i = 0; i < kCauses.size(); ++i)
      told.counted[i] = counter_now(port, kCauses[i].counter);
    told.frames = 0;
  }
  ports_[port]->losses.report(now(), frame, observe::FrameFate::kDropped,
                              why == nullptr ? "lost in the box" : why);
}

void Gnet1Rtl::connect() {
  model_ = make_model_();
  block_.set_model(*model_.rtl);
  Gnet1Pins& pins = model_.pins;
  const double ppm = params_.clock_ppm();
  ClockDomain& tx_clock = block_.add_clock(pins.clk_125m, {units::MHz(125), ppm});
  ClockDomain& memory_clock = block_.add_clock(pins.clk_62m5, {{62'500'000}, ppm});
  ClockDomain& core_clock = block_.add_clock(pins.clk_31m25, {{31'250'000}, ppm});
  for (std::size_t i = 0; i < kPorts; ++i) {
    ClockDomain& rx_clock =
        block_.add_clock(pins.rx_clk[i], {units::MHz(125), partner_ppm(params_, i), 0, kRxGating});
    ports_[i]->connect_gmii(rx_clock, pins.gmii_rx[i], tx_clock, pins.gmii_tx[i], nullptr, "gmii");
    memories_[i] = std::make_unique<ZbtSram>(pins.sram[i], Gnet1Pins::kSramAddressBits);
    memory_clock.attach(*memories_[i], 0);
  }
  registers_.connect(core_clock, pins.bus);
  gps_ = std::make_unique<PulsePin>(block_, core_clock, pins.gps_pps, kGpsPulseClocks);
}

void Gnet1Rtl::start_of_simulation() {
  connect();
  std::uint32_t units = 0;
  model_.pins.arst_n.set(false);
  block_.power_up(kPowerUpUnitPs, [&] {
    ++units;
    if (units == 2) model_.pins.arst_n.set(true);
    if (units == 3) registers_.open();
    return units > 3 && registers_.idle();
  });
}

}  // namespace longhaul::cosim
