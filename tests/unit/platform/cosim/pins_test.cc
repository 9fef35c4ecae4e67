// SPDX-License-Identifier: Apache-2.0
#include "platform/cosim/pins.h"

#include <gtest/gtest.h>

namespace longhaul::cosim {
namespace {

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
