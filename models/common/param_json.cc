// SPDX-License-Identifier: Apache-2.0
#include "models/common/param_json.h"

#include <fmt/format.h>

#include <limits>

namespace longhaul {

std::string text_of(const nlohmann::json& json, const char* key, const std::string& otherwise,
                    const std::string& where) {
  std::string text = otherwise;
  if (json.is_object() && json.contains(key))
    detail::read_value(json.at(key), fmt::format("{}.{}", where, key), text);
  return text;
}

namespace detail {
namespace {

[[noreturn]] void fail_type(const std::string& where, const nlohmann::json& got,
                            const char* wanted) {
  throw ConfigError(fmt::format("{}: got {}, wants {}", where, echo(got), wanted));
}

template <class T, class Parse>
void read_text(const nlohmann::json& json, const std::string& where, T& out, Parse parse,
               const char* wanted) {
  if (!json.is_string()) fail_type(where, json, wanted);
  const auto value = parse(json.get<std::string>());
  if (!value) fail_type(where, json, wanted);
  out = *value;
}

}  // namespace

void read_value(const nlohmann::json& json, const std::string& where, bool& out) {
  if (!json.is_boolean()) fail_type(where, json, "true or false");
  out = json.get<bool>();
}
void read_value(const nlohmann::json& json, const std::string& where, std::uint32_t& out) {
  std::uint64_t wide = 0;
  read_value(json, where, wide);
  if (wide > std::numeric_limits<std::uint32_t>::max())
    fail_type(where, json, "a whole number below 4294967296");
  out = static_cast<std::uint32_t>(wide);
}
void read_value(const nlohmann::json& json, const std::string& where, std::uint64_t& out) {
  const bool is_whole =
      json.is_number_unsigned() || (json.is_number_integer() && json.get<std::int64_t>() >= 0);
  if (!is_whole) fail_type(where, json, "a whole number, not negative");
  out = json.get<std::uint64_t>();
}
void read_value(const nlohmann::json& json, const std::string& where, double& out) {
  if (!json.is_number()) fail_type(where, json, "a number");
  out = json.get<double>();
}
void read_value(const nlohmann::json& json, const std::string& where, std::string& out) {
  if (!json.is_string()) fail_type(where, json, "a text");
  out = json.get<std::string>();
}
void read_value(const nlohmann::json& json, const std::string& where, sc_core::sc_time& out) {
  sc_core::sc_time time;
  read_text(json, where, time, parse_time, "a time with its unit, such as \"345ns\" or \"10ms\"");
  // A limit far below 64 bits of picoseconds, so that the sum of a few times cannot overflow.
  if (time > sc_core::sc_time(1e6, sc_core::SC_SEC)) fail_type(where, json, "1000000s at most");
  out = time;
}
void read_value(const nlohmann::json& json, const std::string& where, Bytes& out) {
  read_text(json, where, out, parse_bytes, "a size with its unit, such as \"512B\" or \"16MiB\"");
}
void read_value(const nlohmann::json& json, const std::string& where, BitRate& out) {
  read_text(json, where, out, parse_bit_rate, "a rate with its unit, such as \"9.5Gb/s\"");
}
void read_value(const nlohmann::json& json, const std::string& where, Frequency& out) {
  read_text(json, where, out, parse_frequency, "a frequency with its unit, such as \"133MHz\"");
}
void read_value(const nlohmann::json& json, const std::string& where, Probability& out) {
  if (json.is_number() && json.get<double>() >= 0 && json.get<double>() <= 1) {
    out.share = json.get<double>();
    return;
  }
  read_text(json, where, out, parse_probability,
            "a share from 0 to 1, or a percentage such as \"0.1%\"");
}

nlohmann::json show_value(bool v) { return v; }
nlohmann::json show_value(std::uint32_t v) { return v; }
nlohmann::json show_value(std::uint64_t v) { return v; }
nlohmann::json show_value(double v) { return v; }
nlohmann::json show_value(const std::string& v) { return v; }
nlohmann::json show_value(const sc_core::sc_time& v) { return to_text(v); }
nlohmann::json show_value(Bytes v) { return to_text(v); }
nlohmann::json show_value(BitRate v) { return to_text(v); }
nlohmann::json show_value(Frequency v) { return to_text(v); }
nlohmann::json show_value(Probability v) { return v.share; }

void fail_range(const std::string& where, const nlohmann::json& got, const nlohmann::json& least,
                const nlohmann::json& most) {
  throw ConfigError(fmt::format("{}: {} is out of range, wants {} to {}", where, echo(got),
                                echo(least), echo(most)));
}

void fail_choice(const std::string& where, const std::string& got,
                 const std::vector<std::string>& choices) {
  throw ConfigError(fmt::format("{}: '{}' is unknown; nearest is '{}', of {}", where, echo(got),
                                nearest(got, choices), fmt::join(choices, ", ")));
}

void fail_unknown_key(const std::string& where, const std::string& key,
                      const std::vector<std::string>& valid) {
  const std::string cure =
      valid.empty() ? "it takes none" : fmt::format("nearest is '{}'", nearest(key, valid));
  throw ConfigError(fmt::format("{}: no parameter '{}'; {}", where, echo(key), cure));
}

}  // namespace detail
}  // namespace longhaul
