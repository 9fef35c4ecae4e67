// SPDX-License-Identifier: Apache-2.0
// TCP offload of NEC-TOE's adapters on random networks. With LONGHAUL_DEEP=1 there are many more
// seeds.
#include "tests/unit/models/host/drivers/chelsio/offload/random_pair.h"
#include "tests/unit/support/depth.h"

namespace longhaul::host::offload_testing {
namespace {

struct RandomParallel : RandomPair {};
TEST_P(RandomParallel, LosesNothingHangsNowhereAndKeepsNothing) {
  draw("nec-parallel", true, {{"host_keeps_errors", false}});
  run();
}

struct RandomPipeline : RandomPair {};
TEST_P(RandomPipeline, LosesNothingHangsNowhereAndKeepsNothing) {
  draw("nec-pipeline", true);
  run();
}

struct RandomHandover : RandomPair {};
TEST_P(RandomHandover, LosesNothingHangsNowhereAndKeepsNothing) {
  draw("nec-parallel", true, {{"credits_wait", GetParam() % 2 == 0}});
  run();
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomHandover,
                         ::testing::Range<std::uint64_t>(0, deep() ? 500 : 50));
INSTANTIATE_TEST_SUITE_P(Seeds, RandomParallel,
                         ::testing::Range<std::uint64_t>(0, deep() ? 500 : 12));
INSTANTIATE_TEST_SUITE_P(Seeds, RandomPipeline,
                         ::testing::Range<std::uint64_t>(0, deep() ? 500 : 12));

}  // namespace
}  // namespace longhaul::host::offload_testing
