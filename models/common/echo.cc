// SPDX-License-Identifier: Apache-2.0
#include "models/common/echo.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace longhaul {
namespace {

std::string cut(std::string text, std::size_t most) {
  if (text.size() > most) text.replace(most, std::string::npos, "...");
  return text;
}

std::string dumped(const nlohmann::json& value) {
  constexpr int kOneLine = -1;
  constexpr bool kAscii = true;
  return value.dump(kOneLine, ' ', kAscii, nlohmann::json::error_handler_t::replace);
}

}  // namespace

std::string echo(const std::string& text, std::size_t most) {
  // Escapes only the part that is kept.
  const std::string quoted = dumped(text.substr(0, most + 1));
  return cut(quoted.substr(1, quoted.size() - 2), most);
}

std::string echo(const nlohmann::json& value) { return cut(dumped(value), kMostEcho); }

std::string echo(const std::vector<std::string>& names) {
  std::string list;
  for (std::size_t i = 0; i < names.size() && i < kMostNames; ++i)
    list += (i == 0 ? "" : ", ") + echo(names[i]);
  if (names.size() > kMostNames) list += fmt::format(" and {} more", names.size() - kMostNames);
  return list;
}

}  // namespace longhaul
