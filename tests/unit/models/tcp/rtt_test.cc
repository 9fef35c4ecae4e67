// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "models/tcp/rtt_estimator.h"
#include "models/tcp/timers.h"
#include "tests/unit/models/tcp/rig.h"

namespace longhaul::tcp {
namespace {

TcpParams with_min(double ms) {
  TcpParams params;
  params.rto_min.value = TcpParams::ms(ms);
  return params;
}

TEST(TcpRtt, FollowsRfc6298ForASeriesWorkedOutByHand) {
  const TcpConfig config = resolve(with_min(1), "t");
  RttEstimator rtt(config);
  EXPECT_EQ(rtt.rto(), kSecond);  // 2.1
  rtt.take(100 * kMs, 0);
  EXPECT_EQ(rtt.srtt(), 100 * kMs);
  EXPECT_EQ(rtt.rttvar(), 50 * kMs);
  EXPECT_EQ(rtt.rto(), 300 * kMs);  // 2.2: R + 4 R/2
  rtt.take(180 * kMs, 0);
  EXPECT_EQ(rtt.rttvar(), 57'500'000'000U);  // 3/4 50 + 1/4 |100 - 180|
  EXPECT_EQ(rtt.srtt(), 110 * kMs);          // 7/8 100 + 1/8 180
  EXPECT_EQ(rtt.rto(), 340 * kMs);
  EXPECT_EQ(rtt.least(), 100 * kMs);
}

TEST(TcpRtt, ASteadyRoundTripIsBoundedByTheMinimumOfTheWhole) {
  const TcpConfig config = resolve(with_min(1000), "t");
  RttEstimator rtt(config);
  for (int i = 0; i < 200; ++i) rtt.take(400 * kMs, 0);
  EXPECT_EQ(rtt.rto(), kSecond);
}

TEST(TcpRtt, LinuxBoundsTheVarianceSoTheTimeoutStaysAboveTheRoundTrip) {
  TcpParams params = with_min(200);
  params.rto_min_on_variance.value = true;
  const TcpConfig config = resolve(params, "t");
  RttEstimator rtt(config);
  for (int i = 0; i < 200; ++i) rtt.take(400 * kMs, 0);
  EXPECT_EQ(rtt.rto(), 600 * kMs);
}

TEST(TcpRtt, TheClocksGranularityIsTheLeastSpread) {
  const TcpConfig config = resolve(with_min(1), "t");
  RttEstimator rtt(config);
  for (int i = 0; i < 300; ++i) rtt.take(50 * kMs, 10 * kMs);
  EXPECT_NEAR(static_cast<double>(rtt.rto()), static_cast<double>(60 * kMs),
              1e3);  // integer thirds of the filter
}

TEST(TcpRtt, ACoarseClockCountsTicksBetweenAndNeverNone) {
  const TcpConfig config = resolve(with_min(1), "t");
  RttEstimator rtt(config);
  EXPECT_EQ(rtt.sample(9 * kMs, 11 * kMs, 10 * kMs), 10 * kMs);   // one tick passed
  EXPECT_EQ(rtt.sample(11 * kMs, 19 * kMs, 10 * kMs), 10 * kMs);  // none did
  EXPECT_EQ(rtt.sample(11 * kMs, 31 * kMs, 10 * kMs), 20 * kMs);
  EXPECT_EQ(rtt.sample(11 * kMs, 31 * kMs, 0), 20 * kMs);
}

TEST(TcpRtt, BackingOffDoublesUpToTheMaximumAndEnds) {
  const TcpConfig config = resolve(with_min(1000), "t");
  RttEstimator rtt(config);
  for (std::uint64_t expected : {1, 2, 4, 8, 16, 32, 60, 60}) {
    EXPECT_EQ(rtt.rto(), expected * kSecond);
    rtt.back_off();
  }
  for (int i = 0; i < 1000; ++i) rtt.back_off();
  EXPECT_EQ(rtt.rto(), 60 * kSecond);
  rtt.end_back_off();
  EXPECT_EQ(rtt.rto(), kSecond);
}

TEST(TcpTimers, ATickedTimerFiresOnTheTickAndUpToOneEarly) {
  EXPECT_EQ(fires_at(0, 200, 0), 200U);
  EXPECT_EQ(fires_at(7, 200, 10), 200U);
  EXPECT_EQ(fires_at(10, 200, 10), 210U);
  EXPECT_EQ(fires_at(9, 195, 10), 200U);
  EXPECT_EQ(fires_at(150, 200, 200), 200U);  // a heartbeat: whenever it comes next
  EXPECT_EQ(fires_at(200, 200, 200), 400U);
}

/// Only a clock and what it was asked for.
class Clock final : public Environment {
 public:
  std::uint64_t time = 0;
  std::vector<std::uint64_t> wishes;
  std::uint64_t now() const override { return time; }
  void wake(Timer, std::uint64_t at) override { wishes.push_back(at); }
  bool transmit(Segment&) override { return true; }
};

TEST(TcpTimers, MovingADeadlineAwayAsksTheEnvironmentOnlyWhenItFires) {
  Clock clock;
  Timers timers(clock);
  for (std::uint64_t i = 0; i < 1000; ++i) {
    clock.time = i;
    timers.set(Timer::kRetransmit, i + 5000);
  }
  EXPECT_EQ(clock.wishes, (std::vector<std::uint64_t>{5000}));
  clock.time = 5000;
  EXPECT_FALSE(timers.expired(Timer::kRetransmit));
  EXPECT_EQ(clock.wishes, (std::vector<std::uint64_t>{5000, 5999}));
  clock.time = 5999;
  EXPECT_TRUE(timers.expired(Timer::kRetransmit));
  EXPECT_FALSE(timers.running(Timer::kRetransmit));
}

TEST(TcpTimers, ANearerDeadlineIsAskedForAtOnceAndACancelledOneDoesNotFire) {
  Clock clock;
  Timers timers(clock);
  timers.set(Timer::kDelayedAck, 900);
  timers.set(Timer::kDelayedAck, 400);
  EXPECT_EQ(clock.wishes, (std::vector<std::uint64_t>{900, 400}));
  timers.cancel(Timer::kDelayedAck);
  clock.time = 400;
  EXPECT_FALSE(timers.expired(Timer::kDelayedAck));
  timers.set(Timer::kDelayedAck, 700);
  EXPECT_EQ(clock.wishes.back(), 700U);
  clock.time = 700;
  EXPECT_TRUE(timers.expired(Timer::kDelayedAck));
}

}  // namespace
}  // namespace longhaul::tcp
