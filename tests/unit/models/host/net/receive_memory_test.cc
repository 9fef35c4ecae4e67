// SPDX-License-Identifier: Apache-2.0
// Memory and the window that it is worth.
#include "models/host/net/receive_memory.h"

#include <gtest/gtest.h>

namespace longhaul::host {
namespace {

TEST(ReceiveMemoryTest, TheWindowGrowsAsFarAsTheBuffersAreUsed) {
  const NetParams params;
  constexpr std::uint32_t kMss = 1000;
  constexpr std::uint64_t kMemory = 100'000;
  const auto grown = [&](std::uint32_t charge, std::uint32_t payload) {
    ReceiveMemory memory(params);
    memory.start(kMemory, 2, kMss);
    for (int i = 0; i < 1000; ++i) memory.grow(charge, payload, 0);
    return memory.window(0);
  };
  EXPECT_EQ(grown(1333, 1000),
            75'000U);  // 3/4 of the charge is the payload: all of 3/4 of the memory
  EXPECT_EQ(grown(1400, 1000), 38'000U);  // more: it stops above half of that
  EXPECT_EQ(grown(2700, 1000), 20'000U);  // twice as much: above a quarter
  EXPECT_EQ(grown(1333, 100), 2'000U);    // too small to tell
}

}  // namespace
}  // namespace longhaul::host
