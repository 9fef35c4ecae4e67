// SPDX-License-Identifier: Apache-2.0
#include "models/common/units.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdlib>

namespace longhaul {
namespace {

struct Suffix {
  const char* text;
  double factor;
};

/// Splits "12.5us" into number and suffix and scales; no value when either part is wrong or negative.
template <std::size_t N>
std::optional<double> parse_scaled(const std::string& text, const std::array<Suffix, N>& suffixes) {
  if (text.empty()) return std::nullopt;
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  if (end == text.c_str() || !std::isfinite(number) || number < 0) return std::nullopt;
  while (*end == ' ') ++end;
  for (const Suffix& suffix : suffixes) {
    if (suffix.text == std::string(end)) return number * suffix.factor;
  }
  return std::nullopt;
}

constexpr std::array<Suffix, 5> kTimeSuffixes{{{"ps", 1}, {"ns", 1e3}, {"us", 1e6}, {"ms", 1e9}, {"s", 1e12}}};
constexpr std::array<Suffix, 7> kBytesSuffixes{{{"B", 1},
                                                {"KiB", 1024.0},
                                                {"MiB", 1024.0 * 1024},
                                                {"GiB", 1024.0 * 1024 * 1024},
                                                {"kB", 1e3},
                                                {"MB", 1e6},
                                                {"GB", 1e9}}};
constexpr std::array<Suffix, 4> kRateSuffixes{{{"b/s", 1}, {"kb/s", 1e3}, {"Mb/s", 1e6}, {"Gb/s", 1e9}}};
constexpr std::array<Suffix, 4> kFrequencySuffixes{{{"Hz", 1}, {"kHz", 1e3}, {"MHz", 1e6}, {"GHz", 1e9}}};
constexpr std::array<Suffix, 2> kProbabilitySuffixes{{{"", 1}, {"%", 0.01}}};

std::optional<std::uint64_t> to_count(std::optional<double> value) {
  if (!value || *value >= 1.8e19) return std::nullopt;
  return static_cast<std::uint64_t>(std::llround(*value));
}

/// The largest unit that leaves a whole number, or the smallest unit.
template <std::size_t N>
std::string whole_text(std::uint64_t value, const std::array<Suffix, N>& suffixes, std::size_t count) {
  const Suffix* best = suffixes.data();
  for (std::size_t i = 0; i < count; ++i) {
    const auto factor = static_cast<std::uint64_t>(suffixes[i].factor);
    if (value != 0 && value % factor == 0 && factor > static_cast<std::uint64_t>(best->factor)) best = &suffixes[i];
  }
  return fmt::format("{}{}", value / static_cast<std::uint64_t>(best->factor), best->text);
}

}  // namespace

std::optional<sc_core::sc_time> parse_time(const std::string& text) {
  const auto ps = to_count(parse_scaled(text, kTimeSuffixes));
  if (!ps) return std::nullopt;
  return from_ps(*ps);
}
std::optional<Bytes> parse_bytes(const std::string& text) {
  const auto count = to_count(parse_scaled(text, kBytesSuffixes));
  if (!count) return std::nullopt;
  return Bytes{*count};
}
std::optional<BitRate> parse_bit_rate(const std::string& text) {
  const auto rate = to_count(parse_scaled(text, kRateSuffixes));
  if (!rate) return std::nullopt;
  return BitRate{*rate};
}
std::optional<Frequency> parse_frequency(const std::string& text) {
  const auto hz = to_count(parse_scaled(text, kFrequencySuffixes));
  if (!hz) return std::nullopt;
  return Frequency{*hz};
}
std::optional<Probability> parse_probability(const std::string& text) {
  const auto share = parse_scaled(text, kProbabilitySuffixes);
  if (!share || *share > 1) return std::nullopt;
  return Probability{*share};
}

std::string to_text(const sc_core::sc_time& t) { return whole_text(t.value(), kTimeSuffixes, 5); }
std::string to_text(Bytes b) { return whole_text(b.count, kBytesSuffixes, 4); }
std::string to_text(BitRate r) { return whole_text(r.bits_per_s, kRateSuffixes, 4); }
std::string to_text(Frequency f) { return whole_text(f.hz, kFrequencySuffixes, 4); }
std::string to_text(Probability p) { return fmt::format("{}", p.share); }

}  // namespace longhaul
