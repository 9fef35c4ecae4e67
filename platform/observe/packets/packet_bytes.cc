// SPDX-License-Identifier: Apache-2.0
#include "platform/observe/packets/packet_bytes.h"

#include <algorithm>
#include <cstring>

#include "models/common/big_endian.h"
#include "models/net/frame/checksum.h"
#include "models/net/frame/ethernet_header.h"
#include "models/net/frame/ip_protocol.h"

namespace longhaul::observe {
namespace {

constexpr std::uint32_t kTypeAt = 12;
constexpr std::uint32_t kTagBytes = 4;
// RFC 791, RFC 8200, RFC 9293, RFC 768: offsets of fields in their headers.
constexpr std::uint32_t kIpv4HeaderBytes = 20, kIpv4Length = 2, kIpv4Id = 4, kIpv4Protocol = 9,
                        kIpv4Checksum = 10;
constexpr std::uint32_t kIpv6HeaderBytes = 40, kIpv6Length = 4, kIpv6Next = 6;
constexpr std::uint32_t kTcpHeaderBytes = 20, kTcpSequence = 4, kTcpOffset = 12, kTcpFlags = 13,
                        kTcpChecksum = 16;
constexpr std::uint32_t kUdpHeaderBytes = 8, kUdpChecksum = 6;

bool within(std::uint32_t at, std::uint32_t begin, std::uint32_t count) {
  return at >= begin && at < begin + count;
}

/// Compares `count` bytes; returns the first that differs, or `count`.
std::uint32_t parts_at(const std::uint8_t* a, const std::uint8_t* b, std::uint32_t count) {
  if (std::memcmp(a, b, count) == 0) return count;
  return static_cast<std::uint32_t>(std::mismatch(a, a + count, b).first - a);
}

}  // namespace

void PacketBytes::store(std::uint32_t offset, const std::uint8_t* data, std::uint32_t count) {
  if (offset >= size()) return;
  std::memcpy(bytes_.data() + offset, data, std::min(count, size() - offset));
}

void PacketBytes::read_headers() {
  ip_ = l4_ = 0;
  header_ = std::min(size(), ethernet::kHeaderBytes);
  if (size() < ethernet::kHeaderBytes) return;
  std::uint32_t type_at = kTypeAt;
  if (read_be16(&bytes_[type_at]) == ethernet::kTypeVlan) type_at += kTagBytes;
  const std::uint32_t ip = type_at + 2;
  if (size() < ip + kIpv4HeaderBytes) return;
  const std::uint16_t type = read_be16(&bytes_[type_at]);
  std::uint32_t l4 = ip;
  std::uint8_t protocol = 0;
  if (type == ethernet::kTypeIpv4) {
    l4 += (bytes_[ip] & 0xfU) * 4;
    protocol = bytes_[ip + kIpv4Protocol];
  } else if (type == ethernet::kTypeIpv6 && size() >= ip + kIpv6HeaderBytes) {
    l4 += kIpv6HeaderBytes;
    protocol = bytes_[ip + kIpv6Next];
  } else {
    return;
  }
  ip_ = ip;
  is_ipv6_ = type == ethernet::kTypeIpv6;
  header_ = std::min(l4, size());
  is_tcp_ = protocol == ip_protocol::kTcp && size() >= l4 + kTcpHeaderBytes;
  if (!is_tcp_ && (protocol != ip_protocol::kUdp || size() < l4 + kUdpHeaderBytes)) return;
  l4_ = l4;
  header_ = l4 + (is_tcp_ ? (bytes_[l4 + kTcpOffset] >> 4U) * 4U : kUdpHeaderBytes);
  header_ = std::min(header_, size());
}

/// Whether an adapter may set the byte itself: checksums, and in segments lengths and numbers.
bool PacketBytes::may_differ(std::uint32_t at, bool segment) const {
  if (ip_ == 0) return false;
  if (!is_ipv6_ && within(at, ip_ + kIpv4Checksum, 2)) return true;
  if (l4_ != 0 && within(at, l4_ + (is_tcp_ ? kTcpChecksum : kUdpChecksum), 2)) return true;
  if (!segment) return false;
  if (within(at, ip_ + (is_ipv6_ ? kIpv6Length : kIpv4Length), 2)) return true;
  if (!is_ipv6_ && within(at, ip_ + kIpv4Id, 2)) return true;
  return is_tcp_ && (within(at, l4_ + kTcpSequence, 4) || at == l4_ + kTcpFlags);
}

/// Returns the first of `count` bytes of headers that is not the frame's; kSame if all are.
std::uint32_t PacketBytes::header_difference(const Frame& frame, std::uint32_t tag,
                                             std::uint32_t count, bool segment,
                                             std::uint32_t from) const {
  const std::uint8_t* const sent = frame.data();
  for (std::uint32_t at = 0; at < count; ++at) {
    const std::uint32_t there = at < kTypeAt ? at : at + tag;
    if (there >= frame.size()) return frame.size();
    if (sent[there] != bytes_[at] && !may_differ(at, segment)) return there;
  }
  if (!segment || !is_tcp_ || count < l4_ + kTcpHeaderBytes) return kSame;
  const std::uint32_t sequence_at = l4_ + kTcpSequence;
  const std::uint32_t wanted = read_be32(&bytes_[sequence_at]) + from;
  return read_be32(sent + sequence_at + tag) == wanted ? kSame : sequence_at + tag;
}

namespace {

std::uint32_t tag_of(const std::uint8_t* memory, std::uint32_t size, const Frame& frame) {
  const bool inserted = frame.size() >= ethernet::kHeaderBytes + kTagBytes &&
                        size >= ethernet::kHeaderBytes &&
                        ethernet::type(frame) == ethernet::kTypeVlan &&
                        read_be16(memory + kTypeAt) != ethernet::kTypeVlan;
  return inserted ? kTagBytes : 0;
}

}  // namespace

bool PacketBytes::has_headers_of(const Frame& frame, bool segment, std::uint32_t from) const {
  const std::uint32_t tag = tag_of(data(), size(), frame);
  return header_difference(frame, tag, header_, segment, from) == kSame;
}

std::uint32_t PacketBytes::first_difference(const Frame& frame, bool segment,
                                            std::uint32_t from) const {
  const std::uint32_t tag = tag_of(data(), size(), frame);
  const std::uint32_t differs = header_difference(frame, tag, header_, segment, from);
  if (differs != kSame) return differs;
  const std::uint32_t begin = header_ + tag;
  if (frame.size() <= begin) return size() > header_ + from ? frame.size() : kSame;
  const std::uint32_t left = size() - std::min(size(), header_ + from);
  const std::uint32_t there = frame.size() - begin;
  const std::uint32_t count = std::min(left, there);
  const std::uint32_t same = parts_at(data() + header_ + from, frame.data() + begin, count);
  if (same < count) return begin + same;
  const bool padded = there > left && frame.size() > Frame::kMinBytes;
  const bool short_of = there < left && !segment;
  return padded || short_of ? begin + count : kSame;
}

std::uint32_t PacketBytes::first_difference(const PacketBytes& frame) const {
  if (frame.size() < ethernet::kHeaderBytes || size() < ethernet::kHeaderBytes)
    return frame.size() == size() ? kSame : 0;
  const bool stripped = frame.size() == size() + kTagBytes &&
                        read_be16(frame.data() + kTypeAt) == ethernet::kTypeVlan;
  const std::uint32_t tag = stripped ? kTagBytes : 0;
  const std::uint32_t first = parts_at(data(), frame.data(), kTypeAt);
  if (first < kTypeAt) return first;
  const std::uint32_t count = std::min(size(), frame.size() - tag) - kTypeAt;
  const std::uint32_t same = parts_at(data() + kTypeAt, frame.data() + kTypeAt + tag, count);
  if (same < count || size() + tag != frame.size()) return kTypeAt + tag + same;
  return kSame;
}

Fault fault_of(const Frame& frame) {
  if (!frame.fcs_matches()) return Fault::kFcs;
  const ReceivedChecksums sums = verify_checksums(frame.data(), frame.size(), true);
  if (sums.ip_checked && !sums.ip_good) return Fault::kIpChecksum;
  return sums.l4_checked && !sums.l4_good ? Fault::kL4Checksum : Fault::kNone;
}

}  // namespace longhaul::observe
