// SPDX-License-Identifier: Apache-2.0
#include "models/nic/intel/tx_room.h"

namespace longhaul::nic::intel {

void TxRoom::reset() {
  fifo_.clear();
  fifo_.set_capacity(next_capacity_);
  waiting_ = false;
  draining_ = 0;
}

bool TxRoom::take(std::uint32_t bytes, std::uint32_t padding) {
  settle();
  // The padding of TSPMT never prevents an empty buffer from taking a segment.
  if (!fifo_.fits(fifo_.fill.value() == 0 ? bytes : bytes + padding)) {
    if (!waiting_) waits_since_ps_ = now_ps();
    waiting_ = true;
    return false;
  }
  if (waiting_) waits_.report(waits_since_ps_, now_ps(), "buffer full", bytes);
  waiting_ = false;
  fifo_.reserve(bytes);
  return true;
}

void TxRoom::drain(std::uint32_t reserved, std::uint64_t lasts_ps) {
  draining_ = reserved;
  drained_at_ps_ = now_ps() + lasts_ps;
  if (waiting_) engine_.kick_in(lasts_ps);
}

void TxRoom::settle() {
  if (draining_ == 0) return;
  if (now_ps() < drained_at_ps_) {
    engine_.kick_in(drained_at_ps_ - now_ps());
    return;
  }
  fifo_.release(draining_);
  draining_ = 0;
}

}  // namespace longhaul::nic::intel
