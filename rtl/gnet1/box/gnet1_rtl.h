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
/// It is powered up before SystemC's time zero: reset, then the register writes that set `params`.
/// Each receive clock runs at the box's rate plus its partner's offset. All clocks have phase 0, so
/// without offsets all edges coincide. `rx_clk` is gated while no frame arrives.
class Gnet1Rtl final : public wan::Gnet1, public observe::TracedPart {
 public:
  /// Counters of a port that count lost frames.
  static constexpr std::size_t kLossCounters = 6;

  /// Throws ConfigError if a register cannot hold a value of `params`.
  explicit Gnet1Rtl(const sc_core::sc_module_name& name, wan::Gnet1Params params = {});

  /// Where the model comes from that start_of_simulation() builds, if not from make_gnet1_model():
  /// traced, or with a test bench between.
  void set_model_source(std::function<Gnet1Model()> make) { make_model_ = std::move(make); }

  EthPort& port(std::size_t index) override { return ports_.at(index)->port; }
  ControlSocket* control() override { return &registers_.target; }
  nlohmann::json describe_params() const override;
  std::uint32_t counter_now(std::size_t port, wan::gnet1_regs::Counter counter) override;
  /// Replaces the model by the traced one. gnet1_trace() selects its signals; they go to the scope
  /// `rtl`. Call it before the simulation starts.
  void trace(const observe::WaveScope& scope) override;

  /// Raises the GPS receiver's pulse now.
  void gps_pulse() { gps_->pulse(); }

  RtlBlock& block() { return block_; }
  /// The running model. Call it only after the simulation has started.
  const RtlModel& model() const { return *model_.rtl; }
  const WirePort& gmii(std::size_t index) const { return *ports_.at(index); }

 private:
  void start_of_simulation() override;
  void connect();
  void frame_lost(std::size_t port, const FrameRef& frame);

  /// Losses of a port that have been reported: the counters when all counted losses were reported,
  /// and the number of frames reported since then.
  struct Told {
    std::array<std::uint64_t, kLossCounters> counted{};
    std::uint64_t frames = 0;
  };

  const wan::Gnet1Params params_;
  std::function<Gnet1Model()> make_model_ = make_gnet1_model;
  std::unique_ptr<WaveTrace> trace_;  // only if traced; outlives the model
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
