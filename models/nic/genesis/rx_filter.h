// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "models/net/frame/ethernet_header.h"
#include "models/nic/blocks/cast.h"

namespace longhaul::nic::genesis {

/// The XMAC's destination filter: the station address, an array of 16 exact addresses, a 64-bit
/// hash table for group addresses, broadcast, promiscuous mode.
class RxFilter {
 public:
  static constexpr std::uint32_t kExactAddresses = 16;

  /// Bits of the mode register.
  struct Modes {
    bool station = false;      ///< CSA: accepts the station address
    bool exact_array = false;  ///< CAA: accepts the exact addresses
    bool hash = false;         ///< ENA_HASH: accepts group addresses whose bit is set
    bool promiscuous = false;  ///< ENA_PROM: accepts all frames, whatever the next three members
                               ///< say
    bool no_unicast = false;   ///< DIS_UC
    bool no_multicast = false;
    bool no_broadcast = false;
  };
  Modes modes;

  /// Set halfword 0 to 2 of an address. Its low byte goes first on the wire.
  void set_station_half(std::uint32_t half, std::uint16_t bits) { set_half(station_, half, bits); }
  void set_exact_half(std::uint32_t index, std::uint32_t half, std::uint16_t bits) {
    set_half(exact_.at(index), half, bits);
  }
  /// Sets halfword 0 to 3 of the hash table.
  void set_hash_half(std::uint32_t half, std::uint16_t bits);
  const MacAddress& station() const { return station_; }

  /// The bit of the hash table for an address: the low six bits of the FCS of its six bytes.
  static std::uint32_t hash_of(const MacAddress& address);
  bool accepts(const MacAddress& destination) const;

 private:
  static void set_half(MacAddress& address, std::uint32_t half, std::uint16_t bits);
  bool accepts_exactly(const MacAddress& destination) const;

  MacAddress station_{};
  std::array<MacAddress, kExactAddresses> exact_{};
  std::uint64_t hash_ = 0;
};

}  // namespace longhaul::nic::genesis
