// SPDX-License-Identifier: Apache-2.0
#include "platform/observe/packets/transmit_packets.h"

#include <gmock/gmock.h>

#include "tests/unit/platform/observe/packets/ring_bench.h"

namespace longhaul::observe {
namespace {

using ::testing::ElementsAre;

constexpr std::uint32_t kHeader = 54;  // Ethernet, IPv4 and TCP without options

struct Transmit : ::testing::Test {
  Transmit() {
    write(kBaseLow, 0x1000);
    write(kBaseHigh, 1);
    write(kLength, kEntries * 16);
    write(kHead, 0);
  }
  void write(std::uint32_t offset, std::uint32_t value, std::uint64_t ps = 0) {
    packets.write_register(offset, value, {ps, ps + 5, 0xf000'0000 + offset, 4, nullptr});
  }
  /// The driver offers descriptors, and the adapter fetches them.
  void offer(const std::vector<Descriptor>& all, std::uint64_t ps = 100) {
    const std::vector<std::uint8_t> bytes = bytes_of(all);
    const std::uint64_t at = kRing + tail % kEntries * 16;
    tail += static_cast<std::uint32_t>(all.size());
    write(kTail, tail % kEntries, ps);
    packets.adapter_reads(move_of(ps + 20, at, bytes));
  }
  void read(std::uint64_t address, const std::vector<std::uint8_t>& bytes, std::uint64_t ps) {
    packets.adapter_reads(move_of(ps, address, bytes));
  }
  bool write_back(std::uint32_t index, std::uint64_t ps) {
    const std::vector<std::uint8_t> bytes(16, 0);
    return packets.adapter_writes(move_of(ps, kRing + index * 16, bytes));
  }
  PacketBook book;
  Stages stages{book};
  TransmitPackets packets{transmit_ring(), book, {7, 8, 9}};
  std::uint32_t tail = 0;
};

TEST_F(Transmit, APacketHasAllItsStagesWithPlaceTimeAndAddress) {
  const FrameRef frame = tcp_frame(1, 100);
  const std::vector<std::uint8_t> bytes = bytes_of(*frame);
  offer({{0x7000, kHeader, 0}, {0x8000, 100, kEnd}});
  read(0x7000, {bytes.begin(), bytes.begin() + kHeader}, 150);
  read(0x8000, {bytes.begin() + kHeader, bytes.end()}, 170);
  EXPECT_TRUE(stages.all.empty());
  packets.frame_leaves(*frame, 250);
  EXPECT_TRUE(write_back(1, 300));
  using S = Stage;
  EXPECT_THAT(stages.kinds(frame->id()), ElementsAre(S::kDoorbell, S::kFetch, S::kFetch, S::kRead,
                                                     S::kRead, S::kBuffer, S::kWriteBack));
  const PacketStage& bell = *stages.find(frame->id(), S::kDoorbell);
  EXPECT_EQ(bell.start_ps, 100U);
  EXPECT_EQ(bell.address, 0xf000'0018U);
  const PacketStage& data = *stages.find(frame->id(), S::kRead);
  EXPECT_EQ(data.address, 0x7000U);
  EXPECT_EQ(data.bytes, kHeader);
  EXPECT_EQ(data.place, 7);
  const PacketStage& buffer = *stages.find(frame->id(), S::kBuffer);
  EXPECT_EQ(buffer.start_ps, 180U);
  EXPECT_EQ(buffer.end_ps, 250U);
  EXPECT_EQ(buffer.place, 8);
  EXPECT_EQ(buffer.fault, Fault::kNone);
  EXPECT_EQ(stages.find(frame->id(), S::kWriteBack)->start_ps, 300U);
  EXPECT_EQ(packets.matched(), 1U);
}

TEST_F(Transmit, AByteThatIsNotThatOfMemoryIsAFaultWithItsPlace) {
  const FrameRef frame = tcp_frame(1, 100);
  offer({{0x7000, frame->size(), kEnd}});
  std::vector<std::uint8_t> bytes = bytes_of(*frame);
  bytes[kHeader + 40] ^= 1;
  read(0x7000, bytes, 150);
  packets.frame_leaves(*frame, 250);
  const PacketStage& buffer = *stages.find(frame->id(), Stage::kBuffer);
  EXPECT_EQ(buffer.fault, Fault::kDiffers);
  EXPECT_EQ(buffer.fault_at, kHeader + 40);
  EXPECT_EQ(packets.faults(), 1U);
}

TEST_F(Transmit, ChecksumsMayDifferButHaveToBeRight) {
  for (const bool right : {true, false}) {
    FrameRef frame = tcp_frame(right ? 1 : 2, 100);
    std::vector<std::uint8_t> bytes = bytes_of(*frame);
    bytes[kHeader - 4] ^= 0xff;  // TCP's checksum in memory is that of the pseudo header
    if (!right) frame.writable().data()[kHeader - 4] ^= 0xff;
    offer({{0x7000, frame->size(), kEnd}});
    read(0x7000, bytes, 150);
    packets.frame_leaves(*frame, 250);
    EXPECT_EQ(stages.find(frame->id(), Stage::kBuffer)->fault,
              right ? Fault::kNone : Fault::kL4Checksum);
  }
}

TEST_F(Transmit, SegmentsOfOnePacketHaveTheTenuresOfTheirOwnBytes) {
  const FrameRef first = tcp_frame(1, 100, 0);
  const FrameRef second = tcp_frame(101, 60, 100);
  std::vector<std::uint8_t> bytes = bytes_of(*tcp_frame(1, 160));
  offer({{0, 0, kContext}, {0x7000, kHeader, kSegment}, {0x8000, 160, kSegment | kEnd}});
  read(0x7000, {bytes.begin(), bytes.begin() + kHeader}, 150);
  read(0x8000, {bytes.begin() + kHeader, bytes.begin() + kHeader + 100}, 170);
  packets.frame_leaves(*first, 200);  // while the rest is still being read
  read(0x8064, {bytes.begin() + kHeader + 100, bytes.end()}, 210);
  packets.frame_leaves(*second, 260);
  using S = Stage;
  EXPECT_THAT(stages.kinds(first->id()), ElementsAre(S::kDoorbell, S::kFetch, S::kFetch, S::kFetch,
                                                     S::kRead, S::kRead, S::kBuffer));
  EXPECT_THAT(stages.kinds(second->id()),
              ElementsAre(S::kDoorbell, S::kFetch, S::kFetch, S::kFetch, S::kRead, S::kBuffer));
  EXPECT_EQ(stages.find(second->id(), S::kRead)->address, 0x8064U);
  EXPECT_EQ(packets.faults(), 0U);
  write_back(2, 300);
  EXPECT_NE(stages.find(first->id(), S::kWriteBack), nullptr);
  EXPECT_NE(stages.find(second->id(), S::kWriteBack), nullptr);
}

TEST_F(Transmit, ASegmentWithAWrongSequenceNumberIsOfNoPacket) {
  offer({{0x7000, kHeader + 160, kSegment | kEnd}});
  read(0x7000, bytes_of(*tcp_frame(1, 160)), 150);
  packets.frame_leaves(*tcp_frame(2, 100), 200);
  EXPECT_EQ(packets.strange_frames(), 1U);
  EXPECT_TRUE(stages.all.empty());
}

TEST_F(Transmit, AReadBelongsToTheDescriptorWithMostOfItsBytes) {
  const FrameRef first = tcp_frame(1, 100);
  const FrameRef second = tcp_frame(101, 100);
  const std::vector<std::uint8_t> one = bytes_of(*first);
  std::vector<std::uint8_t> two = bytes_of(*second);
  offer({{0x7000, 154, kEnd}, {0x7000 + 154, 154, kEnd}});
  read(0x7000, {one.begin(), one.begin() + 150}, 150);
  // The word that the second packet begins in has the last two bytes of the first.
  two.insert(two.begin(), one.end() - 2, one.end());
  read(0x7000 + 152, two, 170);
  read(0x7000 + 150, {one.end() - 4, one.end()}, 190);
  packets.frame_leaves(*first, 250);
  packets.frame_leaves(*second, 260);
  EXPECT_EQ(packets.matched(), 2U);
  EXPECT_EQ(packets.faults(), 0U);
}

TEST_F(Transmit, APacketThatLeavesNoFrameIsCountedWhenTheNextOneLeaves) {
  const FrameRef lost = tcp_frame(1, 100);
  const FrameRef sent = tcp_frame(101, 100);
  offer({{0x7000, 154, kEnd}, {0x8000, 154, kEnd}});
  read(0x7000, bytes_of(*lost), 150);
  read(0x8000, bytes_of(*sent), 170);
  packets.frame_leaves(*sent, 250);
  EXPECT_EQ(packets.packets_without_frame(), 1U);
  EXPECT_EQ(packets.matched(), 1U);
  EXPECT_TRUE(stages.kinds(lost->id()).empty());
}

TEST_F(Transmit, AFrameWithoutAPacketIsCounted) {
  packets.frame_leaves(*tcp_frame(1, 100), 250);
  EXPECT_EQ(packets.strange_frames(), 1U);
}

TEST_F(Transmit, WhatWasOnTheRingIsForgottenWithAReset) {
  const FrameRef frame = tcp_frame(1, 100);
  offer({{0x7000, frame->size(), kEnd}});
  read(0x7000, bytes_of(*frame), 150);
  packets.reset();
  packets.frame_leaves(*frame, 250);
  EXPECT_EQ(packets.matched(), 0U);
  EXPECT_FALSE(write_back(0, 300));
}

TEST_F(Transmit, ADriverWithoutAnEndOfItsPacketTakesNoMemoryWithoutBound) {
  for (int i = 0; i < 100; ++i) offer({{0x7000, 0xffff, 0}});
  EXPECT_GE(packets.packets_without_frame(), 5U);
}

/// A ring whose packets have a message of 8 B in front of the frame, and no write-backs.
struct TransmitMessages : ::testing::Test {
  static constexpr std::uint8_t kPacket = 0xb2;

  TransmitMessages() {
    packets.write_register(kBaseLow, 0x1000, {});
    packets.write_register(kBaseHigh, 1, {});
    packets.write_register(kLength, kEntries, {});
    packets.write_register(kTail, 4, {40, 45, 0xf000'0018, 4, nullptr});
  }
  static TransmitRing map() {
    TransmitRing ring = transmit_ring();
    ring.registers = generation_registers();
    ring.kind = {};
    ring.segment = {};
    ring.head_bytes = 8;
    ring.head_opcode = kPacket;
    return ring;
  }
  /// The adapter fetches a descriptor and reads its data, the message in front.
  void send(std::uint64_t address, std::uint8_t opcode, const std::vector<std::uint8_t>& data,
            std::uint64_t ps) {
    std::vector<std::uint8_t> bytes{opcode, 0, 0, 0, 0, 0, 0, 0};
    bytes.insert(bytes.end(), data.begin(), data.end());
    const Descriptor descriptor{address, static_cast<std::uint32_t>(bytes.size()) | kValid,
                                kEnd | kFirstRound};
    packets.adapter_reads(
        move_of(ps, kRing + next++ * 16, bytes_of(std::vector<Descriptor>{descriptor})));
    packets.adapter_reads(move_of(ps + 20, address, bytes));
  }
  PacketBook book;
  Stages stages{book};
  TransmitPackets packets{map(), book, {7, 8, 9}};
  std::uint32_t next = 0;
};

TEST_F(TransmitMessages, TheMessageIsNoPartOfTheFrame) {
  const FrameRef frame = tcp_frame(1, 100);
  send(0x7000, kPacket, bytes_of(*frame), 100);
  packets.frame_leaves(*frame, 250);
  packets.completed(1, {300, 310, 0x9000, 8, nullptr});
  using S = Stage;
  EXPECT_THAT(stages.kinds(frame->id()),
              ElementsAre(S::kDoorbell, S::kFetch, S::kRead, S::kBuffer, S::kWriteBack));
  EXPECT_EQ(stages.find(frame->id(), S::kRead)->bytes, frame->size() + 8);
  EXPECT_EQ(stages.find(frame->id(), S::kBuffer)->fault, Fault::kNone);
  EXPECT_EQ(stages.find(frame->id(), S::kWriteBack)->address, 0x9000U);
  EXPECT_EQ(packets.matched(), 1U);
}

TEST_F(TransmitMessages, AnotherMessageBecomesNoFrame) {
  const FrameRef frame = tcp_frame(1, 100);
  send(0x7000, 0x01, bytes_of(*frame), 100);
  send(0x8000, kPacket, bytes_of(*frame), 150);
  packets.frame_leaves(*frame, 250);
  EXPECT_EQ(stages.find(frame->id(), Stage::kRead)->address, 0x8000U);
  EXPECT_EQ(packets.matched(), 1U);
  EXPECT_EQ(packets.packets_without_frame(), 0U);
}

TEST_F(TransmitMessages, CompletionsCountDescriptorsInTheirOrder) {
  const FrameRef first = tcp_frame(1, 100);
  const FrameRef second = tcp_frame(101, 100);
  send(0x7000, kPacket, bytes_of(*first), 100);
  send(0x8000, kPacket, bytes_of(*second), 150);
  packets.completed(1, {200, 210, 0x9000, 8, nullptr});
  packets.frame_leaves(*first, 250);
  packets.frame_leaves(*second, 300);
  EXPECT_EQ(stages.find(first->id(), Stage::kWriteBack)->address, 0x9000U);
  EXPECT_EQ(stages.find(second->id(), Stage::kWriteBack), nullptr);
  packets.completed(1, {400, 410, 0x9008, 8, nullptr});
  EXPECT_EQ(stages.find(second->id(), Stage::kWriteBack)->address, 0x9008U);
}

TEST_F(TransmitMessages, AByteThatTheAdapterChangesHasItsPlaceInTheFrame) {
  const FrameRef frame = tcp_frame(1, 100);
  std::vector<std::uint8_t> bytes = bytes_of(*frame);
  bytes[70] ^= 1;
  send(0x7000, kPacket, bytes, 100);
  packets.frame_leaves(*frame, 250);
  EXPECT_EQ(stages.find(frame->id(), Stage::kBuffer)->fault_at, 70U);
}

}  // namespace
}  // namespace longhaul::observe
