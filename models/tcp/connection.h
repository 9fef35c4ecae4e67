// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "models/tcp/config.h"
#include "models/tcp/environment.h"
#include "models/tcp/outbox.h"
#include "models/tcp/receiver.h"
#include "models/tcp/segment.h"
#include "models/tcp/sender.h"
#include "models/tcp/stats.h"
#include "models/tcp/timers.h"
#include "models/tcp/timestamps.h"

namespace longhaul::tcp {

/// The states of RFC 9293, 3.3.2.
enum class State : std::uint8_t {
  kClosed,
  kListen,
  kSynSent,
  kSynReceived,
  kEstablished,
  kFinWait1,
  kFinWait2,
  kCloseWait,
  kClosing,
  kLastAck,
  kTimeWait,
};
const char* to_text(State state);

/// What is known when a connection opens.
struct Opening {
  std::uint32_t iss = 0;    ///< initial sequence number
  std::uint16_t mss = 536;  ///< largest segment this side can take and the path carries: MTU
                            ///< without IP and TCP headers (no options)
};

/// What is known of an established connection to whoever goes on with it in the place of one of its
/// ends: a relay that has seen the handshake pass. `own` are the options on the SYN of the end that
/// it stands in for, `peer` those on the other's.
struct Handover {
  Opening opening;  ///< initial sequence number of the end that it stands in for; what its own path
                    ///< carries
  std::uint32_t irs = 0;
  Options own;
  Options peer;
  std::uint64_t offered = 0;    ///< window that the peer has been offered, bytes behind its SYN
  std::uint64_t window = 0;     ///< window that the peer has offered, bytes
  std::uint32_t timestamp = 0;  ///< the latest that the peer may have seen, as of now
  std::uint32_t peer_timestamp = 0;  ///< the peer's latest
  std::uint64_t rtt = 0;             ///< between the relay and the peer, ps
  bool announce = false;             ///< an ACK goes out at once: the peer may not have had one
};

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
  void set_receive_limit(std::uint64_t bytes);
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
  void notify();  // tells the environment what happened, last in every call
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
  bool syn_sack_ = false;  // what the peer's SYN offered
  bool syn_timestamps_ = false;
  bool syn_scaling_ = false;
  std::uint32_t syn_tries_ = 0;
  std::uint32_t keepalive_sent_ = 0;
  std::uint64_t heard_at_ = 0;
  std::uint32_t mss_ = 536;
  std::uint8_t peer_shift_ = 0;
  bool sack_ = false;
  // What notify() has to tell.
  bool newly_established_ = false;
  bool newly_finished_ = false;
  std::uint64_t newly_acked_ = 0;
  std::uint64_t newly_readable_ = 0;
  std::optional<End> newly_ended_;
};

/// The RST that answers a segment which belongs to no connection (RFC 9293, 3.10.7.1); the segment
/// itself is none.
Segment reset_for(const Segment& segment);

}  // namespace longhaul::tcp
