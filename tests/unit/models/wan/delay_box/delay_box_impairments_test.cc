// SPDX-License-Identifier: Apache-2.0
// What a delay box does to frames by chance: loss, bit errors, duplicates, reordering.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <map>
#include <set>

#include "tests/unit/models/wan/delay_box/delay_box_fixture.h"

namespace longhaul {
namespace {

using observe::FrameFate;
using test::DelayBoxFixture;
using test::kFrame64;
using test::kSlot64;
using test::make_frame;
using test::number_of;
using test::run_until;
using test::station;

using Json = nlohmann::json;

TEST(DelayBox, LosesExactlyTheFramesThatItsStreamSays) {
  constexpr std::uint32_t kFrames = 20'000;
  DelayBoxFixture fixture(Json{{"loss_west", "2%"}, {"seed", 42U}});
  fixture.send(kFrames);
  run_until(10 * kMs);
  RandomStream stream(42, "box.west_to_east.loss");
  std::vector<std::uint32_t> expected;
  for (std::uint32_t i = 0; i < kFrames; ++i) {
    if (!stream.chance({0.02})) expected.push_back(i);
  }
  EXPECT_EQ(fixture.numbers(), expected);
  const std::uint64_t lost = kFrames - expected.size();
  EXPECT_EQ(fixture.box.west_to_east.lost.value(), lost);
  EXPECT_EQ(fixture.tap.count(FrameFate::kDropped, "random loss"), lost);
  EXPECT_NEAR(static_cast<double>(lost), 400, 5 * std::sqrt(400 * 0.98));
}

TEST(DelayBox, LossOfOneDirectionLeavesTheOtherAlone) {
  DelayBoxFixture fixture(Json{{"loss_west", "100%"}});
  fixture.send(10);
  for (int i = 0; i < 10; ++i) fixture.east.send(make_frame(64, station(1), station(2)));
  run_until(kMs);
  EXPECT_EQ(fixture.east.received, 0U);
  EXPECT_EQ(fixture.west.received, 10U);
}

TEST(DelayBox, FlipsExactlyTheBitsThatItsStreamSays) {
  constexpr std::uint32_t kFrames = 5000;
  constexpr std::uint32_t kOctets = 1518;
  constexpr Probability kRate{1e-5};
  DelayBoxFixture fixture(Json{{"bit_error_rate_west", 1e-5}, {"seed", 9U}});
  fixture.east.mac.set_accept_bad_fcs(true);
  fixture.send(kFrames, kOctets);
  run_until(20 * kMs);
  ASSERT_EQ(fixture.east.received, kFrames);

  RandomStream stream(9, "box.west_to_east.bits");
  std::map<std::uint32_t, std::vector<std::uint32_t>> flips;  // frame -> bits
  constexpr std::uint64_t kBits = kOctets * 8;
  std::uint64_t total = 0;
  for (std::uint64_t bit = stream.gap(kRate); bit < kFrames * kBits; bit += 1 + stream.gap(kRate)) {
    flips[static_cast<std::uint32_t>(bit / kBits)].push_back(
        static_cast<std::uint32_t>(bit % kBits));
    ++total;
  }
  for (std::uint32_t i = 0; i < kFrames; ++i) {
    FrameRef expected = make_frame(kOctets, station(2), station(1), i);
    for (const std::uint32_t bit : flips[i]) expected.writable().flip_bit(bit);
    const Frame& arrived = *fixture.east.arrivals[i].frame;
    ASSERT_EQ(std::memcmp(arrived.data(), expected->data(), expected->size()), 0) << i;
    ASSERT_EQ(arrived.fcs(), expected->fcs()) << i;
    ASSERT_EQ(arrived.fcs_matches(), flips[i].empty()) << i;
  }
  EXPECT_EQ(fixture.box.west_to_east.bit_errors.value(), total);
  EXPECT_EQ(fixture.box.west_to_east.damaged.value(),
            fixture.tap.count(FrameFate::kSent, "bit error"));
  EXPECT_EQ(fixture.east.mac.rx_bad_fcs.value(), fixture.box.west_to_east.damaged.value());
  const double mean = kFrames * static_cast<double>(kBits) * 1e-5;
  EXPECT_NEAR(static_cast<double>(total), mean, 5 * std::sqrt(mean));
}

TEST(DelayBox, DamagedFramesAreDroppedByTheNextMac) {
  DelayBoxFixture fixture(Json{{"bit_error_rate_west", "100%"}});
  fixture.send(3);
  run_until(kMs);
  EXPECT_EQ(fixture.box.west_to_east.bit_errors.value(), 3U * 64 * 8);
  EXPECT_EQ(fixture.box.west_to_east.damaged.value(), 3U);
  // Every bit inverted, FCS too: the check is computed, and it fails.
  EXPECT_EQ(fixture.east.received, 0U);
  EXPECT_EQ(fixture.east.mac.rx_bad_fcs.value(), 3U);
}

TEST(DelayBox, DamageLeavesTheSendersFrameAlone) {
  DelayBoxFixture fixture(Json{{"bit_error_rate_west", "1%"}});
  const FrameRef frame = make_frame(1518, station(2), station(1));
  fixture.west.send(frame);
  run_until(kMs);
  EXPECT_TRUE(frame->fcs_matches());
  EXPECT_EQ(fixture.east.refused.size(), 1U);
}

TEST(DelayBox, DuplicatesFollowTheirOriginals) {
  DelayBoxFixture fixture(Json{{"duplicate_west", "10%"}, {"seed", 3U}, {"delay_west", "1ms"}});
  fixture.west.generate([n = 0U]() mutable -> FrameRef {
    return n < 1000 ? make_frame(64, station(2), station(1), n++) : FrameRef{};
  });
  run_until(5 * kMs);
  RandomStream stream(3, "box.west_to_east.duplicate");
  std::vector<std::uint32_t> expected;
  std::uint64_t twice = 0;
  for (std::uint32_t i = 0; i < 1000; ++i) {
    expected.push_back(i);
    if (stream.chance({0.1})) {
      expected.push_back(i);
      ++twice;
    }
  }
  EXPECT_GT(twice, 50U);
  EXPECT_EQ(fixture.numbers(), expected);
  EXPECT_EQ(fixture.box.west_to_east.duplicated.value(), twice);
  EXPECT_EQ(fixture.tap.count(FrameFate::kSent, "duplicate"), twice);
}

TEST(DelayBox, ReorderedFramesComeLaterByExactlyTheirExtraDelay) {
  DelayBoxFixture fixture(Json{
      {"reorder_west", "5%"}, {"reorder_delay_west", "20us"}, {"seed", 3U}, {"delay_west", "1ms"}});
  // Far enough apart that no frame waits for another: 1 us; the extra is not a multiple of it.
  for (std::uint32_t i = 0; i < 1000; ++i)
    fixture.west.send(make_frame(64, station(2), station(1), i), i * kUs);
  fixture.box.west_to_east.set_reorder({0.05}, from_ps(20 * kUs + 500 * kNs));
  run_until(5 * kMs);
  RandomStream stream(3, "box.west_to_east.reorder");
  std::map<std::uint64_t, std::uint32_t> expected;  // time -> number
  std::uint64_t late = 0;
  for (std::uint32_t i = 0; i < 1000; ++i) {
    const bool held = stream.chance({0.05});
    late += held ? 1 : 0;
    expected[i * kUs + kMs + 2 * kFrame64 + (held ? 20 * kUs + 500 * kNs : 0)] = i;
  }
  ASSERT_EQ(fixture.east.received, 1000U);
  auto next = expected.begin();
  for (const auto& arrival : fixture.east.arrivals) {
    ASSERT_EQ(arrival.at_ps, next->first);
    ASSERT_EQ(number_of(*arrival.frame), next->second);
    ++next;
  }
  EXPECT_GT(late, 25U);
  EXPECT_EQ(fixture.box.west_to_east.reordered.value(), late);
  EXPECT_EQ(fixture.tap.count(FrameFate::kSent, "reordered"), late);
}

TEST(DelayBox, FramesThatAreAllHeldBackKeepTheirOrderAndTimes) {
  DelayBoxFixture fixture(
      Json{{"reorder_west", 1}, {"reorder_delay_west", "20us"}, {"delay_west", "30us"}});
  fixture.send(100);
  run_until(kMs);
  ASSERT_EQ(fixture.east.received, 100U);
  for (std::uint32_t i = 0; i < 100; ++i) {
    ASSERT_EQ(number_of(*fixture.east.arrivals[i].frame), i);
    ASSERT_EQ(fixture.east.arrivals[i].at_ps, i * kSlot64 + 2 * kFrame64 + 50 * kUs);
  }
}

TEST(DelayBox, HeldBackFramesThatAreDueTogetherLeaveInTheirOrder) {
  DelayBoxFixture fixture(Json{{"reorder_west", 1}, {"reorder_delay_west", "20us"}});
  for (std::uint32_t i = 0; i < 16; ++i) {
    fixture.at(i * kUs, [&fixture, i] {
      fixture.box.west_to_east.set_delay(from_ps((100 - i) * kUs));
      fixture.west.send(make_frame(64, station(2), station(1), i));
    });
  }
  run_until(kMs);
  ASSERT_EQ(fixture.east.received, 16U);
  for (std::uint32_t i = 0; i < 16; ++i) {
    EXPECT_EQ(number_of(*fixture.east.arrivals[i].frame), i);
    EXPECT_EQ(fixture.east.arrivals[i].at_ps, 120 * kUs + 2 * kFrame64 + i * kSlot64);
  }
}

TEST(DelayBox, ImpairmentsDoNotDisturbEachOthersStreams) {
  DelayBoxFixture fixture(
      Json{{"loss_west", "2%"}, {"duplicate_west", "5%"}, {"reorder_west", "5%"}, {"seed", 42U}});
  fixture.send(5000);
  run_until(10 * kMs);
  RandomStream stream(42, "box.west_to_east.loss");
  std::set<std::uint32_t> expected;
  for (std::uint32_t i = 0; i < 5000; ++i) {
    if (!stream.chance({0.02})) expected.insert(i);
  }
  const auto numbers = fixture.numbers();
  EXPECT_EQ(std::set<std::uint32_t>(numbers.begin(), numbers.end()), expected);
}

}  // namespace
}  // namespace longhaul
