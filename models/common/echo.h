// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace longhaul {

inline constexpr std::size_t kMostEcho = 60;
inline constexpr std::size_t kMostPath = 240;
inline constexpr std::size_t kMostNames = 16;

/// A user's text as messages repeat it: one line of at most `most` characters, then an ellipsis.
/// Characters that are not printable ASCII appear as JSON escapes, so a text cannot change the
/// state of a terminal.
std::string echo(const std::string& text, std::size_t most = kMostEcho);
/// A JSON value as messages repeat it, as JSON text of at most kMostEcho characters.
std::string echo(const nlohmann::json& value);
/// A list of names as messages repeat it: the first kMostNames, and how many more there are.
std::string echo(const std::vector<std::string>& names);

}  // namespace longhaul
