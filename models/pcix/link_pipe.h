// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "models/common/divisor.h"
#include "models/common/units.h"

namespace longhaul::pcix {

/// One direction of the link between a bridge and the host (HyperTransport, hub interface, IMB). It
/// carries packets of limited payload, each with a header, one after the other at the link's rate.
class LinkPipe {
 public:
  LinkPipe(BitRate rate, std::uint32_t header_bytes, std::uint32_t payload_bytes)
      : byte_time_((8'000'000'000'000ULL * kFraction + rate.bits_per_s - 1) / rate.bits_per_s),
        header_bytes_(header_bytes),
        payload_(payload_bytes) {}

  /// The time that `bytes` occupy the link, headers included.
  std::uint64_t time_ps(std::uint64_t bytes) const {
    const std::uint64_t packets =
        std::max<std::uint64_t>(1, payload_.quotient(bytes + payload_.value() - 1));
    return (bytes + packets * header_bytes_) * byte_time_ / kFraction;
  }
  /// Reserves the link for `bytes` that are available from `from_ps` on. Returns when the last of
  /// them has passed.
  std::uint64_t book(std::uint64_t from_ps, std::uint64_t bytes) {
    free_ps_ = std::max(free_ps_, from_ps) + time_ps(bytes);
    return free_ps_;
  }
  std::uint64_t free_ps() const { return free_ps_; }

 private:
  static constexpr std::uint64_t kFraction = 1024;
  std::uint64_t byte_time_;  // unit: 1/kFraction ps
  std::uint32_t header_bytes_;
  Divisor payload_;
  std::uint64_t free_ps_ = 0;
};

}  // namespace longhaul::pcix
