// SPDX-License-Identifier: Apache-2.0
#include "models/nic/terminator/rx_sum.h"

#include <algorithm>

#include "models/net/frame/checksum.h"
#include "models/net/frame/ethernet_header.h"
#include "models/net/frame/ip_protocol.h"
#include "models/net/frame/vlan.h"

namespace longhaul::nic::terminator {

std::optional<std::uint16_t> l4_sum(const Frame& frame, std::uint32_t skip) {
  constexpr std::uint32_t kTypeAt = 12;
  constexpr std::uint32_t kLeastHeader = 20;
  const std::uint8_t* const bytes = frame.head() + skip;
  const std::uint32_t size = frame.size() - skip;
  const bool tagged = read_be16(bytes + kTypeAt) == ethernet::kTypeVlan;
  const std::uint32_t at = ethernet::kHeaderBytes + (tagged ? ethernet::kVlanTagBytes : 0);
  if (size < at + kLeastHeader || read_be16(bytes + at - 2) != ethernet::kTypeIpv4) return {};
  const std::uint8_t* const ip = bytes + at;
  const std::uint32_t header = (ip[0] & 0x0fU) * 4;
  const std::uint32_t total = read_be16(ip + 2);
  if (ip[0] >> 4 != 4 || header < kLeastHeader || total < header || total > size - at) return {};
  if (ip[9] != ip_protocol::kTcp && ip[9] != ip_protocol::kUdp) return {};
  if ((read_be16(ip + 6) & 0x3fffU) != 0) return {};
  OnesSum sum;
  sum.add(ip + 12, 8);
  sum.add_value(ip[9]);
  sum.add_value(total - header);
  // Bytes that are not stored are zero.
  const std::uint32_t stored = frame.stored() - std::min(frame.stored(), skip + at + header);
  sum.add(ip + header, std::min(total - header, stored));
  return sum.folded();
}

}  // namespace longhaul::nic::terminator
