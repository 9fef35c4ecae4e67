// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/text_layout.h"

#include <cstddef>
#include <numeric>
#include <utility>

#include "models/common/split_mix.h"

namespace longhaul::cpu {
namespace {

/// Random numbers below a bound, from splitmix64. Results of the standard library's distributions
/// differ between implementations.
class Draws {
 public:
  explicit Draws(std::uint64_t seed) : words_(split_mix(seed)) {}

  std::size_t below(std::size_t bound) {
    return static_cast<std::size_t>(static_cast<unsigned __int128>(words_.next()) * bound >> 64);
  }

 private:
  SplitMix words_;
};

constexpr std::uint32_t aligned(std::uint32_t bytes) {
  return (bytes + kFunctionAlignment - 1) / kFunctionAlignment * kFunctionAlignment;
}

}  // namespace

std::vector<std::uint32_t> places_in_layout(const std::vector<TextFunction>& functions,
                                            std::uint64_t layout) {
  std::vector<std::uint32_t> places;
  places.reserve(functions.size());
  for (const TextFunction& function : functions) places.push_back(function.place);
  if (layout == 0) return places;
  Draws draws(layout);
  for (std::size_t begin = 0, end = 0; begin < functions.size(); begin = end) {
    while (end < functions.size() && functions[end].stretch == functions[begin].stretch) ++end;
    std::vector<std::size_t> order(end - begin);
    std::iota(order.begin(), order.end(), begin);
    for (std::size_t left = order.size(); left > 1; --left)
      std::swap(order[left - 1], order[draws.below(left)]);
    std::uint32_t place = functions[begin].place;
    for (const std::size_t next : order) {
      places[next] = place;
      place += aligned(functions[next].bytes);
    }
  }
  return places;
}

}  // namespace longhaul::cpu
