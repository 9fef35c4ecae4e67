// SPDX-License-Identifier: Apache-2.0
#include "models/nic/genesis/bmu.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "tests/unit/models/pcix/dma_test_bus.h"

namespace longhaul::nic::genesis {
namespace {

using longhaul::testing::DmaTestBus;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::uint32_t kRing = 0x1000;
constexpr std::uint32_t kBuffer = 0x8002;
constexpr std::uint32_t kPlain = regs::bmu::kCheckPlain << regs::bmu::kCheckShift;
constexpr std::uint32_t kGiven =
    regs::bmu::kOwn | regs::bmu::kStf | regs::bmu::kEof | regs::bmu::kIrqEof | kPlain;

/// A queue whose data a test moves.
class BmuTest : public ::testing::Test, public BmuUser {
 protected:
  BmuTest() {
    dma.dma_initiator.bind(bus.dma_target);
    for (int i = 0; i < 4; ++i) describe(i, 0);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    command(regs::csr::kRunMask);
    write(regs::q::kDaH, 0);
    write(regs::q::kDaL, kRing);
  }

  void bmu_ready() override { ++looks; }
  void data_moved() override {
    if (on_data) on_data();
  }
  void data_blank(std::uint8_t* blank, std::uint32_t length) override {
    std::memset(blank, 0, length);
  }
  void descriptor_returned() override { ++returned; }
  void bmu_aborted(const char* why) override { aborted.emplace_back(why); }

  static std::uint64_t at(int index) { return kRing + 32ULL * index; }
  std::uint32_t word(std::uint64_t where) const {
    std::uint32_t value = 0;
    std::memcpy(&value, &bus.memory[where], 4);
    return value;
  }
  void put(std::uint64_t where, std::uint32_t value) { std::memcpy(&bus.memory[where], &value, 4); }
  /// One of four in a ring.
  void describe(int index, std::uint32_t control, std::uint32_t high = 0) {
    put(at(index), control);
    put(at(index) + 4, static_cast<std::uint32_t>(at((index + 1) % 4)));
    put(at(index) + 8, kBuffer + 0x1000 * index);
    put(at(index) + 12, high);
    for (int i = 16; i < 32; i += 4) put(at(index) + i, 0x5a5a'5a5a);
  }
  std::uint32_t read(std::uint32_t reg) { return bank.read(regs::kR1 + reg); }
  void write(std::uint32_t reg, std::uint32_t value) { bank.write(regs::kR1 + reg, value); }
  void command(std::uint32_t bits) { write(regs::q::kCsr, bits); }
  bool idle() { return (read(regs::q::kCsr) & regs::csr::kSvIdle) != 0; }
  static void run_ns(std::uint64_t ns) {
    sc_core::sc_start(from_ps(ns * 1000));
    while (sc_core::sc_pending_activity_at_current_time()) sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }
  std::vector<std::string> seen() const {
    std::vector<std::string> list;
    for (const DmaTestBus::Seen& s : bus.seen) {
      char text[40];
      std::snprintf(text, sizeof text, "%c %llx %u", s.is_read ? 'r' : 'w',
                    static_cast<unsigned long long>(s.address), s.bytes);
      list.emplace_back(text);
    }
    return list;
  }

  RegisterBank bank{0x4000};
  DmaTestBus bus{"bus", 1U << 20};
  pcix::DmaEngine dma{"dma", {}, [](pcix::DmaEngine::Limits& now) { now = {true, 512, 4}; }};
  int cause_changes = 0;
  std::vector<pcix::DmaStatus> bus_errors;
  Bmu bmu{"bmu",
          {regs::kR1, regs::kR1CsrMirror, regs::isrc::kR1B, regs::isrc::kR1F, regs::isrc::kR1C},
          bank,
          dma,
          *this,
          [this] { ++cause_changes; },
          [this](pcix::DmaStatus status) { bus_errors.push_back(status); }};
  int looks = 0;
  int returned = 0;
  std::vector<std::string> aborted;
  std::function<void()> on_data;
  std::vector<std::uint8_t> data = std::vector<std::uint8_t>(4096, 0x77);
};

TEST_F(BmuTest, StartDoesNothingInReset) {
  command(regs::csr::kResetMask);
  command(regs::csr::kStart);
  run_ns(1000);
  EXPECT_THAT(seen(), IsEmpty());
  command(regs::csr::kRunMask & ~(1U << 13));  // descriptor reads are still held
  command(regs::csr::kStart);
  run_ns(1000);
  EXPECT_THAT(seen(), IsEmpty());
  EXPECT_TRUE(idle());
}

TEST_F(BmuTest, ReadsOneDescriptorAndKeepsIt) {
  describe(0, kGiven | 100, 0x12);
  command(regs::csr::kStart);
  EXPECT_FALSE(idle());
  run_ns(339);
  EXPECT_FALSE(bmu.loaded());
  run_ns(1);  // 40 ns for the request, 300 for its completion
  ASSERT_TRUE(bmu.loaded());
  EXPECT_EQ(bmu.descriptor().bytes(), 100U);
  EXPECT_EQ(bmu.descriptor().address, 0x12'0000'8002ULL);
  EXPECT_EQ(read(regs::q::kD), kGiven | 100);
  EXPECT_EQ(read(regs::q::kD + 12), 0x12U);
  EXPECT_EQ(read(regs::q::kAcL), kBuffer);
  EXPECT_EQ(read(regs::q::kAcH), 0x12U);
  EXPECT_EQ(read(regs::q::kBc), 100U);
  EXPECT_EQ(read(regs::q::kDaL), kRing);
  run_ns(10'000);
  EXPECT_THAT(seen(), ElementsAre("r 1000 32"));
}

TEST_F(BmuTest, OneThatTheChipDoesNotOwnIdlesTheQueue) {
  command(regs::csr::kStart);
  run_ns(10'000);
  EXPECT_TRUE(idle());
  EXPECT_THAT(seen(), ElementsAre("r 1000 32"));
  EXPECT_EQ(bmu.idle_reads.value(), 1U);
  EXPECT_EQ(read(regs::q::kDaL), kRing);
  describe(0, kGiven | 100);
  command(regs::csr::kStart);
  run_ns(340);
  EXPECT_TRUE(bmu.loaded());
}

TEST_F(BmuTest, DoorbellDuringAReadThatFindsNothingReadsAgain) {
  command(regs::csr::kStart);
  run_ns(340);
  EXPECT_TRUE(idle());
  command(regs::csr::kStart);
  run_ns(339);
  command(regs::csr::kStart);  // too late for what is being read, whatever memory says by now
  run_ns(1);
  describe(0, kGiven | 100);
  run_ns(340);
  EXPECT_TRUE(bmu.loaded());
  EXPECT_EQ(bus.seen.size(), 3U);
}

TEST_F(BmuTest, DoorbellDuringAReadThatFindsOneAsksForNoMore) {
  describe(0, kGiven | 100);
  command(regs::csr::kStart);
  run_ns(100);
  command(regs::csr::kStart);
  run_ns(10'000);
  EXPECT_TRUE(bmu.loaded());
  EXPECT_EQ(bus.seen.size(), 1U);
}

TEST_F(BmuTest, GivesBackStatusThenControlThenReadsTheNext) {
  describe(0, kGiven | 1000);
  command(regs::csr::kStart);
  run_ns(340);
  bmu.take();
  bmu.store(0, data.data(), 700, 700);
  EXPECT_EQ(read(regs::q::kAcL), kBuffer + 700);
  EXPECT_EQ(read(regs::q::kBc), 300U);
  const std::uint32_t control =
      regs::bmu::kEof | regs::bmu::kIrqEof | regs::bmu::kStatVal | kPlain | 700;
  bmu.finish(control, Bmu::Status{0x1234'5678, 0, 0x9abc'def0});
  run_ns(119);  // 40 ns each
  EXPECT_EQ(bmu.causes(), 0U);
  EXPECT_EQ(word(at(0)), kGiven | 1000);
  EXPECT_EQ(word(at(0) + 16), 0x1234'5678U);
  EXPECT_EQ(word(at(0) + 20), 0U);
  EXPECT_EQ(word(at(0) + 24), 0x9abc'def0U);
  EXPECT_EQ(word(at(0) + 28), 0x5a5a'5a5aU);
  run_ns(1);
  EXPECT_EQ(bmu.causes(), regs::isrc::kR1F);
  EXPECT_EQ(cause_changes, 1);
  EXPECT_EQ(returned, 1);
  EXPECT_EQ(word(at(0)), control);
  EXPECT_EQ(word(at(0) + 4), at(1));
  EXPECT_EQ(bus.memory[kBuffer + 699], 0x77);
  EXPECT_EQ(bus.memory[kBuffer + 700], 0);
  EXPECT_EQ(read(regs::q::kDaL), at(1));
  run_ns(10'000);
  EXPECT_TRUE(idle());
  EXPECT_THAT(seen(), ElementsAre("r 1000 32", "w 8002 700", "w 1010 12", "w 1000 4", "r 1020 32"));
}

TEST_F(BmuTest, CausesAreLatchedUntilTheirBitIsWritten) {
  describe(0, kGiven | regs::bmu::kIrqEob | 100);
  command(regs::csr::kStart);
  run_ns(340);
  bmu.take();
  bmu.finish((kGiven & ~regs::bmu::kOwn) | regs::bmu::kIrqEob);
  run_ns(1000);
  EXPECT_EQ(bmu.causes(), regs::isrc::kR1F | regs::isrc::kR1B);
  command(regs::csr::kIrqClC);
  EXPECT_EQ(bmu.causes(), regs::isrc::kR1F | regs::isrc::kR1B);
  command(regs::csr::kIrqClF);
  EXPECT_EQ(bmu.causes(), regs::isrc::kR1B);
  bank.write(regs::kR1CsrMirror, regs::csr::kIrqClB);
  EXPECT_EQ(bmu.causes(), 0U);
  EXPECT_EQ(cause_changes, 3);
}

TEST_F(BmuTest, ACauseDoesNotOutliveTheQueuesReset) {
  describe(0, kGiven | 100);
  command(regs::csr::kStart);
  run_ns(340);
  bmu.take();
  bmu.finish(kGiven & ~regs::bmu::kOwn);
  run_ns(1000);
  EXPECT_EQ(bmu.causes(), regs::isrc::kR1F);
  command(regs::csr::kResetMask);
  EXPECT_EQ(bmu.causes(), 0U);
  EXPECT_EQ(cause_changes, 2);
}

TEST_F(BmuTest, NoCauseWhereTheDescriptorAsksForNone) {
  describe(0, kGiven | 100);
  command(regs::csr::kStart);
  run_ns(340);
  bmu.take();
  bmu.finish(regs::bmu::kIrqEof);  // no end of a frame
  run_ns(1000);
  EXPECT_EQ(bmu.causes(), 0U);
}

TEST_F(BmuTest, StopOfALoadedDescriptorGoesIdleAtOnceAndStartReadsItAgain) {
  describe(0, kGiven | 100);
  command(regs::csr::kStart);
  run_ns(340);
  command(regs::csr::kStop);
  EXPECT_TRUE(idle());
  EXPECT_FALSE(bmu.loaded());
  command(regs::csr::kStart);
  run_ns(340);
  EXPECT_TRUE(bmu.loaded());
  EXPECT_THAT(seen(), ElementsAre("r 1000 32", "r 1000 32"));
}

TEST_F(BmuTest, StopDuringAReadIdlesWhenItEnds) {
  describe(0, kGiven | 100);
  command(regs::csr::kStart);
  run_ns(100);
  command(regs::csr::kStop);
  EXPECT_FALSE(idle());
  run_ns(240);
  EXPECT_TRUE(idle());
  EXPECT_FALSE(bmu.loaded());
}

TEST_F(BmuTest, StopLetsTheDescriptorInHandEnd) {
  describe(0, kGiven | 100);
  describe(1, kGiven | 100);
  command(regs::csr::kStart);
  run_ns(340);
  bmu.take();
  command(regs::csr::kStop);
  bmu.finish(0);
  run_ns(10'000);
  EXPECT_TRUE(idle());
  EXPECT_EQ(word(at(0)), 0U);
  EXPECT_EQ(read(regs::q::kDaL), at(1));
  EXPECT_THAT(seen(), ElementsAre("r 1000 32", "w 1000 4"));
  command(regs::csr::kStart);
  run_ns(340);
  EXPECT_TRUE(bmu.loaded());
}

TEST_F(BmuTest, StartTakesAStopBack) {
  describe(0, kGiven | 100);
  describe(1, kGiven | 100);
  command(regs::csr::kStart);
  run_ns(340);
  bmu.take();
  command(regs::csr::kStop);
  command(regs::csr::kStart);
  bmu.finish(0);
  run_ns(10'000);
  EXPECT_TRUE(bmu.loaded());
}

TEST_F(BmuTest, ResetGivesUpAllThatHasNotReachedTheBus) {
  describe(0, kGiven | 4000);
  command(regs::csr::kStart);
  run_ns(340);
  bmu.take();
  bmu.fetch(0, data.data(), 2048);  // four reads of 512
  run_ns(50);                       // the second one asks for the bus
  command(regs::csr::kResetMask);
  EXPECT_TRUE(idle());
  EXPECT_THAT(aborted, ElementsAre("queue reset"));
  EXPECT_EQ(bmu.transfers(), 0U);
  on_data = [] { FAIL() << "a transfer of before the reset ended"; };
  run_ns(10'000);
  EXPECT_EQ(bus.seen.size(), 3U);  // the descriptor and two of the four
  EXPECT_EQ(data[0], 0x77);
  EXPECT_TRUE(dma.idle());
  command(regs::csr::kRunMask);
  run_ns(10'000);
  EXPECT_EQ(bus.seen.size(), 3U);
  command(regs::csr::kStart);
  run_ns(340);
  EXPECT_TRUE(bmu.loaded());
}

TEST_F(BmuTest, ResetDuringTheWriteBackLeavesTheDescriptor) {
  describe(0, kGiven | 100);
  command(regs::csr::kStart);
  run_ns(340);
  bmu.take();
  bmu.finish(0, Bmu::Status{1, 2, 3});
  run_ns(10);
  command(regs::csr::kResetMask);
  run_ns(10'000);
  EXPECT_THAT(seen(), ElementsAre("r 1000 32", "w 1010 12"));
  EXPECT_EQ(word(at(0)), kGiven | 100);
  EXPECT_EQ(bmu.causes(), 0U);
}

TEST_F(BmuTest, AnotherEncodingStopsTheQueueWithTheCheckCause) {
  describe(0, (kGiven & ~(0xffU << 16)) | 0x54U << 16 | 100);
  command(regs::csr::kStart);
  run_ns(10'000);
  EXPECT_EQ(bmu.causes(), regs::isrc::kR1C);
  EXPECT_TRUE(idle());
  EXPECT_FALSE(bmu.loaded());
  EXPECT_EQ(bus.seen.size(), 1U);
  command(regs::csr::kIrqClC);
  EXPECT_EQ(bmu.causes(), 0U);
  for (const std::uint32_t check : {0x55U, 0x56U, 0x57U}) {
    describe(0, (kGiven & ~(0xffU << 16)) | check << 16 | 100);
    command(regs::csr::kStart);
    run_ns(1000);
    EXPECT_TRUE(bmu.loaded()) << check;
    command(regs::csr::kStop);
  }
}

TEST_F(BmuTest, ErrorOnTheBusStopsTheQueue) {
  bus.hole_begin = 0x1000;
  command(regs::csr::kStart);
  run_ns(10'000);
  EXPECT_EQ(bmu.causes(), regs::isrc::kR1C);
  EXPECT_THAT(bus_errors, ElementsAre(pcix::DmaStatus::kMasterAbort));
  EXPECT_THAT(aborted, ElementsAre("error on the bus"));
  EXPECT_TRUE(idle());
  bus.hole_begin = ~0ULL;
  describe(0, kGiven | 100);
  command(regs::csr::kStart);
  run_ns(340);
  EXPECT_TRUE(bmu.loaded());
}

TEST_F(BmuTest, ErrorOfTheDataKeepsTheDescriptorUnreturned) {
  describe(0, kGiven | 100);
  bus.hole_begin = kBuffer;
  command(regs::csr::kStart);
  run_ns(340);
  bmu.take();
  bmu.store(0, data.data(), 100, 100);
  bmu.finish(0, Bmu::Status{1, 2, 3});
  run_ns(10'000);
  EXPECT_THAT(seen(), ElementsAre("r 1000 32", "w 8002 100"));
  EXPECT_EQ(word(at(0)), kGiven | 100);
  EXPECT_EQ(bmu.causes(), regs::isrc::kR1C);
  EXPECT_EQ(read(regs::q::kDaL), kRing);
}

TEST_F(BmuTest, TheListMayLieAboveFourGigabytes) {
  bus.hole_begin = 1U << 20;
  bus.hole_response = tlm::TLM_OK_RESPONSE;  // reads as what lay in the chip
  write(regs::q::kDaH, 0x3);
  write(regs::q::kDaL, 0x2007);  // quadwords
  command(regs::csr::kStart);
  run_ns(10'000);
  EXPECT_THAT(seen(), ElementsAre("r 300002000 32"));
  EXPECT_EQ(read(regs::q::kDaL), 0x2000U);
}

TEST_F(BmuTest, KnowsTheRingThatItHasSeen) {
  using Range = std::pair<std::uint64_t, std::uint64_t>;
  EXPECT_EQ(bmu.ring_memory(), Range(0, 0));
  for (int i = 0; i < 4; ++i) describe(i, kGiven | 100);
  command(regs::csr::kStart);
  for (int i = 0; i < 6; ++i) {
    run_ns(1000);
    ASSERT_TRUE(bmu.loaded());
    bmu.take();
    bmu.finish(kGiven);
  }
  EXPECT_EQ(bmu.ring_memory(), Range(0x1000, 0x1080));
  EXPECT_EQ(bmu.descriptors.value(), 5U);
  write(regs::q::kDaL, 0x5000);
  EXPECT_EQ(bmu.ring_memory(), Range(0, 0));
}

TEST_F(BmuTest, ChipResetForgetsEverything) {
  describe(0, kGiven | 100);
  command(regs::csr::kStart);
  run_ns(340);
  bmu.take();
  bmu.finish(kGiven);
  run_ns(41);
  EXPECT_NE(bmu.causes(), 0U);
  dma.abandon_all();
  bank.reset();
  bmu.reset();
  EXPECT_EQ(bmu.causes(), 0U);
  EXPECT_TRUE(idle());
  command(regs::csr::kStart);  // in reset
  run_ns(10'000);
  EXPECT_TRUE(idle());
  EXPECT_EQ(read(regs::q::kD), 0U);
}

}  // namespace
}  // namespace longhaul::nic::genesis
