// SPDX-License-Identifier: Apache-2.0
#include "platform/cosim/wire/xgmii_tx.h"

#include <utility>

namespace longhaul::cosim {

XgmiiTx::XgmiiTx(RtlBlock& block, ClockDomain& clock, const XgmiiPins& pins,
                 const std::string& name, GmiiSink& sink, CheckerSink* checker_sink)
    : block_(block),
      pins_(pins),
      sink_(sink),
      idle_data_(pins.lanes() == 4 ? 0x0707'0707U : 0x0707'0707'0707'0707U),
      idle_control_(pins.lanes() == 4 ? 0xf : 0xff) {
  pins.require_widths(name);
  if (checker_sink != nullptr) checker_ = std::make_unique<XgmiiChecker>(name, *checker_sink);
  clock.watch(*this, false);
}

void XgmiiTx::clocked(std::uint64_t edge_ps) {
  const std::uint64_t data = pins_.data.get();
  const auto control = static_cast<std::uint32_t>(pins_.control.get());
  if (checker_) checker_->check(data, control, pins_.lanes(), edge_ps);
  if (!active_ && data == idle_data_ && control == idle_control_) return;
  for (std::uint32_t lane = 0; lane < pins_.lanes(); ++lane)
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
