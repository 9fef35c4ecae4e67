// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/tcp/config.h"
#include "models/tcp/segment.h"

namespace longhaul::tcp {

/// The timestamps option of a connection: this side's clock, the value to echo, and protection
/// against wrapped sequence numbers (RFC 7323, 3 to 5).
class Timestamps {
 public:
  explicit Timestamps(const TcpConfig& config) : config_(config) {}

  /// Both sides agreed. `first` is the peer's value on its SYN.
  void enable(std::uint32_t first, std::uint64_t now) {
    on_ = true;
    recent_ = first;
    recent_at_ = now;
  }
  /// Continues the timestamps of another agent that acted for this end: the clock shows `value`
  /// now.
  void continue_from(std::uint32_t value, std::uint64_t now) { offset_ = value - ticks(now); }
  bool on() const { return on_; }
  std::uint32_t value(std::uint64_t now) const { return ticks(now) + offset_; }
  std::uint32_t offset() const { return offset_; }
  std::uint32_t echo() const { return recent_; }

  /// RFC 7323, 5.3, R1: whether a segment is too old to belong to this window.
  bool refuses(const Segment& segment, std::uint64_t now) const {
    constexpr std::uint64_t kOutdated = 24ULL * 24 * 3600 * 1'000'000'000'000;  // 24 days (5.5), ps
    return on_ && segment.options.timestamps && !segment.has(kRst) &&
           static_cast<std::int32_t>(segment.options.ts_value - recent_) < 0 &&
           now - recent_at_ < kOutdated;
  }
  /// 4.3, (2): the value to echo comes from the segment at which the last ACK sent stops.
  void take(const Segment& segment, std::int64_t begin, Position last_ack_sent, std::uint64_t now) {
    if (!on_ || !segment.options.timestamps) return;
    if (static_cast<std::int32_t>(segment.options.ts_value - recent_) < 0) return;
    if (begin > static_cast<std::int64_t>(last_ack_sent)) return;
    recent_ = segment.options.ts_value;
    recent_at_ = now;
  }
  /// Time since a value of this clock was sent, ps, at least one tick.
  std::uint64_t since(std::uint32_t echo, std::uint64_t now) const {
    const std::uint32_t passed = value(now) - echo;
    return (passed == 0 ? 1 : passed) * config_.timestamp_tick;
  }

 private:
  std::uint32_t ticks(std::uint64_t now) const {
    return static_cast<std::uint32_t>(now / config_.timestamp_tick + 1);
  }

  const TcpConfig& config_;
  bool on_ = false;
  std::uint32_t offset_ = 0;
  std::uint32_t recent_ = 0;
  std::uint64_t recent_at_ = 0;
};

}  // namespace longhaul::tcp
