// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/tcp/config.h"
#include "models/tcp/segment.h"

namespace longhaul::tcp {

/// The part of the stream that the receiver lets the peer send: the free part of the buffer. Avoids
/// silly windows and never shrinks.
class ReceiveWindow {
 public:
  explicit ReceiveWindow(const TcpConfig& config)
      : config_(config), limit_(config.receive_buffer) {}

  /// Starts with segments of `mss`. After the handshake the header's window is in units of 2^shift
  /// bytes.
  void start(std::uint32_t mss, std::uint8_t shift);
  /// The smallest shift with which a header can express the buffer at its largest size (RFC 7323,
  /// 2.3).
  std::uint8_t wanted_shift() const;
  /// Sets the largest size of the buffer; before the handshake.
  void set_most(std::uint64_t bytes) { most_ = bytes; }
  /// Another agent has already offered everything below `edge` in this end's name.
  void set_edge(Position edge) { edge_ = edge; }
  /// Sets the bytes that may wait for the reader, by the host's accounting of buffer memory.
  void set_limit(std::uint64_t bytes) { limit_ = bytes; }
  std::uint64_t limit() const { return limit_; }

  void delivered(std::uint64_t bytes) { unread_ += bytes; }
  void read(std::uint64_t bytes) { unread_ -= bytes; }
  std::uint64_t unread() const { return unread_; }
  /// Full segments came in order, so a window that starts small grows (window_start,
  /// window_growth). Returns whether it grew.
  bool grow(std::uint64_t full_segments);

  /// The window for a header that acknowledges `next`; the peer may use it from then on. `scaled`
  /// is false on a SYN.
  std::uint16_t offer(Position next, bool scaled);
  /// First position that the peer may not yet send.
  Position edge() const { return edge_; }
  /// The bytes by which the window would open if it was announced now.
  std::uint64_t opening(Position next) const {
    const Position edge = next + in_units(window(next), shift_);
    return edge > edge_ ? edge - edge_ : 0;
  }
  /// Whether it has opened enough for an announcement of its own.
  bool worth_telling(Position next) const;

 private:
  std::uint64_t window(Position next) const;
  /// The size as a header can express it, in bytes.
  std::uint64_t in_units(std::uint64_t bytes, std::uint8_t shift) const;

  const TcpConfig& config_;
  std::uint64_t limit_;
  std::uint64_t most_ = 0;
  std::uint32_t mss_ = 1;
  std::uint8_t shift_ = 0;
  std::uint64_t unread_ = 0;
  std::uint64_t held_to_ = ~0ULL;  // while the window starts small
  Position edge_ = 0;
};

}  // namespace longhaul::tcp
