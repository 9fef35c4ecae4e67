// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>

namespace longhaul {

/// A JSON document, or the reason why there is none.
struct JsonText {
  nlohmann::json value;
  std::string wrong;  ///< where in the text or document, and what; empty: nothing
};

/// The only way for JSON from outside: reads a text within limits. Does not throw for anything that
/// a text may contain.
///
/// Refused are a text that is no JSON, a number that no double holds, a member that an object has
/// twice, and what exceeds a limit. The limits are far beyond every configuration in use, and keep
/// what follows (recursion, copies, messages) small.
JsonText parse_json(const std::string& text);

namespace json_limits {
inline constexpr std::size_t kBytes = std::size_t{16} << 20;  ///< of the document
inline constexpr std::size_t kLevels = 32;                    ///< of nesting
inline constexpr std::size_t kKeyBytes = 256;
inline constexpr std::size_t kTextBytes = std::size_t{16} << 10;
}  // namespace json_limits

}  // namespace longhaul
