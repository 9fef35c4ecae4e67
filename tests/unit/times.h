// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace longhaul {

// Times of tests, in picoseconds.
inline constexpr std::uint64_t kNs = 1000;
inline constexpr std::uint64_t kUs = 1000 * kNs;
inline constexpr std::uint64_t kMs = 1000 * kUs;
inline constexpr std::uint64_t kSecond = 1000 * kMs;

}  // namespace longhaul
