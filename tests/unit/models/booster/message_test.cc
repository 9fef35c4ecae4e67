// SPDX-License-Identifier: Apache-2.0
// What relays tell each other, byte by byte and back.
#include "models/booster/message.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace longhaul::booster {
namespace {

using ::testing::Each;
using ::testing::ElementsAreArray;

template <std::uint32_t kSize>
using Guarded = std::array<std::uint8_t, kSize + 8>;

Greeting greeting() {
  Greeting greeting;
  greeting.ends.source = {10, 0, 0, 1};
  greeting.ends.destination = {10, 0, 0, 2};
  greeting.ends.source_port = 40'000;
  greeting.ends.destination_port = 80;
  greeting.initial = 0xdeadbeef;
  greeting.index = 2;
  greeting.count = 3;
  return greeting;
}

TEST(Greeting, IsInTheNetworksOrderOfBytesAndNoLonger) {
  Guarded<Greeting::kBytes> bytes;
  bytes.fill(0xee);
  write(greeting(), bytes.data());
  const std::vector<std::uint8_t> expected{
      'L', 'H', 'R', 'P', 0xde, 0xad, 0xbe, 0xef, 0x9c, 0x40, 0, 80, 0, 2, 0, 3,
      10,  0,   0,   1,   0,    0,    0,    0,    0,    0,    0, 0,  0, 0, 0, 0,
      10,  0,   0,   2,   0,    0,    0,    0,    0,    0,    0, 0,  0, 0, 0, 0};
  EXPECT_THAT(std::vector<std::uint8_t>(bytes.begin(), bytes.begin() + Greeting::kBytes),
              ElementsAreArray(expected));
  EXPECT_THAT(std::vector<std::uint8_t>(bytes.begin() + Greeting::kBytes, bytes.end()), Each(0xee));
}

TEST(Greeting, ComesBack) {
  Guarded<Greeting::kBytes> bytes{};
  write(greeting(), bytes.data());
  const auto read = read_greeting(bytes.data());
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->ends.source, greeting().ends.source);
  EXPECT_EQ(read->ends.destination, greeting().ends.destination);
  EXPECT_EQ(read->ends.source_port, 40'000);
  EXPECT_EQ(read->ends.destination_port, 80);
  EXPECT_FALSE(read->ends.ipv6);
  EXPECT_EQ(read->initial, 0xdeadbeefU);
  EXPECT_EQ(read->index, 2U);
  EXPECT_EQ(read->count, 3U);
}

TEST(Greeting, WithAnotherMagicIsNone) {
  for (std::uint32_t i = 0; i < 4; ++i) {
    Guarded<Greeting::kBytes> bytes{};
    write(greeting(), bytes.data());
    bytes[i] ^= 1U;
    EXPECT_FALSE(read_greeting(bytes.data()).has_value()) << i;
  }
}

TEST(Greeting, OfAConnectionBeyondItsCountIsNone) {
  const auto accepted = [](std::uint32_t index, std::uint32_t count) {
    Greeting changed = greeting();
    changed.index = index;
    changed.count = count;
    Guarded<Greeting::kBytes> bytes{};
    write(changed, bytes.data());
    return read_greeting(bytes.data()).has_value();
  };
  EXPECT_FALSE(accepted(0, 0));
  EXPECT_TRUE(accepted(0, 1));
  EXPECT_FALSE(accepted(1, 1));
  EXPECT_TRUE(accepted(65534, 65535));
  EXPECT_FALSE(accepted(65535, 65535));
}

TEST(Chunk, IsInTheNetworksOrderOfBytesAndNoLonger) {
  Guarded<Chunk::kBytes> bytes;
  bytes.fill(0xee);
  write(Chunk{Chunk::Kind::kData, 0x01020304, 0x0506'0708'090a'0b0cULL}, bytes.data());
  const std::vector<std::uint8_t> expected{0, 0, 0, 2, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  EXPECT_THAT(std::vector<std::uint8_t>(bytes.begin(), bytes.begin() + Chunk::kBytes),
              ElementsAreArray(expected));
  EXPECT_THAT(std::vector<std::uint8_t>(bytes.begin() + Chunk::kBytes, bytes.end()), Each(0xee));
}

TEST(Chunk, OfEveryKindComesBack) {
  for (const auto kind : {Chunk::Kind::kOpen, Chunk::Kind::kData, Chunk::Kind::kFin}) {
    Guarded<Chunk::kBytes> bytes{};
    write(Chunk{kind, 17, 0x1234'5678'9abc'def0ULL}, bytes.data());
    const auto read = read_chunk(bytes.data());
    ASSERT_TRUE(read.has_value());
    EXPECT_EQ(read->kind, kind);
    EXPECT_EQ(read->length, 17U);
    EXPECT_EQ(read->offset, 0x1234'5678'9abc'def0ULL);
  }
}

TEST(Chunk, OfNoKnownKindIsNone) {
  for (const std::uint32_t kind : {0U, 4U, 0x0100'0001U, 0xffff'ffffU}) {
    Guarded<Chunk::kBytes> bytes{};
    write(Chunk{static_cast<Chunk::Kind>(kind), 0, 0}, bytes.data());
    EXPECT_FALSE(read_chunk(bytes.data()).has_value()) << kind;
  }
}

}  // namespace
}  // namespace longhaul::booster
