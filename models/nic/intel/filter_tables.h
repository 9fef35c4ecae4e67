// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>

#include "models/common/register_bank.h"
#include "models/net/mac/eth_mac.h"
#include "models/nic/blocks/address_filter.h"

namespace longhaul::nic::intel {

/// The registers RAL and RAH, MTA, and VFTA, which fill an address filter. The first exact address
/// is also the MAC's address.
class FilterTables {
 public:
  /// Their offsets in the bank: 16 pairs RAL and RAH, 128 words of MTA, 128 words of VFTA.
  struct Offsets {
    std::uint32_t ral;
    std::uint32_t mta;
    std::uint32_t vfta;
  };
  static constexpr std::uint32_t kExactAddresses = 16;

  FilterTables(const Offsets& offsets, RegisterBank& bank, AddressFilter& filter, EthMac& mac);

  /// Sets entry 0 to the EEPROM's address.
  void load_own_address(const MacAddress& address);

 private:
  void exact_written(std::size_t index);

  AddressFilter& filter_;
  EthMac& mac_;
  std::deque<Reg32> registers_;  // the pairs RAL and RAH first
};

}  // namespace longhaul::nic::intel
