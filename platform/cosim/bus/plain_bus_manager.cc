// SPDX-License-Identifier: Apache-2.0
#include "platform/cosim/bus/plain_bus_manager.h"

#include <utility>

namespace longhaul::cosim {

PlainBusManager::PlainBusManager(RtlBlock& block, ClockDomain& clock, const PlainBusPins& pins,
                                 RegisterClient& client, const RegisterManagerParams& params,
                                 CheckerSink* sink)
    : RegisterManager(block, clock, client,
                      bus_word_bytes(pins.write_data, pins.read_data, 8, params.prefix), params,
                      sink),
      pins_(pins) {
  pins_.select.set(0);
}

void PlainBusManager::clocked(std::uint64_t edge_ps) {
  if (reset_) {
    pins_.select.set(0);
    gap_ = false;
    return reset_word();
  }
  const bool gap = std::exchange(gap_, false);
  if (word_open() && acknowledged_) {
    pins_.select.set(0);
    gap_ = true;
    end_word(error_ ? BusStatus::kSlaveError : BusStatus::kOk, read_data_);
  } else if (acknowledged_ && !gap && sink() != nullptr) {
    sink()->violated(kPlainAcknowledge, edge_ps, prefix() + "acknowledge",
                     "high while select is low");
  }
  count_clock(edge_ps);
  if (gap_ || !begin_word(edge_ps)) return;
  const Word& now = word();
  pins_.address.set(now.address);
  pins_.write.set(now.write ? 1 : 0);
  pins_.write_data.set(now.data);
  pins_.byte_enable.set(now.strobes);
  pins_.select.set(1);
}

}  // namespace longhaul::cosim
