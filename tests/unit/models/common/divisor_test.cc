// SPDX-License-Identifier: Apache-2.0
#include "models/common/divisor.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <initializer_list>

namespace longhaul {
namespace {

TEST(Divisor, SaysWhatDivisionSaysWhetherItIsAPowerOfTwoOrNot) {
  for (const std::uint64_t value :
       {1ULL, 2ULL, 3ULL, 7ULL, 8ULL, 60ULL, 64ULL, 100ULL, 7500ULL, 16384ULL, 641ULL * 6'700'417,
        (1ULL << 63) - 1, 1ULL << 63, (1ULL << 63) + 1, ~0ULL - 1, ~0ULL}) {
    const Divisor divisor(value);
    EXPECT_EQ(divisor.value(), value);
    const std::uint64_t most =
        ~0ULL / value * value;  // the last multiple, where a rounded factor would be off first
    for (const std::uint64_t x : std::initializer_list<std::uint64_t>{
             0, 1, 63, 64, 65, 99'999, 1ULL << 40, (1ULL << 63) + 5, ~0ULL, value - 1, value,
             value + 1, 5 * value - 1, most - 1, most}) {
      EXPECT_EQ(divisor.quotient(x), x / value) << x << " / " << value;
      EXPECT_EQ(divisor.remainder(x), x % value) << x << " % " << value;
    }
  }
}

}  // namespace
}  // namespace longhaul
