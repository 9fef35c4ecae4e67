// SPDX-License-Identifier: Apache-2.0
#include "platform/cosim/object/trigger_flags.h"

#include <gtest/gtest.h>

#include <bitset>

#include "models/common/split_mix.h"

namespace longhaul::cosim {
namespace {

/// Random flags, in both forms.
template <std::size_t Size>
struct Both {
  TriggerFlags<Size> flags;
  std::bitset<Size> bits;

  void draw(SplitMix& random) {
    const std::uint64_t drawn = random.next() & random.next();  // a quarter is set
    for (std::size_t i = 0; i < Size; ++i) {
      bits[i] = (drawn >> i & 1U) != 0;
      flags.at(i) = bits[i];
    }
  }
  void expect_same() {
    EXPECT_EQ(flags.any(), bits.any());
    for (std::size_t i = 0; i < Size; ++i) EXPECT_EQ(flags.at(i), bits[i]) << i << " of " << Size;
  }
};

template <std::size_t Size>
void expect_as_bits() {
  SplitMix random(Size);
  for (int round = 0; round < 100; ++round) {
    Both<Size> a;
    Both<Size> b;
    Both<Size> without;
    a.expect_same();
    a.draw(random);
    b.draw(random);
    a.expect_same();
    without.flags.andNot(a.flags, b.flags);
    without.bits = a.bits & ~b.bits;
    without.expect_same();
    a.flags.set(b.flags);
    a.bits |= b.bits;
    a.expect_same();
    a.flags.clear();
    a.bits.reset();
    a.expect_same();
  }
}

TEST(TriggerFlags, AreAsBitsForEachSizeAroundAWord) {
  expect_as_bits<1>();
  expect_as_bits<2>();
  expect_as_bits<7>();
  expect_as_bits<8>();
  expect_as_bits<9>();
  expect_as_bits<16>();
  expect_as_bits<17>();
  expect_as_bits<40>();
}

TEST(TriggerFlags, EachSingleFlagIsFound) {
  TriggerFlags<19> flags;
  for (std::size_t i = 0; i < 19; ++i) {
    flags.at(i) = true;
    EXPECT_TRUE(flags.any()) << i;
    flags.at(i) = false;
    EXPECT_FALSE(flags.any()) << i;
  }
}

}  // namespace
}  // namespace longhaul::cosim
