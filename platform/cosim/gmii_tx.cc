// SPDX-License-Identifier: Apache-2.0
#include "platform/cosim/gmii_tx.h"

#include "models/net/frame/ethernet_header.h"

namespace longhaul::cosim {

GmiiTx::GmiiTx(RtlBlock& block, ClockDomain& clock, GmiiTxPins pins, const std::string& name,
               GmiiSink& sink, CheckerSink* checker_sink)
    : block_(block), watcher_(clock.watch(*this, false)), pins_(pins), sink_(sink) {
  if (checker_sink != nullptr) checker_ = std::make_unique<GmiiChecker>(name, *checker_sink);
  watcher_.wake_by(pins_.enable, false);
  watcher_.wake_by(pins_.error, false);
}

void GmiiTx::take() {
  if (!active_) {
    active_ = true;
    delimited_ = false;
    frame_.clear();
  }
  if (pins_.error.get()) frame_.spoil();
  if (!delimited_) {
    delimited_ = *pins_.data == ethernet::kDelimiter;
  } else {
    frame_.add(*pins_.data);
  }
}

void GmiiTx::end() {
  active_ = false;
  done_ = frame_.with_fcs();
  block_.call_at_edge(*this);
}

void GmiiTx::deliver() {
  if (!done_) return sink_.fragment_sent();
  sink_.frame_sent(done_);
  done_.reset();
}

}  // namespace longhaul::cosim
