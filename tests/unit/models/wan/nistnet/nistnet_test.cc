// SPDX-License-Identifier: Apache-2.0
#include "models/wan/nistnet/nistnet.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "models/common/split_mix.h"
#include "models/net/link/link.h"
#include "models/wan/random_stream.h"
#include "tests/unit/support/ethernet.h"
#include "tests/unit/times.h"

namespace longhaul::wan {
namespace {

using test::make_frame;
using test::number_of;
using test::run_until;
using test::Station;
using test::station;

using Json = nlohmann::json;

constexpr std::uint64_t kOctet = 8 * kNs;
constexpr std::uint64_t kFrame64 = 72 * kOctet;  // preamble to last bit
constexpr std::uint64_t kClock = 15 * kNs;
constexpr std::uint64_t kTick = 122'070'312;  // half a picosecond short

// Of a frame of 64 octets (60 B in memory); README.md#timing.
constexpr std::uint64_t kToMemory =
    (12 + 11 + 7) * kClock + 755 * kNs;  // descriptor, frame, write-back
constexpr std::uint64_t kToAdapter = (12 + 16 + 7) * kClock + 2 * 755 * kNs;
constexpr std::uint64_t kRegister = 780 * kNs;
constexpr std::uint64_t kChip = 500 * kNs + 301'177;  // and 2 x 8 clocks of 53.125 MHz
constexpr std::uint64_t kMessage = 315 * kNs;
constexpr std::uint64_t kHaltExit = 3 * kUs;
constexpr std::uint64_t kEnter = 1'558'334 + kRegister;        // 3740 cycles
constexpr std::uint64_t kReceive = 1'212'500 + 3 * 125 * kNs;  // 2910 cycles
constexpr std::uint64_t kCheck = 100 * kNs + kRegister;
constexpr std::uint64_t kClassify = 750 * kNs + 125 * kNs;
constexpr std::uint64_t kForward = 2'291'667 + 2 * 125 * kNs;
constexpr std::uint64_t kTimer = 1'458'334 + 4 * kUs;  // 3500 cycles, four port accesses

/// When a transfer that is asked for at `at_ps` on an idle bus begins.
std::uint64_t begins(std::uint64_t at_ps) {
  return (at_ps + kClock - 1) / kClock * kClock + 2 * kClock;
}
/// When the processor has looked at a frame of 64 octets that came in at `at_ps`, if nothing else
/// happens.
std::uint64_t looked_at(std::uint64_t at_ps) {
  return begins(at_ps + kChip) + kToMemory + kMessage + kHaltExit + kEnter + kReceive + kCheck +
         kClassify;
}
/// When its last bit is at the other station, if the processor is done with it at `at_ps`.
std::uint64_t sent(std::uint64_t at_ps) { return begins(at_ps) + kToAdapter + kChip + kFrame64; }

LinkParams gigabit() {
  LinkParams params;
  params.phy.value = "1000base-x";
  params.length_m.value = 0;
  return params;
}

constexpr std::uint64_t kSeed = 1;

struct NistnetFixture {
  explicit NistnetFixture(const Json& json = Json::object())
      : box("box", nistnet_params_from(json, "box", kSeed)),
        west_link("west_link", gigabit()),
        east_link("east_link", gigabit()) {
    west_link.connect(west.port(), box.west.mac.port);
    east_link.connect(box.east.mac.port, east.port());
  }
  void send(std::uint64_t at_ps, std::uint32_t octets = 64, std::uint32_t number = 0) {
    west.send(make_frame(octets, station(2), station(1), number), at_ps);
  }
  Station west{"west"};
  Station east{"east"};
  Nistnet box;
  Link west_link;
  Link east_link;
  test::At at{"at"};
};

/// A clock so slow that no tick comes into the way of a test of a few milliseconds.
Json quiet(Json json = Json::object()) {
  json["timer_rate"] = "2Hz";
  return json;
}

TEST(Nistnet, AFrameWithoutDelayTakesBusInterruptAndForwarding) {
  NistnetFixture fixture(quiet());
  fixture.send(0);
  run_until(kMs);
  ASSERT_EQ(fixture.east.received, 1U);
  EXPECT_EQ(fixture.east.arrivals[0].at_ps, sent(looked_at(kFrame64) + kForward));
  EXPECT_EQ(fixture.box.path.ticks.value(), 0U);
}

TEST(Nistnet, ADelayedFrameLeavesAfterTheTickThatIsItsDelayAndOneAway) {
  NistnetFixture fixture(Json{{"delay_west", "1ms"}});
  const std::uint64_t phase = split_mix(kSeed) % 122'070'313;
  const std::uint64_t start = phase + 10 * kTick + 20 * kUs;  // ticks 0 to 10 have been counted
  fixture.send(start);
  run_until(5 * kMs);
  ASSERT_EQ(fixture.east.received, 1U);
  const std::uint64_t due = MiniJiffies({8192}, phase).tick_ps(10 + 8 + 1);
  EXPECT_EQ(fixture.east.arrivals[0].at_ps, sent(due + kHaltExit + kTimer + kForward));
  EXPECT_EQ(fixture.box.path.held.highest(), 1U);
}

TEST(Nistnet, ATickInTheMiddleOfForwardingDelaysIt) {
  const std::uint64_t phase = split_mix(kSeed) % 122'070'313;
  NistnetFixture fixture;
  const std::uint64_t tick = MiniJiffies({8192}, phase).tick_ps(7);
  // The tick comes a microsecond before the frame is done.
  const std::uint64_t alone = looked_at(kFrame64) + kForward - kFrame64;
  std::uint64_t start = tick + kUs - alone;
  start -= start % kClock;  // transfers begin at clock edges
  fixture.send(start);
  run_until(5 * kMs);
  ASSERT_EQ(fixture.east.received, 1U);
  EXPECT_EQ(fixture.east.arrivals[0].at_ps, sent(looked_at(start + kFrame64) + kForward + kTimer));
}

TEST(Nistnet, TheSamePhaseComesFromTheSameSeed) {
  NistnetFixture fixture(Json{{"seed", 7}});
  run_until(split_mix(7) % 122'070'313 + kHaltExit + kTimer + 1);
  EXPECT_EQ(fixture.box.path.ticks.value(), 1U);
}

TEST(Nistnet, OrderIsKeptWhenTheDelayIsMadeShorter) {
  NistnetFixture fixture(Json{{"delay_west", "10ms"}});
  fixture.send(kMs, 64, 1);
  fixture.send(3 * kMs, 64, 2);
  fixture.at(2 * kMs, [&] {
    fixture.box.path.set_delay(PacketPath::kWest, sc_core::sc_time(1, sc_core::SC_MS));
  });
  run_until(20 * kMs);
  ASSERT_EQ(fixture.east.received, 2U);
  EXPECT_EQ(number_of(*fixture.east.arrivals[0].frame), 1U);
  EXPECT_GT(fixture.east.arrivals[1].at_ps, 11 * kMs);
}

TEST(Nistnet, DirectionsHaveTheirOwnDelays) {
  NistnetFixture fixture(Json{{"delay_west", "3ms"}});
  fixture.send(kMs);
  fixture.east.send(make_frame(64, station(1), station(2)), kMs);
  run_until(10 * kMs);
  ASSERT_EQ(fixture.west.received, 1U);
  ASSERT_EQ(fixture.east.received, 1U);
  EXPECT_LT(fixture.west.arrivals[0].at_ps, kMs + 40 * kUs);
  EXPECT_GT(fixture.east.arrivals[0].at_ps, 4 * kMs);
}

/// Echoes of 98 B, one at a time, at times that have nothing to do with the timer's; the mean round
/// trip in ms.
double mean_round_trip_ms(const char* delay, std::uint32_t echoes) {
  NistnetFixture fixture(Json{{"delay_west", delay}, {"delay_east", delay}});
  RandomStream random(kSeed, "echoes");
  double sum_ms = 0;
  std::uint64_t asked_ps = 0;
  const auto ask = [&] {
    asked_ps = now_ps() + random.bits() % kMs;
    fixture.send(asked_ps, 102);
  };
  fixture.east.on_receive = [&](const FrameRef&) {
    fixture.east.send(make_frame(102, station(1), station(2)), now_ps());
  };
  fixture.west.on_receive = [&](const FrameRef&) {
    sum_ms += static_cast<double>(now_ps() - asked_ps) / kMs;
    if (fixture.west.received < echoes) ask();
  };
  fixture.at(kMs, ask);
  run_until(std::uint64_t{echoes} * 210 * kMs);
  EXPECT_EQ(fixture.west.received, echoes);
  return sum_ms / echoes;
}

// GNET-1, table 1: NIST Net's round trips in ms. What the hosts add is 0.05 ms at every delay of
// the other column. The paper gives means of three measurements. Each echo comes at its own point
// of a tick, evenly spread over 0.122 ms, and such means lie within half a tick of the expectation
// (three deviations).
constexpr double kHosts = 0.05;
constexpr double kHalfATick = 0.061;

TEST(Nistnet, RoundTripOfTable1At1ms) {
  EXPECT_NEAR(mean_round_trip_ms("1ms", 500) + kHosts, 2.17, kHalfATick);
}
TEST(Nistnet, RoundTripOfTable1At2ms) {
  EXPECT_NEAR(mean_round_trip_ms("2ms", 500) + kHosts, 4.13, kHalfATick);
}
TEST(Nistnet, RoundTripOfTable1At5ms) {
  EXPECT_NEAR(mean_round_trip_ms("5ms", 500) + kHosts, 10.26, kHalfATick);
}
TEST(Nistnet, RoundTripOfTable1At10ms) {
  EXPECT_NEAR(mean_round_trip_ms("10ms", 300) + kHosts, 20.24, kHalfATick);
}
TEST(Nistnet, RoundTripOfTable1At20ms) {
  EXPECT_NEAR(mean_round_trip_ms("20ms", 300) + kHosts, 40.27, kHalfATick);
}
TEST(Nistnet, RoundTripOfTable1At50ms) {
  EXPECT_NEAR(mean_round_trip_ms("50ms", 200) + kHosts, 100.33, kHalfATick);
}
TEST(Nistnet, RoundTripOfTable1At100ms) {
  EXPECT_NEAR(mean_round_trip_ms("100ms", 200) + kHosts, 200.19, kHalfATick);
}
TEST(Nistnet, RoundTripOfTable1WithoutDelay) {
  EXPECT_NEAR(mean_round_trip_ms("0s", 500) + kHosts, 0.09, 0.009);
}

/// A sender with `window` frames of 1514 B on the way, and a receiver that answers every second one
/// with 66 B.
TEST(Nistnet, AWindowOfTcpIsLimitedByTheProcessor) {
  constexpr std::uint32_t kWindow = 44;  // 64 KiB of 1448 B
  NistnetFixture fixture;
  fixture.east.keep_frames = fixture.west.keep_frames = false;
  std::uint32_t unanswered = 0;
  fixture.east.on_receive = [&](const FrameRef&) {
    if (++unanswered % 2 == 0) fixture.east.send(make_frame(70, station(1), station(2)));
  };
  const auto push = [&](std::uint32_t frames) {
    for (std::uint32_t i = 0; i < frames; ++i) fixture.send(0, 1518);
  };
  fixture.west.on_receive = [&](const FrameRef&) { push(2); };
  fixture.at(kMs, [&] { push(kWindow); });
  run_until(20 * kMs);
  const std::uint64_t before = fixture.east.received;
  const std::uint64_t idle_before = fixture.box.cpu.state.spent_ps(0);
  const std::uint64_t bus_before = fixture.box.bus.occupied_ps.value();
  run_until(220 * kMs);
  const double mbps = static_cast<double>(fixture.east.received - before) * 1448 * 8 / 0.2 / 1e6;
  const double idle =
      static_cast<double>(fixture.box.cpu.state.spent_ps(0) - idle_before) / (200.0 * kMs);
  const double bus =
      static_cast<double>(fixture.box.bus.occupied_ps.value() - bus_before) / (200.0 * kMs);
  RecordProperty("mbps", std::to_string(mbps));
  EXPECT_NEAR(mbps, 796.46, 0.15 * 796.46);
  EXPECT_LT(idle, 0.02);
  EXPECT_LT(bus, 0.8);
  EXPECT_EQ(fixture.box.path.backlog_dropped.value(), 0U);
}

TEST(Nistnet, AFloodOfSmallFramesLeavesNoTimeToForward) {
  NistnetFixture fixture(quiet());
  const FrameRef frame = make_frame(64, station(2), station(1));
  fixture.west.generate([&] { return frame; });
  run_until(20 * kMs);
  // Interrupts go before the softirq, and as long as they take longer than frames to come there is
  // no end of them.
  EXPECT_EQ(fixture.box.path.forwarded.value(), 0U);
  EXPECT_EQ(fixture.box.path.backlog.highest(), 300U);
  EXPECT_GT(fixture.box.path.backlog_dropped.value(), 1000U);
}

TEST(Nistnet, ABurstAtFullRateIsHeldAndLosesNothing) {
  NistnetFixture fixture(quiet());
  fixture.east.keep_frames = false;
  for (int i = 0; i < 200; ++i) fixture.send(0, 1518);
  run_until(20 * kMs);
  EXPECT_EQ(fixture.east.received, 200U);
}

TEST(Nistnet, SentBuffersAreGivenBackByAModeratedInterrupt) {
  NistnetFixture fixture(quiet());
  for (std::uint64_t i = 0; i < 100; ++i) fixture.send(i * 50 * kUs);
  run_until(100 * kMs);
  // 100 frames come 50 us apart, each with an interrupt of its own; in these 5 ms the timer lets
  // the others through nine times.
  EXPECT_EQ(fixture.box.cpu.interrupts.value(), 100U + 9U);
}

TEST(Nistnet, SayingNothingOfItsParametersIsAnError) {
  EXPECT_THROW(nistnet_params_from(Json{{"delay_wset", "1ms"}}, "box", 1), ConfigError);
  EXPECT_THROW(nistnet_params_from(Json{{"delay_west", "11s"}}, "box", 1), ConfigError);
  Nistnet box("box", nistnet_params_from(Json{{"delay_west", "1ms"}}, "box", 3));
  for (const auto& param : box.describe_params()) EXPECT_NE(param["source"], "") << param;
  EXPECT_THROW(box.path.set_delay(PacketPath::kWest, sc_core::sc_time(11, sc_core::SC_SEC)),
               ConfigError);
}

}  // namespace
}  // namespace longhaul::wan
