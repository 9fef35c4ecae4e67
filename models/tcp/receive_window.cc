// SPDX-License-Identifier: Apache-2.0
#include "models/tcp/receive_window.h"

#include <algorithm>

namespace longhaul::tcp {
namespace {

constexpr std::uint64_t kLargestField = 65535;
constexpr std::uint8_t kLargestShift = 14;  // RFC 7323, 2.3

}  // namespace

void ReceiveWindow::start(std::uint32_t mss, std::uint8_t shift) {
  mss_ = mss;
  shift_ = shift;
  if (config_.window_start != 0) held_to_ = std::uint64_t{config_.window_start} * mss;
}

std::uint8_t ReceiveWindow::wanted_shift() const {
  std::uint8_t shift = 0;
  while (shift < kLargestShift && (std::max(limit_, most_) >> shift) > kLargestField) ++shift;
  return shift;
}

bool ReceiveWindow::grow(std::uint64_t full_segments) {
  if (held_to_ >= limit_ || full_segments == 0) return false;
  held_to_ += full_segments * config_.window_growth * mss_;
  return true;
}

std::uint64_t ReceiveWindow::window(Position next) const {
  const std::uint64_t current = edge_ > next ? edge_ - next : 0;
  std::uint64_t free = limit_ > unread_ ? limit_ - unread_ : 0;
  free = std::min({free, held_to_, kLargestField << shift_});
  if (config_.window_in_segments && free >= mss_) free -= free % mss_;
  if (free <= current) return current;  // never taken back
  // RFC 9293, 3.8.6.2.2: the edge stays until it can move by a segment or half of the buffer.
  const std::uint64_t step = std::min<std::uint64_t>(mss_, limit_ / 2);
  return free - current < step ? current : free;
}

std::uint64_t ReceiveWindow::in_units(std::uint64_t bytes, std::uint8_t shift) const {
  std::uint64_t field = bytes >> shift;
  // A window that starts small must not be scaled to zero. The rest then counts as a whole unit
  // (Linux, __tcp_select_window()).
  if (config_.window_start != 0 && field << shift < bytes) ++field;
  return std::min(field, kLargestField) << shift;
}

std::uint16_t ReceiveWindow::offer(Position next, bool scaled) {
  const std::uint8_t shift = scaled ? shift_ : 0;
  const std::uint64_t field = in_units(window(next), shift) >> shift;
  edge_ = std::max(edge_, next + (field << shift));
  return static_cast<std::uint16_t>(field);
}

bool ReceiveWindow::worth_telling(Position next) const {
  const std::uint64_t by = opening(next);
  if (by == 0) return false;
  return by >= std::uint64_t{config_.update_segments} * mss_ ||
         static_cast<double>(by) >= config_.update_share * static_cast<double>(limit_);
}

}  // namespace longhaul::tcp
