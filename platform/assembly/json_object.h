// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "models/common/echo.h"
#include "models/common/param_json.h"

namespace longhaul::assembly {

/// Reads one JSON object member by member and refuses members that were not read. All errors are
/// ConfigErrors that start with the object's place in the file. None repeats more of a value than
/// echo() does.
class JsonObject {
 public:
  JsonObject(const nlohmann::json& json, std::string where)
      : json_(json), where_(std::move(where)) {
    if (!json_.is_object()) throw ConfigError(here() + ": wants a JSON object, got " + echo(json_));
  }

  /// Reads a required member.
  template <class T>
  T get(const char* key) {
    const nlohmann::json& value = require(key);
    T out{};
    detail::read_value(value, place(key), out);
    return out;
  }
  /// Reads a member; the default if there is none.
  template <class T>
  T get(const char* key, T otherwise) {
    if (!has(key)) return otherwise;
    detail::read_value(json_.at(key), place(key), otherwise);
    return otherwise;
  }
  /// The unchanged JSON of a member; null if there is none.
  nlohmann::json raw(const char* key) { return has(key) ? json_.at(key) : nlohmann::json(); }
  /// A member with a model's parameters: an object, or null if there is none.
  nlohmann::json parameters(const char* key);
  /// The elements of an array member, with the place of each; empty if there is no such member.
  std::vector<std::pair<nlohmann::json, std::string>> list(const char* key);
  std::vector<std::string> texts(const char* key);
  JsonObject object(const char* key) { return {require(key), place(key)}; }
  bool has(const char* key);
  /// The object's place.
  std::string here() const { return where_.empty() ? "the configuration" : where_; }
  std::string place(const std::string& key) const {
    return where_.empty() ? key : where_ + "." + key;
  }
  /// Throws if the object has members that were not read.
  void finish() const;

 private:
  const nlohmann::json& require(const char* key);

  const nlohmann::json json_;
  std::string where_;
  std::vector<std::string> asked_;
};

/// Calls `act`, which reads or builds the part at `place`. A wrong access to JSON becomes a
/// ConfigError for that place.
template <class Act>
auto at_place(const std::string& place, Act act) -> decltype(act()) {
  try {
    return act();
  } catch (const nlohmann::json::exception&) {
    throw ConfigError(place + ": one of its values is of a type that it cannot have");
  }
}

}  // namespace longhaul::assembly
