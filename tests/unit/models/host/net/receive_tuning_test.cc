// SPDX-License-Identifier: Apache-2.0
#include "models/host/net/receive_tuning.h"

#include "models/host/profiles/os_profile.h"
#include "tests/unit/models/host/net/net_rig.h"

namespace longhaul::host {
namespace {

TEST(ReceiveTuning, TwiceWhatTheReaderTookInARoundTrip) {
  ReceiveTuning tuning;
  tuning.arrived(1, 10'001, 0);
  EXPECT_EQ(tuning.read(5'000, 10 * kMs), 0U);  // no round trip is known
  tuning.arrived(10'001, 30'001, 20 * kMs);     // a whole window came: 20 ms
  EXPECT_EQ(tuning.read(10'000, 20 * kMs), 20'000U);
  EXPECT_EQ(tuning.read(40'000, 30 * kMs), 0U);  // too soon
  EXPECT_EQ(tuning.read(50'000, 40 * kMs), 80'000U);
  EXPECT_EQ(tuning.read(60'000, 60 * kMs), 0U);  // less than before
}

TEST(ReceiveTuning, TheShortestWindowIsTheRoundTrip) {
  ReceiveTuning tuning;
  tuning.arrived(1, 10'001, 0);
  tuning.arrived(10'001, 20'001, 50 * kMs);
  tuning.arrived(20'001, 30'001, 60 * kMs);  // 10 ms
  EXPECT_EQ(tuning.read(20'000, 60 * kMs), 40'000U);
  EXPECT_EQ(tuning.read(50'000, 70 * kMs), 60'000U);
}

struct Tuned : testing::NetTest {
  std::uint64_t largest = 0;
  double seconds = 0;
  /// A long path, whose product of rate and delay is more than the first buffer.
  void run(std::uint64_t most, std::uint64_t own) {
    params.device.bits_per_s = 1'000'000'000;
    params.device.delay_ps = 20 * kMs;
    params.net.receive_buffer_most.value = {most};
    params.net.send_buffer.value = units::MiB(8);
    build();
    Transfer plan;
    plan.receive_buffer = own;
    transfer(plan, 20'000'000, 65'536, 65'536);
    while (!plan.receiver_done && now_ps() < 60'000 * kMs) {
      run_until(now_ps() + 10 * kMs);
      if (plan.sender != nullptr)
        largest = std::max(largest, plan.sender->snapshot().sender->largest_window);
    }
    EXPECT_EQ(plan.received, 20'000'000U);
    EXPECT_FALSE(plan.mismatch.has_value());
    seconds = static_cast<double>(plan.finished_ps) * 1e-12;
  }
};

TEST_F(Tuned, TheWindowGrowsWithTheReaderAsFarAsTheSystemLetsIt) {
  run(4 << 20, 0);
  EXPECT_GT(largest, 1U << 20);
  EXPECT_LE(largest, 3U << 20);  // a quarter is overhead
  EXPECT_LT(seconds, 2.0);
}

TEST_F(Tuned, WithoutItTheWindowStays) {
  run(0, 0);
  EXPECT_LE(largest, 65'536U);
  EXPECT_GT(seconds, 10.0);
}

TEST_F(Tuned, ABufferThatAProgramHasSetStays) {
  run(4 << 20, 60'000);
  EXPECT_LE(largest, 120'000U);
}

TEST_F(Tuned, VistasGrowsToSixteenMegabytesByBytes) {
  const OsProfile vista = os_profile("windows-vista", "test");
  params.tcp = vista.tcp;
  params.net = vista.net;
  run(vista.net.receive_buffer_most().count, 0);
  EXPECT_GT(largest, 2U << 20);
  EXPECT_LE(largest, vista.net.receive_buffer_most().count);
}

}  // namespace
}  // namespace longhaul::host
