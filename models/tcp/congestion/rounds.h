// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "models/tcp/congestion/congestion_control.h"

namespace longhaul::tcp {

/// Divides the ACKs of a connection into rounds of one round-trip time, and computes the rate of
/// each.
class Rounds {
 public:
  /// `least` is the shortest round, ps. With a coarse clock, shorter ones have no meaning.
  explicit Rounds(std::uint64_t least = 0) : least_(least) {}

  /// Counts an ACK. Returns true if it ends a round.
  bool add(const Acked& ack) {
    if (ack.rtt != 0) rtt_ = ack.rtt;
    if (start_ == 0) {
      start_ = ack.now;
      return false;
    }
    bytes_ += ack.bytes;
    const std::uint64_t length = std::max(rtt_, least_);
    if (length == 0 || ack.now - start_ < length) return false;
    rate_ = static_cast<double>(bytes_) * kPsPerSecond / static_cast<double>(ack.now - start_);
    start_ = ack.now;
    bytes_ = 0;
    return true;
  }
  /// Rate of the last complete round, bytes/s.
  double rate() const { return rate_; }
  /// Last sample of the round-trip time, ps.
  std::uint64_t rtt() const { return rtt_; }

 private:
  std::uint64_t least_;
  std::uint64_t start_ = 0;
  std::uint64_t bytes_ = 0;
  std::uint64_t rtt_ = 0;
  double rate_ = 0;
};

}  // namespace longhaul::tcp
