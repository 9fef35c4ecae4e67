// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace longhaul::observe {

/// The bytes in flight of a TCP flow: they were sent, and no ACK covers them yet.
///
/// Numbers are TCP's, modulo 2^32. A SYN and a FIN are not data and do not count.
class Flight {
 public:
  /// `sequence` is the number of the first byte of data.
  explicit Flight(std::uint32_t sequence) : acknowledged_(sequence), end_(sequence) {}

  std::uint32_t bytes() const { return end_ - acknowledged_; }
  /// A segment was sent; `end` is the sequence number after its data.
  void sent(std::uint32_t end) {
    if (is_behind(end, end_)) end_ = end;
  }
  /// An ACK for all bytes before `number` came.
  void acknowledged(std::uint32_t number) {
    if (is_behind(number, acknowledged_)) acknowledged_ = is_behind(number, end_) ? end_ : number;
  }
  /// The connection was reset, so nothing more will be acknowledged.
  void reset() { acknowledged_ = end_; }

 private:
  static bool is_behind(std::uint32_t number, std::uint32_t other) {
    return static_cast<std::int32_t>(number - other) > 0;
  }

  std::uint32_t acknowledged_;
  std::uint32_t end_;
};

}  // namespace longhaul::observe
