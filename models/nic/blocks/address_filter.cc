// SPDX-License-Identifier: Apache-2.0
#include "models/nic/blocks/address_filter.h"

namespace longhaul::nic {
namespace {

constexpr MacAddress kBroadcast{0xff, 0xff, 0xff, 0xff, 0xff, 0xff};

bool bit(const std::array<std::uint32_t, 128>& table, std::uint32_t index) {
  return (table[index >> 5] >> (index & 31U) & 1U) != 0;
}

}  // namespace

void AddressFilter::set_exact(std::size_t index, const MacAddress& address, bool valid,
                              bool by_source) {
  exact_.at(index) = {address, valid, by_source};
}

std::uint32_t AddressFilter::hash_of(const MacAddress& address) const {
  // The address as a 48-bit number whose least significant byte is the first on the wire.
  const std::uint32_t top16 = address[5] << 8U | address[4];  // bits 47 to 32
  return top16 >> (modes.hash_low_bit - 32U) & 0xfffU;
}

AddressMatch AddressFilter::match(const MacAddress& destination, const MacAddress& source) const {
  for (const Exact& entry : exact_) {
    if (entry.valid && entry.address == (entry.by_source ? source : destination))
      return AddressMatch::kExact;
  }
  if (ethernet::is_group(destination)) {
    if (destination == kBroadcast && modes.accept_broadcast) return AddressMatch::kBroadcast;
    if (bit(hash_, hash_of(destination))) return AddressMatch::kHash;
    return modes.multicast_promiscuous ? AddressMatch::kPromiscuous : AddressMatch::kNone;
  }
  return modes.unicast_promiscuous ? AddressMatch::kPromiscuous : AddressMatch::kNone;
}

bool AddressFilter::vlan_passes(std::uint16_t tag) const {
  if (!modes.vlan_filter) return true;
  const bool cfi = (tag & 0x1000U) != 0;
  if (modes.check_cfi && cfi != modes.cfi_wanted) return false;
  return bit(vlan_, tag & 0xfffU);
}

}  // namespace longhaul::nic
