// SPDX-License-Identifier: Apache-2.0
#include "models/toe/frames.h"

#include <algorithm>
#include <stdexcept>

#include "models/common/big_endian.h"
#include "models/net/frame/checksum.h"
#include "models/net/frame/ethernet_header.h"

namespace longhaul::toe {
namespace {

constexpr std::uint32_t kTagBytes = 4;
constexpr std::uint8_t kPlainIpv4 = 0x45;  // version 4, a header without options
constexpr std::uint16_t kIpv4Bytes = 20;

Ipv4Address ipv4(const std::array<std::uint8_t, 16>& address) {
  return {address[0], address[1], address[2], address[3]};
}

}  // namespace

Inbound parse(const Frame& frame) {
  Inbound in;
  const std::uint8_t* const bytes = frame.head();
  std::uint32_t at = ethernet::kHeaderBytes;
  std::uint16_t type = ethernet::type(frame);
  if (type == ethernet::kTypeVlan) {
    in.origin.tagged = true;
    in.origin.vlan = read_be16(bytes + at);
    type = read_be16(bytes + at + 2);
    at += kTagBytes;
  }
  if (type != ethernet::kTypeIpv4 || frame.size() <= at || bytes[at] != kPlainIpv4) return in;
  tcp::Packet packet;
  if (tcp::read_packet(bytes + at, frame.size() - at, true, packet) != tcp::Refusal::kNone)
    return in;
  const ReceivedChecksums sums = verify_checksums(bytes, frame.size(), false, frame.stored());
  in.kind = sums.ip_good && sums.l4_checked && sums.l4_good ? Inbound::Kind::kTcp
                                                            : Inbound::Kind::kDamaged;
  in.ends.local = ipv4(packet.endpoints.destination);
  in.ends.peer = ipv4(packet.endpoints.source);
  in.ends.local_port = packet.endpoints.destination_port;
  in.ends.peer_port = packet.endpoints.source_port;
  in.segment = packet.segment;
  in.payload_at = at + packet.payload_at;
  in.tos = bytes[at + 1];
  in.origin.destination = ethernet::destination(frame);
  in.origin.source = ethernet::source(frame);
  return in;
}

FrameRef build(const tcp::Segment& segment, const Ends& ends, const Envelope& envelope,
               tcp::PayloadSource& payload, bool blank) {
  const std::uint32_t at = ethernet::kHeaderBytes + (envelope.next->tagged ? kTagBytes : 0);
  const std::uint32_t headers = tcp::header_bytes(segment, false);
  const std::uint32_t size = headers + segment.length;
  FrameRef ref = Frame::allocate(at + size);
  Frame& frame = ref.writable();
  std::uint8_t* const bytes = frame.data();
  std::copy(envelope.next->address.begin(), envelope.next->address.end(), bytes);
  std::copy(envelope.source->begin(), envelope.source->end(), bytes + 6);
  if (envelope.next->tagged) {
    write_be16(bytes + 12, ethernet::kTypeVlan);
    write_be16(bytes + 14, envelope.next->vlan);
  }
  write_be16(bytes + at - 2, ethernet::kTypeIpv4);
  tcp::Endpoints endpoints;
  std::copy(ends.local.begin(), ends.local.end(), endpoints.source.begin());
  std::copy(ends.peer.begin(), ends.peer.end(), endpoints.destination.begin());
  endpoints.source_port = ends.local_port;
  endpoints.destination_port = ends.peer_port;
  tcp::IpFields ip;
  ip.identification = envelope.identification;
  ip.hop_limit = envelope.ttl;
  ip.traffic_class = envelope.tos;
  tcp::NoPayload zeros;
  const bool elided = blank && segment.length > 0;
  const auto checksum = elided ? tcp::TcpChecksum::kPseudoHeader : tcp::TcpChecksum::kComplete;
  tcp::PayloadSource& source = elided ? zeros : payload;
  if (tcp::write_packet(segment, endpoints, ip, checksum, source, bytes + at, size) != size)
    throw std::logic_error("toe: a segment does not fit its frame");
  if (!elided) return ref;
  frame.leave_blank(at + headers);
  ChecksumSpan span;
  span.start = static_cast<std::uint16_t>(at + kIpv4Bytes);
  span.field = static_cast<std::uint16_t>(span.start + tcp::kChecksumAt);
  insert_checksum(bytes, frame.size(), span, 0, false, frame.stored());
  return ref;
}

}  // namespace longhaul::toe
