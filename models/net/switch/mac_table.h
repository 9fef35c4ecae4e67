// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <unordered_map>

#include "models/net/frame/ethernet_header.h"

namespace longhaul {

/// The ports of stations, learned from source addresses for each VLAN, and forgotten after an
/// ageing time (IEEE 802.1D, 7.8, 7.9).
///
/// A full table learns no new station until an entry has aged out; frames to such a station are
/// flooded.
class MacTable {
 public:
  static constexpr std::uint32_t kUnknown = ~std::uint32_t{0};
  enum class Learned { kKnown, kNew, kMoved, kFull };

  MacTable(std::uint32_t capacity, std::uint64_t ageing_ps);

  /// Learns or refreshes a station at `now_ps`. kFull if the table has no room for a new station.
  Learned learn(std::uint16_t vlan, const MacAddress& address, std::uint32_t port,
                std::uint64_t now_ps);
  /// The port of a station; kUnknown if it was not learned or has aged out.
  std::uint32_t find(std::uint16_t vlan, const MacAddress& address, std::uint64_t now_ps) const;
  /// Forgets all stations of a port.
  void forget_port(std::uint32_t port);
  /// Entries held; includes aged ones, which stay until a full table needs room.
  std::size_t size() const { return entries_.size(); }

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
  std::uint64_t sweep_useless_until_ps_ = 0;  // no entry can age out before
  std::unordered_map<std::uint64_t, Entry> entries_;
};

}  // namespace longhaul
