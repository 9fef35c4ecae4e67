// SPDX-License-Identifier: Apache-2.0
#include "platform/cosim/bus/axi_manager.h"

#include <algorithm>

namespace longhaul::cosim {

AxiManager::AxiManager(RtlBlock& block, ClockDomain& clock, const AxiPins& pins,
                       RegisterClient& client, const RegisterManagerParams& params,
                       CheckerSink* sink)
    : RegisterManager(block, clock, client, std::min(pins.bus_bytes(), 8U), params, sink),
      pins_(pins.completed(params.prefix)),
      handshakes_(pins_),
      bus_bytes_(pins_.bus_bytes()),
      narrow_(static_cast<bool>(pins.aw.size) || static_cast<bool>(pins.ar.size)) {
  if (sink != nullptr) checker_ = std::make_unique<AxiChecker>(pins, params.prefix, *sink);
  all_low();
  for (const Pin* valid : {&pins_.b.valid, &pins_.r.valid}) watcher().wake_by(*valid, 0);
  pins_.reset.wakes(watcher());
}

void AxiManager::all_low() {
  pins_.aw.valid.set(0);
  pins_.w.valid.set(0);
  pins_.ar.valid.set(0);
  pins_.b.ready.set(0);
  pins_.r.ready.set(0);
}

void AxiManager::clocked(std::uint64_t edge_ps) {
  if (checker_) checker_->check(sample_, edge_ps);
  if (sample_.reset) {
    all_low();
    return reset_word();
  }
  const AxiChannels taken = sample_.taken();
  if ((taken & kAxiAw) != 0) pins_.aw.valid.set(0);
  if ((taken & kAxiW) != 0) pins_.w.valid.set(0);
  if ((taken & kAxiAr) != 0) pins_.ar.valid.set(0);
  if (word_open()) {
    if ((taken & kAxiB) != 0 && word().write) {
      pins_.b.ready.set(0);
      end_word(status_of(sample_.b.resp), 0);
    } else if ((taken & kAxiR) != 0 && !word().write) {
      pins_.r.ready.set(0);
      std::uint64_t data = 0;
      const auto lane = static_cast<std::uint32_t>(word().address & (bus_bytes_ - 1));
      std::memcpy(&data, &sample_.r.data[lane], std::min(bus_bytes_, 8U));
      end_word(status_of(sample_.r.resp), data);
    }
  }
  count_clock(edge_ps);
  if (begin_word(edge_ps)) start();
  if (sample_.quiet && rests()) watcher().sleep();
}

void AxiManager::start() {
  const Word& now = word();
  // The smallest aligned part of the word that contains all its bytes.
  std::uint32_t size = 0;
  while (1U << size < std::min(bus_bytes_, 8U)) ++size;
  std::uint32_t first = 0;
  while (narrow_ && size > 0) {
    const std::uint32_t half = 1U << (size - 1);
    const std::uint32_t low = ((1U << half) - 1) << first;
    if ((now.strobes & ~low) == 0) {
      --size;
    } else if ((now.strobes & low) == 0) {
      --size;
      first += half;
    } else {
      break;
    }
  }
  const std::uint64_t address = now.address + first;
  if (!now.write) {
    start_address(pins_.ar, address, size);
    pins_.r.ready.set(1);
    return;
  }
  const auto lane = static_cast<std::uint32_t>(now.address & (bus_bytes_ - 1));
  start_address(pins_.aw, address, size);
  pins_.w.data.bits(8 * lane, 8 * std::min(bus_bytes_, 8U)).set(now.data);
  pins_.w.strb.set(std::uint64_t{now.strobes} << lane);
  pins_.w.last.set(1);
  pins_.w.valid.set(1);
  pins_.b.ready.set(1);
}

void AxiManager::start_address(AxiAddressPins& pins, std::uint64_t address, std::uint32_t size) {
  pins.id.set(0);
  pins.addr.set(address);
  pins.len.set(0);
  pins.size.set(size);
  pins.burst.set(static_cast<std::uint64_t>(AxiBurstType::kIncr));
  pins.valid.set(1);
}

}  // namespace longhaul::cosim
