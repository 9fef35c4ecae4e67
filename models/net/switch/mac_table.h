// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <unordered_map>

#include "models/net/frame/ethernet_header.h"

namespace longhaul {

/// Where stations live: learned from source addresses, per VLAN, forgotten after an ageing time
/// (IEEE 802.1D, 7.8, 7.9).
///
/// A full table learns nothing new (frames to such a station are flooded) until an entry has aged
/// out.
class MacTable {
 public:
  static constexpr std::uint32_t kUnknown = ~std::uint32_t{0};
  enum class Learned { kKnown, kNew, kMoved, kFull };

  MacTable(std::uint32_t capacity, std::uint64_t ageing_ps);

  Learned learn(std::uint16_t vlan, const MacAddress& address, std::uint32_t port,
                std::uint64_t now_ps);
  /// The port of a station, or kUnknown.
  std::uint32_t find(std::uint16_t vlan, const MacAddress& address, std::uint64_t now_ps) const;
  /// Forgets all that was learned on a port.
  void forget_port(std::uint32_t port);
  std::size_t size() const {
    return entries_.size();
  }  ///< entries held, aged ones that nobody looked for included

 private:
  struct Entry {
    std::uint32_t port;
    std::uint64_t seen_ps;
  };
  static std::uint64_t key(std::uint16_t vlan, const MacAddress& address);
  bool aged(const Entry& entry, std::uint64_t now_ps) const {
    return now_ps - entry.seen_ps > ageing_ps_;
  }
  bool make_room(std::uint64_t now_ps);

  const std::uint32_t capacity_;
  const std::uint64_t ageing_ps_;
  std::uint64_t sweep_useless_until_ps_ = 0;  // nothing can age out before
  std::unordered_map<std::uint64_t, Entry> entries_;
};

}  // namespace longhaul
