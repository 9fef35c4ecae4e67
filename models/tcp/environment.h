// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/tcp/segment.h"

namespace longhaul::tcp {

/// The timers of a connection. Each is set at most once at a time.
enum class Timer : std::uint8_t { kRetransmit, kPersist, kDelayedAck, kKeepalive, kLinger };
inline constexpr std::size_t kTimerKinds = 5;

/// The reason for the end of a connection.
enum class End : std::uint8_t {
  kClosed,    ///< both directions closed and acknowledged, TIME-WAIT over if it applies
  kReset,     ///< the peer sent a RST
  kTimedOut,  ///< nothing heard after the last retransmission, window probe or keepalive probe
  kAborted,   ///< abort() was called at this end
};

/// The environment of a connection: its clock, its output and its user. Times are picoseconds.
///
/// None of these calls may call back into the connection. The exceptions are write(), read() and
/// close() from readable(), writable() and end_of_stream(), which the connection calls last.
class Environment {
 public:
  virtual ~Environment() = default;
  virtual std::uint64_t now() const = 0;
  /// Requests Connection::on_timer(timer) at `at`, in place of an earlier request for the same
  /// timer. Timers are never cancelled: one that has become meaningless is ignored when it fires.
  /// So a restart at each ACK costs no call.
  virtual void wake(Timer timer, std::uint64_t at) = 0;
  /// Takes a segment. Returns false if there is no room (the sending queue is full). Then the
  /// segment counts as not sent, and Connection::on_room() must be called when there is room.
  /// It may shorten a segment with data (Segment::shorten()), and takes that.
  virtual bool transmit(Segment& segment) = 0;
  /// The handshake is complete.
  virtual void established() {}
  /// `bytes` more of the stream are in order and can be read.
  virtual void readable(std::uint64_t bytes) {}
  /// The peer has acknowledged `bytes` more of the stream, so they need not be kept.
  virtual void writable(std::uint64_t bytes) {}
  /// The peer has closed its direction: no data follow those that were announced as readable.
  virtual void end_of_stream() {}
  /// The connection is over and sends nothing more.
  virtual void ended(End why) {}
};

}  // namespace longhaul::tcp
