// SPDX-License-Identifier: Apache-2.0
#include "models/wan/gnet1/gnet1_lfsr.h"

#include <array>

namespace longhaul::wan {
namespace {

/// A linear map of 64 bits: the image of each bit.
using Map = std::array<std::uint64_t, 64>;

std::uint64_t image_of(const Map& map, std::uint64_t state) {
  std::uint64_t image = 0;
  for (; state != 0; state &= state - 1)
    image ^= map[static_cast<std::size_t>(__builtin_ctzll(state))];
  return image;
}

/// leap() made 2^n times, for each n.
const std::array<Map, 64>& powers() {
  static const auto kTable = [] {
    std::array<Map, 64> all{};
    for (std::size_t bit = 0; bit < 64; ++bit)
      all[0][bit] = Gnet1Lfsr::leap(std::uint64_t{1} << bit);
    for (std::size_t n = 1; n < 64; ++n) {
      for (std::size_t bit = 0; bit < 64; ++bit)
        all[n][bit] = image_of(all[n - 1], all[n - 1][bit]);
    }
    return all;
  }();
  return kTable;
}

}  // namespace

void Gnet1Lfsr::jump() {
  for (; skipped_ != 0; skipped_ &= skipped_ - 1) {
    state_ = image_of(powers()[static_cast<std::size_t>(__builtin_ctzll(skipped_))], state_);
  }
}

}  // namespace longhaul::wan
