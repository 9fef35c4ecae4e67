// SPDX-License-Identifier: Apache-2.0
#include "models/common/units.h"

#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <limits>

namespace longhaul {
namespace detail {

const TimeValue* const kKernelPs =
    reinterpret_cast<const TimeValue*>(&sc_core::sc_get_curr_simcontext()->time_stamp());
const TimeValue* g_now_ps = kKernelPs;

}  // namespace detail

namespace {

struct Suffix {
  const char* text;
  std::uint64_t factor;
};

constexpr std::uint64_t kThousand = 1000;
constexpr std::uint64_t kMillion = 1'000'000;
constexpr std::uint64_t kMilliard = 1'000'000'000;
constexpr std::array<Suffix, 5> kTimeSuffixes{{{"ps", 1},
                                               {"ns", kThousand},
                                               {"us", kMillion},
                                               {"ms", kMilliard},
                                               {"s", kMilliard* kThousand}}};
constexpr std::array<Suffix, 7> kBytesSuffixes{{{"B", 1},
                                                {"KiB", 1ULL << 10},
                                                {"MiB", 1ULL << 20},
                                                {"GiB", 1ULL << 30},
                                                {"kB", kThousand},
                                                {"MB", kMillion},
                                                {"GB", kMilliard}}};
constexpr std::size_t kBinaryBytesSuffixes = 4;  // of the above, those that text forms use
constexpr std::array<Suffix, 4> kRateSuffixes{
    {{"b/s", 1}, {"kb/s", kThousand}, {"Mb/s", kMillion}, {"Gb/s", kMilliard}}};
constexpr std::array<Suffix, 4> kFrequencySuffixes{
    {{"Hz", 1}, {"kHz", kThousand}, {"MHz", kMillion}, {"GHz", kMilliard}}};

/// Reads a text such as "12.5us" as whole smallest units, exactly: digits, an optional fraction,
/// optional spaces, a suffix. No value if the text has another form, is not a whole number of the
/// smallest unit, or exceeds 64 bits.
template <std::size_t N>
std::optional<std::uint64_t> parse_scaled(const std::string& text,
                                          const std::array<Suffix, N>& suffixes) {
  std::size_t at = 0;
  unsigned __int128 number = 0;
  std::uint64_t divisor = 1;
  bool has_digits = false;
  bool in_fraction = false;
  for (; at < text.size(); ++at) {
    if (text[at] == '.' && !in_fraction) {
      in_fraction = true;
    } else if (text[at] >= '0' && text[at] <= '9') {
      has_digits = true;
      number = number * 10 + static_cast<unsigned>(text[at] - '0');
      if (in_fraction) divisor *= 10;
      if (number > std::numeric_limits<std::uint64_t>::max() || divisor > kMilliard * kMilliard)
        return std::nullopt;
    } else {
      break;
    }
  }
  if (!has_digits) return std::nullopt;
  while (at < text.size() && text[at] == ' ') ++at;
  for (const Suffix& suffix : suffixes) {
    if (text.compare(at, std::string::npos, suffix.text) != 0) continue;
    number *= suffix.factor;
    if (number % divisor != 0 || number / divisor > std::numeric_limits<std::uint64_t>::max())
      return std::nullopt;
    return static_cast<std::uint64_t>(number / divisor);
  }
  return std::nullopt;
}

/// Wraps a count in its unit type.
template <class T>
std::optional<T> as(const std::optional<std::uint64_t>& count) {
  if (!count) return std::nullopt;
  return T{*count};
}

/// Returns the value in the largest of `count` units that gives a whole number, or in the smallest
/// unit.
std::string whole_text(std::uint64_t value, const Suffix* suffixes, std::size_t count) {
  const Suffix* best = suffixes;
  for (const Suffix* suffix = suffixes; suffix != suffixes + count; ++suffix) {
    if (value != 0 && value % suffix->factor == 0 && suffix->factor > best->factor) best = suffix;
  }
  return fmt::format("{}{}", value / best->factor, best->text);
}

}  // namespace

std::optional<sc_core::sc_time> parse_time(const std::string& text) {
  const auto ps = parse_scaled(text, kTimeSuffixes);
  if (!ps) return std::nullopt;
  return from_ps(*ps);
}
std::optional<Bytes> parse_bytes(const std::string& text) {
  return as<Bytes>(parse_scaled(text, kBytesSuffixes));
}
std::optional<BitRate> parse_bit_rate(const std::string& text) {
  return as<BitRate>(parse_scaled(text, kRateSuffixes));
}
std::optional<Frequency> parse_frequency(const std::string& text) {
  return as<Frequency>(parse_scaled(text, kFrequencySuffixes));
}

std::optional<Probability> parse_probability(const std::string& text) {
  // The text must start with a digit or a point: strtod alone would also take "inf", "nan", signs
  // and leading spaces.
  if (text.empty() || !((text[0] >= '0' && text[0] <= '9') || text[0] == '.') ||
      text.find_first_of("xX") != std::string::npos) {
    return std::nullopt;
  }
  char* end = nullptr;
  double share = std::strtod(text.c_str(), &end);
  if (end == text.c_str()) return std::nullopt;
  const std::string suffix(end);
  if (suffix == "%") {
    share /= 100;
  } else if (!suffix.empty()) {
    return std::nullopt;
  }
  if (!(share >= 0 && share <= 1)) return std::nullopt;
  return Probability{share};
}

std::string to_text(const sc_core::sc_time& t) {
  return whole_text(t.value(), kTimeSuffixes.data(), kTimeSuffixes.size());
}
std::string to_text(Bytes b) {
  return whole_text(b.count, kBytesSuffixes.data(), kBinaryBytesSuffixes);
}
std::string to_text(BitRate r) {
  return whole_text(r.bits_per_s, kRateSuffixes.data(), kRateSuffixes.size());
}
std::string to_text(Frequency f) {
  return whole_text(f.hz, kFrequencySuffixes.data(), kFrequencySuffixes.size());
}
std::string to_text(Probability p) { return fmt::format("{}", p.share); }

}  // namespace longhaul
