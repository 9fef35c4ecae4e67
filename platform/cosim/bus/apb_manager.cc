// SPDX-License-Identifier: Apache-2.0
#include "platform/cosim/bus/apb_manager.h"

namespace longhaul::cosim {

ApbManager::ApbManager(RtlBlock& block, ClockDomain& clock, const ApbPins& pins,
                       RegisterClient& client, const RegisterManagerParams& params,
                       CheckerSink* sink)
    : RegisterManager(block, clock, client,
                      bus_word_bytes(pins.pwdata, pins.prdata, 4, params.prefix), params, sink),
      pins_(pins) {
  if (sink != nullptr) checker_ = std::make_unique<ApbChecker>(pins, params.prefix, *sink);
  pins_.psel.set(0);
  pins_.penable.set(0);
  pins_.pprot.set(0);
}

void ApbManager::clocked(std::uint64_t edge_ps) {
  if (checker_) checker_->check(sample_, edge_ps);
  if (sample_.reset) {
    pins_.psel.set(0);
    pins_.penable.set(0);
    return reset_word();
  }
  if (word_open() && sample_.done()) {
    pins_.psel.set(0);
    pins_.penable.set(0);
    end_word(sample_.error ? BusStatus::kSlaveError : BusStatus::kOk, sample_.read_data);
  } else if (word_open()) {
    pins_.penable.set(1);
  }
  count_clock(edge_ps);
  if (!begin_word(edge_ps)) return;
  const Word& now = word();
  pins_.paddr.set(now.address);
  pins_.pwrite.set(now.write ? 1 : 0);
  pins_.pwdata.set(now.data);
  pins_.pstrb.set(now.write ? now.strobes : 0);
  pins_.psel.set(1);
}

}  // namespace longhaul::cosim
