// SPDX-License-Identifier: Apache-2.0
#include "platform/cosim/bus/wishbone_manager.h"

#include <utility>

namespace longhaul::cosim {

WishboneManager::WishboneManager(RtlBlock& block, ClockDomain& clock, const WishbonePins& pins,
                                 RegisterClient& client, const RegisterManagerParams& params,
                                 CheckerSink* sink)
    : RegisterManager(block, clock, client,
                      bus_word_bytes(pins.write_data, pins.read_data, 8, params.prefix), params,
                      sink),
      pins_(pins),
      address_shift_(pins.word_addresses ? static_cast<std::uint32_t>(__builtin_ctz(bus_word_bytes(
                                               pins.write_data, pins.read_data, 8, params.prefix)))
                                         : 0) {
  if (sink != nullptr) checker_ = std::make_unique<WishboneChecker>(pins, params.prefix, *sink);
  stop();
}

void WishboneManager::stop() {
  pins_.cyc.set(0);
  pins_.stb.set(0);
}

void WishboneManager::drive() {
  const Word& now = word();
  pins_.adr.set(now.address >> address_shift_);
  pins_.we.set(now.write ? 1 : 0);
  pins_.write_data.set(now.data);
  pins_.sel.set(now.strobes);
  pins_.cti.set(0);  // classic cycles, no bursts (B4 4.2)
  pins_.bte.set(0);
  pins_.cyc.set(1);
  pins_.stb.set(1);
}

void WishboneManager::clocked(std::uint64_t edge_ps) {
  if (checker_) checker_->check(sample_, edge_ps);
  if (sample_.reset) {
    stop();
    again_ = false;
    return reset_word();
  }
  const bool terminated = sample_.cyc && sample_.terminated();
  if (word_open() && terminated) {
    stop();
    again_ = sample_.rty && !sample_.err && !sample_.ack;
    if (!again_) end_word(sample_.err ? BusStatus::kSlaveError : BusStatus::kOk, sample_.read_data);
  } else if (pins_.pipelined && sample_.stb && !sample_.stall) {
    pins_.stb.set(0);
  }
  count_clock(edge_ps);
  if (sample_.terminated()) return;  // low for a clock between two cycles
  if (again_) {
    again_ = false;
    if (word_dropped()) return end_word(BusStatus::kTimeout, 0);
    return drive();
  }
  if (begin_word(edge_ps)) drive();
}

}  // namespace longhaul::cosim
