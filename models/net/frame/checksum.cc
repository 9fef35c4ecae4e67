// SPDX-License-Identifier: Apache-2.0
#include "models/net/frame/checksum.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "models/common/wide.h"
#include "models/net/frame/ethernet_header.h"
#include "models/net/frame/ip_protocol.h"

namespace longhaul {
namespace {

using ethernet::kTypeIpv4;
using ethernet::kTypeIpv6;
using ethernet::kTypeVlan;

std::uint16_t swap16(std::uint16_t v) { return static_cast<std::uint16_t>(v << 8 | v >> 8); }

/// Verifies TCP or UDP in `length` bytes at `segment`; `pseudo` holds the sum of both addresses.
void verify_l4(std::uint8_t protocol, const std::uint8_t* segment, std::uint32_t length,
               const std::uint8_t* stored_end, OnesSum pseudo, ReceivedChecksums& result) {
  if (protocol == ip_protocol::kTcp) {
    if (length < 20) return;
  } else if (protocol == ip_protocol::kUdp) {
    if (length < 8 || stored_end - segment < 8) return;
    const std::uint32_t udp_length = read_be16(segment + 4);
    if (udp_length < 8 || udp_length > length || read_be16(segment + 6) == 0) return;
    length = udp_length;
  } else {
    return;
  }
  pseudo.add_value(protocol);
  pseudo.add_value(length);
  pseudo.add(segment,
             static_cast<std::uint32_t>(std::min<std::ptrdiff_t>(length, stored_end - segment)));
  result.l4_checked = true;
  result.is_tcp = protocol == ip_protocol::kTcp;
  result.l4_good = pseudo.intact();
}

void verify_ipv4(const std::uint8_t* ip, std::uint32_t room, const std::uint8_t* stored_end,
                 ReceivedChecksums& result) {
  if (room < 20 || ip[0] >> 4 != 4) return;
  const std::uint32_t header = (ip[0] & 0x0fU) * 4;
  const std::uint32_t total = read_be16(ip + 2);
  if (header < 20 || total < header || total > room) return;
  OnesSum sum;
  sum.add(ip, header);
  result.ip_checked = true;
  result.ip_good = sum.intact();
  const bool fragment = (read_be16(ip + 6) & 0x3fffU) != 0;  // more-fragments flag or an offset
  if (fragment) return;
  OnesSum pseudo;
  pseudo.add(ip + 12, 8);
  verify_l4(ip[9], ip + header, total - header, stored_end, pseudo, result);
}

/// Steps over extension headers. Returns false if the payload after them cannot be checked.
bool skip_extensions(const std::uint8_t* ip, std::ptrdiff_t end, std::uint8_t& next,
                     std::uint32_t& at) {
  while (next == 0 || next == 43 || next == 60) {  // hop-by-hop, routing, destination options
    if (at + 8 > end) return false;
    if (next == 43 && ip[at + 3] != 0)
      return false;  // segments left: the final address is elsewhere
    next = ip[at];
    at += (ip[at + 1] + 1U) * 8;
  }
  return at <= end;
}

void verify_ipv6(const std::uint8_t* ip, std::uint32_t room, const std::uint8_t* stored_end,
                 ReceivedChecksums& result) {
  if (room < 40 || ip[0] >> 4 != 6) return;
  const std::uint32_t end = 40U + read_be16(ip + 4);
  if (end > room) return;
  std::uint8_t next = ip[6];
  std::uint32_t at = 40;
  if (!skip_extensions(ip, std::min<std::ptrdiff_t>(end, stored_end - ip), next, at)) return;
  OnesSum pseudo;
  pseudo.add(ip + 8, 32);
  verify_l4(next, ip + at, end - at, stored_end, pseudo, result);
}

std::uint64_t folded_once(std::uint64_t lane) { return (lane & 0xffff'ffff) + (lane >> 32); }

/// The sum of `blocks` times kBlock bytes, as 32-bit words. Modulo 2^16 - 1, 2^32 counts as 1, as
/// 2^16 does. Lanes of 64 bits cannot overflow.
constexpr std::uint32_t kBlock = 64;
LONGHAUL_WIDE std::uint64_t sum_of_blocks(const std::uint8_t* bytes, std::uint32_t blocks) {
  using Lanes = std::uint64_t __attribute__((vector_size(kBlock / 2)));
  Lanes lower{};
  Lanes upper{};
  for (; blocks > 0; --blocks, bytes += kBlock) {
    Lanes first;
    Lanes second;
    std::memcpy(&first, bytes, sizeof first);
    std::memcpy(&second, bytes + sizeof first, sizeof second);
    lower += (first & 0xffff'ffff) + (second & 0xffff'ffff);
    upper += (first >> 32) + (second >> 32);
  }
  std::uint64_t sum = 0;
  for (std::uint32_t i = 0; i < sizeof lower / sizeof sum; ++i)
    sum += folded_once(lower[i]) + folded_once(upper[i]);
  return sum;
}

}  // namespace

void OnesSum::add(const std::uint8_t* bytes, std::uint32_t length) {
  std::uint64_t sum = 0;
  if (length >= kBlock) {  // more than a header
    sum = sum_of_blocks(bytes, length / kBlock);
    bytes += std::size_t{length / kBlock} * kBlock;
    length %= kBlock;
  }
  for (std::uint64_t words; length >= sizeof words; bytes += sizeof words, length -= sizeof words) {
    std::memcpy(&words, bytes, sizeof words);
    sum += folded_once(words);
  }
  while (length >= 2) {
    std::uint16_t word;
    std::memcpy(&word, bytes, 2);
    sum += word;
    bytes += 2;
    length -= 2;
  }
  if (length != 0) sum += *bytes;
  sum_ += folded_once(sum);
}

void OnesSum::add_value(std::uint32_t value) {
  value = (value & 0xffff) + (value >> 16);
  sum_ += swap16(static_cast<std::uint16_t>((value & 0xffff) + (value >> 16)));
}

std::uint16_t OnesSum::folded() const {
  std::uint64_t sum = sum_;
  while (sum >> 16 != 0) sum = (sum & 0xffff) + (sum >> 16);
  return swap16(static_cast<std::uint16_t>(sum));
}

bool insert_checksum(std::uint8_t* frame, std::uint32_t size, const ChecksumSpan& span,
                     std::uint32_t extra, bool zero_as_ones, std::uint32_t stored) {
  const std::uint32_t end = span.end == 0 ? size : span.end + 1U;
  if (end > size || span.start >= end || span.field + 2U > size) return false;
  OnesSum sum;
  const std::uint32_t stored_end = std::min(end, stored);
  if (span.start < stored_end) sum.add(frame + span.start, stored_end - span.start);
  sum.add_value(extra);
  std::uint16_t checksum = sum.checksum();
  if (checksum == 0 && zero_as_ones) checksum = 0xffff;
  frame[span.field] = static_cast<std::uint8_t>(checksum >> 8);
  frame[span.field + 1] = static_cast<std::uint8_t>(checksum);
  return true;
}

ReceivedChecksums verify_checksums(const std::uint8_t* frame, std::uint32_t size, bool ipv6,
                                   std::uint32_t stored) {
  ReceivedChecksums result;
  const std::uint8_t* const stored_end = frame + std::min(size, stored);
  if (size < 14) return result;
  std::uint32_t at = 14;
  std::uint16_t type = read_be16(frame + 12);
  if (type == kTypeVlan && size >= 18) {
    type = read_be16(frame + 16);
    at = 18;
  }
  static constexpr std::uint8_t kSnap[6] = {0xaa, 0xaa, 0x03, 0, 0, 0};
  if (type <= 1500 && size >= at + 8 && std::memcmp(frame + at, kSnap, sizeof kSnap) == 0) {
    type = read_be16(frame + at + 6);
    at += 8;
  }
  if (type == kTypeIpv4) verify_ipv4(frame + at, size - at, stored_end, result);
  if (type == kTypeIpv6 && ipv6) verify_ipv6(frame + at, size - at, stored_end, result);
  return result;
}

}  // namespace longhaul
