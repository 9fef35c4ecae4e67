// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/json_object.h"

#include <algorithm>

namespace longhaul::assembly {

bool JsonObject::has(const char* key) {
  asked_.emplace_back(key);
  return json_.contains(key);
}

const nlohmann::json& JsonObject::require(const char* key) {
  if (!has(key)) throw ConfigError(place(key) + ": is missing");
  return json_.at(key);
}

std::vector<std::pair<nlohmann::json, std::string>> JsonObject::list(const char* key) {
  std::vector<std::pair<nlohmann::json, std::string>> out;
  if (!has(key)) return out;
  const nlohmann::json& array = json_.at(key);
  if (!array.is_array()) throw ConfigError(place(key) + ": wants a list, got " + echo(array));
  for (std::size_t i = 0; i < array.size(); ++i)
    out.emplace_back(array[i], place(key) + "[" + std::to_string(i) + "]");
  return out;
}

nlohmann::json JsonObject::parameters(const char* key) {
  nlohmann::json value = raw(key);
  if (!value.is_null() && !value.is_object())
    throw ConfigError(place(key) + ": wants a JSON object of parameters, got " + echo(value));
  return value;
}

std::vector<std::string> JsonObject::texts(const char* key) {
  std::vector<std::string> out;
  for (const auto& [value, where] : list(key)) {
    out.emplace_back();
    detail::read_value(value, where, out.back());
  }
  return out;
}

void JsonObject::finish() const {
  for (const auto& [key, value] : json_.items()) {
    if (std::find(asked_.begin(), asked_.end(), key) == asked_.end())
      detail::fail_unknown_key(here(), key, asked_);
  }
}

}  // namespace longhaul::assembly
