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

/// The types of one kind (adapters, boxes and the like) by name; a user chooses from them by text.
///
/// A `Type` has members `name`, `title` (one line for people) and `origin`, which add() sets, and a
/// function that makes an instance. LONGHAUL_PLUGIN functions (plugin.h) add types.
template <class Type>
class Catalog {
 public:
  /// `kind` is the word that messages use, such as "adapter".
  explicit Catalog(const char* kind) : kind_(kind) {}

  /// Throws ConfigError if there is a type of that name; the message names where both come from.
  void add(Type type) {
    type.origin = PluginScope::origin();
    if (const Type* const other = look(type.name)) {
      throw ConfigError(fmt::format("{} '{}' of {} is in {} already", kind_, type.name,
                                    place(type.origin), place(other->origin)));
    }
    types_.push_back(std::move(type));
  }
  /// The type of that name; null if there is none.
  const Type* look(const std::string& name) const {
    for (const Type& type : types_) {
      if (name == type.name) return &type;
    }
    return nullptr;
  }
  /// The type of that name. If there is none, throws ConfigError whose message starts with `where`
  /// and names the nearest type.
  const Type& find(const std::string& name, const std::string& where) const {
    if (const Type* const type = look(name)) return *type;
    throw ConfigError(fmt::format("{}: no {} of type '{}'; {}", where, kind_, echo(name),
                                  nearest_hint(name, names())));
  }
  /// All types, in the order in which they were added.
  const std::vector<Type>& all() const { return types_; }
  /// The names of all types, in alphabetical order.
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
