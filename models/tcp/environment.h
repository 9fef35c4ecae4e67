// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/tcp/segment.h"

namespace longhaul::tcp {

/// The timers of a connection, each at most once under way.
enum class Timer : std::uint8_t { kRetransmit, kPersist, kDelayedAck, kKeepalive, kLinger };
inline constexpr std::size_t kTimerKinds = 5;

/// Why a connection is no more.
enum class End : std::uint8_t {
  kClosed,    ///< both directions closed and acknowledged, TIME-WAIT over where it applies
  kReset,     ///< the peer sent a RST
  kTimedOut,  ///< nothing heard after the last retransmission, window probe or keepalive probe
  kAborted,   ///< abort() here
};

/// What a connection stands in: its clock, its way out and the one who uses it. Times are
/// picoseconds.
///
/// None of these calls may call back into the connection, except write(), read() and close() from
/// readable(), writable() and end_of_stream(), which come last in whatever the connection does.
class Environment {
 public:
  virtual ~Environment() = default;
  virtual std::uint64_t now() const = 0;
  /// Asks for Connection::on_timer(timer) at `at`, in place of an earlier wish for the same timer.
  /// There is no cancelling: a timer that has become meaningless is ignored when it fires, so a
  /// restart per ACK costs no call.
  virtual void wake(Timer timer, std::uint64_t at) = 0;
  /// Takes a segment. False when there is no room (the sending queue is full): the segment counts
  /// as not sent, and Connection::on_room() is due when there is.
  virtual bool transmit(const Segment& segment) = 0;
  /// The handshake is through.
  virtual void established() {}
  /// `bytes` more of the stream are in order and can be read.
  virtual void readable(std::uint64_t bytes) {}
  /// The peer has acknowledged `bytes` more of the stream: they need not be kept any longer.
  virtual void writable(std::uint64_t bytes) {}
  /// The peer has closed its direction: nothing follows what was announced as readable.
  virtual void end_of_stream() {}
  /// The connection is over and will not speak again.
  virtual void ended(End why) {}
};

}  // namespace longhaul::tcp
