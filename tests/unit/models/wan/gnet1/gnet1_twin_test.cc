// SPDX-License-Identifier: Apache-2.0
#include "models/wan/gnet1/gnet1_twin.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/wan/gnet1/gnet1_time.h"
#include "platform/observe/summary.h"
#include "tests/unit/models/wan/gnet1/gnet1_fixture.h"
#include "tests/unit/times.h"

namespace longhaul::wan {
namespace {

namespace regs = gnet1_regs;
using longhaul::test::At;
using longhaul::test::make_frame;
using longhaul::test::number_of;
using longhaul::test::run_until;
using longhaul::test::station;
using regs::Counter;

constexpr std::uint64_t kGnet1Clock = 32 * kNs;
constexpr std::uint64_t kByte = 8 * kNs;
constexpr std::uint64_t kStart = 64 * kUs;  // an edge of every clock

struct Gnet1TwinTest : ::testing::Test {
  /// Sends a numbered frame of `octets` into a port, its preamble at `at_ps`.
  void send(std::size_t port, std::uint64_t at_ps, std::uint32_t octets = 64,
            std::uint32_t number = 0) {
    at(at_ps, [=] { fixture.end(port).send(make_frame(octets, station(9), station(1), number)); });
  }
  std::uint32_t counter(std::size_t port, Counter which) {
    fixture.write(regs::kCtrl, fixture.read(regs::kCtrl) | regs::kCtrlLatch);
    return fixture.read(port, regs::counter_offset(which));
  }
  std::vector<std::uint32_t> numbers(std::size_t port) {
    std::vector<std::uint32_t> got;
    for (const gnet1_test::Left& left : fixture.out(port)) got.push_back(number_of(*left.frame));
    return got;
  }

  Gnet1Twin box{"box"};
  gnet1_test::BoxFixture fixture{box, "fixture"};
  At at{"at"};
};

// From the preamble in to the preamble out without delay: the byte is on the pins an edge after it
// began, its delimiter is taken 8 clocks of 8 ns later, 24 clocks of 32 ns after that (from a
// multiple of 32 ns: see README.md#timing) it leaves.
constexpr std::uint64_t kThrough = 864 * kNs;

TEST_F(Gnet1TwinTest, WithoutDelayAFrameTakesThePipelinesTime) {
  send(0, kStart);
  run_until(kStart + 20 * kUs);
  ASSERT_EQ(fixture.out(1).size(), 1U);
  EXPECT_EQ(fixture.out(1)[0].end_ps, kStart + kThrough + (8 + 64) * kByte);
}

TEST_F(Gnet1TwinTest, PairsAreConnectedBothWays) {
  for (std::size_t port = 0; port < 4; ++port)
    send(port, kStart, 64, static_cast<std::uint32_t>(port));
  run_until(kStart + 20 * kUs);
  for (std::size_t port = 0; port < 4; ++port)
    EXPECT_EQ(numbers(port), (std::vector{static_cast<std::uint32_t>(port ^ 1U)}));
}

TEST_F(Gnet1TwinTest, EachClockOfDelayIsAClock) {
  std::vector<std::uint64_t> took;
  for (std::uint64_t i = 0; i < 20; ++i) {
    const std::uint64_t begins = kStart + i * 32 * kUs;
    at(begins - 5 * kUs,
       [=] { fixture.write(0, regs::kDelay, Gnet1Time::of_clocks(100 + i).word); });
    send(0, begins);
  }
  run_until(kStart + 700 * kUs);
  ASSERT_EQ(fixture.out(1).size(), 20U);
  const std::uint64_t first = fixture.out(1)[0].end_ps - kStart;
  EXPECT_LE(first - (8 + 64) * kByte - 100 * kGnet1Clock, 384 * kNs);
  EXPECT_GE(first - (8 + 64) * kByte - 100 * kGnet1Clock, 352 * kNs);
  for (std::uint64_t i = 0; i < 20; ++i)
    EXPECT_EQ(fixture.out(1)[i].end_ps - kStart - i * 32 * kUs, first + i * kGnet1Clock) << i;
}

TEST_F(Gnet1TwinTest, AHundredMillisecondsAreExactToAClock) {
  fixture.write(0, regs::kDelay, Gnet1Time::of_ps(100'000 * kUs).word);
  send(0, kStart);
  run_until(kStart + 101'000 * kUs);
  ASSERT_EQ(fixture.out(1).size(), 1U);
  const std::uint64_t beyond = fixture.out(1)[0].end_ps - kStart - 72 * kByte - 100'000 * kUs;
  EXPECT_GE(beyond, 352 * kNs);
  EXPECT_LE(beyond, 384 * kNs);
}

TEST_F(Gnet1TwinTest, UndamagedFramesAreNotCopied) {
  const FrameRef frame = make_frame(1518, station(2), station(1));
  at(kStart, [&] { fixture.end(0).send(frame); });
  run_until(kStart + 50 * kUs);
  ASSERT_EQ(fixture.out(1).size(), 1U);
  EXPECT_EQ(fixture.out(1)[0].frame->id(), frame->id());
}

TEST_F(Gnet1TwinTest, EveryWordIsHitAtTheHighestThreshold) {
  fixture.write(0, regs::kErrorThreshold, 0xffff'ffff);
  const FrameRef frame = make_frame(1516, station(2), station(1));
  at(kStart, [&] { fixture.end(0).send(frame); });
  run_until(kStart + 50 * kUs);
  ASSERT_EQ(fixture.out(1).size(), 1U);
  EXPECT_FALSE(fixture.out(1)[0].frame->fcs_matches());
  const std::string sent = gnet1_test::on_the_wire(*frame);
  const std::string got = gnet1_test::on_the_wire(*fixture.out(1)[0].frame);
  for (std::size_t word = 0; word < 1516; word += 4) {
    int bits = 0;
    for (std::size_t i = word; i < word + 4; ++i)
      bits += __builtin_popcount(static_cast<unsigned char>(sent[i] ^ got[i]));
    ASSERT_EQ(bits, 1) << word;
  }
  EXPECT_EQ(counter(0, Counter::kFlips), 379U);
  EXPECT_EQ(counter(0, Counter::kWords), 379U);
}

TEST_F(Gnet1TwinTest, TheNthFrameIsDiscardedOnce) {
  fixture.write(0, regs::kDiscardArg, 3);
  fixture.write(0, regs::kDiscardCtrl, 1U << regs::kDiscardModeShift | regs::kDiscardArm);
  for (std::uint32_t i = 0; i < 8; ++i) send(0, kStart + i * 2 * kUs, 64, i);
  run_until(kStart + 40 * kUs);
  EXPECT_EQ(numbers(1), (std::vector<std::uint32_t>{0, 1, 2, 4, 5, 6, 7}));
  EXPECT_EQ(counter(0, Counter::kDiscards), 1U);
  EXPECT_EQ(fixture.read(0, regs::kDiscardCtrl) & regs::kDiscardArm, 0U);
}

TEST_F(Gnet1TwinTest, AFrameThatWaitsInTheStageIsNotTheNext) {
  fixture.write(0, regs::kDelay, Gnet1Time::of_ps(50 * kUs).word);
  for (std::uint32_t i = 0; i < 3; ++i) send(0, kStart + i * 5 * kUs, 64, i);
  at(kStart + 30 * kUs, [&] { fixture.write(0, regs::kDiscardCtrl, regs::kDiscardArm); });
  run_until(kStart + 100 * kUs);
  EXPECT_EQ(numbers(1), (std::vector<std::uint32_t>{0, 2}))
      << "frame 0 was past the stage, frame 1 behind it";
}

TEST_F(Gnet1TwinTest, AFullMemoryDropsWholeFrames) {
  fixture.write(0, regs::kCapacity, 4096);
  fixture.write(0, regs::kDelay, Gnet1Time::of_ps(2000 * kUs).word);
  for (std::uint32_t i = 0; i < 15; ++i) send(0, kStart + i * 13 * kUs, 1518, i);
  run_until(kStart + 3000 * kUs);
  // A frame is 381 words; 17 are beyond the memory, so that ten find 3793 words and an eleventh no
  // room.
  EXPECT_EQ(fixture.out(1).size(), 10U);
  EXPECT_EQ(counter(0, Counter::kSramDrop), 5U);
  EXPECT_EQ(fixture.read(0, regs::kLevel), 0U);
}

TEST_F(Gnet1TwinTest, FramesForOnePortTakeTurns) {
  for (const std::size_t port : {0U, 2U, 3U}) fixture.write(port, regs::kRoute, 1U << 1);
  for (std::uint32_t i = 0; i < 4; ++i) {
    for (const std::uint32_t port : {0U, 2U, 3U})
      send(port, kStart + i * 672 * kNs, 64, port * 10 + i);
  }
  run_until(kStart + 60 * kUs);
  ASSERT_EQ(fixture.out(1).size(), 12U);
  const auto all = numbers(1);
  for (const std::uint32_t port : {0U, 2U, 3U}) {
    std::vector<std::uint32_t> of_port;
    std::copy_if(all.begin(), all.end(), std::back_inserter(of_port),
                 [=](auto number) { return number / 10 == port; });
    EXPECT_EQ(of_port, (std::vector{port * 10, port * 10 + 1, port * 10 + 2, port * 10 + 3}))
        << "in order";
  }
  EXPECT_THAT((std::vector{all[0] / 10, all[1] / 10, all[2] / 10, all[3] / 10}),
              ::testing::IsSupersetOf({0U, 2U, 3U}));
  for (std::size_t i = 1; i < 12; ++i)
    EXPECT_EQ(fixture.out(1)[i].end_ps - fixture.out(1)[i - 1].end_ps, 84 * kByte) << i;
}

TEST_F(Gnet1TwinTest, SamplesShowThroughputAtTheirPeriod) {
  fixture.write(regs::kSamplePeriod, 625);
  at(kStart - 20 * kUs, [&] { fixture.write(regs::kSampleCtrl, regs::kSampleEnable); });
  for (std::uint32_t i = 0; i < 40; ++i) send(0, kStart + i * 1538 * kByte, 1518, i);
  run_until(kStart + 600 * kUs);
  ASSERT_EQ(fixture.read(regs::kSampleTotal), 30U) << "each 20 us, from two clocks of the bus on";
  std::vector<std::uint32_t> words;
  for (int i = 0; i < 30; ++i) {
    words.push_back(fixture.read(regs::kSampleWords));
    static_cast<void>(fixture.read(regs::kSampleFrames));
  }
  EXPECT_EQ(words[0], 0U);
  // 625 clocks, 380 words in each 384.5 clocks: between frames up to five clocks are idle.
  for (std::size_t i = 3; i < 24; ++i)
    EXPECT_NEAR(words[i] - words[i - 1], 625 * 380 / 384.5, 5) << i;
  EXPECT_EQ(words[29], 40 * 380U);
}

struct Heard final : observe::ValueListener {
  explicit Heard(const char* name) {
    auto* signal = dynamic_cast<observe::Signal*>(sc_core::sc_find_object(name));
    if (signal != nullptr) signal->listen(this);
  }
  void on_value(const observe::Probe&, std::uint64_t value) override { values.push_back(value); }
  std::vector<std::uint64_t> values;
};

// 64 bytes take 16 us at the bottleneck and arrive every 2 us; the receive side takes a frame's
// stamp within 0.3 us.
TEST_F(Gnet1TwinTest, AWaveformShowsTheQueueAndWhatItDropsAndWhy) {
  Heard backlog("box.p0.backlog");
  Heard average("box.p0.red_average");
  Heard tail_drops("box.p0.tail_drops");
  Heard red_drops("box.p0.red_drops");
  Heard discards("box.p0.discards");
  fixture.write(0, regs::kWordCost, Gnet1Time::of_ps(kUs).word);
  fixture.write(0, regs::kPortCtrl, regs::kPortRxEnable | regs::kPortRate | regs::kPortRed);
  fixture.write(0, regs::kRedMin, 10000);
  fixture.write(0, regs::kRedMax, 20000);
  fixture.write(0, regs::kQueueLimit, 400);
  fixture.write(0, regs::kDiscardCtrl, regs::kDiscardArm);
  for (std::uint32_t i = 0; i < 4; ++i) send(0, kStart + i * 2 * kUs, 64, i);
  at(kStart + 20 * kUs, [&] {
    fixture.write(0, regs::kRedMin, 0);
    fixture.write(0, regs::kRedMax, 0);  // the average is there at once: every frame
  });
  send(0, kStart + 30 * kUs, 64, 4);
  run_until(kStart + 300 * kUs);
  EXPECT_EQ(numbers(1), (std::vector<std::uint32_t>{1, 2}))
      << "0 discarded, 3 behind 40 us of queue, 4 by RED";
  ASSERT_GE(backlog.values.size(), 4U);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(backlog.values[i], 160 + i * 140, 10) << i;
  EXPECT_NEAR(backlog.values[3], 420, 10) << "frame 3 is not in it";
  EXPECT_FALSE(average.values.empty());
  EXPECT_EQ(tail_drops.values, (std::vector<std::uint64_t>{1}));
  EXPECT_EQ(red_drops.values, (std::vector<std::uint64_t>{1}));
  EXPECT_EQ(discards.values, (std::vector<std::uint64_t>{1}));
}

TEST_F(Gnet1TwinTest, RegistersRefuseWhatTheBusCannotCarry) {
  EXPECT_EQ(fixture.read(regs::kId), regs::kIdReset);
  EXPECT_EQ(fixture.write(0x1000, 1), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(fixture.write(0x0102, 1), tlm::TLM_BURST_ERROR_RESPONSE);
  EXPECT_EQ(fixture.write(0x0ffc, 1), tlm::TLM_OK_RESPONSE) << "no register there: ignored";
  fixture.write(0, regs::kDelay, 0xffff'ffff);
  EXPECT_EQ(fixture.read(0, regs::kDelay), regs::kDelayMask);
}

TEST_F(Gnet1TwinTest, FramesThatAreLostInTheBoxAreCountedInTheWindowInWhichTheyWere) {
  observe::Summary summary;
  at(kStart - kUs, [&] {
    fixture.write(0, regs::kQueueLimit, 0), fixture.write(0, regs::kDiscardCtrl, regs::kDiscardArm);
  });
  send(0, kStart);  // before the window
  at(kStart + 100 * kUs, [&] { summary.begin_window(); });
  at(kStart + 101 * kUs, [&] { fixture.write(0, regs::kDiscardCtrl, regs::kDiscardArm); });
  at(kStart + 102 * kUs, [&] { fixture.write(2, regs::kRoute, 0); });
  for (std::uint32_t i = 0; i < 3; ++i) send(0, kStart + (110 + i) * kUs);
  send(2, kStart + 110 * kUs);
  at(kStart + 200 * kUs, [&] { summary.end_window(); });
  at(kStart + 201 * kUs, [&] { fixture.write(2, regs::kPortCtrl, 0); });
  send(2, kStart + 210 * kUs);
  run_until(kStart + 300 * kUs);
  const nlohmann::json probes = summary.json()["probes"];
  EXPECT_EQ(probes["box.discards_p0"]["delta"], 1);
  EXPECT_EQ(probes["box.no_route_p2"]["delta"], 1);
  EXPECT_EQ(probes["box.rx_lost_p2"]["delta"], 0);  // after it
  EXPECT_EQ(fixture.out(1).size(), 2U);
  EXPECT_EQ(box.counter_now(0, Counter::kDiscards), 2U);
  EXPECT_EQ(box.counter_now(2, Counter::kRxLost), 1U);
}

}  // namespace
}  // namespace longhaul::wan
