// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <string_view>

namespace longhaul {

/// Whether tests have time for all of their depth: LONGHAUL_DEEP=1, which `./longhaul test --deep`
/// sets.
inline bool deep() {
  const char* const text = std::getenv("LONGHAUL_DEEP");
  return text != nullptr && std::string_view(text) == "1";
}

}  // namespace longhaul
