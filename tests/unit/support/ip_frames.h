// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>

#include "models/net/frame/ethernet_header.h"

namespace longhaul::test {

/// What goes into a TCP segment or a datagram; checksums are left zero.
struct Segment {
  bool ipv6 = false;
  bool vlan = false;
  std::uint8_t protocol = 6;
  std::uint8_t from = 1;  ///< last byte of the sender's address
  std::uint8_t to = 2;
  std::uint16_t from_port = 40000;
  std::uint16_t to_port = 5001;
  std::uint32_t sequence = 0;
  std::uint32_t acknowledgment = 0;
  std::uint8_t flags = 0x10;  ///< ACK
  std::uint32_t payload = 0;
  std::uint32_t options = 0;          ///< bytes of TCP options, a multiple of 4
  std::uint32_t fragment_offset = 0;  ///< bytes, a multiple of 8
};

/// The frame of a segment, padded as a MAC pads it.
inline FrameRef ip_frame(const Segment& s) {
  const std::uint32_t l4 = s.fragment_offset != 0 ? 0 : s.protocol == 6 ? 20 + s.options : 8;
  const bool fragment6 = s.ipv6 && s.fragment_offset != 0;
  const std::uint32_t ip = s.ipv6 ? (fragment6 ? 48 : 40) : 20;
  const std::uint32_t at = s.vlan ? 18 : 14;
  FrameRef ref = Frame::allocate(at + ip + l4 + s.payload);
  Frame& frame = ref.writable();
  std::uint8_t* p = frame.data();
  std::memset(p, 0, frame.size());
  if (s.vlan) write_be16(p + 12, 0x8100);
  write_be16(p + at - 2, s.ipv6 ? 0x86dd : 0x0800);
  std::uint8_t* header = p + at;
  if (s.ipv6) {
    header[0] = 0x60;
    write_be16(header + 4, static_cast<std::uint16_t>(ip - 40 + l4 + s.payload));
    header[6] = fragment6 ? 44 : s.protocol;
    header[8] = header[24] = 0xfd;
    header[23] = s.from;
    header[39] = s.to;
    if (fragment6) {
      header[40] = s.protocol;
      write_be16(header + 42, static_cast<std::uint16_t>(s.fragment_offset));
    }
  } else {
    header[0] = 0x45;
    write_be16(header + 2, static_cast<std::uint16_t>(ip + l4 + s.payload));
    write_be16(header + 6, static_cast<std::uint16_t>(s.fragment_offset / 8));
    header[9] = s.protocol;
    header[12] = header[16] = 10;
    header[15] = s.from;
    header[19] = s.to;
  }
  std::uint8_t* transport = header + ip;
  if (l4 != 0) {
    write_be16(transport, s.from_port);
    write_be16(transport + 2, s.to_port);
  }
  if (l4 != 0 && s.protocol == 6) {
    write_be16(transport + 4, static_cast<std::uint16_t>(s.sequence >> 16));
    write_be16(transport + 6, static_cast<std::uint16_t>(s.sequence));
    write_be16(transport + 8, static_cast<std::uint16_t>(s.acknowledgment >> 16));
    write_be16(transport + 10, static_cast<std::uint16_t>(s.acknowledgment));
    transport[12] = static_cast<std::uint8_t>((20 + s.options) / 4 << 4);
    transport[13] = s.flags;
  }
  frame.pad_to_minimum();
  return ref;
}

}  // namespace longhaul::test
