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

/// One end of a TCP connection (RFC 9293): a state machine that is called, never waits, keeps no
/// bytes and allocates nothing per segment. The caller finds the connection for a segment, holds
/// the payload, and charges what things cost.
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
  /// Goes on with a connection that others have opened, and says so to the environment.
  void take_over(const Handover& handover);
  /// A segment for this connection arrived, undamaged.
  void receive(const Segment& segment);
  /// A timer that the environment was asked for fired.
  void on_timer(Timer timer);
  /// The environment has room for segments again, after it refused one.
  void on_room();

  /// Appends `bytes` to the stream and sends what may be sent. False after close().
  bool write(std::uint64_t bytes);
  /// The reader takes up to `bytes`; returns how many there were.
  std::uint64_t read(std::uint64_t bytes);
  /// What comes now goes straight to a reader, whose read() acknowledges it; a hole, a window that
  /// is to grow or a FIN do not wait.
  void hold_acks(bool on) { receiver_.hold(on); }
  std::uint64_t readable() const { return receiver_.window().unread(); }
  /// Closes this direction: a FIN follows what was written. Reading goes on.
  void close();
  /// Ends the connection with a RST.
  void abort();

  /// TCP_NODELAY.
  void set_nodelay(bool on);
  /// The environment takes segments of up to `bytes` and has them cut (TSO); 0: one MSS at a time.
  void set_offload(std::uint32_t bytes) { sender_.set_offload(bytes); }
  /// The host's accounting of receive memory: bytes that may wait for the reader from now on. What
  /// was promised stays promised.
  void set_receive_limit(std::uint64_t bytes) { receiver_.window().set_limit(bytes); }
  /// What that may become, which the window scale has to be able to tell; before connect() or
  /// listen().
  void set_receive_most(std::uint64_t bytes) { receiver_.window().set_most(bytes); }
  /// By how much this end's timestamps are ahead of the clock: not 0 after take_over().
  std::uint32_t timestamp_offset() const { return timestamps_.offset(); }

  State state() const { return state_; }
  const Stats& stats() const { return stats_; }
  const Sender& sender() const { return sender_; }
  const Receiver& receiver() const { return receiver_; }
  /// Heap bytes behind this connection's lists of ranges.
  std::size_t heap_bytes() const { return sender_.heap_bytes() + receiver_.heap_bytes(); }

 private:
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
  void speak();  // output, and an ACK if one is due and nothing carried it
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
  Options peer_offers_;  // on its SYN
  std::uint32_t syn_tries_ = 0;
  std::uint32_t keepalive_sent_ = 0;
  std::uint64_t heard_at_ = 0;
  Agreement agreed_;
  Notices notices_;
};

}  // namespace longhaul::tcp
