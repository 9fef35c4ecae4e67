// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>

namespace longhaul {

/// A JSON document, or the reason why it could not be read.
struct JsonText {
  nlohmann::json value;
  std::string wrong;  ///< place and reason of the error; empty: no error
};

/// Reads JSON from outside, within limits. All such JSON is read by this function. Does not throw
/// for any text.
///
/// It refuses a text that is not JSON, a number that does not fit a double, a repeated member of an
/// object, and a text beyond a limit. The limits are far above all configurations in use, and bound
/// the work that follows (recursion, copies, messages).
JsonText parse_json(const std::string& text);

namespace json_limits {
inline constexpr std::size_t kBytes = std::size_t{16} << 20;  ///< of the document
inline constexpr std::size_t kLevels = 32;                    ///< of nesting
inline constexpr std::size_t kKeyBytes = 256;
inline constexpr std::size_t kTextBytes = std::size_t{16} << 10;
}  // namespace json_limits

}  // namespace longhaul
