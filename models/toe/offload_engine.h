// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <systemc>
#include <vector>

#include "models/common/observe/software_watcher.h"
#include "models/net/mac/eth_mac.h"
#include "models/toe/engine_core.h"
#include "models/toe/lane.h"
#include "models/toe/memory_turns.h"
#include "models/toe/message_events.h"
#include "models/toe/receive_events.h"
#include "models/toe/sides.h"

namespace longhaul::toe {

/// A TCP offload engine: connections of a host that a chip runs, between a MAC and the host's
/// messages. It knows no adapter's registers and no message's layout.
///
/// The adapter gives it frames (FrameSink) and takes frames (FrameSource), gives it messages by
/// offer(), and takes messages as a HostSide. All that arrives waits in FIFOs for the engine's
/// lanes. Frames and messages of an event leave when the event is over.
///
/// The bytes of TxData stay in payload memory until the peer has acknowledged them, and those of
/// RxData until taken(). Takes one event of the simulation for each event of a lane of one element.
class OffloadEngine final : public sc_core::sc_module,
                            public FrameSource,
                            public FrameSink,
                            private LaneWork {
  EngineCore core_;

 public:
  /// Throws ConfigError for parameters that contradict each other.
  OffloadEngine(const sc_core::sc_module_name& name, const ToeParams& params,
                const tcp::TcpParams& tcp, const T1Params& t1, HostSide& host, WireSide& wire);
  ~OffloadEngine() override;

  // The host's side.
  /// Takes a message. Returns false if the queue is full; the message is untouched then, and
  /// HostSide::queue_ready() follows.
  bool offer(HostQueue queue, FromHost&& message);
  /// The host takes messages again, after HostSide::deliver() refused one.
  void host_ready();
  /// The host has copied all bytes of an RxData; their payload memory is free.
  void taken(const RxData& data);
  /// A frame of the host's own stack, to be sent unchanged (CPL_TX_PKT). Returns false without
  /// room; WireSide::send_ready() follows.
  bool send(const FrameRef& frame);

  // Settings, by the adapter's registers.
  /// TP_TIMER_SEPARATOR, in clocks of the engine.
  void set_separators(std::uint32_t modulation_clocks, std::uint32_t timer_clocks);
  /// An entry of the table of MTUs (TP_MTU_REG), from 68 on. Returns false if it is illegal.
  bool set_mtu(std::uint32_t index, std::uint16_t bytes);
  /// RETRANSMISSION_MAX of TP_SHIFT_CNT: the next one ends a connection.
  void set_data_retries(std::uint32_t retries) { core_.set_data_retries(retries); }
  /// Off (OFFLOAD_DISABLE): all frames go to the host. Initially on.
  void enable(bool on) { receive_.enable(on); }
  /// Forgets all connections, servers, messages and frames, and sends nothing. Tables of stations
  /// and settings stay. Not from inside a call of the engine.
  void reset();

  /// The fields of a connection; nothing if the tid is free.
  std::optional<TcbFields> fields(Tid tid) const;
  /// A connection's control block; null if the tid is free. Tids lie below tids().
  const Tcb* tcb(Tid tid) const { return core_.at(tid); }
  Tid tids() const { return core_.tids(); }
  /// Calls `watcher` whenever an event has changed a connection; null for none.
  void watch(observe::SoftwareWatcher* watcher) { watcher_ = watcher; }
  /// The settings of TCP.
  const tcp::TcpConfig& config() const { return core_.config(); }
  /// Connections in the tables, those in TIME-WAIT among them.
  std::uint64_t connections() const { return core_.tcam.in_use.value(); }
  const PayloadMemory& payload_memory() const { return core_.payload_memory; }
  const ContextMemory& context_memory() const { return core_.contexts; }
  /// The lanes of the arrangement, in the order of README.md#lanes.
  const std::vector<std::unique_ptr<Lane>>& lanes() const { return lanes_; }
  /// Whether the receive FIFO has room for a frame.
  bool has_rx_room(std::uint32_t bytes) const { return receive_.has_room(bytes); }
  /// Bytes in the receive FIFO.
  std::uint64_t rx_fill() const { return receive_.fill(); }

  // The wire's side.
  std::uint64_t ready_ps() const override { return core_.tx.ready() ? 0 : kNoFrame; }
  FrameRef take_frame() override;
  void frame_received(const FrameRef& frame) override;

  EngineProbes& probes;
  SendWaits& send_waits;
  const TcpCounts& tcp_counts;

 private:
  // LaneWork.
  bool waits(Event event) override;
  Stall stall(Event event) override;
  EventClocks run(Event event, std::uint64_t serial) override;
  void finish(std::uint64_t serial) override;

  void add_lanes();
  void run_message(HostQueue queue);
  Stall message_stall(HostQueue queue);
  void note_waits_pm(HostQueue queue, bool waits);
  void kick();
  void deliver();

  HostSide& host_;
  WireSide& wire_;
  std::uint32_t largest_frame_ = 1518;
  bool send_refused_ = false;
  std::array<bool, kHostQueues> waits_pm_{};
  observe::SoftwareWatcher* watcher_ = nullptr;
  ReceiveEvents receive_;
  MessageEvents messages_;
  EventSerials serials_;
  MemoryTurns memory_;
  std::vector<std::unique_ptr<Lane>> lanes_;
  std::vector<std::unique_ptr<TcbProbes>> watched_;
};

}  // namespace longhaul::toe
