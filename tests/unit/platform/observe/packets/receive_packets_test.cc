// SPDX-License-Identifier: Apache-2.0
#include "platform/observe/packets/receive_packets.h"

#include <gmock/gmock.h>

#include "tests/unit/platform/observe/packets/ring_bench.h"

namespace longhaul::observe {
namespace {

using ::testing::ElementsAre;
using S = Stage;

struct Receive : ::testing::Test {
  Receive() {
    write(kSize, 0);  // buffers of 2048 B
    write(kBaseLow, 0x1000);
    write(kBaseHigh, 1);
    write(kLength, kEntries * 16);
    write(kHead, 0);
    write(kTail, 4);
    const std::vector<std::uint8_t> bytes =
        bytes_of(std::vector<Descriptor>{{0x10000, 0, 0}, {0x20000, 0, 0}, {0x30000, 0, 0}});
    packets.adapter_reads(move_of(50, kRing, bytes));
  }
  void write(std::uint32_t offset, std::uint32_t value) {
    packets.write_register(offset, value, {0, 5, 0xf000'0000 + offset, 4, nullptr});
  }
  void store(std::uint64_t address, const std::vector<std::uint8_t>& bytes, std::uint64_t ps) {
    packets.adapter_writes(move_of(ps, address, bytes));
  }
  void write_back(std::uint32_t index, const Descriptor& descriptor, std::uint64_t ps) {
    store(kRing + index * 16, bytes_of(std::vector<Descriptor>{descriptor}), ps);
  }
  PacketBook book;
  Stages stages{book};
  ReceivePackets packets{{receive_ring()}, book, {7, 8, 9}};
};

TEST_F(Receive, APacketHasAllItsStages) {
  const FrameRef frame = tcp_frame(1, 100);
  packets.frame_comes(*frame, 100);
  store(0x10000, bytes_of(*frame), 150);
  write_back(0, {0x10000, frame->size(), kEnd}, 170);
  packets.causes_read({400, 420, 0xf000'0080, 4, nullptr});
  EXPECT_THAT(stages.kinds(frame->id()),
              ElementsAre(S::kFetch, S::kWrite, S::kWriteBack, S::kBuffer, S::kInterrupt));
  const PacketStage& buffer = *stages.find(frame->id(), S::kBuffer);
  EXPECT_EQ(buffer.start_ps, 100U);
  EXPECT_EQ(buffer.end_ps, 150U);
  EXPECT_EQ(buffer.place, 9);
  EXPECT_EQ(buffer.fault, Fault::kNone);
  const PacketStage& interrupt = *stages.find(frame->id(), S::kInterrupt);
  EXPECT_EQ(interrupt.start_ps, 180U);
  EXPECT_EQ(interrupt.end_ps, 420U);
  EXPECT_EQ(packets.matched(), 1U);
}

TEST_F(Receive, AFrameMayFillSeveralBuffersAndTenures) {
  const FrameRef frame = tcp_frame(1, 3000);
  const std::vector<std::uint8_t> bytes = bytes_of(*frame);
  packets.frame_comes(*frame, 100);
  store(0x10000, {bytes.begin(), bytes.begin() + 1000}, 150);
  store(0x10000 + 1000, {bytes.begin() + 1000, bytes.begin() + 2048}, 160);
  store(0x20000, {bytes.begin() + 2048, bytes.end()}, 170);
  write_back(0, {0x10000, 2048, 0}, 180);
  write_back(1, {0x20000, frame->size() - 2048, kEnd}, 190);
  EXPECT_EQ(packets.matched(), 1U);
  EXPECT_EQ(packets.faults(), 0U);
  EXPECT_THAT(stages.kinds(frame->id()),
              ElementsAre(S::kFetch, S::kWrite, S::kWrite, S::kWriteBack, S::kFetch, S::kWrite,
                          S::kWriteBack, S::kBuffer));
}

TEST_F(Receive, AByteThatIsNotThatOfTheWireIsAFaultWithItsPlace) {
  const FrameRef frame = tcp_frame(1, 100);
  packets.frame_comes(*frame, 100);
  std::vector<std::uint8_t> bytes = bytes_of(*frame);
  bytes[70] ^= 0x10;
  store(0x10000, bytes, 150);
  write_back(0, {0x10000, frame->size(), kEnd}, 170);
  const PacketStage& buffer = *stages.find(frame->id(), S::kBuffer);
  EXPECT_EQ(buffer.fault, Fault::kDiffers);
  EXPECT_EQ(buffer.fault_at, 70U);
}

TEST_F(Receive, FramesThatTheAdapterDropsAreCounted) {
  const FrameRef dropped = tcp_frame(1, 100);
  const FrameRef kept = tcp_frame(101, 100);
  packets.frame_comes(*dropped, 100);
  packets.frame_comes(*kept, 110);
  store(0x10000, bytes_of(*kept), 150);
  write_back(0, {0x10000, kept->size(), kEnd}, 170);
  EXPECT_EQ(packets.frames_without_packet(), 1U);
  EXPECT_FALSE(stages.kinds(kept->id()).empty());
  EXPECT_TRUE(stages.kinds(dropped->id()).empty());
}

TEST_F(Receive, APacketWithoutAFrameIsCounted) {
  store(0x10000, bytes_of(*tcp_frame(1, 100)), 150);
  write_back(0, {0x10000, 154, kEnd}, 170);
  EXPECT_EQ(packets.strange_packets(), 1U);
  EXPECT_TRUE(stages.all.empty());
}

TEST_F(Receive, AStrippedTagIsNoFault) {
  test::Segment segment;
  segment.vlan = true;
  segment.payload = 100;
  const FrameRef frame = test::ip_frame(segment);
  packets.frame_comes(*frame, 100);
  std::vector<std::uint8_t> bytes = bytes_of(*frame);
  bytes.erase(bytes.begin() + 12, bytes.begin() + 16);
  store(0x10000, bytes, 150);
  write_back(0, {0x10000, frame->size() - 4, kEnd}, 170);
  EXPECT_EQ(packets.matched(), 1U);
  EXPECT_EQ(packets.faults(), 0U);
}

/// Two rings whose buffers are completed elsewhere, with a message of 8 B in front of each frame.
struct ReceiveMessages : ::testing::Test {
  static constexpr std::uint32_t kSecond = 0x100;  // of the second ring's registers
  static constexpr std::uint64_t kSecondRing = 0x1'0000'8000;

  ReceiveMessages() {
    const auto write = [&](std::uint32_t offset, std::uint32_t value) {
      packets.write_register(offset, value, {});
    };
    for (const std::uint32_t at : {0U, kSecond}) {
      write(at + kBaseLow, at == 0 ? 0x1000 : 0x8000);
      write(at + kBaseHigh, 1);
      write(at + kLength, kEntries);
    }
    fetch(kRing, {{0x10000, 1544 | kValid, kFirstRound}, {0x20000, 1544 | kValid, kFirstRound}});
    fetch(kSecondRing, {{0x30000, 9000 | kValid, kFirstRound}});
  }
  static std::vector<ReceiveRing> maps() {
    ReceiveRing first;
    first.registers = generation_registers();
    first.address = {0, 64};
    first.buffer_size = {64, 16};
    first.head_bytes = 8;
    ReceiveRing second = first;
    for (auto* const at : {&second.registers.base_low, &second.registers.base_high,
                           &second.registers.length, &second.registers.tail})
      *at += kSecond;
    return {first, second};
  }
  void fetch(std::uint64_t ring, const std::vector<Descriptor>& all) {
    packets.adapter_reads(move_of(50, ring, bytes_of(all)));
  }
  /// The adapter writes the message and the frame into a buffer.
  void store(std::uint64_t address, const Frame& frame, std::uint64_t ps) {
    std::vector<std::uint8_t> bytes(8, 0xad);
    bytes.insert(bytes.end(), frame.data(), frame.data() + frame.size());
    packets.adapter_writes(move_of(ps, address, bytes));
  }
  void complete(std::size_t list, const Frame& frame, std::uint64_t ps, bool message = false) {
    packets.completed({list, frame.size() + 8, true, message}, {ps, ps + 10, 0x9000, 8, nullptr});
  }
  PacketBook book;
  Stages stages{book};
  ReceivePackets packets{maps(), book, {7, 8, 9}};
};

TEST_F(ReceiveMessages, AnEntryCompletesTheOldestBufferOfItsRing) {
  const FrameRef small = tcp_frame(1, 100);
  const FrameRef large = tcp_frame(101, 4000);
  packets.frame_comes(*large, 90);
  packets.frame_comes(*small, 100);
  store(0x10000, *small, 150);
  store(0x30000, *large, 160);
  complete(1, *large, 170);
  complete(0, *small, 190);
  EXPECT_EQ(packets.matched(), 2U);
  EXPECT_EQ(packets.faults(), 0U);
  EXPECT_EQ(packets.frames_without_packet(), 0U);
  EXPECT_THAT(stages.kinds(small->id()),
              ElementsAre(S::kFetch, S::kWrite, S::kWriteBack, S::kBuffer));
  EXPECT_EQ(stages.find(small->id(), S::kFetch)->address, kRing);
  EXPECT_EQ(stages.find(large->id(), S::kFetch)->address, kSecondRing);
  const PacketStage& told = *stages.find(large->id(), S::kWriteBack);
  EXPECT_EQ(told.address, 0x9000U);
  EXPECT_EQ(told.bytes, 8U);
  EXPECT_EQ(told.start_ps, 170U);
}

TEST_F(ReceiveMessages, AMessageTakesABufferAndIsNoFrame) {
  const FrameRef frame = tcp_frame(1, 100);
  packets.frame_comes(*frame, 100);
  store(0x10000, *frame, 120);
  complete(0, *frame, 130, true);
  EXPECT_EQ(packets.matched(), 0U);
  EXPECT_EQ(packets.strange_packets(), 0U);
  store(0x20000, *frame, 150);
  complete(0, *frame, 160);
  EXPECT_EQ(packets.matched(), 1U);
  EXPECT_EQ(stages.find(frame->id(), S::kWrite)->address, 0x20000U);
}

TEST_F(ReceiveMessages, AnEntryWithoutABufferIsIgnored) {
  const FrameRef frame = tcp_frame(1, 100);
  packets.frame_comes(*frame, 100);
  complete(2, *frame, 110);
  complete(1, *frame, 120);  // an empty packet
  complete(1, *frame, 130);
  EXPECT_EQ(packets.matched(), 0U);
  EXPECT_EQ(packets.strange_packets(), 1U);
}

/// Buffers whose size a register has in bytes, with two bytes before each frame.
ReceiveRing padded_ring() {
  ReceiveRing ring = receive_ring();
  ring.size_field = {0, 15};
  ring.size_unit = 1;
  ring.size_counts = true;
  ring.size_reset = 2048;
  ring.skip_bytes = 2;
  return ring;
}

struct ReceivePadded : Receive {
  void tell(std::uint32_t offset, std::uint32_t value) {
    padded.write_register(offset, value, {0, 5, 0xf000'0000 + offset, 4, nullptr});
  }
  /// Gives two buffers, receives a frame into the first one, and returns its stage in the buffer.
  PacketStage receive(const FrameRef& frame) {
    tell(kBaseLow, 0x1000);
    tell(kBaseHigh, 1);
    tell(kLength, kEntries * 16);
    tell(kHead, 0);
    tell(kTail, 2);
    const auto given = bytes_of(std::vector<Descriptor>{{0x10000, 0, 0}, {0x20000, 0, 0}});
    padded.adapter_reads(move_of(50, kRing, given));
    padded.frame_comes(*frame, 100);
    padded.adapter_writes(move_of(150, 0x10002, bytes_of(*frame)));
    const auto back = bytes_of(std::vector<Descriptor>{{0x10000, frame->size(), kEnd}});
    padded.adapter_writes(move_of(170, kRing, back));
    const PacketStage* const buffer = stages.find(frame->id(), S::kBuffer);
    return buffer == nullptr ? PacketStage{} : *buffer;
  }
  ReceivePackets padded{{padded_ring()}, book, {7, 8, 9}};
};

TEST_F(ReceivePadded, BytesBeforeAFrameAreNotOfIt) {
  const PacketStage buffer = receive(tcp_frame(1, 100));
  EXPECT_EQ(padded.matched(), 1U);
  EXPECT_EQ(buffer.fault, Fault::kNone);
}

TEST_F(ReceivePadded, ABufferIsAsLargeAsItsRegisterSays) {
  tell(kSize, 9018);
  const PacketStage buffer = receive(tcp_frame(1, 8000));
  EXPECT_EQ(padded.matched(), 1U);
  EXPECT_EQ(buffer.fault, Fault::kNone);
}

TEST_F(ReceivePadded, AResetGivesTheSizeOfTheBeginning) {
  tell(kSize, 9018);
  padded.reset();
  receive(tcp_frame(1, 8000));
  EXPECT_EQ(padded.matched(), 0U) << "8 KB do not lie in a buffer of 2 KB";
}

}  // namespace
}  // namespace longhaul::observe
