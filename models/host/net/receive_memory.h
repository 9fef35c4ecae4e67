// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "models/host/net/net_params.h"

namespace longhaul::host {

/// Converts the memory of a socket into the window that it offers.
///
/// With truesize (Linux), buffers count with their overhead, and 1/2^adv_win_scale of the free
/// memory is reserved for that. The window grows from its start by two segments per segment
/// (tcp_grow_window). It grows only as far as the memory lasts for segments with as much overhead
/// as the present ones. The limit is half of the whole if the payload is below the share of its
/// buffer that the window assumes. It is a quarter below half of that share, and so on. So a 9 KiB
/// segment in a 16 KiB buffer gets a window of 3/8 of the memory, and the memory must be 2.7 times
/// the bandwidth-delay product.
///
/// Without truesize, bytes count, and the whole buffer is the window.
class ReceiveMemory {
 public:
  explicit ReceiveMemory(const NetParams& params) : params_(params) {}

  /// Called before the handshake. `start_segments` is the size of the first window; 0: all of it.
  void start(std::uint64_t limit, std::uint32_t start_segments, std::uint32_t mss) {
    limit_ = limit;
    mss_ = mss;
    held_ = start_segments == 0 || !params_.truesize() ? ~std::uint64_t{0}
                                                       : std::uint64_t{start_segments} * mss;
  }
  std::uint64_t limit() const { return limit_; }
  void set_limit(std::uint64_t limit) { limit_ = limit; }
  /// The memory for a window of that size, in segments of `mss` that fill buffers of their size
  /// (Linux, tcp_rcv_space_adjust()).
  std::uint64_t memory_for(std::uint64_t window, std::uint32_t mss) const {
    if (!params_.truesize()) return window;
    constexpr std::uint64_t kHeaders = 256 + 16;  // MAX_TCP_HEADER and alignment
    constexpr std::uint64_t kStep = 128;
    std::uint64_t each = mss + kHeaders + params_.buffer_overhead();
    while (worth(each) < mss) each += kStep;
    return std::max<std::uint64_t>(window / mss, 1) * each;
  }

  /// The bytes that a buffer with that payload counts.
  std::uint32_t charge(std::uint32_t memory_bytes, std::uint32_t payload) const {
    return params_.truesize() ? memory_bytes + params_.buffer_overhead() : payload;
  }
  /// The window for that much memory.
  std::uint64_t worth(std::uint64_t memory) const {
    const std::uint32_t scale = params_.adv_win_scale();
    return !params_.truesize() || scale == 0 ? memory : memory - (memory >> scale);
  }
  /// Whether a buffer counts more than a window of its payload.
  bool wasteful(std::uint32_t charge, std::uint32_t payload) const {
    return worth(charge) > payload;
  }
  /// A segment came in order; `charged` is the count of all buffers.
  void grow(std::uint32_t charge, std::uint32_t payload, std::uint64_t charged) {
    constexpr std::uint32_t kTooSmallToTell = 128;  // bytes; Linux, tcp_event_data_recv()
    if (payload < kTooSmallToTell || held_ >= worth(limit_) || held_ >= free_window(charged))
      return;
    std::uint64_t used = worth(charge);
    // Linux from 2.6.7 uses the most that any socket may have.
    std::uint64_t most = worth(std::max(limit_, params_.receive_buffer_most().count));
    while (used > payload && held_ <= most) {
      used /= 2;
      most /= 2;
    }
    if (used <= payload && held_ <= most)
      held_ = std::min({held_ + std::uint64_t{2} * mss_, worth(limit_), clamp_});
  }
  /// More data came than fit, with `unread` bytes in order (0: the data behind a hole are the
  /// cause). The window starts again, below the size that was too large (Linux,
  /// tcp_clamp_window()).
  void overrun(std::uint64_t unread) {
    const std::uint64_t least = std::uint64_t{2} * mss_;
    if (unread != 0)
      clamp_ = std::min(clamp_, std::max(unread - std::min<std::uint64_t>(unread, mss_), least));
    held_ = std::min(clamp_, least);
  }
  /// The window beyond the unread bytes.
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
