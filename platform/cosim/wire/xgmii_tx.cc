// SPDX-License-Identifier: Apache-2.0
#include "platform/cosim/wire/xgmii_tx.h"

#include <array>
#include <cstring>
#include <utility>

namespace longhaul::cosim {

XgmiiTx::XgmiiTx(RtlBlock& block, ClockDomain& clock, const XgmiiPins& pins,
                 const std::string& name, GmiiSink& sink, CheckerSink* checker_sink)
    : block_(block), watcher_(clock.watch(*this, false)), pins_(pins), sink_(sink) {
  pins.require_widths(name);
  if (checker_sink != nullptr) checker_ = std::make_unique<XgmiiChecker>(name, *checker_sink);
  watcher_.wake_by(pins.data, xgmii::idle_data(pins.lanes()));
  watcher_.wake_by(pins.control, xgmii::idle_control(pins.lanes()));
}

void XgmiiTx::clocked(std::uint64_t edge_ps) {
  const std::uint64_t data = pins_.data.get();
  const auto control = static_cast<std::uint32_t>(pins_.control.get());
  const std::uint32_t lanes = pins_.lanes();
  const bool idle =
      !active_ && data == xgmii::idle_data(lanes) && control == xgmii::idle_control(lanes);
  if (idle && (!checker_ || checker_->rests())) return watcher_.sleep();
  if (checker_) checker_->check(data, control, lanes, edge_ps);
  if (idle) return;
  if (delimited_ && active_ && control == 0) {
    std::array<std::uint8_t, sizeof(data)> bytes;
    std::memcpy(bytes.data(), &data, bytes.size());
    return frame_.add(bytes.data(), lanes);
  }
  for (std::uint32_t lane = 0; lane < lanes; ++lane)
    take(static_cast<std::uint8_t>(data >> 8 * lane), (control >> lane & 1U) != 0);
}

void XgmiiTx::take(std::uint8_t character, bool control) {
  if (!active_) {
    active_ = control && character == xgmii::kStart;
    delimited_ = false;
    frame_.clear();
    return;
  }
  if (!control) {
    if (delimited_) return frame_.add(character);
    delimited_ = character == ethernet::kDelimiter;
    return;
  }
  if (character == xgmii::kError) {
    frame_.spoil();
    if (delimited_) frame_.add(character);
    return;
  }
  if (character != xgmii::kTerminate) frame_.spoil();
  active_ = false;
  end();
}

/// A word ends at most one frame: the least gap is longer than a word.
void XgmiiTx::end() {
  done_ = frame_.with_fcs();
  fragment_ = !done_;
  block_.call_at_edge(*this);
}

void XgmiiTx::deliver() {
  if (std::exchange(fragment_, false)) return sink_.fragment_sent();
  if (!done_) return;
  sink_.frame_sent(std::exchange(done_, {}));
}

}  // namespace longhaul::cosim
