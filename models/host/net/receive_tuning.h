// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

namespace longhaul::host {

/// The window for a reader: twice the bytes that it took in the last round trip (dynamic
/// right-sizing: Fisk, Feng 2001; Linux, tcp_rcv_space_adjust()). A round trip is the shortest time
/// in which a whole window came. Offsets are those of the stream, times are in picoseconds.
class ReceiveTuning {
 public:
  /// Data came in order up to `next`. The peer may send up to `edge`.
  void arrived(std::uint64_t next, std::uint64_t edge, std::uint64_t now) {
    if (next < round_end_) return;
    if (round_end_ != 0)
      round_trip_ = std::min(round_trip_, std::max<std::uint64_t>(now - round_begin_, 1));
    round_end_ = std::max(edge, next + 1);
    round_begin_ = now;
  }
  /// The reader has read up to `offset`. Returns the new window if it is the largest so far, else
  /// 0.
  std::uint64_t read(std::uint64_t offset, std::uint64_t now) {
    if (round_trip_ == kUnknown || now - measured_at_ < round_trip_) return 0;
    const std::uint64_t worth = 2 * (offset - measured_from_);
    measured_from_ = offset;
    measured_at_ = now;
    if (worth <= most_) return 0;
    return most_ = worth;
  }

 private:
  static constexpr std::uint64_t kUnknown = ~std::uint64_t{0};
  std::uint64_t round_trip_ = kUnknown;
  std::uint64_t round_end_ = 0;
  std::uint64_t round_begin_ = 0;
  std::uint64_t measured_from_ = 0;
  std::uint64_t measured_at_ = 0;
  std::uint64_t most_ = 0;
};

}  // namespace longhaul::host
