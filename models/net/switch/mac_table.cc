// SPDX-License-Identifier: Apache-2.0
#include "models/net/switch/mac_table.h"

#include <algorithm>

namespace longhaul {

MacTable::MacTable(std::uint32_t capacity, std::uint64_t ageing_ps)
    : capacity_(capacity), ageing_ps_(ageing_ps) {}

std::uint64_t MacTable::key(std::uint16_t vlan, const MacAddress& address) {
  std::uint64_t bits = vlan;
  for (const std::uint8_t byte : address) bits = bits << 8 | byte;
  return bits;
}

MacTable::Learned MacTable::learn(std::uint16_t vlan, const MacAddress& address, std::uint32_t port,
                                  std::uint64_t now_ps) {
  const auto found = entries_.find(key(vlan, address));
  if (found != entries_.end()) {
    const bool moved = found->second.port != port || aged(found->second, now_ps);
    found->second = {port, now_ps};
    return moved ? Learned::kMoved : Learned::kKnown;
  }
  if (entries_.size() >= capacity_ && !make_room(now_ps)) return Learned::kFull;
  entries_.emplace(key(vlan, address), Entry{port, now_ps});
  return Learned::kNew;
}

std::uint32_t MacTable::find(std::uint16_t vlan, const MacAddress& address,
                             std::uint64_t now_ps) const {
  const auto found = entries_.find(key(vlan, address));
  return found == entries_.end() || aged(found->second, now_ps) ? kUnknown : found->second.port;
}

void MacTable::forget_port(std::uint32_t port) {
  for (auto it = entries_.begin(); it != entries_.end();)
    it = it->second.port == port ? entries_.erase(it) : std::next(it);
  sweep_useless_until_ps_ = 0;
}

/// Removes aged entries; false if there is still no room. A sweep also finds until when the next
/// sweep would be useless.
bool MacTable::make_room(std::uint64_t now_ps) {
  if (now_ps < sweep_useless_until_ps_) return false;
  std::uint64_t oldest_ps = now_ps;
  for (auto it = entries_.begin(); it != entries_.end();) {
    if (aged(it->second, now_ps)) {
      it = entries_.erase(it);
    } else {
      oldest_ps = std::min(oldest_ps, it->second.seen_ps);
      ++it;
    }
  }
  sweep_useless_until_ps_ = oldest_ps + ageing_ps_ + 1;
  return entries_.size() < capacity_;
}

}  // namespace longhaul
