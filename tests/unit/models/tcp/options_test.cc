// SPDX-License-Identifier: Apache-2.0
#include "models/tcp/options.h"

#include <gtest/gtest.h>

#include <vector>

namespace longhaul::tcp {
namespace {

std::vector<std::uint8_t> written(const Options& options) {
  std::vector<std::uint8_t> bytes(option_bytes(options));
  write_options(options, bytes.data());
  return bytes;
}

Refusal read(const std::vector<std::uint8_t>& bytes, Options& options) {
  return read_options(bytes.data(), static_cast<std::uint32_t>(bytes.size()), options);
}

TEST(TcpOptions, EveryCombinationComesBackAndIsWholeWords) {
  for (int bits = 0; bits < 32; ++bits) {
    for (std::uint8_t blocks = 0; blocks <= 4; ++blocks) {
      Options options;
      if ((bits & 1) != 0) options.mss = 8960;
      if ((bits & 2) != 0) options.window_scale = 14;
      options.sack_permitted = (bits & 4) != 0;
      options.timestamps = (bits & 8) != 0;
      options.ts_value = options.timestamps ? 0xdeadbeef : 0;
      options.ts_echo = options.timestamps ? 5 : 0;
      options.sack_count = blocks;
      for (std::uint32_t i = 0; i < blocks; ++i) options.sack[i] = {i * 1000, i * 1000 + 1};
      const std::vector<std::uint8_t> bytes = written(options);
      EXPECT_EQ(bytes.size() % 4, 0U);
      Options again;
      ASSERT_EQ(read(bytes, again), Refusal::kNone);
      EXPECT_EQ(again.mss, options.mss);
      EXPECT_EQ(again.window_scale, options.window_scale);
      EXPECT_EQ(again.sack_permitted, options.sack_permitted);
      EXPECT_EQ(again.timestamps, options.timestamps);
      EXPECT_EQ(again.ts_value, options.ts_value);
      EXPECT_EQ(again.ts_echo, options.ts_echo);
      ASSERT_EQ(again.sack_count, blocks);
      for (std::uint32_t i = 0; i < blocks; ++i) EXPECT_EQ(again.sack[i].end, i * 1000 + 1);
    }
  }
}

TEST(TcpOptions, TimestampsAloneAreTheTwelveBytesThatFastPathsLookFor) {
  Options options;
  options.timestamps = true;
  options.ts_value = 1;
  options.ts_echo = 2;
  EXPECT_EQ(written(options), (std::vector<std::uint8_t>{1, 1, 8, 10, 0, 0, 0, 1, 0, 0, 0, 2}));
}

TEST(TcpOptions, UnknownKindsAreSkippedAndTheEndEnds) {
  Options options;
  ASSERT_EQ(read({254, 4, 9, 9, 2, 4, 5, 180, 0, 3, 3, 7}, options), Refusal::kNone);
  EXPECT_EQ(options.mss, 1460);
  EXPECT_FALSE(options.window_scale);
}

TEST(TcpOptions, LengthsThatCannotBeAreRefused) {
  Options options;
  EXPECT_EQ(read({2}, options), Refusal::kOptionLength);             // no length
  EXPECT_EQ(read({254, 0, 0, 0}, options), Refusal::kOptionLength);  // would never end
  EXPECT_EQ(read({254, 1, 0, 0}, options), Refusal::kOptionLength);
  EXPECT_EQ(read({254, 5, 0, 0}, options), Refusal::kOptionLength);  // beyond the header
  EXPECT_EQ(read({2, 3, 5, 1}, options), Refusal::kOptionLength);
  EXPECT_EQ(read({4, 3, 0, 1}, options), Refusal::kOptionLength);
  EXPECT_EQ(read({3, 2, 1, 1}, options), Refusal::kOptionLength);
  EXPECT_EQ(read({5, 2, 1, 1}, options), Refusal::kOptionLength);  // no block
  EXPECT_EQ(read({5, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, options), Refusal::kOptionLength);
}

}  // namespace
}  // namespace longhaul::tcp
