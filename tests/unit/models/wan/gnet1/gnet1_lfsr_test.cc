// SPDX-License-Identifier: Apache-2.0
#include "models/wan/gnet1/gnet1_lfsr.h"

#include <gtest/gtest.h>

namespace longhaul::wan {
namespace {

/// Place by place, as the taps are written down: 64, 63, 61, 60.
std::uint64_t one_place(std::uint64_t s) {
  const std::uint64_t fed = (s >> 63 ^ s >> 62 ^ s >> 60 ^ s >> 59) & 1U;
  return s << 1 | fed;
}

TEST(Gnet1Lfsr, AStepIsThirtyTwoPlaces) {
  Gnet1Lfsr lfsr;
  std::uint64_t expected = Gnet1Lfsr::kResetSeed;
  for (int step = 0; step < 1000; ++step) {
    for (int place = 0; place < 32; ++place) expected = one_place(expected);
    lfsr.step();
    ASSERT_EQ(lfsr.state(), expected) << step;
  }
}

TEST(Gnet1Lfsr, SkippingEqualsStepping) {
  Gnet1Lfsr stepped;
  Gnet1Lfsr skipped;
  stepped.seed(0x1234'5678'9abc'def1);
  skipped.seed(0x1234'5678'9abc'def1);
  for (const std::uint64_t count : {1U, 2U, 3U, 64U, 381U, 4'000U, 99'991U}) {
    for (std::uint64_t i = 0; i < count; ++i) stepped.step();
    skipped.skip(count - 1);
    skipped.skip(1);
    ASSERT_EQ(skipped.state(), stepped.state()) << count;
  }
}

TEST(Gnet1Lfsr, AHugeSkipIsTheSumOfItsParts) {
  constexpr std::uint64_t kHuge = 0x0123'4567'89ab'cdef;
  Gnet1Lfsr whole;
  Gnet1Lfsr parts;
  whole.skip(kHuge);
  parts.skip(kHuge / 2);
  static_cast<void>(parts.state());
  parts.skip(kHuge - kHuge / 2);
  EXPECT_EQ(whole.state(), parts.state());
}

TEST(Gnet1Lfsr, SeedZeroIsTakenAsOne) {
  Gnet1Lfsr lfsr;
  lfsr.seed(0);
  EXPECT_EQ(lfsr.state(), 1U);
}

}  // namespace
}  // namespace longhaul::wan
