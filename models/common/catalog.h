// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "models/common/echo.h"
#include "models/common/param.h"
#include "models/common/plugin.h"

namespace longhaul {

/// The types of one kind by name: adapters, boxes and the like, from which a user chooses by text.
///
/// A `Type` has members `name` and `title` (one line for people), `origin`, which add() sets, and
/// what makes an instance. Types are added by LONGHAUL_PLUGIN functions (plugin.h).
template <class Type>
class Catalog {
 public:
  /// `kind` as messages have it: "adapter".
  explicit Catalog(const char* kind) : kind_(kind) {}

  /// Throws ConfigError that names both places if there is a type of that name.
  void add(Type type) {
    type.origin = PluginScope::origin();
    if (const Type* const other = look(type.name)) {
      throw ConfigError(fmt::format("{} '{}' of {} is in {} already", kind_, type.name,
                                    place(type.origin), place(other->origin)));
    }
    types_.push_back(std::move(type));
  }
  /// Null if there is no type of that name.
  const Type* look(const std::string& name) const {
    for (const Type& type : types_) {
      if (name == type.name) return &type;
    }
    return nullptr;
  }
  /// Throws ConfigError, starting with `where`, that names the nearest type.
  const Type& find(const std::string& name, const std::string& where) const {
    if (const Type* const type = look(name)) return *type;
    throw ConfigError(fmt::format("{}: no {} of type '{}'; {}", where, kind_, echo(name),
                                  nearest_hint(name, names())));
  }
  /// In the order in which they were added.
  const std::vector<Type>& all() const { return types_; }
  /// In alphabetical order.
  std::vector<std::string> names() const {
    std::vector<std::string> names;
    names.reserve(types_.size());
    for (const Type& type : types_) names.emplace_back(type.name);
    std::sort(names.begin(), names.end());
    return names;
  }
  const char* kind() const { return kind_; }

 private:
  static std::string place(const Origin& origin) {
    return origin.plugin.empty() ? origin.file : origin.plugin;
  }

  const char* kind_;
  std::vector<Type> types_;
};

}  // namespace longhaul
