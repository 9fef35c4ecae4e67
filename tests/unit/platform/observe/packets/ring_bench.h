// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/common/ring_map.h"
#include "models/net/frame/checksum.h"
#include "platform/observe/packets/packet_book.h"
#include "platform/observe/packets/ring_follower.h"
#include "tests/unit/support/ip_frames.h"

namespace longhaul::observe {

constexpr std::uint32_t kBaseLow = 0x00, kBaseHigh = 0x04, kLength = 0x08, kHead = 0x10,
                        kTail = 0x18, kSize = 0x20;
constexpr std::uint64_t kRing = 0x1'0000'1000;
constexpr std::uint32_t kEntries = 8;

inline RingRegisters ring_registers() {
  return {kBaseLow, kBaseHigh, kLength, kHead, kTail, {0, 16}, 16};
}

/// A descriptor: address, length in bits 64 to 79, and flags from bit 96 on (0: end, 1: segment,
/// 2: context).
struct Descriptor {
  std::uint64_t address = 0;
  std::uint32_t length = 0;
  std::uint32_t flags = 0;
};
constexpr std::uint32_t kEnd = 1, kSegment = 2, kContext = 4;

inline TransmitRing transmit_ring() {
  return {ring_registers(), {0, 64}, {64, 16}, {96, 1}, {97, 1}, {98, 1}, 1};
}
inline ReceiveRing receive_ring() {
  return {ring_registers(), {0, 64}, {64, 16}, {96, 1}, kSize, {16, 2}, 2048};
}

/// Registers and generation bits of a ring without head and tail: bits 80 and 127 of a descriptor.
/// Its doorbell is bit 2 of kTail.
inline RingRegisters generation_registers() {
  RingRegisters registers = ring_registers();
  registers.length_is = RingLength::kDescriptors;
  registers.tail_index = {2, 1};
  registers.generation = {80, 1};
  registers.generation2 = {127, 1};
  return registers;
}
constexpr std::uint32_t kValid = 1U << 16;       // in a length: the first round
constexpr std::uint32_t kFirstRound = 1U << 31;  // in flags

inline std::vector<std::uint8_t> bytes_of(const std::vector<Descriptor>& all) {
  std::vector<std::uint8_t> bytes;
  const auto put = [&](std::uint64_t value, int count) {
    for (int i = 0; i < count; ++i) bytes.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
  };
  for (const Descriptor& each : all) {
    put(each.address, 8);
    put(each.length, 4);
    put(each.flags, 4);
  }
  return bytes;
}

/// A tenure of 10 ps from `ps` on.
inline BusMove move_of(std::uint64_t ps, std::uint64_t address,
                       const std::vector<std::uint8_t>& bytes) {
  return {ps, ps + 10, address, static_cast<std::uint32_t>(bytes.size()), bytes.data()};
}

/// Keeps all that a book tells.
struct Stages final : PacketListener {
  explicit Stages(PacketBook& of) : book(of) { book.listen(this); }
  ~Stages() override { book.ignore(this); }
  void on_stage(const PacketStage& stage) override { all.push_back(stage); }
  /// Those of one packet, in the order in which they were told.
  std::vector<Stage> kinds(std::uint64_t packet) const {
    std::vector<Stage> found;
    for (const PacketStage& each : all) {
      if (each.packet == packet) found.push_back(each.kind);
    }
    return found;
  }
  const PacketStage* find(std::uint64_t packet, Stage kind) const {
    for (const PacketStage& each : all) {
      if (each.packet == packet && each.kind == kind) return &each;
    }
    return nullptr;
  }
  PacketBook& book;
  std::vector<PacketStage> all;
};

/// A TCP segment over IPv4 with right checksums; byte i of its user data is i + `first`.
inline FrameRef tcp_frame(std::uint32_t sequence, std::uint32_t payload, std::uint8_t first = 0) {
  constexpr std::uint32_t kIp = 14, kTcp = 34, kData = 54;
  test::Segment segment;
  segment.sequence = sequence;
  segment.payload = payload;
  FrameRef frame = test::ip_frame(segment);
  std::uint8_t* const bytes = frame.writable().data();
  for (std::uint32_t i = 0; i < payload; ++i)
    bytes[kData + i] = static_cast<std::uint8_t>(i + first);
  insert_checksum(bytes, frame->size(), {kIp, kIp + 10, kTcp - 1});
  OnesSum pseudo;
  pseudo.add(bytes + kIp + 12, 8);
  pseudo.add_value(6);
  pseudo.add_value(20 + payload);
  const auto last = static_cast<std::uint16_t>(kData + payload - 1);
  insert_checksum(bytes, frame->size(), {kTcp, kTcp + 16, last}, pseudo.folded());
  return frame;
}

inline std::vector<std::uint8_t> bytes_of(const Frame& frame) {
  return {frame.data(), frame.data() + frame.size()};
}

}  // namespace longhaul::observe
