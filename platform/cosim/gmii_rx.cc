// SPDX-License-Identifier: Apache-2.0
#include "platform/cosim/gmii_rx.h"

#include "models/net/frame/ethernet_header.h"

namespace longhaul::cosim {
void GmiiRx::begin(const FrameRef& frame) {
  const std::uint64_t now = block_.input_ps();
  queue_.push_back({frame, now});
  if (attached_) return;
  attached_ = true;
  clock_.attach(*this, now);
}

void GmiiRx::cut() {
  static_cast<void>(block_.input_ps());
  while (queue_.size() > (playing_ ? 1U : 0U)) queue_.pop_back();
  cut_ = playing_;
}

void GmiiRx::clocked(std::uint64_t edge_ps) {
  if (playing_) return put_next();
  if (gap_ < kLeastGapBytes) ++gap_;
  if (gap_ < kLeastGapBytes) return;
  if (queue_.empty()) {
    attached_ = false;
    clock_.detach(*this);
    return;
  }
  if (queue_.front().begin_ps >= edge_ps) return;
  const std::uint32_t fcs = queue_.front().frame->fcs();
  for (std::uint32_t i = 0; i < fcs_.size(); ++i)
    fcs_[i] = static_cast<std::uint8_t>(fcs >> (8 * i));
  playing_ = true;
  at_ = 0;
  pins_.valid.set(true);
  put_next();
}

void GmiiRx::put_next() {
  const Frame& frame = *queue_.front().frame;
  const std::uint32_t byte = at_++ - ethernet::kPreambleBytes;  // wraps during the preamble
  if (byte < frame.size()) {
    *pins_.data = frame.data()[byte];
  } else if (at_ <= ethernet::kPreambleBytes) {
    *pins_.data = at_ == ethernet::kPreambleBytes ? ethernet::kDelimiter : ethernet::kPreamble;
  } else if (byte < frame.octets()) {
    *pins_.data = fcs_[byte - frame.size()];
  } else {
    ++frames_;
    return idle();
  }
  if (!cut_) return;
  if (pins_.error.get()) return idle();  // the errored byte has been on the pins
  pins_.error.set(true);
}

void GmiiRx::idle() {
  *pins_.data = 0;
  pins_.valid.set(false);
  pins_.error.set(false);
  playing_ = false;
  cut_ = false;
  gap_ = 0;
  queue_.pop_front();
}

}  // namespace longhaul::cosim
