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

/// What a message repeats of a user's text: at most `most` characters on one line, an ellipsis for
/// the rest. Characters that are not printable ASCII appear as JSON escapes, so that a text cannot
/// change what a terminal shows.
std::string echo(const std::string& text, std::size_t most = kMostEcho);
/// The same of a JSON value, as JSON.
std::string echo(const nlohmann::json& value);
/// The same of a list of names: the first ones, and how many more there are.
std::string echo(const std::vector<std::string>& names);

}  // namespace longhaul
