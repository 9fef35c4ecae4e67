// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/unit/models/tcp/rig.h"

namespace longhaul::tcp::rig {
namespace {

TEST(TcpTransfer, AWindowPerRoundTripWhenTheWindowIsWhatLimits) {
  TcpParams params;
  Pair pair(params, 10 * kMs);
  pair.establish();
  pair.a.connection().write(10'000'000);
  ASSERT_TRUE(
      pair.calendar.run_while([&] { return pair.b.bytes_readable < 10'000'000; }, 100 * kSecond));
  EXPECT_EQ(pair.a.connection().stats().retransmitted_segments, 0U);
  // 65535 bytes are 66 segments of 988; the handshake and slow start are within the tolerance of 7
  // round trips.
  const double seconds = static_cast<double>(pair.calendar.now() - 100 * kMs) / 1e12;
  EXPECT_NEAR(seconds, 10'000'000.0 / (66 * 988) * 0.020, 0.15);
}

TEST(TcpTransfer, LossEveryHundredSegmentsGivesTheRateOfTheSquareRootLaw) {
  // Mathis et al. 1997: MSS / RTT * sqrt(3/2) / sqrt(p) with an ACK per segment and periodic loss.
  for (const bool sack : {false, true}) {
    TcpParams params = plain();
    params.sack.value = sack;
    params.abc_limit.value = 1;
    Pair pair(params, 50 * kMs);
    std::uint64_t highest = 0;
    pair.a.fate = [&highest](const Segment& segment, std::uint64_t) {
      const bool first = segment.offset >= highest;
      highest = std::max(highest, segment.offset + segment.length);
      return Fate{first && segment.offset / 1000 % 100 == 49, 0, false};
    };
    pair.establish();
    pair.a.connection().write(20'000'000);
    pair.a.connection().close();
    ASSERT_TRUE(pair.calendar.run_while([&] { return !pair.b.saw_end; }, 1000 * kSecond));
    EXPECT_EQ(pair.b.bytes_readable, 20'000'000U);
    EXPECT_EQ(pair.a.connection().stats().timeouts, 0U);
    EXPECT_EQ(pair.a.connection().stats().retransmitted_segments, 200U);
    const double rate = 20'000'000 / (static_cast<double>(pair.calendar.now()) / 1e12);
    const double law = 1000 / 0.1 * 1.2247 / 0.1;
    EXPECT_NEAR(rate / law, 1.0, 0.2)
        << "sack " << sack;  // the law leaves out the round trip of recovery and whole segments
  }
}

}  // namespace
}  // namespace longhaul::tcp::rig
