// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <iterator>
#include <string>
#include <systemc>
#include <vector>

#include "models/common/echo.h"
#include "models/common/param.h"

namespace longhaul::nic {

/// The full hierarchical name of an object called `leaf`. Messages start with it.
inline std::string full_name(const std::string& leaf) {
  const sc_core::sc_object* const parent = sc_core::sc_get_curr_simcontext()->hierarchy_curr();
  return parent == nullptr ? leaf : std::string(parent->name()) + "." + leaf;
}

/// The names of all entries of `kinds`.
template <class Kinds>
std::vector<std::string> names_of(const Kinds& kinds) {
  std::vector<std::string> names;
  names.reserve(std::size(kinds));
  for (const auto& kind : kinds) names.emplace_back(kind.name);
  return names;
}

/// The entry of `kinds` (a container of objects with `name`) that is called `name`. If there is
/// none, throws ConfigError whose message starts with `where` and names the nearest entry.
template <class Kinds>
const auto& kind_named(const Kinds& kinds, const std::string& name, const std::string& where) {
  for (const auto& kind : kinds) {
    if (name == kind.name) return kind;
  }
  throw ConfigError(fmt::format("{}: '{}' is unknown; nearest is '{}'", where, echo(name),
                                nearest(name, names_of(kinds))));
}

}  // namespace longhaul::nic
