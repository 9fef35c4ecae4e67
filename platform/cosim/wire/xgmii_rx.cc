// SPDX-License-Identifier: Apache-2.0
#include "platform/cosim/wire/xgmii_rx.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace longhaul::cosim {
namespace {

/// From a change of the carrier on: 128 columns without a fault message end a fault (46.3.4), and
/// some for the column of the change.
constexpr std::uint32_t kCarrierColumns = 128 + 8;

}  // namespace

void XgmiiPins::require_widths(const std::string& name) const {
  if ((data.width() == 32 || data.width() == 64) && control.width() == data.width() / 8) return;
  throw std::invalid_argument(
      fmt::format("{}: XGMII of {} bits of data and {} of control; it has 32 and 4, or 64 and 8",
                  name, data.width(), control.width()));
}

XgmiiRx::XgmiiRx(RtlBlock& block, ClockDomain& clock, const XgmiiPins& pins,
                 const std::string& name)
    : block_(block), clock_(clock), watcher_(clock.watch(*this, false)), pins_(pins) {
  pins.require_widths(name);
  idle();
  watcher_.sleep();
}

void XgmiiRx::begin(const FrameRef& frame) {
  const std::uint64_t now = block_.input_ps();
  if (!carrier_) return;
  queue_.push_back({frame, now});
  hold(now);
}

void XgmiiRx::hold(std::uint64_t now_ps) {
  if (held_) return;
  held_ = true;
  watcher_.wake();
  clock_.hold(now_ps);
}

void XgmiiRx::cut() {
  change_carrier(false);
  while (queue_.size() > (playing_ ? 1U : 0U)) queue_.pop_back();
  cut_ = playing_;
}

void XgmiiRx::mend() { change_carrier(true); }

void XgmiiRx::change_carrier(bool up) {
  const std::uint64_t now = block_.input_ps();
  if (up == carrier_) return;
  if (changed_ps_ < now) was_carrier_ = carrier_;
  carrier_ = up;
  changed_ps_ = now;
  columns_left_ = kCarrierColumns;
  hold(now);
}

void XgmiiRx::idle() {
  while (lane_ < pins_.lanes()) put(xgmii::kIdle, true);
  pins_.data.set(data_);
  pins_.control.set(control_);
}

void XgmiiRx::clocked(std::uint64_t edge_ps) {
  if (put_data()) return;
  lane_ = 0;
  data_ = 0;
  control_ = 0;
  const bool carrier = edge_ps > changed_ps_ ? carrier_ : was_carrier_;
  while (lane_ < pins_.lanes()) {
    if (!playing_ && !carrier && lane_ % xgmii::kColumn == 0) {
      put_column_of_fault();
    } else if (!playing_ && lane_ % xgmii::kColumn == 0 && may_start(edge_ps)) {
      bytes_ = WireBytes(queue_.front().frame);
      size_ = bytes_.size();
      at_ = 1;  // start replaces the first byte of the preamble
      playing_ = true;
      put(xgmii::kStart, true);
    } else {
      put_lane();
    }
  }
  pins_.data.set(data_);
  pins_.control.set(control_);
  columns_left_ -= std::min(columns_left_, pins_.lanes() / xgmii::kColumn);
  if (queue_.empty() && gap_ >= kLongGap && columns_left_ == 0) {
    held_ = false;
    watcher_.sleep();  // the pins stand still: idle, or faults
    clock_.release();
  }
}

/// Puts a word that is all of a frame's inside. Returns whether it is one.
bool XgmiiRx::put_data() {
  const std::uint32_t lanes = pins_.lanes();
  if (!playing_ || cut_ || columns_left_ != 0 || at_ + lanes > size_) return false;
  pins_.data.set(bytes_.word(at_, lanes));
  at_ += lanes;
  pins_.control.set(0);
  return true;
}

bool XgmiiRx::may_start(std::uint64_t edge_ps) {
  if (queue_.empty() || queue_.front().begin_ps >= edge_ps) return false;
  if (gap_ >= ethernet::kGapBytes) {
    const std::uint32_t more = gap_ - ethernet::kGapBytes;
    deficit_ -= std::min(more, deficit_);
    return true;
  }
  const std::uint32_t missing = ethernet::kGapBytes - gap_;
  if (deficit_ + missing >= xgmii::kColumn) return false;
  deficit_ += missing;
  return true;
}

void XgmiiRx::put_column_of_fault() {
  put(xgmii::kSequence, true);
  put(0, false);
  put(0, false);
  put(xgmii::kLocalFault, false);
  gap_ = std::min(gap_ + xgmii::kColumn, kLongGap);
}

void XgmiiRx::put_lane() {
  if (!playing_) {
    if (gap_ < kLongGap) ++gap_;
    return put(xgmii::kIdle, true);
  }
  if (cut_) {
    put(xgmii::kError, true);
    size_ = at_;  // terminate comes next
    cut_ = false;
  } else if (at_ < size_) {
    put(bytes_[at_++], false);
  } else {
    put(xgmii::kTerminate, true);
    end();
  }
}

void XgmiiRx::end() {
  ++frames_;
  playing_ = false;
  gap_ = 1;
  queue_.pop_front();
}

}  // namespace longhaul::cosim
