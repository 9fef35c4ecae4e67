// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/tcp/agreement.h"
#include "models/tcp/config.h"
#include "models/tcp/environment.h"
#include "models/tcp/notices.h"
#include "models/tcp/opening.h"
#include "models/tcp/outbox.h"
#include "models/tcp/receiver.h"
#include "models/tcp/segment.h"
#include "models/tcp/sender.h"
#include "models/tcp/state.h"
#include "models/tcp/stats.h"
#include "models/tcp/timers.h"
#include "models/tcp/timestamps.h"

namespace longhaul::tcp {

/// One end of a TCP connection (RFC 9293): a state machine that never waits, stores no bytes of the
/// stream and allocates nothing per segment. The caller finds the connection of a segment, stores
/// the payload, and charges the costs.
///
/// Config and environment must outlive it. Times are picoseconds.
class Connection {
 public:
  Connection(const TcpConfig& config, Environment& environment);
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  /// Opens actively: sends a SYN.
  void connect(const Opening& opening);
  /// Opens passively: waits for a SYN.
  void listen(const Opening& opening);
  /// Continues a connection that other ends have opened, and calls Environment::established().
  void take_over(const Handover& handover);
  /// Handles an undamaged segment of this connection.
  void receive(const Segment& segment);
  /// Handles a timer that was set by Environment::wake().
  void on_timer(Timer timer);
  /// The environment has room for segments again, after it refused one.
  void on_room();

  /// Appends `bytes` to the stream and sends what the windows allow. False after close().
  bool write(std::uint64_t bytes);
  /// The reader takes up to `bytes`. Returns how many there were.
  std::uint64_t read(std::uint64_t bytes);
  /// While on, new data go straight to a reader, and its read() acknowledges them. A hole, a window
  /// that must grow or a FIN is acknowledged without delay.
  void hold_acks(bool on) { receiver_.hold(on); }
  std::uint64_t readable() const { return receiver_.window().unread(); }
  /// Closes this direction: a FIN follows the written data. Reading continues.
  void close();
  /// Ends the connection with a RST.
  void abort();

  void set_nodelay(bool on);  ///< TCP_NODELAY
  /// The environment takes segments of up to `bytes` and cuts them (TSO). 0: one MSS at a time.
  void set_offload(std::uint32_t bytes) { sender_.set_offload(bytes); }
  /// Sets the bytes that may wait for the reader, by the host's accounting of receive memory. A
  /// window that was already offered stays valid.
  void set_receive_limit(std::uint64_t bytes) { receiver_.window().set_limit(bytes); }
  /// Sets the largest value of that limit, which the window scale must be able to express. Before
  /// connect() or listen().
  void set_receive_most(std::uint64_t bytes) { receiver_.window().set_most(bytes); }
  /// The difference between this end's timestamps and the clock. Not 0 after take_over().
  std::uint32_t timestamp_offset() const { return timestamps_.offset(); }

  State state() const { return state_; }
  const Stats& stats() const { return stats_; }
  const Sender& sender() const { return sender_; }
  const Receiver& receiver() const { return receiver_; }
  /// Heap bytes of this connection's lists of ranges.
  std::size_t heap_bytes() const { return sender_.heap_bytes() + receiver_.heap_bytes(); }

 private:
  friend class Move;
  void send_syn(bool again);
  Options offers(bool answering) const;
  void agree(const Segment& syn);
  void agree(std::uint32_t irs, const Options& own, const Options& peer);
  void in_listen(const Segment& segment);
  void in_syn_sent(const Segment& segment);
  void in_synchronized(const Segment& segment);
  void arrive(const Segment& segment);
  bool acceptable(std::int64_t begin, const Segment& segment) const;
  void on_reset(std::int64_t begin);
  bool on_acknowledgement(const Segment& segment, std::int64_t begin);
  void on_text(const Segment& segment, std::int64_t begin);
  void on_fin_acked();
  void on_fin();
  void become_established();
  void enter_time_wait();
  void challenge();
  void refuse(const Segment& segment);
  void speak();  // output, and an ACK if one is due and no segment carried it
  void end(End why);
  void heard();
  void on_keepalive_timer();
  void expire(Timer timer);
  bool may_send() const { return state_ >= State::kEstablished && state_ != State::kTimeWait; }

  const TcpConfig& config_;
  Environment& environment_;
  State state_ = State::kClosed;
  Stats stats_;
  Timers timers_;
  Timestamps timestamps_;
  Receiver receiver_;
  Outbox outbox_;
  Sender sender_;
  Opening opening_;
  Options peer_offers_;  // the options on its SYN
  std::uint32_t syn_tries_ = 0;
  std::uint32_t keepalive_sent_ = 0;
  std::uint64_t heard_at_ = 0;
  Agreement agreed_;
  Notices notices_;
};

}  // namespace longhaul::tcp
