// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/net/frame/ethernet_header.h"

namespace longhaul::nic {

/// The rule by which a frame passed the address filter.
enum class AddressMatch { kNone, kExact, kHash, kBroadcast, kPromiscuous };

/// The receive address filter of Intel's adapters: exact entries, a 4096-bit multicast hash table,
/// promiscuous modes, and a 4096-bit VLAN table.
class AddressFilter {
 public:
  struct Modes {
    bool unicast_promiscuous = false;
    bool multicast_promiscuous = false;  ///< broadcast included
    bool accept_broadcast = false;
    /// Lowest of the twelve address bits that index the hash table: 36, 35, 34 or 32. Counted as in
    /// the data sheets: bit 47 is the top bit of the last byte on the wire.
    std::uint32_t hash_low_bit = 36;
    bool vlan_filter = false;
    bool check_cfi = false;
    bool cfi_wanted = false;
  };

  explicit AddressFilter(std::size_t exact_entries) : exact_(exact_entries) {}

  Modes modes;

  /// Sets an exact entry. `by_source` compares the source address instead of the destination.
  void set_exact(std::size_t index, const MacAddress& address, bool valid, bool by_source = false);
  /// Set word 0 to 127 of the multicast table, or of the VLAN table.
  void set_hash_word(std::uint32_t word, std::uint32_t bits) { hash_[word & 127U] = bits; }
  void set_vlan_word(std::uint32_t word, std::uint32_t bits) { vlan_[word & 127U] = bits; }

  /// Index of an address in the hash table, 0 to 4095.
  std::uint32_t hash_of(const MacAddress& address) const;
  AddressMatch match(const MacAddress& destination, const MacAddress& source) const;
  /// Whether a frame with this tag control information passes the VLAN table. Always true without
  /// vlan_filter.
  bool vlan_passes(std::uint16_t tag) const;

 private:
  struct Exact {
    MacAddress address{};
    bool valid = false;
    bool by_source = false;
  };
  std::vector<Exact> exact_;
  std::array<std::uint32_t, 128> hash_{};
  std::array<std::uint32_t, 128> vlan_{};
};

}  // namespace longhaul::nic
