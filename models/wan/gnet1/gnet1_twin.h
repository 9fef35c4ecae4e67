// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <systemc>

#include "models/common/event_queue.h"
#include "models/common/ring_buffer.h"
#include "models/wan/gnet1/gnet1.h"
#include "models/wan/gnet1/gnet1_mac_table.h"
#include "models/wan/gnet1/gnet1_params.h"
#include "models/wan/gnet1/gnet1_sampler.h"
#include "models/wan/gnet1/gnet1_timebase.h"
#include "models/wan/gnet1/gnet1_twin_port.h"

namespace longhaul::wan {

class Gnet1Registers;

/// GNET-1 at transaction level. It has the same frames, order, drops, flips and release times as
/// rtl/gnet1, with two events a frame.
///
/// Frames are kept by reference and copied only when one of their bits changes. The clocks are
/// those of RTL whose clocks all have their nominal rate and phase 0. Clocks of 31.25 MHz and ticks
/// of 8 ns count from reset. Reset lies before SystemC's time zero by the power-up time of the
/// Verilated box. Errors: ConfigError for params that no register can hold.
class Gnet1Twin final : public Gnet1 {
 public:
  explicit Gnet1Twin(const sc_core::sc_module_name& name, Gnet1Params params = {});
  ~Gnet1Twin() override;

  EthPort& port(std::size_t index) override;
  ControlSocket* control() override;
  nlohmann::json describe_params() const override;
  std::uint32_t counter_now(std::size_t port, gnet1_regs::Counter counter) override;

  /// The pulse of the GPS receiver rises now.
  void gps_pulse() { timebase_.pulse(clock_now()); }

  /// A write to a register over the box's bus. Writes take effect in order, two clocks after the
  /// call and three after the write before.
  void post_write(std::uint32_t offset, std::uint32_t value);
  /// A read of a register. It first carries out all writes before it.
  std::uint32_t read(std::uint32_t offset);

  /// The number of the last clock edge of 31.25 MHz, counted from reset.
  std::uint64_t clock_now() const { return reset_clocks_ + now_ps() / kClockPs; }

 private:
  friend class Gnet1Registers;
  static constexpr std::uint64_t kClockPs = Gnet1Time::kClockPs;
  static constexpr std::uint64_t kNever = Gnet1Channel::kNever;

  std::uint64_t ps_of_clock(std::uint64_t clock) const {
    return (clock - reset_clocks_) * kClockPs;
  }

  /// Computes everything that has happened up to the edge of `clock`, register writes included.
  void settle(std::uint64_t clock);
  /// Like settle(), between two register writes.
  void advance(std::uint64_t clock);
  void apply_write(std::uint64_t clock);
  void end_arrivals(std::uint64_t clock);
  void end_arrival(std::size_t port);
  std::uint64_t next_learned();
  void take_samples(std::uint64_t clock);
  void latch_counters(std::uint64_t clock);

  void frame_begins(std::size_t port, const FrameRef& frame);
  /// Sets the crossbar's timer to the next clock at which it may grant.
  void schedule();
  void arbitrate();
  std::uint32_t mask_of(std::size_t port, std::uint64_t clock);
  void grant(std::size_t port, std::uint32_t mask, std::uint64_t clock);
  Gnet1Channel::Flow flow(const Gnet1Arrival& arrival, std::uint32_t mask, std::uint64_t grant);

  const Gnet1Params params_;
  std::uint64_t reset_clocks_ = 0;
  std::array<std::unique_ptr<Gnet1TwinPort>, kPorts> ports_;
  Gnet1Timebase timebase_;
  Gnet1MacTable table_;
  Gnet1Sampler sampler_;
  struct Posted {
    std::uint32_t offset = 0;
    std::uint32_t value = 0;
    std::uint64_t clock = 0;
  };
  RingBuffer<Posted> posted_;
  std::uint64_t last_write_ = 0;
  std::uint64_t write_count_ = 0;
  bool switch_mode_ = false;
  bool learn_ = true;
  std::uint32_t sample_port_ = 0;

  // Crossbar.
  std::array<std::uint64_t, kPorts> output_free_{};  // clock from which it can be granted again
  std::uint32_t first_ = 0;                          // input with priority
  std::uint64_t last_grant_ = 0;
  Timer crossbar_{[this] { arbitrate(); }};

  std::unique_ptr<Gnet1Registers> registers_;
};

}  // namespace longhaul::wan
