// SPDX-License-Identifier: Apache-2.0
#include "platform/observe/packets/ring_follower.h"

#include <gtest/gtest.h>

#include "tests/unit/platform/observe/packets/ring_bench.h"

namespace longhaul::observe {
namespace {

struct FollowedRing : ::testing::Test {
  FollowedRing() {
    write(kBaseLow, 0x1000);
    write(kBaseHigh, 1);
    write(kLength, kEntries * 16);
    write(kHead, 0);
  }
  bool write(std::uint32_t offset, std::uint32_t value, std::uint64_t ps = 0) {
    return ring.write_register(offset, value, {ps, ps + 5, 0xf000'0000 + offset, 4, nullptr});
  }
  /// The adapter reads `count` descriptors from index `index` on.
  RingFollower::Range fetch(std::uint32_t index, std::uint32_t count) {
    bytes = bytes_of(std::vector<Descriptor>(count, Descriptor{0x7000, 100, kEnd}));
    return ring.fetched(move_of(100, kRing + index * 16, bytes));
  }
  RingFollower::Range write_back(std::uint32_t index, std::uint32_t count) {
    bytes.assign(count * std::size_t{16}, 0xff);
    return ring.written(move_of(200, kRing + index * 16, bytes));
  }
  static void expect(RingFollower::Range range, std::uint64_t begin, std::uint64_t end) {
    EXPECT_EQ(range.begin, begin);
    EXPECT_EQ(range.end, end);
  }
  RingFollower ring{ring_registers()};
  std::vector<std::uint8_t> bytes;
};

TEST_F(FollowedRing, LiesWhereItsRegistersSay) {
  EXPECT_EQ(ring.entries(), kEntries);
  EXPECT_FALSE(ring.contains(kRing - 1));
  EXPECT_TRUE(ring.contains(kRing));
  EXPECT_TRUE(ring.contains(kRing + kEntries * 16 - 1));
  EXPECT_FALSE(ring.contains(kRing + kEntries * 16));
}

TEST_F(FollowedRing, DescriptorsBeyondTheTailAreNotFetchedYet) {
  write(kTail, 2, 40);
  expect(fetch(0, 4), 0, 2);
  write(kTail, 3, 50);
  expect(fetch(2, 1), 2, 3);
  EXPECT_EQ(ring.doorbell(2).start_ps, 50U);
}

TEST_F(FollowedRing, EachPositionHasTheFirstDoorbellThatOfferedIt) {
  write(kTail, 2, 40);
  write(kTail, 4, 50);
  fetch(0, 4);
  EXPECT_EQ(ring.doorbell(1).start_ps, 40U);
  EXPECT_EQ(ring.doorbell(2).start_ps, 50U);
  EXPECT_EQ(ring.doorbell(2).address, 0xf000'0000U + kTail);
}

TEST_F(FollowedRing, PositionsGoOnWhereIndicesWrap) {
  write(kTail, 6);
  fetch(0, 6);
  write(kTail, 2);
  expect(fetch(6, 2), 6, 8);
  expect(fetch(0, 2), 8, 10);
  EXPECT_EQ(ring.address_of(9), kRing + 16);
}

TEST_F(FollowedRing, AWriteBackBelongsToWhatWasFetched) {
  write(kTail, 4);
  fetch(0, 3);
  expect(write_back(1, 2), 1, 3);
  expect(write_back(3, 1), 0, 0);
  EXPECT_EQ(ring.descriptor(2)[0], 0xff);
}

TEST_F(FollowedRing, BeginsAnewAtAWriteOfItsHeadAndAtAReset) {
  write(kTail, 4);
  fetch(0, 4);
  EXPECT_TRUE(write(kHead, 5));
  write(kTail, 7);
  expect(fetch(5, 2), 5, 7);
  ring.reset();
  EXPECT_FALSE(ring.contains(kRing));
  EXPECT_FALSE(write(kTail, 3));
}

TEST_F(FollowedRing, AnImpossibleLengthIsNoRing) {
  write(kLength, RingFollower::kMostBytes + 16);
  EXPECT_EQ(ring.entries(), 0U);
  EXPECT_FALSE(write(kTail, 3));
}

/// The same with generation bits in place of head and tail.
struct FollowedGenerations : ::testing::Test {
  FollowedGenerations() {
    write(kBaseLow, 0x1000);
    write(kBaseHigh, 1);
    write(kLength, kEntries);
  }
  bool write(std::uint32_t offset, std::uint32_t value, std::uint64_t ps = 0) {
    return ring.write_register(offset, value, {ps, ps + 5, 0xf000'0000 + offset, 4, nullptr});
  }
  /// The adapter reads descriptors from `index` on: `first` of the first round, then `second` of
  /// the second one.
  RingFollower::Range fetch(std::uint32_t index, std::uint32_t first, std::uint32_t second) {
    std::vector<Descriptor> all(first, Descriptor{0x7000, 100 | kValid, kFirstRound});
    all.resize(first + second, Descriptor{0x7000, 100, 0});
    bytes = bytes_of(all);
    return ring.fetched(move_of(100, kRing + index * 16, bytes));
  }
  static void expect(RingFollower::Range range, std::uint64_t begin, std::uint64_t end) {
    EXPECT_EQ(range.begin, begin);
    EXPECT_EQ(range.end, end);
  }
  RingFollower ring{generation_registers()};
  std::vector<std::uint8_t> bytes;
};

TEST_F(FollowedGenerations, TheLengthIsInDescriptors) {
  EXPECT_EQ(ring.entries(), kEntries);
  EXPECT_TRUE(ring.contains(kRing + kEntries * 16 - 1));
  EXPECT_FALSE(ring.contains(kRing + kEntries * 16));
}

TEST_F(FollowedGenerations, DescriptorsAreValidByBothBitsOfTheirRound) {
  expect(fetch(0, 2, 2), 0, 2);
  expect(fetch(2, 0, 2), 2, 2);  // the adapter looks again, in vain
  expect(fetch(2, 6, 0), 2, 8);
  expect(fetch(0, 1, 0), 8, 8);  // of the first round
  expect(fetch(0, 0, 3), 8, 11);
  EXPECT_EQ(ring.address_of(9), kRing + 16);
}

TEST_F(FollowedGenerations, OneBitIsNotEnough) {
  bytes = bytes_of(std::vector<Descriptor>{{0x7000, 100 | kValid, 0}});
  expect(ring.fetched(move_of(100, kRing, bytes)), 0, 0);
  bytes = bytes_of(std::vector<Descriptor>{{0x7000, 100, kFirstRound}});
  expect(ring.fetched(move_of(100, kRing, bytes)), 0, 0);
}

TEST_F(FollowedGenerations, ADoorbellBelongsToWhatIsFetchedFirstAfterIt) {
  write(kTail, 3, 40);  // of other queues
  write(kTail, 4, 50);
  write(kTail, 4, 60);
  fetch(0, 2, 0);
  EXPECT_EQ(ring.doorbell(0).start_ps, 50U);
  EXPECT_EQ(ring.doorbell(1).start_ps, 50U);
  fetch(2, 1, 0);
  EXPECT_EQ(ring.doorbell(2).bytes, 0U);
}

TEST_F(FollowedGenerations, AWriteOfItsLengthBeginsTheFirstRoundAgain) {
  fetch(0, 8, 0);
  expect(fetch(0, 0, 1), 8, 9);
  EXPECT_TRUE(write(kLength, kEntries));
  EXPECT_FALSE(write(kHead, 5));
  expect(fetch(0, 3, 0), 0, 3);
}

/// A ring whose length is a base-2 logarithm, and whose tail counts modulo 2^16.
RingRegisters counted_registers() {
  RingRegisters registers = ring_registers();
  registers.length_is = RingLength::kLog2;
  registers.tail_counts = true;
  registers.head = RingMap::kNoRegister;
  return registers;
}

struct CountedRing : FollowedRing {
  CountedRing() {
    tell(kBaseLow, 0x1000);
    tell(kBaseHigh, 1);
    tell(kLength, 3);
  }
  void tell(std::uint32_t offset, std::uint32_t value) {
    counted.write_register(offset, value, {0, 5, 0xf000'0000 + offset, 4, nullptr});
  }
  RingFollower::Range fetch(std::uint32_t index, std::uint32_t count) {
    bytes = bytes_of(std::vector<Descriptor>(count, Descriptor{0x7000, 100, kEnd}));
    return counted.fetched(move_of(100, kRing + index * 16, bytes));
  }
  RingFollower counted{counted_registers()};
};

TEST_F(CountedRing, HasTwoToTheLengthEntries) {
  EXPECT_EQ(counted.entries(), 8U);
  tell(kLength, 40);
  EXPECT_EQ(counted.entries(), 0U) << "more than are followed";
}

TEST_F(CountedRing, AFullRingMayBeGivenAtOnce) {
  tell(kTail, 8);
  expect(fetch(0, 8), 0, 8);
  tell(kTail, 16);
  expect(fetch(0, 8), 8, 16);
}

TEST_F(CountedRing, TheTailWrapsAtTheEndOfItsField) {
  for (std::uint32_t given = 8; given <= 65536; given += 8) {
    tell(kTail, given % 65536);
    fetch(0, 8);
  }
  tell(kTail, 2);
  expect(fetch(0, 2), 65536, 65538);
}

}  // namespace
}  // namespace longhaul::observe
