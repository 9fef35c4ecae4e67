// SPDX-License-Identifier: Apache-2.0
#include "platform/cosim/pins.h"

#include <gtest/gtest.h>

#include <array>

namespace longhaul::cosim {
namespace {

TEST(Pins, AFieldIsReadAndWrittenWhereverItLies) {
  std::array<std::uint32_t, 5> words{};
  for (std::uint32_t width = 1; width <= 64; ++width) {
    for (std::uint32_t lsb = 0; lsb + width <= 160; lsb += 7) {
      for (const std::uint32_t ground : {0U, ~0U}) {
        words.fill(ground);
        FieldPin pin{words.data(), lsb, width};
        const std::uint64_t mask = width == 64 ? ~0ULL : (1ULL << width) - 1;
        const std::uint64_t value = 0x9e37'79b9'7f4a'7c15ULL & mask;
        pin.set(value);
        ASSERT_EQ(pin.get(), value) << width << " bits at " << lsb;
        pin.set(ground == 0 ? 0 : mask);
        for (const std::uint32_t word : words)
          ASSERT_EQ(word, ground) << "neighbours of " << width << " at " << lsb;
      }
    }
  }
}

TEST(Pins, ABitLeavesItsNeighboursAlone) {
  std::uint8_t byte = 0b1010;
  BitPin pin{&byte, 0b0100};
  pin.set(true);
  EXPECT_EQ(byte, 0b1110);
  EXPECT_TRUE(pin.get());
  pin.set(false);
  EXPECT_EQ(byte, 0b1010);
}

TEST(Pins, AWordKeepsTheSizeOfItsPort) {
  struct {
    std::uint8_t one = 0;
    std::uint8_t after = 0x77;
    std::uint16_t two = 0;
    std::uint16_t behind = 0x7777;
    std::uint32_t four = 0;
  } ports;
  WordPin(ports.one).set(0x1a5);
  WordPin(ports.two).set(0x1'abcd);
  WordPin(ports.four).set(0xdead'beef);
  EXPECT_EQ(WordPin(ports.one).get(), 0xa5U);
  EXPECT_EQ(WordPin(ports.two).get(), 0xabcdU);
  EXPECT_EQ(WordPin(ports.four).get(), 0xdead'beefU);
  EXPECT_EQ(ports.after, 0x77);
  EXPECT_EQ(ports.behind, 0x7777);
}

}  // namespace
}  // namespace longhaul::cosim
