// SPDX-License-Identifier: Apache-2.0
#include "platform/cosim/bus/axi_bursts.h"

#include <algorithm>
#include <cstddef>

namespace longhaul::cosim {

AxiBursts::AxiBursts(std::uint32_t count, std::uint32_t bus_bytes) : slots(count) {
  constexpr std::uint32_t kMostBeats = 256;
  for (AxiSlot& slot : slots)
    slot.buffer = std::make_unique<std::uint8_t[]>(std::size_t{kMostBeats} * bus_bytes);
  order.reserve(count);
}

std::uint32_t AxiBursts::free_slot() const {
  for (std::uint32_t i = 0; i < slots.size(); ++i)
    if (slots[i].state == AxiSlot::State::kFree) return i;
  return kNone;
}

void AxiBursts::abandon() {
  for (AxiSlot& slot : slots) {
    const bool asked =
        slot.state == AxiSlot::State::kMemory || slot.state == AxiSlot::State::kAbandoned;
    slot.state = asked ? AxiSlot::State::kAbandoned : AxiSlot::State::kFree;
  }
  order.clear();
  done = 0;
  offered = kNone;
  moved = true;
}

std::uint32_t AxiBursts::next_done(std::uint64_t edge_ps) const {
  for (std::size_t i = 0; done != 0 && i < order.size(); ++i) {
    const AxiSlot& slot = slots[order[i]];
    if (slot.state != AxiSlot::State::kDone || slot.done_ps >= edge_ps) continue;
    const bool first =
        std::none_of(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(i),
                     [&](std::uint32_t older) { return slots[older].burst.id == slot.burst.id; });
    if (first) return order[i];
  }
  return kNone;
}

void AxiBursts::leave(std::uint32_t number) {
  slots[number].state = AxiSlot::State::kFree;
  order.erase(std::find(order.begin(), order.end(), number));
  --done;
  moved = true;
}

}  // namespace longhaul::cosim
