// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/common/ring_buffer.h"
#include "models/tcp/config.h"
#include "models/tcp/params.h"
#include "models/toe/context_memory.h"
#include "models/toe/engine_probes.h"
#include "models/toe/event.h"
#include "models/toe/frames.h"
#include "models/toe/messages.h"
#include "models/toe/params.h"
#include "models/toe/payload_memory.h"
#include "models/toe/reply_queue.h"
#include "models/toe/send_wait.h"
#include "models/toe/stations.h"
#include "models/toe/t1_tcp_params.h"
#include "models/toe/tcam.h"
#include "models/toe/tcb.h"
#include "models/toe/timer_list.h"
#include "models/toe/tx_queue.h"

namespace longhaul::toe {

/// The tables, memories and outputs of an offload engine, and the connections in them. The events
/// work on these.
class EngineCore final : public TcbOwner {
 public:
  /// `due` is called when a timer goes off. `where` begins the messages of errors.
  EngineCore(const ToeParams& params, const tcp::TcpParams& tcp, const T1Params& t1,
             const std::string& where, const std::function<void()>& due);
  ~EngineCore() override;
  EngineCore(const EngineCore&) = delete;
  EngineCore& operator=(const EngineCore&) = delete;

  // TcbOwner.
  const ToeParams& params() const override { return params_; }
  std::uint64_t fin_wait2_ps() const override { return fin_wait2_ps_; }
  std::uint64_t request_timer(Tcb& tcb, std::uint8_t kind, std::uint64_t at_ps) override {
    return timers_.add(tcb.tid(), tcb.epoch(), kind, at_ps);
  }
  void send(Tcb& tcb, const tcp::Segment& segment) override;
  std::uint32_t room_for_segments(std::uint32_t bytes) const override;
  void post(ToHost message) override { replies.post(std::move(message)); }
  void queue_token(Tcb& tcb) override { tokens_.push_back({tcb.tid(), tcb.epoch()}); }
  PayloadMemory& payload() override { return payload_memory; }
  TcpCounts& counts() override { return tcp_counts; }
  void spend_payload(std::uint64_t bytes) override {
    clocks_.payload += payload_memory.clocks(bytes);
  }
  SendWaits& send_waits() override { return waits; }
  void dropped(bool no_page) override {
    (no_page ? probes.rx_no_page : probes.rx_beyond_holes).add();
  }

  // An event's work.
  /// The work until end() belongs to event `serial`.
  void begin(std::uint64_t serial);
  /// The event's work is done. Returns what it takes.
  EventClocks end();
  /// Adds clocks to it.
  void spend(std::uint64_t clocks) { clocks_.work += clocks; }
  /// Adds the access to a connection's control block.
  void work_on(const Tcb& tcb) { clocks_.context += contexts.access(tcb.tid()); }
  /// Answers a SYN by a RST to where the SYN came from; no table is needed for that.
  void refuse(const tcp::Segment& syn, const Ends& ends, const Origin& origin);

  // Connections.
  /// The connection with this tid; null without one.
  Tcb* at(Tid tid) const { return tid < tcbs_.size() ? tcbs_[tid].get() : nullptr; }
  Tcb* at(Tid tid, std::uint32_t epoch) const;
  /// Enters a connection in the tables. Null, and the reason in `error`, if it cannot be.
  Tcb* enter(const Ends& ends, bool active, std::uint32_t opener, Error& error);
  /// Takes a connection out of the tables if nothing is left of it. Its tid is free for others when
  /// the host has its last message.
  void release_if_over(const Tcb& tcb);
  /// Frees the tids whose last messages the host has.
  void free_tids();
  /// The number of a tid's present connection; tells connections apart that had the same tid.
  std::uint32_t epoch(Tid tid) const { return at(tid) != nullptr ? epochs_[tid] : 0; }
  /// Whether the tables have the entries that a connection's options name.
  Error check(const ConnectionOptions& options) const;
  tcp::Opening opening(const Ends& ends, const ConnectionOptions& options) const;
  const tcp::TcpConfig& config() const { return config_; }
  const tcp::TcpConfig& config(const ConnectionOptions& options) const {
    return options.keepalive ? keepalive_config_ : config_;
  }
  /// For all connections, the open ones among them.
  void set_data_retries(std::uint32_t retries) {
    config_.data_retries = keepalive_config_.data_retries = retries;
  }
  /// Forgets all connections, servers, messages and frames.
  void reset();

  // Events that wait. Tokens and timers of connections that have ended, and timers that were set
  // again, are taken out first.
  bool token_waits();
  bool timer_waits();
  void run_token();
  void run_timer();

  /// Tids from this one on have never had a connection.
  Tid tids() const { return tids_; }

  EngineProbes probes;
  SendWaits waits;
  TcpCounts tcp_counts;
  Tcam tcam;
  ContextMemory contexts;
  PayloadMemory payload_memory;
  Stations stations;
  TxQueue tx;
  ReplyQueue replies;

 private:
  struct Token {
    Tid tid = 0;
    std::uint32_t epoch = 0;
  };
  struct Parting {
    Tid tid = 0;
    std::uint64_t last_message = 0;  // in the count of the reply queue
  };
  void push(FrameRef frame);
  void release(Tid tid);

  const ToeParams params_;
  tcp::TcpConfig config_;
  tcp::TcpConfig keepalive_config_;
  const std::uint64_t fin_wait2_ps_;
  std::vector<std::unique_ptr<Tcb>> tcbs_;  // by tid
  std::vector<std::uint32_t> epochs_;       // by tid
  TimerList timers_;
  RingBuffer<Token> tokens_;
  RingBuffer<Parting> parting_;
  Tid tids_ = 0;
  std::uint16_t identification_ = 0;
  EventClocks clocks_;
};

}  // namespace longhaul::toe
