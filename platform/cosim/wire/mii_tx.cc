// SPDX-License-Identifier: Apache-2.0
#include "platform/cosim/wire/mii_tx.h"

#include <utility>

namespace longhaul::cosim {

MiiTx::MiiTx(RtlBlock& block, ClockDomain& clock, const MiiPins& pins, const std::string& name,
             GmiiSink& sink, CheckerSink* checker_sink)
    : block_(block), pins_(pins), sink_(sink) {
  if (checker_sink != nullptr) checker_ = std::make_unique<MiiChecker>(name, *checker_sink);
  clock.watch(*this, false);
}

void MiiTx::clocked(std::uint64_t edge_ps) {
  const bool enable = pins_.valid.high();
  const bool error = pins_.error.high();
  const auto nibble = static_cast<std::uint32_t>(pins_.data.get());
  if (checker_) checker_->check(enable, error, nibble, edge_ps);
  if (enable) {
    if (!std::exchange(active_, true)) {
      delimited_ = false;
      half_ = false;
      low_ = 0;
      frame_.clear();
    }
    if (error) frame_.spoil();
    take(nibble);
  } else if (active_) {
    active_ = false;
    if (half_) frame_.spoil();
    done_ = frame_.with_fcs();
    block_.call_at_edge(*this);
  }
}

void MiiTx::take(std::uint32_t nibble) {
  if (!delimited_) {
    // The delimiter's nibbles are 0x5, as in the preamble, and 0xd (22.2.3.2).
    delimited_ = nibble == ethernet::kDelimiter >> 4U;
  } else if (std::exchange(half_, !half_)) {
    frame_.add(static_cast<std::uint8_t>(low_ | nibble << 4U));
  } else {
    low_ = nibble;
  }
}

void MiiTx::deliver() {
  if (!done_) return sink_.fragment_sent();
  sink_.frame_sent(std::exchange(done_, {}));
}

}  // namespace longhaul::cosim
