// SPDX-License-Identifier: Apache-2.0
#include "platform/cosim/pin.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "models/common/split_mix.h"

namespace longhaul::cosim {
namespace {

/// Bits of a byte array, one after the other.
std::uint64_t bits_of(const std::vector<std::uint8_t>& bytes, std::uint32_t lsb,
                      std::uint32_t width) {
  std::uint64_t value = 0;
  for (std::uint32_t i = 0; i < width; ++i)
    value |= std::uint64_t{bytes[(lsb + i) / 8] >> (lsb + i) % 8 & 1U} << i;
  return value;
}

/// Bytes that Verilator keeps a port in.
std::size_t storage_bytes(std::uint32_t bits) {
  return bits <= 8 ? 1 : bits <= 16 ? 2 : bits <= 32 ? 4 : bits <= 64 ? 8 : (bits + 31) / 32 * 4;
}

TEST(Pin, EveryFieldOfEveryPortIsReadAndWrittenAlone) {
  std::uint64_t state = 1;
  for (const std::uint32_t port : {1U, 7U, 8U, 12U, 16U, 24U, 32U, 48U, 64U, 72U, 96U, 130U}) {
    for (std::uint32_t lsb = 0; lsb < port; ++lsb) {
      for (std::uint32_t width = 1; width <= std::min(64U, port - lsb); ++width) {
        std::vector<std::uint8_t> bytes(storage_bytes(port));
        for (std::uint8_t& byte : bytes)
          byte = static_cast<std::uint8_t>(split_mix(state += kSplitMixIncrement));
        Pin pin(bytes.data(), lsb, width);
        ASSERT_EQ(pin.get(), bits_of(bytes, lsb, width)) << port << ' ' << lsb << ' ' << width;
        std::vector<std::uint8_t> expected = bytes;
        const std::uint64_t value = split_mix(state);
        for (std::uint32_t i = 0; i < width; ++i) {
          const auto mask = static_cast<std::uint8_t>(1U << (lsb + i) % 8);
          std::uint8_t& byte = expected[(lsb + i) / 8];
          byte = static_cast<std::uint8_t>(value >> i & 1U ? byte | mask : byte & ~mask);
        }
        pin.set(value);
        ASSERT_EQ(bytes, expected) << port << ' ' << lsb << ' ' << width;
        std::array<std::uint8_t, 8> loaded{};
        pin.load(loaded.data());
        ASSERT_EQ(bits_of({loaded.begin(), loaded.end()}, 0, width), bits_of(bytes, lsb, width));
      }
    }
  }
}

TEST(Pin, OneBitIsHighOrLow) {
  std::uint32_t port = 0x0010'0000;
  EXPECT_TRUE(Pin(&port, 20, 1).high());
  EXPECT_FALSE(Pin(&port, 21, 1).high());
}

TEST(Pin, WideDataIsStoredByteByByteAtAnyPlace) {
  for (const std::uint32_t lsb : {0U, 8U, 3U}) {
    std::array<std::uint8_t, 80> port{};
    Pin pin(port.data(), lsb, 512);
    std::array<std::uint8_t, 64> data{};
    for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<std::uint8_t>(i * 5 + 1);
    pin.store(data.data());
    std::array<std::uint8_t, 64> loaded{};
    pin.load(loaded.data());
    EXPECT_EQ(loaded, data);
    EXPECT_EQ(Pin(port.data(), lsb + 256, 8).get(), data[32]);
    std::array<std::uint8_t, 3> piece{};
    pin.load(piece.data(), 5, 3);
    EXPECT_EQ(piece[2], data[7]);
    pin.store(piece.data(), 0, 2);
    EXPECT_EQ(pin.bits(0, 16).get(), data[5] | data[6] << 8U);
    pin.set(7);
    EXPECT_EQ(pin.bits(0, 64).get(), 7U);
    EXPECT_EQ(pin.bits(448, 64).get(), 0U);
  }
}

TEST(Pin, OneThatIsNotConnectedReadsAsItsValueAndIgnoresWhatIsSet) {
  Pin pin = Pin::fixed(5, 3);
  EXPECT_FALSE(pin);
  EXPECT_EQ(pin.width(), 3U);
  pin.set(0);
  EXPECT_EQ(pin.get(), 5U);
  EXPECT_TRUE(pin.high());
  std::uint8_t byte = 0;
  pin.store(&byte);
  pin.load(&byte);
  EXPECT_EQ(byte, 5);
  EXPECT_EQ(Pin().get(), 0U);
}

}  // namespace
}  // namespace longhaul::cosim
