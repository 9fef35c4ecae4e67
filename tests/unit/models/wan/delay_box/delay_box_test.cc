// SPDX-License-Identifier: Apache-2.0
#include "models/wan/delay_box/delay_box.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "tests/unit/models/wan/delay_box/delay_box_fixture.h"

namespace longhaul {
namespace {

using observe::FrameFate;
using test::DelayBoxFixture;
using test::from_json;
using test::kFrame64;
using test::kOctet;
using test::kSlot64;
using test::make_frame;
using test::run_until;
using test::station;

using Json = nlohmann::json;

TEST(DelayBox, ZeroDelayLeavesWithTheLastBit) {
  DelayBoxFixture fixture;
  fixture.send(1);
  run_until(kMs);
  ASSERT_EQ(fixture.east.received, 1U);
  EXPECT_EQ(fixture.east.arrivals[0].at_ps, 2 * kFrame64);
}

TEST(DelayBox, EightHundredMillisecondsAreExact) {
  DelayBoxFixture fixture(Json{{"delay_west", "800ms"}});
  fixture.send(1000);
  run_until(801 * kMs);
  ASSERT_EQ(fixture.east.received, 1000U);
  for (std::uint64_t i = 0; i < 1000; ++i)
    ASSERT_EQ(fixture.east.arrivals[i].at_ps, i * kSlot64 + 2 * kFrame64 + 800 * kMs);
}

TEST(DelayBox, DirectionsAreIndependent) {
  DelayBoxFixture fixture(Json{{"delay_west", "3ms"}, {"delay_east", "5us"}});
  fixture.send(1);
  fixture.east.send(make_frame(64, station(1), station(2)));
  run_until(10 * kMs);
  EXPECT_EQ(fixture.east.arrivals.at(0).at_ps, 3 * kMs + 2 * kFrame64);
  EXPECT_EQ(fixture.west.arrivals.at(0).at_ps, 5 * kUs + 2 * kFrame64);
}

TEST(DelayBox, FullRateWithLongDelayLosesNothingAndCopiesNothing) {
  DelayBoxFixture fixture(Json{{"delay_west", "800ms"}});
  fixture.east.keep_frames = false;
  const FrameRef frame = make_frame(9216, station(2), station(1));
  std::uint64_t same = 0;
  fixture.east.on_receive = [&](const FrameRef& got) { same += got->id() == frame->id() ? 1 : 0; };
  fixture.west.generate([&] { return frame; });
  const std::uint64_t slot = 9236 * kOctet;
  const std::uint64_t live = frame_pool_stats().live;
  run_until(800 * kMs + 2 * 9224 * kOctet + 20'000 * slot + 1);
  EXPECT_EQ(fixture.east.received, 20'001U);
  EXPECT_EQ(same, 20'001U);
  EXPECT_EQ(frame_pool_stats().live, live);
  EXPECT_EQ(fixture.box.west_to_east.memory_dropped.value(), 0U);
  EXPECT_LT(fixture.box.west_to_east.stored.highest(), 1'000'000'000U);
  EXPECT_GT(fixture.box.west_to_east.stored.highest(), 997'000'000U);
}

TEST(DelayBox, AFullMemoryDropsWithAReason) {
  DelayBoxFixture fixture(Json{{"delay_west", "10ms"}, {"memory", "6400B"}});
  fixture.send(150);
  run_until(20 * kMs);
  EXPECT_EQ(fixture.east.received, 100U);
  EXPECT_EQ(fixture.box.west_to_east.memory_dropped.value(), 50U);
  EXPECT_EQ(fixture.tap.count(FrameFate::kDropped, "delay memory full"), 50U);
}

TEST(DelayBox, AShorterDelayKeepsTheOrder) {
  DelayBoxFixture fixture(Json{{"delay_west", "100us"}});
  fixture.send(3);
  fixture.at(3 * kSlot64, [&] {
    fixture.box.west_to_east.set_delay(sc_core::sc_time(1, sc_core::SC_US));
    for (std::uint32_t i = 3; i < 6; ++i)
      fixture.west.send(make_frame(64, station(2), station(1), i));
  });
  fixture.at(500 * kUs, [&] { fixture.west.send(make_frame(64, station(2), station(1), 6)); });
  run_until(kMs);
  EXPECT_EQ(fixture.numbers(), (std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(fixture.east.arrivals[2].at_ps, 2 * kSlot64 + 2 * kFrame64 + 100 * kUs);
  EXPECT_EQ(fixture.east.arrivals[3].at_ps, 3 * kSlot64 + 2 * kFrame64 + 100 * kUs)
      << "right behind the last of the old delay";
  EXPECT_EQ(fixture.east.arrivals[6].at_ps, 500 * kUs + 2 * kFrame64 + kUs);
}

TEST(DelayBox, ALongerDelayLeavesWhatIsInsideAlone) {
  DelayBoxFixture fixture(Json{{"delay_west", "10us"}});
  fixture.send(1);
  fixture.at(kUs,
             [&] { fixture.box.west_to_east.set_delay(sc_core::sc_time(30, sc_core::SC_US)); });
  fixture.at(2 * kUs, [&] { fixture.west.send(make_frame(64, station(2), station(1))); });
  run_until(kMs);
  EXPECT_EQ(fixture.east.arrivals.at(0).at_ps, 10 * kUs + 2 * kFrame64);
  EXPECT_EQ(fixture.east.arrivals.at(1).at_ps, 32 * kUs + 2 * kFrame64);
}

TEST(DelayBox, ShapesToItsRate) {
  DelayBoxFixture fixture(Json{{"rate_west", "1Gb/s"}, {"delay_west", "1ms"}});
  fixture.send(100, 1250);
  run_until(10 * kMs);
  ASSERT_EQ(fixture.east.received, 100U);
  const std::uint64_t first = fixture.east.arrivals[0].at_ps;
  EXPECT_EQ(first, 2 * 1258 * kOctet + kMs);
  for (std::uint64_t i = 0; i < 100; ++i)
    ASSERT_EQ(fixture.east.arrivals[i].at_ps, first + i * 10 * kUs);
}

TEST(DelayBox, AFullRateQueueDropsWithAReason) {
  DelayBoxFixture fixture(Json{{"rate_west", "1Gb/s"}, {"rate_queue_west", "12500B"}});
  fixture.send(100, 1250);
  run_until(10 * kMs);
  // 100 frames arrive in 99 x 1.016 us: those that have left by then, and ten that wait.
  EXPECT_EQ(fixture.east.received, 1U + 10 + 99 * 1270 * kOctet / (10 * kUs));
  EXPECT_EQ(fixture.tap.count(FrameFate::kDropped, "rate limit"), 100 - fixture.east.received);
  EXPECT_EQ(fixture.box.west_to_east.rate_dropped.value(), 100 - fixture.east.received);
}

TEST(DelayBox, PolicesWithoutAQueue) {
  DelayBoxFixture fixture(Json{{"rate_west", "1Gb/s"}, {"rate_mode_west", "police"}});
  fixture.send(100, 1250);
  run_until(10 * kMs);
  EXPECT_EQ(fixture.east.received,
            10U);  // one in ten: the first at 0, the next the first 10 us later
}

TEST(DelayBox, ASlowerLineOnTheFarSideFillsTheMemory) {
  DelayBoxFixture fixture(Json{{"memory", "1000000B"}}, "10gbase-w");
  fixture.east.keep_frames = false;
  fixture.west.generate([] { return make_frame(1518, station(2), station(1)); });
  run_until(100 * kMs);
  const double share = static_cast<double>(fixture.east.received) * 1538 * 8 / 0.1 / 10e9;
  EXPECT_NEAR(share, 13.0 / 14, 1e-4);
  EXPECT_GT(fixture.box.west_to_east.memory_dropped.value(), 0U);
}

TEST(DelayBox, DropsFramesThatArriveDamaged) {
  DelayBoxFixture fixture;
  FrameRef bad = make_frame(64, station(2), station(1));
  bad.writable().flip_bit(100);
  fixture.west.send(std::move(bad));
  run_until(kMs);
  EXPECT_EQ(fixture.box.west_mac.rx_bad_fcs.value(), 1U);
  EXPECT_EQ(fixture.east_link.a_to_b.frames.value(), 0U);
}

TEST(DelayBox, PassesDamagedFramesIfToldSo) {
  DelayBoxFixture fixture(Json{{"bad_fcs", "pass"}});
  FrameRef bad = make_frame(64, station(2), station(1));
  bad.writable().flip_bit(100);
  const std::uint32_t fcs = bad->fcs();
  fixture.west.send(std::move(bad));
  run_until(kMs);
  ASSERT_EQ(fixture.east.refused.size(), 1U);
  EXPECT_EQ(fixture.east.refused[0].first->fcs(), fcs);
}

/// Sends XOFF from the east station, then a frame from the west one.
std::uint64_t arrival_after_xoff(DelayBoxFixture& fixture) {
  for (auto* s : {&fixture.east, &fixture.west}) s->mac.set_flow_control(true, true);
  fixture.at(0, [&] { fixture.east.mac.send_pause(1000); });  // 51.2 us
  fixture.west.send(make_frame(64, station(2), station(1)), 5 * kUs);
  run_until(kMs);
  return fixture.east.arrivals.at(0).at_ps;
}

TEST(DelayBox, PauseEndsAtThePortByDefault) {
  DelayBoxFixture fixture;
  test::TapRecord back;
  fixture.box.east_to_west.tap.listen(&back);
  EXPECT_EQ(arrival_after_xoff(fixture), 5 * kUs + 2 * kFrame64);
  EXPECT_EQ(fixture.west.mac.rx_xoff.value(), 0U);
  EXPECT_EQ(back.count(FrameFate::kDropped, "PAUSE ends at the port"), 1U);
}

TEST(DelayBox, PauseHoldsTheOutputIfHonoured) {
  DelayBoxFixture fixture(Json{{"pause", "honour"}});
  EXPECT_EQ(arrival_after_xoff(fixture), kFrame64 + 1000 * 51'200 + kFrame64);
  EXPECT_EQ(fixture.west.mac.rx_xoff.value(), 0U);
}

TEST(DelayBox, PauseCrossesTheBoxIfPassed) {
  DelayBoxFixture fixture(Json{{"pause", "pass"}, {"delay_east", "1us"}});
  EXPECT_EQ(arrival_after_xoff(fixture), 2 * kFrame64 + kUs + 1000 * 51'200 + 2 * kFrame64);
  EXPECT_EQ(fixture.west.mac.rx_xoff.value(), 1U);
}

TEST(DelayBox, WhatIsDueOnADarkLineIsLost) {
  DelayBoxFixture fixture(Json{{"delay_west", "100us"}});
  fixture.send(10);
  fixture.at(50 * kUs, [&] { fixture.east_link.set_up(false); });
  fixture.at(200 * kUs, [&] { fixture.east_link.set_up(true); });
  run_until(kMs);
  EXPECT_EQ(fixture.east.received, 0U);
  EXPECT_EQ(fixture.east_link.a_to_b.lost.value(), 10U);
  EXPECT_EQ(fixture.box.west_to_east.frames_inside(), 0U);
}

TEST(DelayBox, TapGivesTheFirstBitOnTheOutputLine) {
  DelayBoxFixture fixture(Json{{"delay_west", "1us"}});
  test::TapRecord wire;
  fixture.east_link.a_to_b.tap.listen(&wire);
  fixture.send(2);
  run_until(kMs);
  ASSERT_EQ(fixture.tap.entries.size(), 2U);
  for (int i = 0; i < 2; ++i) EXPECT_EQ(fixture.tap.entries[i].at_ps, wire.entries[i].at_ps);
}

TEST(DelayBox, TheConfigurationsSeedComesBeforeTheSimulations) {
  EXPECT_EQ(delay_box_params_from(nullptr, "box", 77).seed(), 77U);
  EXPECT_EQ(delay_box_params_from(Json{{"seed", 5U}}, "box", 77).seed(), 5U);
}

TEST(DelayBox, DescribesEveryParameterWithItsSource) {
  DelayBox box("box", from_json(Json{{"delay_east", "7ms"}}));
  const nlohmann::json list = static_cast<const wan::WanBox&>(box).describe_params();
  std::set<std::string> names;
  for (const auto& entry : list) {
    names.insert(entry.at("name"));
    EXPECT_NE(entry.at("source"), "") << entry;
  }
  EXPECT_EQ(names.size(), list.size());
  EXPECT_TRUE(names.count("delay_west") == 1 && names.count("rate_queue_east") == 1);
}

template <class F>
std::string error_of(F&& what) {
  try {
    what();
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "no error";
}

TEST(DelayBox, WrongConfigurationsSayWhatIsWrong) {
  using testing::HasSubstr;
  using testing::StartsWith;
  EXPECT_THAT(error_of([] { from_json({{"delay_west", "801ms"}}); }), StartsWith("box.delay_west"));
  EXPECT_THAT(error_of([] { from_json({{"delay_wets", "1ms"}}); }), HasSubstr("delay_west"));
  EXPECT_THAT(error_of([] { from_json({{"loss_east", 1.5}}); }), StartsWith("box.loss_east"));
  EXPECT_THAT(error_of([] {
                DelayBox box("a", from_json({{"pause", "maybe"}}));
              }),
              StartsWith("box.pause: 'maybe' is unknown; nearest is "));
  EXPECT_THAT(error_of([] {
                DelayBox box("b", from_json({{"bad_fcs", "fix"}}));
              }),
              StartsWith("box.bad_fcs: 'fix' is unknown; nearest is "));
  EXPECT_THAT(error_of([] {
                DelayBox box("c", from_json({{"rate_mode_east", "red"}}));
              }),
              StartsWith("box.rate_mode_east: 'red' is unknown; nearest is 'shape'"));
  DelayBox box("d");
  EXPECT_THAT(error_of([&] { box.west_to_east.set_delay(sc_core::sc_time(801, sc_core::SC_MS)); }),
              StartsWith("d.west_to_east: delay of 801ms"));
  EXPECT_THAT(error_of([&] { box.west_to_east.set_loss({2}); }),
              StartsWith("d.west_to_east: loss of 2"));
}

}  // namespace
}  // namespace longhaul
