// SPDX-License-Identifier: Apache-2.0
#include "models/nic/blocks/tso.h"

#include <algorithm>
#include <cstring>

#include "models/common/big_endian.h"

namespace longhaul::nic {
namespace {

constexpr std::uint32_t kTcpHeader = 20;
constexpr std::uint32_t kUdpHeader = 8;
constexpr std::uint32_t kIpv4Header = 20;
constexpr std::uint32_t kIpv6Header = 40;
constexpr std::uint8_t kTcpFin = 0x01;
constexpr std::uint8_t kTcpPsh = 0x08;
constexpr std::uint8_t kTcpCwr = 0x80;

}  // namespace

bool is_valid(const TsoContext& context) {
  const std::uint32_t ip_header = context.ipv4 ? kIpv4Header : kIpv6Header;
  const std::uint32_t l4_header = context.tcp ? kTcpHeader : kUdpHeader;
  return context.mss > 0 && context.l4.start >= context.ip.start + ip_header &&
         context.header_bytes >= context.l4.start + l4_header &&
         context.l4.field + 2U <= context.header_bytes &&
         context.ip.field + 2U <= context.header_bytes;
}

TsoSegment segment_at(const TsoContext& context, std::uint32_t index, std::uint32_t offset) {
  const std::uint32_t left = context.payload_bytes > offset ? context.payload_bytes - offset : 0;
  const std::uint32_t payload = std::min(context.mss, left);
  return {index, offset, payload, payload == left};
}

std::uint32_t segment_count(const TsoContext& context) {
  return context.mss == 0 ? 0 : (context.payload_bytes + context.mss - 1) / context.mss;
}

void write_segment_header(const TsoContext& context, const std::uint8_t* header_template,
                          const TsoSegment& segment, std::uint8_t* frame, std::uint32_t stored) {
  std::memcpy(frame, header_template, context.header_bytes);
  const std::uint32_t size = context.header_bytes + segment.payload;
  std::uint8_t* const ip = frame + context.ip.start;
  std::uint8_t* const l4 = frame + context.l4.start;
  const std::uint32_t l4_bytes = size - context.l4.start;

  if (context.ipv4) {
    write_be16(ip + 2, size - context.ip.start);
    write_be16(ip + 4, read_be16(ip + 4) + segment.index);
    if (context.insert_ip_checksum) insert_checksum(frame, size, context.ip);
  } else {
    write_be16(ip + 4, size - context.ip.start - kIpv6Header);
  }
  if (context.tcp) {
    write_be32(l4 + 4, read_be32(l4 + 4) + segment.offset);
    if (!segment.last) l4[13] = static_cast<std::uint8_t>(l4[13] & ~(kTcpFin | kTcpPsh));
    if (segment.index != 0 && context.cwr_first_only)
      l4[13] = static_cast<std::uint8_t>(l4[13] & ~kTcpCwr);
  } else {
    write_be16(l4 + 4, l4_bytes);
  }
  if (context.insert_l4_checksum)
    insert_checksum(frame, size, context.l4, l4_bytes, !context.tcp, stored);
}

}  // namespace longhaul::nic
