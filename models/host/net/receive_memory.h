// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "models/host/net/net_params.h"

namespace longhaul::host {

/// How much a socket may receive: turns the memory that it has into the window that it offers.
///
/// With truesize (Linux): buffers count with their overhead; 1/2^adv_win_scale of the free memory
/// is held back for that; and the window grows from its start by two segments a segment
/// (tcp_grow_window) only as far as memory lasts for segments whose buffers are as wasteful as
/// those that come: up to half of the whole when a buffer is used by less than that share, a
/// quarter when by less than half of it, and so on. So a 9 KiB segment in a 16 KiB buffer gets a
/// window of 3/8 of the memory, and the memory has to be 2.7 times the bandwidth-delay product.
/// Otherwise: bytes, and the whole buffer is the window.
class ReceiveMemory {
 public:
  explicit ReceiveMemory(const NetParams& params) : params_(params) {}

  /// Before the handshake. `start_segments`: of window at first; 0: all of it.
  void start(std::uint64_t limit, std::uint32_t start_segments, std::uint32_t mss) {
    limit_ = limit;
    mss_ = mss;
    held_ = start_segments == 0 || !params_.truesize() ? ~std::uint64_t{0}
                                                       : std::uint64_t{start_segments} * mss;
  }
  std::uint64_t limit() const { return limit_; }
  void set_limit(std::uint64_t limit) { limit_ = limit; }
  /// Memory that so much window takes, in segments of `mss` that fill buffers of their size (Linux,
  /// tcp_rcv_space_adjust()).
  std::uint64_t memory_for(std::uint64_t window, std::uint32_t mss) const {
    if (!params_.truesize()) return window;
    constexpr std::uint64_t kHeaders = 256 + 16;  // MAX_TCP_HEADER and alignment
    constexpr std::uint64_t kStep = 128;
    std::uint64_t each = mss + kHeaders + params_.buffer_overhead();
    while (worth(each) < mss) each += kStep;
    return std::max<std::uint64_t>(window / mss, 1) * each;
  }

  /// What a buffer with that payload counts.
  std::uint32_t charge(std::uint32_t memory_bytes, std::uint32_t payload) const {
    return params_.truesize() ? memory_bytes + params_.buffer_overhead() : payload;
  }
  /// The window that so much memory is worth.
  std::uint64_t worth(std::uint64_t memory) const {
    const std::uint32_t scale = params_.adv_win_scale();
    return !params_.truesize() || scale == 0 ? memory : memory - (memory >> scale);
  }
  /// Whether a buffer counts more than a window of its payload does.
  bool wasteful(std::uint32_t charge, std::uint32_t payload) const {
    return worth(charge) > payload;
  }
  /// A segment came in order; `charged` is what all buffers count.
  void grow(std::uint32_t charge, std::uint32_t payload, std::uint64_t charged) {
    constexpr std::uint32_t kTooSmallToTell = 128;  // bytes; Linux, tcp_event_data_recv()
    if (payload < kTooSmallToTell || held_ >= worth(limit_) || held_ >= free_window(charged))
      return;
    std::uint64_t used = worth(charge);
    // Linux from 2.6.7 reckons from the most that any socket may have.
    std::uint64_t most = worth(std::max(limit_, params_.receive_buffer_most().count));
    while (used > payload && held_ <= most) {
      used /= 2;
      most /= 2;
    }
    if (used <= payload && held_ <= most)
      held_ = std::min({held_ + std::uint64_t{2} * mss_, worth(limit_), clamp_});
  }
  /// More came than fits, with `unread` bytes in order (0: the fault is with what waits behind a
  /// hole): the window starts over, and stays below what was too much (Linux, tcp_clamp_window()).
  void overrun(std::uint64_t unread) {
    const std::uint64_t least = std::uint64_t{2} * mss_;
    if (unread != 0)
      clamp_ = std::min(clamp_, std::max(unread - std::min<std::uint64_t>(unread, mss_), least));
    held_ = std::min(clamp_, least);
  }
  /// What may be offered beyond what is unread.
  std::uint64_t window(std::uint64_t charged) const {
    return std::min(free_window(charged), held_);
  }
  bool counts_memory() const { return params_.truesize(); }

 private:
  std::uint64_t free_window(std::uint64_t charged) const {
    return limit_ > charged ? worth(limit_ - charged) : 0;
  }

  const NetParams& params_;
  std::uint64_t limit_ = 0;
  std::uint64_t held_ = ~std::uint64_t{0};
  std::uint64_t clamp_ = ~std::uint64_t{0};
  std::uint32_t mss_ = 536;
};

}  // namespace longhaul::host
