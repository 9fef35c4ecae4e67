// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/text_layout.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace longhaul::cpu {
namespace {

using ::testing::ElementsAre;

/// Ten functions of 1 to 113 bytes, the first four of one stretch and the others of another, as a
/// linker puts them.
std::vector<TextFunction> linked() {
  constexpr std::uint32_t kBytes[] = {1, 16, 17, 40, 113, 64, 0, 33, 5, 80};
  std::vector<TextFunction> functions;
  std::uint32_t place = 0x20;
  for (const std::uint32_t bytes : kBytes) {
    functions.push_back({place, bytes, 1, functions.size() < 4 ? 0U : 1U});
    place += (bytes + 15) / 16 * 16;
  }
  return functions;
}

std::vector<std::uint32_t> linked_places() {
  std::vector<std::uint32_t> places;
  for (const TextFunction& function : linked()) places.push_back(function.place);
  return places;
}

/// The functions by place; of those that begin in one place the empty ones are first.
std::vector<std::size_t> in_order(const std::vector<std::uint32_t>& places) {
  const std::vector<TextFunction> functions = linked();
  std::vector<std::size_t> order(places.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::pair(places[a], functions[a].bytes) < std::pair(places[b], functions[b].bytes);
  });
  return order;
}

TEST(TextLayout, LayoutZeroIsTheLinkedOrder) {
  EXPECT_EQ(places_in_layout(linked(), 0), linked_places());
}

TEST(TextLayout, EveryLayoutHasEveryFunctionOnceWithoutOverlapOrGap) {
  const std::vector<TextFunction> functions = linked();
  for (std::uint64_t layout = 1; layout < 200; ++layout) {
    const std::vector<std::uint32_t> places = places_in_layout(functions, layout);
    ASSERT_EQ(places.size(), functions.size());
    std::uint32_t end = functions.front().place;
    for (const std::size_t next : in_order(places)) {
      EXPECT_EQ(places[next], end) << "layout " << layout << ", function " << next;
      end = (places[next] + functions[next].bytes + 15) / 16 * 16;
    }
    EXPECT_EQ(end, functions.back().place + 80);
  }
}

TEST(TextLayout, FunctionsStayInTheirStretch) {
  const std::vector<TextFunction> functions = linked();
  for (std::uint64_t layout = 1; layout < 200; ++layout) {
    const std::vector<std::uint32_t> places = places_in_layout(functions, layout);
    for (std::size_t i = 0; i < places.size(); ++i)
      EXPECT_EQ(places[i] < functions[4].place, i < 4);
  }
}

TEST(TextLayout, EveryOrderOfAStretchComes) {
  std::vector<std::vector<std::size_t>> seen;
  for (std::uint64_t layout = 1; layout < 400; ++layout) {
    std::vector<std::size_t> order = in_order(places_in_layout(linked(), layout));
    order.resize(4);
    if (std::find(seen.begin(), seen.end(), order) == seen.end()) seen.push_back(order);
  }
  EXPECT_EQ(seen.size(), 24U);  // 4!
}

TEST(TextLayout, ALayoutIsTheSameOnEveryHost) {  // by splitmix64 and Fisher and Yates in Python
  EXPECT_THAT(in_order(places_in_layout(linked(), 1)), ElementsAre(3, 0, 2, 1, 6, 4, 9, 7, 5, 8));
  EXPECT_THAT(in_order(places_in_layout(linked(), 2)), ElementsAre(2, 3, 0, 1, 5, 6, 4, 9, 8, 7));
  EXPECT_THAT(in_order(places_in_layout(linked(), ~0ULL)),
              ElementsAre(0, 3, 2, 1, 7, 5, 8, 4, 6, 9));
}

}  // namespace
}  // namespace longhaul::cpu
