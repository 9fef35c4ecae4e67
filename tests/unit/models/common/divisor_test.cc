// SPDX-License-Identifier: Apache-2.0
#include "models/common/divisor.h"

#include <gtest/gtest.h>

namespace longhaul {
namespace {

TEST(Divisor, SaysWhatDivisionSaysWhetherItIsAPowerOfTwoOrNot) {
  for (const std::uint64_t value : {1ULL, 2ULL, 3ULL, 8ULL, 60ULL, 64ULL, 100ULL, 16384ULL, 1ULL << 63, ~0ULL}) {
    const Divisor divisor(value);
    EXPECT_EQ(divisor.value(), value);
    for (const std::uint64_t x : {0ULL, 1ULL, 63ULL, 64ULL, 65ULL, 99'999ULL, 1ULL << 40, (1ULL << 63) + 5, ~0ULL}) {
      EXPECT_EQ(divisor.quotient(x), x / value) << x << " / " << value;
      EXPECT_EQ(divisor.remainder(x), x % value) << x << " % " << value;
    }
  }
}

}  // namespace
}  // namespace longhaul
