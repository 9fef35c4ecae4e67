// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/tcp/config.h"

namespace longhaul::tcp {

/// Smoothed round-trip time and retransmission timeout (RFC 6298, 2), in picoseconds, measured by
/// the system's clock.
class RttEstimator {
 public:
  explicit RttEstimator(const TcpConfig& config) : config_(config) {}

  /// A segment that was sent at `sent` and never retransmitted was acknowledged at `now`. Both
  /// times are read from a clock of `tick` (0: exact). Returns the sample, at least one tick.
  std::uint64_t sample(std::uint64_t sent, std::uint64_t now, std::uint64_t tick);
  /// Takes a measured round-trip time.
  void take(std::uint64_t rtt, std::uint64_t tick);

  /// Continues behind another estimator.
  void resume(std::uint64_t srtt, std::uint64_t rttvar) {
    measured_ = true;
    srtt_ = least_ = srtt;
    rttvar_ = rttvar;
  }

  /// Doubles the timeout (RFC 6298, 5.5).
  void back_off();
  /// A round-trip time was measured, or the handshake is complete: ends the doubling of the
  /// timeout.
  void end_back_off() { backed_off_ = 0; }
  std::uint32_t backed_off() const { return backed_off_; }

  bool measured() const { return measured_; }
  std::uint64_t srtt() const { return srtt_; }
  std::uint64_t rttvar() const { return rttvar_; }
  /// Smallest sample so far; 0 before the first.
  std::uint64_t least() const { return least_; }
  /// The present timeout, within its limits and with its doublings.
  std::uint64_t rto() const;

 private:
  const TcpConfig& config_;
  bool measured_ = false;
  std::uint32_t backed_off_ = 0;
  std::uint64_t srtt_ = 0;
  std::uint64_t rttvar_ = 0;
  std::uint64_t least_ = 0;
  std::uint64_t granularity_ = 0;
};

}  // namespace longhaul::tcp
