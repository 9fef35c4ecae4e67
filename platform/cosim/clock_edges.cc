// SPDX-License-Identifier: Apache-2.0
#include "platform/cosim/clock_edges.h"

#include <cmath>

namespace longhaul::cosim {
namespace {

using Wide = unsigned __int128;
constexpr std::uint64_t kBillion = 1'000'000'000;

}  // namespace

ClockEdges::ClockEdges(Frequency nominal, double ppm, std::uint64_t phase_ps) : next_ps_(phase_ps) {
  const auto ppb = static_cast<std::int64_t>(std::llround(ppm * 1e3));
  Wide over = Wide{1'000} * kBillion * kBillion;  // 10^12 ps / (hz * (10^9 + ppb) / 10^9)
  Wide under =
      Wide{nominal.hz} * static_cast<std::uint64_t>(static_cast<std::int64_t>(kBillion) + ppb);
  Wide a = over;
  Wide b = under;
  while (b != 0) {
    const Wide rest = a % b;
    a = b;
    b = rest;
  }
  over /= a;
  under /= a;
  whole_ps_ = static_cast<std::uint64_t>(over / under);
  rest_ = static_cast<std::uint64_t>(over % under);
  per_ = static_cast<std::uint64_t>(under);
}

std::uint64_t ClockEdges::skip_past(std::uint64_t ps) {
  if (next_ps_ > ps) return 0;
  // The number of periods that lead past ps. The fraction may still add one.
  const Wide period = Wide{whole_ps_} * per_ + rest_;
  const auto count = static_cast<std::uint64_t>(Wide{ps - next_ps_} * per_ / period);
  const Wide moved = Wide{count} * period + fraction_;
  next_ps_ += static_cast<std::uint64_t>(moved / per_);
  fraction_ = static_cast<std::uint64_t>(moved % per_);
  std::uint64_t skipped = count;
  while (next_ps_ <= ps) {
    advance();
    ++skipped;
  }
  return skipped;
}

}  // namespace longhaul::cosim
