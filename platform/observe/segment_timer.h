// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

namespace longhaul::observe {

/// Times one TCP segment at a time, from its sending to the ACK that covers it.
///
/// A retransmitted segment is not timed: it is not known which of the two was acknowledged (Karn
/// and Partridge, "Improving round-trip time estimates in reliable transport protocols", SIGCOMM
/// 1987).
class SegmentTimer {
 public:
  bool running() const { return running_; }
  /// A segment was sent; `end` is the sequence number after its data. `again`: some of the data had
  /// been sent before.
  void sent(std::uint64_t at_ps, std::uint32_t end, bool again) {
    if (again) {
      running_ = false;
    } else if (!running_) {
      running_ = true;
      end_ = end;
      since_ps_ = at_ps;
    }
  }
  /// An ACK for all bytes before `number` came. Returns the time of the timed segment if the ACK
  /// covers it.
  std::optional<std::uint64_t> acknowledged(std::uint64_t at_ps, std::uint32_t number) {
    if (!running_ || static_cast<std::int32_t>(number - end_) < 0) return std::nullopt;
    running_ = false;
    return at_ps - since_ps_;
  }

 private:
  bool running_ = false;
  std::uint32_t end_ = 0;
  std::uint64_t since_ps_ = 0;
};

}  // namespace longhaul::observe
