// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/models/tcp/random_network.h"

#include <gtest/gtest.h>

namespace longhaul::tcp::rig {
namespace {

TEST(TcpRandomNetworks, EveryByteArrivesOnceAndInOrderAndEveryConnectionEnds) {
  std::uint64_t retransmitted = 0;
  std::uint64_t timeouts = 0;
  std::uint64_t probes = 0;
  for (std::uint64_t seed = 1; seed <= 600; ++seed) {
    RandomNetwork network(seed);
    network.heal_at(300 * kSecond);
    network.run(2000 * kSecond);
    ASSERT_EQ(network.failure(), "") << "seed " << seed;
    for (Host* host : {&network.pair().a, &network.pair().b}) {
      retransmitted += host->connection().stats().retransmitted_segments;
      timeouts += host->connection().stats().timeouts;
      probes += host->connection().stats().window_probes;
    }
  }
  // The networks were not kind.
  EXPECT_GT(retransmitted, 10'000U);
  EXPECT_GT(timeouts, 1000U);
  EXPECT_GT(probes, 100U);
}

TEST(TcpRandomNetworks, AResetAtAnyMomentLeavesNobodyWaiting) {
  std::uint64_t heard = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    RandomNetwork network(seed);
    Dice dice(seed);
    network.reset_at(dice.upto(dice.chance(0.5) ? 200 * kMs : 5 * kSecond));
    network.heal_at(100 * kSecond);
    network.run(1000 * kSecond);
    ASSERT_EQ(network.failure(), "") << "seed " << seed;
    heard += network.pair().b.ended_by == End::kReset ? 1 : 0;
  }
  EXPECT_GT(heard, 200U);
}

}  // namespace
}  // namespace longhaul::tcp::rig
