// SPDX-License-Identifier: Apache-2.0
#include "models/nic/genesis/rx_filter.h"

#include <algorithm>

#include "models/net/frame/address_crc.h"

namespace longhaul::nic::genesis {

void RxFilter::set_half(MacAddress& address, std::uint32_t half, std::uint16_t bits) {
  const std::size_t first = std::size_t{2} * half;
  address.at(first) = static_cast<std::uint8_t>(bits);
  address.at(first + 1) = static_cast<std::uint8_t>(bits >> 8U);
}

void RxFilter::set_hash_half(std::uint32_t half, std::uint16_t bits) {
  const std::uint32_t shift = 16 * half;
  hash_ = (hash_ & ~(std::uint64_t{0xffff} << shift)) | std::uint64_t{bits} << shift;
}

std::uint32_t RxFilter::hash_of(const MacAddress& address) {
  return ~ethernet::crc_of(address) & 0x3fU;
}

bool RxFilter::accepts_exactly(const MacAddress& destination) const {
  if (modes.station && destination == station_) return true;
  return modes.exact_array && std::find(exact_.begin(), exact_.end(), destination) != exact_.end();
}

bool RxFilter::accepts(const MacAddress& destination) const {
  if (modes.promiscuous) return true;
  switch (cast_of(destination)) {
    case Cast::kBroadcast: return !modes.no_broadcast;
    case Cast::kUnicast: return !modes.no_unicast && accepts_exactly(destination);
    case Cast::kMulticast: break;
  }
  if (modes.no_multicast) return false;
  return accepts_exactly(destination) || (modes.hash && (hash_ >> hash_of(destination) & 1U) != 0);
}

}  // namespace longhaul::nic::genesis
