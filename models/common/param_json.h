// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "models/common/echo.h"
#include "models/common/param.h"
#include "models/common/units.h"

namespace longhaul {

namespace detail {
/// Converts JSON to the type of a Param. Throws ConfigError whose message starts with `where` if
/// the JSON does not fit.
void read_value(const nlohmann::json& json, const std::string& where, bool& out);
void read_value(const nlohmann::json& json, const std::string& where, std::uint32_t& out);
void read_value(const nlohmann::json& json, const std::string& where, std::uint64_t& out);
void read_value(const nlohmann::json& json, const std::string& where, double& out);
void read_value(const nlohmann::json& json, const std::string& where, std::string& out);
void read_value(const nlohmann::json& json, const std::string& where, sc_core::sc_time& out);
void read_value(const nlohmann::json& json, const std::string& where, Bytes& out);
void read_value(const nlohmann::json& json, const std::string& where, BitRate& out);
void read_value(const nlohmann::json& json, const std::string& where, Frequency& out);
void read_value(const nlohmann::json& json, const std::string& where, Probability& out);

/// JSON value and unit as the manifest shows them.
nlohmann::json show_value(bool v);
nlohmann::json show_value(std::uint32_t v);
nlohmann::json show_value(std::uint64_t v);
nlohmann::json show_value(double v);
nlohmann::json show_value(const std::string& v);
nlohmann::json show_value(const sc_core::sc_time& v);
nlohmann::json show_value(Bytes v);
nlohmann::json show_value(BitRate v);
nlohmann::json show_value(Frequency v);
nlohmann::json show_value(Probability v);

/// The name of the type in the output of describe_defaults().
constexpr const char* type_name(bool) { return "bool"; }
constexpr const char* type_name(std::uint32_t) { return "integer"; }
constexpr const char* type_name(std::uint64_t) { return "integer"; }
constexpr const char* type_name(double) { return "number"; }
inline const char* type_name(const std::string&) { return "text"; }
inline const char* type_name(const sc_core::sc_time&) { return "time"; }
constexpr const char* type_name(Bytes) { return "size"; }
constexpr const char* type_name(BitRate) { return "rate"; }
constexpr const char* type_name(Frequency) { return "frequency"; }
constexpr const char* type_name(Probability) { return "probability"; }

[[noreturn]] void fail_range(const std::string& where, const nlohmann::json& got,
                             const nlohmann::json& least, const nlohmann::json& most);
[[noreturn]] void fail_choice(const std::string& where, const std::string& got,
                              const std::vector<std::string>& choices);
[[noreturn]] void fail_unknown_key(const std::string& where, const std::string& key,
                                   const std::vector<std::string>& valid);

/// Throws ConfigError if the value is not legal for the parameter.
template <class T>
void check_value(const Param<T>& param, const T& value, const std::string& where) {
  if (param.range && (value < param.range->least || param.range->most < value)) {
    fail_range(where, show_value(value), show_value(param.range->least),
               show_value(param.range->most));
  }
}
inline void check_value(const Param<std::string>& param, const std::string& value,
                        const std::string& where) {
  const std::vector<std::string>& choices = param.choices;
  if (choices.empty() || std::find(choices.begin(), choices.end(), value) != choices.end()) return;
  fail_choice(where, value, choices);
}

template <class T>
void read_param(Param<T>& param, const nlohmann::json& json, const std::string& where) {
  T value = param.value;
  read_value(json, where, value);
  check_value(param, value, where);
  param.value = std::move(value);
  param.set_by_user = true;
}

template <class T>
nlohmann::json describe_default(const Param<T>& param) {
  nlohmann::json entry{{"name", param.name},
                       {"type", type_name(param.value)},
                       {"default", show_value(param.value)},
                       {"description", param.description},
                       {"evidence", to_text(param.source.evidence)},
                       {"source", param.source.where == nullptr ? "" : param.source.where}};
  if constexpr (std::is_same_v<T, std::string>) {
    if (!param.choices.empty()) entry["choices"] = param.choices;
  } else if (param.range) {
    entry["range"] = {show_value(param.range->least), show_value(param.range->most)};
  }
  return entry;
}
}  // namespace detail

/// Overwrites `params` from a JSON object. Throws ConfigError on an unknown key (the message names
/// the nearest valid one), a wrong type or unit, or a value out of range. `where` names the object
/// in messages, for example "sender.eth0".
template <class Params>
void configure(Params& params, const nlohmann::json& json, const std::string& where) {
  if (json.is_null()) return;
  if (!json.is_object())
    throw ConfigError(where + ": parameters must be a JSON object, got " + echo(json));
  for (auto item = json.begin(); item != json.end(); ++item) {
    const std::string place = std::string(where).append(1, '.').append(item.key());
    bool found = false;
    std::vector<std::string> names;
    std::apply(
        [&](auto&... param) {
          ((names.emplace_back(param.name),
            item.key() == param.name ? (detail::read_param(param, *item, place), found = true)
                                     : false),
           ...);
        },
        params.fields());
    if (!found) detail::fail_unknown_key(where, item.key(), names);
  }
}

/// All parameters with their values, evidence and sources, for the manifest: [{name, value,
/// evidence, source, set}].
template <class Params>
nlohmann::json describe(const Params& params) {
  nlohmann::json list = nlohmann::json::array();
  std::apply(
      [&](auto&... param) {
        (list.push_back({{"name", param.name},
                         {"value", detail::show_value(param.value)},
                         {"evidence", to_text(param.source.evidence)},
                         {"source", param.source.where},
                         {"set", param.set_by_user}}),
         ...);
      },
      const_cast<Params&>(params).fields());
  return list;
}

/// All parameters with their legal values: [{name, type, default, description, evidence, source}].
/// A parameter with a range adds `range` [least, most]; one with choices adds `choices`. Types are
/// bool, integer, number, text, time, size, rate, frequency, probability.
template <class Params>
nlohmann::json describe_defaults(const Params& params) {
  nlohmann::json list = nlohmann::json::array();
  std::apply([&](auto&... param) { (list.push_back(detail::describe_default(param)), ...); },
             const_cast<Params&>(params).fields());
  return list;
}

/// The text under `key` of a JSON object, or `otherwise` if there is no such key. Throws
/// ConfigError if the value is not a text.
std::string text_of(const nlohmann::json& json, const char* key, const std::string& otherwise,
                    const std::string& where);

}  // namespace longhaul
