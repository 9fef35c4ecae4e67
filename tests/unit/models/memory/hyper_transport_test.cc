// SPDX-License-Identifier: Apache-2.0
#include "models/memory/hyper_transport.h"

#include <gtest/gtest.h>

namespace longhaul::memory {
namespace {

/// 3.2 GB/s a direction without loss; a hop of 17.5 ns; packets of 16 B there and 12 B back beside
/// the line.
InterconnectParams even() {
  InterconnectParams params;
  params.link_efficiency.value = 1.0;
  return params;
}
Crossing crossing(std::uint32_t from, std::uint32_t home, std::uint64_t lines, bool write = false) {
  return {0, from, home, lines, write, false};
}
constexpr std::uint64_t kFar = 1'000'000'000;

TEST(HyperTransport, ANodesOwnMemoryIsNoCrossing) {
  HyperTransport links("links", even(), 2, 64, 1);
  EXPECT_EQ(links.one_way_ps(crossing(1, 1, 4)), 0U);
  EXPECT_EQ(links.line_ps(crossing(1, 1, 4)), 0U);
  EXPECT_EQ(links.quote(crossing(1, 1, 4), 5), 5U);
  links.book(crossing(1, 1, 4), 0, 10);
  EXPECT_EQ(links.link(1, 0)->bytes.value(), 0U);
}

TEST(HyperTransport, ReadDataComeBackAndWrittenDataGoThere) {
  HyperTransport links("links", even(), 2, 64, 1);
  EXPECT_EQ(links.quote(crossing(0, 1, 100), 0), 100ULL * 76 * 1'000'000 / 3200);
  EXPECT_EQ(links.quote(crossing(0, 1, 100, true), 0), 100ULL * 80 * 1'000'000 / 3200);
  links.book(crossing(0, 1, 100), 0, links.quote(crossing(0, 1, 100), 0));
  EXPECT_EQ(links.link(0, 0)->bytes.value(), 1600U);
  EXPECT_EQ(links.link(1, 0)->bytes.value(), 7600U);
  EXPECT_EQ(links.link(1, 0)->busy_ps.value(), 2'375'000U);
}

TEST(HyperTransport, BuffersLimitALinkTo87Percent) {
  HyperTransport links("links", InterconnectParams{}, 2, 64, 1);
  EXPECT_EQ(links.quote(crossing(0, 1, 1000), 0), 76'000ULL * 1'000'000 / 2784);
}

TEST(HyperTransport, FourNodesAreASquare) {
  HyperTransport links("links", even(), 4, 64, 1);
  EXPECT_EQ(links.one_way_ps(crossing(0, 1, 1)), 17'500U);
  EXPECT_EQ(links.one_way_ps(crossing(0, 2, 1)), 17'500U);
  EXPECT_EQ(links.one_way_ps(crossing(0, 3, 1)), 35'000U);
  links.book(crossing(0, 3, 1), 0, kFar);
  EXPECT_EQ(links.link(0, 0)->bytes.value(), 16U);  // 0 to 1
  EXPECT_EQ(links.link(1, 1)->bytes.value(), 16U);  // 1 to 3
  EXPECT_EQ(links.link(3, 1)->bytes.value(), 76U);
  EXPECT_EQ(links.link(1, 0)->bytes.value(), 76U);
  EXPECT_EQ(links.link(0, 1)->bytes.value(), 0U);
}

TEST(HyperTransport, EveryWayBetweenAnyNumberOfNodesExists) {
  for (std::uint32_t nodes = 1; nodes <= 8; ++nodes) {
    HyperTransport links(sc_core::sc_gen_unique_name("links"), even(), nodes, 64, 1);
    for (std::uint32_t from = 0; from < nodes; ++from) {
      for (std::uint32_t home = 0; home < nodes; ++home)
        links.book(crossing(from, home, 1), 0, kFar);
    }
    std::uint64_t bytes = 0;
    std::uint64_t expected = 0;
    for (std::uint32_t node = 0; node < nodes; ++node) {
      for (std::uint32_t dimension = 0; dimension < 3; ++dimension) {
        if (links.link(node, dimension) != nullptr)
          bytes += links.link(node, dimension)->bytes.value();
      }
      for (std::uint32_t home = 0; home < nodes; ++home)
        expected += 92U * __builtin_popcount(node ^ home);
    }
    EXPECT_EQ(bytes, expected) << nodes;
  }
}

TEST(HyperTransport, ALineIsNotACoresBeforeTheFurthestNodeHasAnswered) {
  // McCalpin's chart: 60 ns with two sockets, 95 with four.
  HyperTransport one("one", even(), 1, 64, 1);
  HyperTransport two("two", even(), 2, 64, 1);
  HyperTransport four("four", even(), 4, 64, 1);
  EXPECT_EQ(one.probe_ps(crossing(0, 0, 1)), 0U);
  EXPECT_EQ(two.probe_ps(crossing(0, 0, 1)), 60'000U);
  EXPECT_EQ(four.probe_ps(crossing(0, 0, 1)), 95'000U);
}

}  // namespace
}  // namespace longhaul::memory
