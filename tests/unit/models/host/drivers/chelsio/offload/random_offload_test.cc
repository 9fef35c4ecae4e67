// SPDX-License-Identifier: Apache-2.0
// TCP offload of T110s on random networks. With LONGHAUL_DEEP=1 there are many more seeds.
#include "tests/unit/models/host/drivers/chelsio/offload/random_pair.h"
#include "tests/unit/support/depth.h"

namespace longhaul::host::offload_testing {
namespace {

struct RandomOffload : RandomPair {};
TEST_P(RandomOffload, LosesNothingHangsNowhereAndKeepsNothing) {
  draw("n110", false);
  run();
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomOffload,
                         ::testing::Range<std::uint64_t>(0, deep() ? 1000 : 24));
// Timers of one instant (148, 167); data behind an abort (556).
INSTANTIATE_TEST_SUITE_P(Found, RandomOffload, ::testing::Values(148, 167, 556));

struct RandomOffloadWithCuts : RandomPair {};
TEST_P(RandomOffloadWithCuts, LosesNothingHangsNowhereAndKeepsNothing) {
  draw("n110", true);
  run();
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomOffloadWithCuts,
                         ::testing::Range<std::uint64_t>(0, deep() ? 500 : 16));

}  // namespace
}  // namespace longhaul::host::offload_testing
