// SPDX-License-Identifier: Apache-2.0
#include "models/nic/blocks/tx_sums.h"

#include <cstring>

#include "models/common/big_endian.h"
#include "models/net/frame/checksum.h"
#include "models/net/frame/ethernet_header.h"
#include "models/net/frame/ip_protocol.h"
#include "models/net/frame/vlan.h"

namespace longhaul::nic {
namespace {

constexpr std::uint32_t kIp = ethernet::kHeaderBytes;
constexpr std::uint32_t kLeastHeader = 20;

void insert_l4(std::uint8_t* ip, std::uint32_t header, std::uint32_t length, bool is_udp) {
  const std::uint16_t field = is_udp ? 6 : 16;
  const std::uint32_t least = is_udp ? 8 : 20;
  if (length < least) return;
  OnesSum pseudo;
  pseudo.add(ip + 12, 8);
  pseudo.add_value(ip[9]);
  pseudo.add_value(length);
  std::uint8_t* const segment = ip + header;
  write_be16(segment + field, 0);
  ChecksumSpan span;
  span.field = field;
  insert_checksum(segment, length, span, pseudo.folded(), is_udp);
}

}  // namespace

void insert_sums(Frame& frame, const TxSums& wanted) {
  if (!wanted.ip && !wanted.tcp && !wanted.udp) return;
  if (frame.size() < kIp + kLeastHeader || ethernet::type(frame) != ethernet::kTypeIpv4) return;
  std::uint8_t* const ip = frame.data() + kIp;
  const std::uint32_t room = frame.size() - kIp;
  const std::uint32_t header = (ip[0] & 0x0fU) * 4;
  const std::uint32_t total = read_be16(ip + 2);
  if (ip[0] >> 4 != 4 || header < kLeastHeader || total < header || total > room) return;
  if (wanted.ip) {
    write_be16(ip + 10, 0);
    OnesSum sum;
    sum.add(ip, header);
    write_be16(ip + 10, sum.checksum());
  }
  const bool fragment = (read_be16(ip + 6) & 0x3fffU) != 0;
  const bool asked =
      (wanted.tcp && ip[9] == ip_protocol::kTcp) || (wanted.udp && ip[9] == ip_protocol::kUdp);
  if (asked && !fragment) insert_l4(ip, header, total - header, ip[9] == ip_protocol::kUdp);
}

void insert_tag(Frame& frame, std::uint16_t type, std::uint16_t tag) {
  constexpr std::uint32_t kAddresses = 12;
  std::uint8_t* const bytes = frame.data();
  const std::uint32_t size = frame.size();
  frame.resize(size + ethernet::kVlanTagBytes);
  std::memmove(bytes + kAddresses + ethernet::kVlanTagBytes, bytes + kAddresses, size - kAddresses);
  write_be16(bytes + kAddresses, type);
  write_be16(bytes + kAddresses + 2, tag);
}

}  // namespace longhaul::nic
