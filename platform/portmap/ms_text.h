// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>

namespace longhaul::portmap {

/// A time in the form of RTL's messages: "35.957904 ms".
inline std::string ms_text(std::uint64_t ps) {
  constexpr double kPsPerMs = 1e9;
  return fmt::format("{:.6f} ms", static_cast<double>(ps) / kPsPerMs);
}

}  // namespace longhaul::portmap
