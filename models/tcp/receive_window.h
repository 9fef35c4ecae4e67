// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/tcp/config.h"
#include "models/tcp/segment.h"

namespace longhaul::tcp {

/// How much of a stream the receiver lets the peer send: what is free of the buffer, without silly
/// windows and never shrinking.
class ReceiveWindow {
 public:
  explicit ReceiveWindow(const TcpConfig& config)
      : config_(config), limit_(config.receive_buffer) {}

  /// Segments of `mss`; the header's window counts in units of 2^shift bytes from the handshake on.
  void start(std::uint32_t mss, std::uint8_t shift);
  /// Smallest shift with which a header can tell of the whole buffer, as large as it may become
  /// (RFC 7323, 2.3).
  std::uint8_t wanted_shift() const;
  /// The buffer may grow to so much; before the handshake.
  void set_most(std::uint64_t bytes) { most_ = bytes; }
  /// Somebody else has offered everything below `edge` already, in this end's name.
  void set_edge(Position edge) { edge_ = edge; }
  /// The host's accounting of its buffer memory: bytes that may wait for the reader from now on.
  void set_limit(std::uint64_t bytes) { limit_ = bytes; }
  std::uint64_t limit() const { return limit_; }

  void delivered(std::uint64_t bytes) { unread_ += bytes; }
  void read(std::uint64_t bytes) { unread_ -= bytes; }
  std::uint64_t unread() const { return unread_; }
  /// Full segments came in order: a window that starts small grows (window_start, window_growth).
  /// Whether it did.
  bool grow(std::uint64_t full_segments);

  /// The window for a header that acknowledges `next`; from now on the peer may use it. `scaled` is
  /// false on a SYN.
  std::uint16_t offer(Position next, bool scaled);
  /// First position that the peer has not been allowed to send.
  Position edge() const { return edge_; }
  /// By how much the window would open if it was told now, bytes.
  std::uint64_t opening(Position next) const {
    const Position edge = next + in_units(window(next), shift_);
    return edge > edge_ ? edge - edge_ : 0;
  }
  /// Whether it opened enough to be told without another reason.
  bool worth_telling(Position next) const;

 private:
  std::uint64_t window(Position next) const;
  /// What a header can say of it, in bytes.
  std::uint64_t in_units(std::uint64_t bytes, std::uint8_t shift) const;

  const TcpConfig& config_;
  std::uint64_t limit_;
  std::uint64_t most_ = 0;
  std::uint32_t mss_ = 1;
  std::uint8_t shift_ = 0;
  std::uint64_t unread_ = 0;
  std::uint64_t held_to_ = ~0ULL;  // while it starts small
  Position edge_ = 0;
};

}  // namespace longhaul::tcp
