// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <systemc>
#include <vector>

#include "models/common/observe/probe.h"
#include "models/common/packet_fifo.h"
#include "models/common/ring_buffer.h"
#include "models/net/mac/eth_mac.h"
#include "models/tcp/config.h"
#include "models/tcp/params.h"
#include "models/toe/context_memory.h"
#include "models/toe/engine_probes.h"
#include "models/toe/frames.h"
#include "models/toe/messages.h"
#include "models/toe/params.h"
#include "models/toe/payload_memory.h"
#include "models/toe/pipeline.h"
#include "models/toe/sides.h"
#include "models/toe/stations.h"
#include "models/toe/t1_tcp_params.h"
#include "models/toe/tcam.h"
#include "models/toe/tcb.h"
#include "models/toe/timer_list.h"

namespace longhaul::toe {

/// A TCP offload engine: connections of a host that a chip runs, between a MAC and the host's
/// messages. It knows no adapter's registers and no message's layout.
///
/// The adapter gives it frames (FrameSink) and takes frames (FrameSource), gives it messages by
/// offer(), and takes messages as a HostSide. All that arrives waits in FIFOs for the pipeline.
/// Frames and messages of an event leave when the event is over.
///
/// The bytes of TxData stay in payload memory until the peer has acknowledged them, and those of
/// RxData until taken(). Takes one event of the simulation for each event of the pipeline.
class OffloadEngine final : public sc_core::sc_module,
                            public FrameSource,
                            public FrameSink,
                            private PipelineWork,
                            private TcbOwner {
 public:
  /// Throws ConfigError for TCP parameters that contradict each other.
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
  /// TP_TIMER_SEPARATOR, in clocks of the pipeline.
  void set_separators(std::uint32_t modulation_clocks, std::uint32_t timer_clocks) {
    pipeline_.set_separators(modulation_clocks, timer_clocks);
  }
  /// An entry of the table of MTUs (TP_MTU_REG), from 68 on. Returns false if it is illegal.
  bool set_mtu(std::uint32_t index, std::uint16_t bytes);
  /// Off (OFFLOAD_DISABLE): all frames go to the host. Initially on.
  void enable(bool on) { enabled_ = on; }
  /// Forgets all connections, servers, messages and frames, and sends nothing. Tables of stations
  /// and settings stay.
  void reset();

  /// The fields of a connection; nothing if the tid is free.
  std::optional<TcbFields> fields(Tid tid) const;
  /// Connections in the tables, those in TIME-WAIT among them.
  std::uint64_t connections() const { return tcam_.in_use.value(); }
  const PayloadMemory& payload_memory() const { return payload_; }
  const ContextMemory& context_memory() const { return contexts_; }
  const TpPipeline& pipeline() const { return pipeline_; }
  std::uint64_t rx_fill() const { return rx_fifo_.fill.value(); }

  // The wire's side.
  std::uint64_t ready_ps() const override { return ready_frames_ > 0 ? 0 : kNoFrame; }
  FrameRef take_frame() override;
  void frame_received(const FrameRef& frame) override;

  EngineProbes probes;

 private:
  // PipelineWork.
  bool waits(Event event) override;
  Stall stall(Event event) override;
  std::uint64_t run(Event event) override;
  void finish() override;

  // TcbOwner.
  const ToeParams& params() const override { return params_; }
  std::uint64_t fin_wait2_ps() const override { return fin_wait2_ps_; }
  std::uint64_t request_timer(Tcb& tcb, std::uint8_t kind, std::uint64_t at_ps) override {
    return timers_.add(tcb.tid(), tcb.epoch(), kind, at_ps);
  }
  void send(Tcb& tcb, const tcp::Segment& segment) override;
  std::uint32_t room_for_segments(std::uint32_t bytes) const override;
  void post(ToHost message) override { replies_.push_back(std::move(message)); }
  void queue_token(Tcb& tcb) override { tokens_.push_back({tcb.tid(), tcb.epoch()}); }
  PayloadMemory& payload() override { return payload_; }
  void spend_payload(std::uint64_t bytes) override { clocks_ += payload_.clocks(bytes); }
  void dropped(bool no_page) override;

  // Receive events.
  void receive_event();
  void to_host(const FrameRef& frame);
  void passive_open(const Tcam::Server& server, const Inbound& in);

  // The host's messages.
  std::optional<HostQueue> runnable(Stall& stall);
  Stall stall_of(const FromHost& message);
  void message_event();
  void handle(std::monostate) {}
  void handle(const ActOpenRequest& request);
  void handle(const PassOpenRequest& request);
  void handle(const CloseServerRequest& request);
  void handle(const PassAcceptReply& reply);
  void handle(const TxData& data);
  void handle(const RxCredits& credits);
  void handle(const CloseRequest& request);
  void handle(const AbortRequest& request);
  void handle(const AbortedReply& reply);
  void handle(const GetTcb& request);
  void handle(const SetTcbField& request);
  void handle(const L2tWrite& request);
  void handle(const L2tRead& request);
  void handle(const SmtWrite& request);
  void handle(const SmtRead& request);
  /// The connection of a message, if it can take one. Counts a message for no connection.
  Tcb* addressed(Tid tid);

  // Connections.
  Tcb* at(Tid tid, std::uint32_t epoch) const;
  Tcb& make(Tid tid, const Ends& ends, bool active, std::uint32_t opener);
  std::optional<Tid> enter(const Ends& ends, Error& error);
  Error check(const ConnectionOptions& options) const;
  tcp::Opening opening(const Ends& ends, const ConnectionOptions& options) const;
  const tcp::TcpConfig& config(const ConnectionOptions& options) const {
    return options.keepalive ? keepalive_config_ : config_;
  }
  void work_on(Tcb& tcb) { clocks_ += contexts_.access(tcb.tid()); }
  void release_if_over(Tcb& tcb);

  void push_frame(FrameRef frame);
  void refuse(const tcp::Segment& syn, const Ends& ends, const Origin& origin);
  void pump();
  void skip_stale();

  struct Token {
    Tid tid = 0;
    std::uint32_t epoch = 0;
  };
  /// Room that an event without payload needs: an ACK and a RST, with all options.
  static constexpr std::uint32_t kControlBytes = 256;
  /// Frames without a permit that an event may send at most.
  static constexpr std::uint32_t kEventFrames = 4;
  bool has_tx_room(std::uint32_t bytes) const {
    return tx_fifo_.size() + kEventFrames < params_.fifo_frames() && tx_fifo_.fits(bytes);
  }
  static constexpr std::size_t index(HostQueue queue) { return static_cast<std::size_t>(queue); }

  const ToeParams params_;
  tcp::TcpConfig config_;
  tcp::TcpConfig keepalive_config_;
  const std::uint64_t fin_wait2_ps_;
  HostSide& host_;
  WireSide& wire_;
  bool enabled_ = true;
  std::uint32_t largest_frame_ = 1518;
  std::uint16_t identification_ = 0;

  Tcam tcam_;
  ContextMemory contexts_;
  PayloadMemory payload_;
  Stations stations_;
  std::vector<std::unique_ptr<Tcb>> tcbs_;  // by tid
  std::vector<std::uint32_t> epochs_;       // by tid
  TimerList timers_;
  RingBuffer<Token> tokens_;

  PacketFifo<FrameRef> rx_fifo_;
  PacketFifo<FrameRef> tx_fifo_;
  std::uint32_t ready_frames_ = 0;  // of tx_fifo_; those behind belong to the present event
  bool send_refused_ = false;
  std::array<RingBuffer<FromHost>, kHostQueues> messages_;
  std::array<bool, kHostQueues> offer_refused_{};
  HostQueue next_queue_ = HostQueue::kControl;
  RingBuffer<ToHost> replies_;
  std::size_t ready_replies_ = 0;  // likewise
  bool pumping_ = false;

  std::uint64_t clocks_ = 0;  // of the present event
  TpPipeline pipeline_;
  std::vector<std::unique_ptr<TcbProbes>> watched_;
};

}  // namespace longhaul::toe
