// SPDX-License-Identifier: Apache-2.0
// Every number of the offload engine has a source, and the T1's TCP is what its registers say.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "models/tcp/config.h"
#include "models/toe/params.h"
#include "models/toe/t1_tcp_params.h"
#include "tests/unit/times.h"

namespace longhaul::toe {
namespace {

template <class Params>
void expect_sources(Params params) {
  std::set<std::string> names;
  std::apply(
      [&](const auto&... param) {
        const auto check = [&](const char* name, const Source& source, const char* description) {
          EXPECT_TRUE(names.insert(name).second) << name;
          EXPECT_GT(std::string(source.where).size(), 3U) << name;
          EXPECT_LE(std::string(description).size(), 90U) << name;
          const bool argued = std::string(source.where).find("README.md#") != std::string::npos;
          EXPECT_EQ(argued,
                    source.evidence == Evidence::kAssumed ||
                        std::string(source.where).find("which one a") != std::string::npos ||
                        std::string(source.where).find("their use is") != std::string::npos)
              << name;
        };
        (check(param.name, param.source, param.description), ...);
      },
      params.fields());
}

TEST(ToeParams, EveryNumberHasASourceAndAssumedOnesAreArgued) {
  expect_sources(ToeParams{});
  expect_sources(T1Params{});
}

TEST(T1TcpParams, AreThoseOfTheRegisters) {
  const tcp::TcpConfig config = tcp::resolve(t1_tcp_params(), "t1");
  constexpr std::uint32_t kPara0 = 0xd1269324;  // TP_PARA_REG0
  EXPECT_EQ(config.dup_threshold, kPara0 >> 20U & 0xfU);
  EXPECT_EQ(config.initial_window, kPara0 >> 24U & 0x7U);
  constexpr std::uint32_t kResolution = 0xf0011;  // TP_TIMER_RESOLUTION
  EXPECT_EQ(config.timer_tick, (8 * kNs) << (kResolution >> 16U & 0x3fU));
  EXPECT_EQ(config.delayed_ack_tick, (8 * kNs) << (kResolution & 0x3fU));
  EXPECT_EQ(config.rto_min, 250 * kMs);
  EXPECT_EQ(config.rto_max, 64 * kSecond);
  EXPECT_EQ(config.time_wait, 500 * kMs);
  EXPECT_EQ(config.delayed_ack, 200 * kMs);
  EXPECT_FALSE(config.sack);
  EXPECT_TRUE(config.timestamps);
  EXPECT_EQ(config.reduction, tcp::Reduction::kImmediate);
  EXPECT_FALSE(config.partial_ack_stays);  // Reno
}

}  // namespace
}  // namespace longhaul::toe
