// SPDX-License-Identifier: Apache-2.0
#include "models/common/split_mix.h"

#include <gtest/gtest.h>

namespace longhaul {
namespace {

// The reference generator's first three outputs from state 0 (Vigna, splitmix64.c).
TEST(SplitMix, GivesTheReferenceGeneratorsNumbers) {
  EXPECT_EQ(split_mix(0), 0xe220'a839'7b1d'cdafULL);
  EXPECT_EQ(split_mix(kSplitMixIncrement), 0x6e78'9e6a'a1b9'65f4ULL);
  EXPECT_EQ(split_mix(2 * kSplitMixIncrement), 0x06c4'5d18'8009'454fULL);
}

}  // namespace
}  // namespace longhaul
