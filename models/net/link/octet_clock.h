// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/common/wide_math.h"

namespace longhaul {

/// The time of one octet as an exact fraction of picoseconds.
struct OctetTime {
  std::uint64_t ps = 1;   ///< numerator
  std::uint64_t per = 1;  ///< denominator

  /// For a rate of `rate` * `num` / `den` bits per second; the fraction is reduced.
  static constexpr OctetTime of(std::uint64_t rate, std::uint64_t num = 1, std::uint64_t den = 1) {
    const unsigned __int128 over = static_cast<unsigned __int128>(8'000'000'000'000ULL) * den;
    const unsigned __int128 under = static_cast<unsigned __int128>(rate) * num;
    unsigned __int128 a = over;
    unsigned __int128 b = under;
    while (b != 0) {
      const unsigned __int128 rest = a % b;
      a = b;
      b = rest;
    }
    return {static_cast<std::uint64_t>(over / a), static_cast<std::uint64_t>(under / a)};
  }
  /// The length of `octets` in whole picoseconds, rounded up.
  constexpr std::uint64_t length_ps(std::uint64_t octets) const {
    return times_over(octets, ps, per - 1, per);
  }
};

/// The instant up to which a fixed-rate path for octets is busy, kept exactly as whole picoseconds
/// and a fraction. So back-to-back frames never drift at any rate.
class OctetClock {
 public:
  explicit OctetClock(OctetTime octet) : octet_(octet), per_(octet.per) {}

  /// Starts a busy period at `now_ps`. If the present one has not ended before that picosecond, it
  /// continues.
  void begin(std::uint64_t now_ps) {
    if (now_ps > ceil_ps()) {
      ps_ = now_ps;
      fraction_ = 0;
    }
  }
  void advance(std::uint64_t octets) {
    const Division division =
        divide(static_cast<unsigned __int128>(octets) * octet_.ps + fraction_, per_);
    ps_ += division.quotient;
    fraction_ = division.rest;
  }
  /// The instant, rounded up to a picosecond.
  std::uint64_t ceil_ps() const { return ps_ + (fraction_ != 0 ? 1 : 0); }
  /// The instant `octets` later, rounded up to a picosecond.
  std::uint64_t ceil_ps_after(std::uint64_t octets) const {
    OctetClock later = *this;
    later.advance(octets);
    return later.ceil_ps();
  }
  void reset(std::uint64_t now_ps) {
    ps_ = now_ps;
    fraction_ = 0;
  }
  const OctetTime& octet() const { return octet_; }

 private:
  OctetTime octet_;
  Divisor per_;
  std::uint64_t ps_ = 0;
  std::uint64_t fraction_ = 0;  // unit: 1/octet_.per ps
};

}  // namespace longhaul
