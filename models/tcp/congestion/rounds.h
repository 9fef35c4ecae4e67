// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "models/tcp/congestion/congestion_control.h"

namespace longhaul::tcp {

/// Parts the ACKs of a connection into stretches of one round-trip time, and tells the rate of
/// each.
class Rounds {
 public:
  /// Shortest stretch, ps; a clock tick makes shorter ones meaningless.
  explicit Rounds(std::uint64_t least = 0) : least_(least) {}

  /// Counts an ACK; true when it ends a round.
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
  /// Of the round that ended last, bytes/s.
  double rate() const { return rate_; }
  /// Latest sample of the round trip, ps.
  std::uint64_t rtt() const { return rtt_; }

 private:
  std::uint64_t least_;
  std::uint64_t start_ = 0;
  std::uint64_t bytes_ = 0;
  std::uint64_t rtt_ = 0;
  double rate_ = 0;
};

}  // namespace longhaul::tcp
