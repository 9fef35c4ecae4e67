// SPDX-License-Identifier: Apache-2.0
#include "models/nic/intel/tx_packet.h"

#include <algorithm>
#include <cstring>

#include "models/common/big_endian.h"
#include "models/net/frame/checksum.h"
#include "models/net/frame/ethernet_header.h"
#include "models/nic/intel/descriptors.h"

namespace longhaul::nic::intel {
namespace {

constexpr std::uint32_t kUdpChecksumOffset = 6;  // RFC 768

}  // namespace

TxPacket TxPacket::open(std::uint32_t size, bool tagged, std::uint16_t tag) {
  TxPacket packet;
  packet.start = tagged ? kVlanTagBytes : 0;
  packet.limit = size;
  packet.reserved = size + packet.start;
  packet.tagged = tagged;
  packet.tag = tag;
  packet.frame = Frame::allocate(std::max(packet.reserved, Frame::kMinBytes));
  packet.data = packet.frame.writable().data();
  return packet;
}

void TxPacket::finish(const SuperFrame* super_frame, std::uint16_t vlan_type) {
  done = true;
  std::uint8_t* const packet = data + start;
  if (filled < ethernet::kHeaderBytes) bad = true;
  const std::uint32_t end = start + filled;
  const std::uint32_t blank_from = blanks.settle(data, end);
  // A listener of dropped frames may read these bytes.
  if (bad) std::memset(data + blank_from, 0, end - blank_from);
  const std::uint32_t stored = bad ? filled : trim(blank_from);
  if (super_frame != nullptr) {
    bad = bad || super_frame->bad;
    if (!bad)
      write_segment_header(super_frame->context, super_frame->header.data(), segment, packet,
                           stored);
  } else if (!bad) {
    if (ip_checksum) insert_checksum(packet, filled, ip, 0, false, stored);
    // The context does not name the protocol; the place of its checksum does.
    const bool udp = l4.field == l4.start + kUdpChecksumOffset;
    if (l4_checksum) insert_checksum(packet, filled, l4, 0, udp, stored);
  }
  if (!bad && tagged) insert_tag(vlan_type);
}

/// Gives the frame its size and zeros from `blank_from` on. Returns how many bytes of the packet
/// are stored; the rest is zero.
std::uint32_t TxPacket::trim(std::uint32_t blank_from) {
  Frame& whole = frame.writable();
  whole.resize(start + filled);
  whole.leave_blank(blank_from);
  const std::uint32_t fields_end = std::max(ip.field, l4.field) + 2U;
  if (start + fields_end > whole.stored()) whole.store();
  return whole.stored() - start;
}

void TxPacket::insert_tag(std::uint16_t vlan_type) const {
  std::memmove(data, data + kVlanTagBytes, 12);
  write_be16(data + 12, vlan_type);
  write_be16(data + 14, tag);
}

}  // namespace longhaul::nic::intel
