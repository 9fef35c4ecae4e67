// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <systemc>

#include "models/common/event_queue.h"
#include "models/common/observe/probe.h"
#include "models/common/ring_buffer.h"
#include "models/net/frame/frame.h"
#include "models/net/frame/frame_tap.h"
#include "models/wan/nistnet/box_cpu.h"
#include "models/wan/nistnet/mini_jiffies.h"
#include "models/wan/nistnet/nistnet_params.h"
#include "models/wan/nistnet/sk_adapter.h"

namespace longhaul::wan {

/// The kernel's path of a frame between the two adapters' drivers: backlog, classification by NIST
/// Net, delay, forwarding.
///
/// The softirq takes one frame a step: first frames whose delay is over, then the backlog. The
/// timer's interrupt counts ticks and releases frames that are due. A frame that is classified
/// after tick n with a delay of d ticks, d > 0, is due at tick n + d + 1: the present tick does not
/// count. Frames of one direction keep their order, also when the delay is shortened.
class PacketPath final : public sc_core::sc_module {
 public:
  enum Side : std::size_t { kWest, kEast };

  PacketPath(const sc_core::sc_module_name& name, const NistnetParams& params, BoxCpu& cpu);
  /// Sets the adapters, before the simulation starts.
  void join(SkAdapter& west, SkAdapter& east);
  /// The input to which the driver of a side's adapter passes frames.
  FrameInput& input(Side side) { return inputs_[side]; }

  /// Sets the delay of frames that are classified later. Throws ConfigError beyond ten seconds.
  void set_delay(Side from, sc_core::sc_time delay);

  observe::Counter forwarded{"forwarded", "frame", "frames given to an adapter's driver"};
  observe::Counter backlog_dropped{"backlog_dropped", "frame",
                                   "frames that found the backlog full"};
  observe::Counter ticks{"ticks", "1", "timer interrupts"};
  observe::Level backlog{"backlog", "frame", "frames between interrupt and softirq"};
  observe::Level held{"held", "frame", "frames that wait for their tick"};
  observe::FrameTap tap{"tap", "frames dropped, with the reason"};

 private:
  struct Packet {
    FrameRef frame;
    Side from = kWest;
    std::uint64_t due_tick = 0;
  };

  class Input final : public FrameInput {
   public:
    Input(PacketPath& path, Side side) : path_(path), side_(side) {}
    void frame_input(const FrameRef& frame) override { path_.enqueue(frame, side_); }

   private:
    PacketPath& path_;
    const Side side_;
  };

  class Softirq final : public CpuTask {
   public:
    explicit Softirq(PacketPath& path) : path_(path) {}
    std::uint64_t begin_step_ps() override { return path_.begin_packet_ps(); }
    bool end_step() override { return path_.end_packet(); }

   private:
    PacketPath& path_;
  };

  class TimerInterrupt final : public CpuTask {
   public:
    explicit TimerInterrupt(PacketPath& path) : path_(path) {}
    std::uint64_t begin_step_ps() override { return path_.timer_ps_; }
    bool end_step() override;

   private:
    PacketPath& path_;
  };

  void enqueue(const FrameRef& frame, Side from);
  std::uint64_t begin_packet_ps();
  bool end_packet();
  void tick();
  void release_due();

  const MiniJiffies clock_;
  const NistnetCpuParams costs_;
  const std::uint64_t timer_ps_;
  BoxCpu& cpu_;
  std::array<SkAdapter*, 2> adapters_{};
  std::array<Input, 2> inputs_{Input(*this, kWest), Input(*this, kEast)};
  Softirq softirq_{*this};
  TimerInterrupt timer_interrupt_{*this};
  std::array<std::uint64_t, 2> delay_ticks_{};

  RingBuffer<Packet> backlog_;
  std::array<RingBuffer<Packet>, 2> held_;
  RingBuffer<Packet> released_;
  bool step_is_released_ = false;  // the present step takes its frame from released_
  bool step_forwards_ = false;
  std::uint64_t next_tick_ = 0;      // of the hardware
  std::uint64_t counted_ticks_ = 0;  // by the interrupt handler
  bool timer_pending_ = false;
  Timer timer_{[this] { tick(); }};
};

}  // namespace longhaul::wan
