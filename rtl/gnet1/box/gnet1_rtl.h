// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <functional>
#include <memory>

#include "models/wan/gnet1/gnet1.h"
#include "models/wan/gnet1/gnet1_params.h"
#include "platform/cosim/frame_losses.h"
#include "platform/cosim/pulse_pin.h"
#include "platform/cosim/register_bus.h"
#include "platform/cosim/rtl_block.h"
#include "platform/cosim/wave_trace.h"
#include "platform/cosim/wire/wire_port.h"
#include "platform/cosim/zbt_sram.h"
#include "platform/observe/traced_part.h"
#include "rtl/gnet1/box/gnet1_model.h"

namespace longhaul::cosim {

/// GNET-1 as its RTL (rtl/gnet1), Verilated, with four external memories of 4 M words.
///
/// Powered up before SystemC's zero: reset, then the writes that `params` stand for. Each receive
/// clock runs at the box's rate and its partner's offset from it; all clocks have phase 0, so
/// without offsets all edges coincide. `rx_clk` is gated while no frame arrives.
class Gnet1Rtl final : public wan::Gnet1, public observe::TracedPart {
 public:
  /// Counters of a port that count lost frames.
  static constexpr std::size_t kLossCounters = 6;

  /// ConfigError for params that no register can hold.
  explicit Gnet1Rtl(const sc_core::sc_module_name& name, wan::Gnet1Params params = {});

  /// Where the model comes from that start_of_simulation() builds, if not from make_gnet1_model():
  /// traced, or with a test bench between.
  void set_model_source(std::function<Gnet1Model()> make) { make_model_ = std::move(make); }

  EthPort& port(std::size_t index) override { return ports_.at(index)->port; }
  ControlSocket* control() override { return &registers_.target; }
  nlohmann::json describe_params() const override;
  std::uint32_t counter_now(std::size_t port, wan::gnet1_regs::Counter counter) override;
  /// From now on the model is the traced one, whose signals gnet1_trace() selects; in the scope
  /// `rtl`.
  void trace(const observe::WaveScope& scope) override;

  /// The GPS receiver's pulse rises now.
  void gps_pulse() { gps_->pulse(); }

  RtlBlock& block() { return block_; }
  /// What runs; from the simulation's start on.
  const RtlModel& model() const { return *model_.rtl; }
  const WirePort& gmii(std::size_t index) const { return *ports_.at(index); }

 private:
  void start_of_simulation() override;
  void connect();
  void frame_lost(std::size_t port, const FrameRef& frame);

  /// Of a port's losses, what has been told: counters as they were when each of them had been told,
  /// and losses since then.
  struct Told {
    std::array<std::uint64_t, kLossCounters> counted{};
    std::uint64_t frames = 0;
  };

  const wan::Gnet1Params params_;
  std::function<Gnet1Model()> make_model_ = make_gnet1_model;
  std::unique_ptr<WaveTrace> trace_;  // where it is traced; outlives the model
  Gnet1Model model_;
  RtlBlock block_{"rtl"};
  std::array<std::unique_ptr<WirePort>, kPorts> ports_;
  FrameLosses losses_{kPorts,
                      [this](std::size_t port, const FrameRef& frame) { frame_lost(port, frame); }};
  std::array<Told, kPorts> told_;
  std::array<std::unique_ptr<ZbtSram>, kPorts> memories_;
  RegisterBus registers_;
  std::unique_ptr<PulsePin> gps_;
};

}  // namespace longhaul::cosim
