// SPDX-License-Identifier: Apache-2.0
#include "platform/cosim/wire/mii_rx.h"

namespace longhaul::cosim {

void MiiRx::begin(const FrameRef& frame) {
  const std::uint64_t now = block_.input_ps();
  queue_.push_back({frame, now});
  if (held_) return;
  held_ = true;
  clock_.hold(now);
}

void MiiRx::cut() {
  static_cast<void>(block_.input_ps());
  while (queue_.size() > (playing_ ? 1U : 0U)) queue_.pop_back();
  cut_ = playing_;
}

void MiiRx::clocked(std::uint64_t edge_ps) {
  if (playing_) return put_next();
  if (gap_ < kLeastGapNibbles) {
    ++gap_;
    if (gap_ < kLeastGapNibbles) return;
  }
  if (queue_.empty()) {
    if (!held_) return;
    held_ = false;
    return clock_.release();
  }
  if (queue_.front().begin_ps >= edge_ps) return;
  bytes_ = WireBytes(queue_.front().frame);
  playing_ = true;
  nibble_ = 0;
  pins_.valid.set(1);
  put_next();
}

void MiiRx::put_next() {
  const bool errored = pins_.error && pins_.error.high();
  if (nibble_ == 2 * bytes_.size() || (cut_ && (errored || !pins_.error))) return idle();
  const std::uint32_t byte = bytes_[nibble_ / 2];
  pins_.data.set(nibble_ % 2 == 0 ? byte & 0xfU : byte >> 4U);
  ++nibble_;
  if (cut_) pins_.error.set(1);
}

void MiiRx::idle() {
  pins_.data.set(0);
  pins_.valid.set(0);
  pins_.error.set(0);
  playing_ = false;
  cut_ = false;
  gap_ = 0;
  queue_.pop_front();
}

}  // namespace longhaul::cosim
