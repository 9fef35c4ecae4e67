// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <vector>

namespace longhaul::testing {

using ByteVector = std::vector<std::uint8_t>;

inline void append(ByteVector& to, std::initializer_list<int> bytes) {
  for (int byte : bytes) to.push_back(static_cast<std::uint8_t>(byte));
}
inline std::uint32_t be16(const ByteVector& bytes, std::size_t at) {
  return bytes.at(at) * 256U + bytes.at(at + 1);
}
inline std::uint32_t be32(const ByteVector& bytes, std::size_t at) {
  return be16(bytes, at) << 16 | be16(bytes, at + 2);
}
inline void write_be16(ByteVector& bytes, std::size_t at, std::uint32_t value) {
  bytes.at(at) = static_cast<std::uint8_t>(value >> 8);
  bytes.at(at + 1) = static_cast<std::uint8_t>(value);
}

/// The Internet checksum by its definition: one 16-bit word after the other, carry added at once.
/// Slow on purpose: it shares nothing with the code under test.
inline std::uint16_t plain_checksum(const ByteVector& bytes, std::size_t from, std::size_t to,
                                    std::uint32_t seed = 0) {
  std::uint32_t sum = seed;
  for (std::size_t i = from; i < to; i += 2) {
    const std::uint32_t word = bytes.at(i) * 256U + (i + 1 < to ? bytes.at(i + 1) : 0U);
    sum += word;
    if (sum > 0xffff) sum -= 0xffff;
  }
  return static_cast<std::uint16_t>(~sum);
}

struct PacketSpec {
  bool v6 = false;
  bool tcp = true;
  std::uint32_t payload = 100;
  std::uint8_t flags = 0x18;  ///< TCP: PSH, ACK
  std::uint32_t sequence = 1000;
  std::uint32_t id = 7;
  std::uint32_t options = 12;  ///< TCP option bytes
  int vlan = -1;               ///< tag control information, or none
  std::array<std::uint8_t, 6> to = {0x00, 0x07, 0xe9, 0, 0, 1};
};

/// An Ethernet frame without FCS; checksum fields zero.
inline ByteVector make_packet(const PacketSpec& spec) {
  ByteVector f;
  f.insert(f.end(), spec.to.begin(), spec.to.end());
  append(f, {0x00, 0x07, 0xe9, 0, 0, 0x55});
  if (spec.vlan >= 0) append(f, {0x81, 0x00, spec.vlan >> 8, spec.vlan & 0xff});
  const std::uint32_t l4 = (spec.tcp ? 20 + spec.options : 8) + spec.payload;
  if (spec.v6) {
    append(f, {0x86, 0xdd, 0x60, 0, 0, 0});
    append(f, {static_cast<int>(l4 >> 8), static_cast<int>(l4 & 0xff), spec.tcp ? 6 : 17, 64});
    for (int host : {1, 2}) {
      append(f, {0xfd, 0, 0, 0, 0, 0, 0, 0x11, 0, 0, 0, 0, 0, 0, 0xab, host});
    }
  } else {
    const std::uint32_t total = 20 + l4;
    append(f, {0x08, 0x00, 0x45, 0, static_cast<int>(total >> 8), static_cast<int>(total & 0xff)});
    append(f, {static_cast<int>(spec.id >> 8), static_cast<int>(spec.id & 0xff), 0x40, 0, 64,
               spec.tcp ? 6 : 17, 0, 0});
    append(f, {10, 1, 2, 3, 192, 168, 77, 9});
  }
  append(f, {0x9c, 0x40, 0x14, 0x51});
  if (spec.tcp) {
    for (int shift : {24, 16, 8, 0}) append(f, {static_cast<int>(spec.sequence >> shift & 0xff)});
    append(f, {0, 0, 0x12, 0x34, static_cast<int>((20 + spec.options) / 4 << 4), spec.flags, 0x7f,
               0xff, 0, 0, 0, 0});
    for (std::uint32_t i = 0; i < spec.options; ++i) append(f, {1});
  } else {
    append(f, {static_cast<int>(l4 >> 8), static_cast<int>(l4 & 0xff), 0, 0});
  }
  for (std::uint32_t i = 0; i < spec.payload; ++i)
    append(f, {static_cast<int>((i * 7 + i / 251) & 0xff)});
  return f;
}

inline std::size_t ip_at(const PacketSpec& spec) { return spec.vlan >= 0 ? 18 : 14; }
inline std::size_t l4_at(const PacketSpec& spec) { return ip_at(spec) + (spec.v6 ? 40 : 20); }
inline std::size_t l4_field(const PacketSpec& spec) { return l4_at(spec) + (spec.tcp ? 16 : 6); }

/// Folded sum of the pseudo header (addresses, protocol, and the length if asked for), not
/// complemented.
inline std::uint16_t pseudo_sum(const PacketSpec& spec, const ByteVector& f, bool with_length) {
  const std::size_t from = ip_at(spec) + (spec.v6 ? 8 : 12);
  std::uint32_t sum = spec.tcp ? 6 : 17;
  if (with_length) sum += static_cast<std::uint32_t>(f.size() - l4_at(spec));
  return static_cast<std::uint16_t>(~plain_checksum(f, from, from + (spec.v6 ? 32 : 8), sum));
}

/// Fills in right checksums.
inline void set_checksums(const PacketSpec& spec, ByteVector& f) {
  if (!spec.v6) write_be16(f, ip_at(spec) + 10, plain_checksum(f, ip_at(spec), ip_at(spec) + 20));
  write_be16(f, l4_field(spec),
             plain_checksum(f, l4_at(spec), f.size(), pseudo_sum(spec, f, true)));
}

/// A packet with right checksums.
inline ByteVector good_packet(const PacketSpec& spec = PacketSpec()) {
  ByteVector packet = make_packet(spec);
  set_checksums(spec, packet);
  return packet;
}

/// The template as drivers leave it: lengths zero, the TCP field seeded with the pseudo header
/// without its length.
inline ByteVector super_frame(const PacketSpec& spec) {
  ByteVector frame = make_packet(spec);
  write_be16(frame, ip_at(spec) + (spec.v6 ? 4 : 2), 0);
  write_be16(frame, l4_field(spec), pseudo_sum(spec, frame, false));
  return frame;
}

/// Whether IPv4 header and TCP or UDP checksums of a frame built by make_packet (of any payload)
/// are right.
inline bool checksums_right(const PacketSpec& spec, const ByteVector& f) {
  if (!spec.v6 && plain_checksum(f, ip_at(spec), ip_at(spec) + 20) != 0) return false;
  return plain_checksum(f, l4_at(spec), f.size(), pseudo_sum(spec, f, true)) == 0;
}

}  // namespace longhaul::testing
