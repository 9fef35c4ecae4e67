// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <systemc>

namespace longhaul {

/// A number of bytes; text form "512B", "64KiB", "16MiB", "2GiB" (also kB, MB, GB as powers of ten).
struct Bytes {
  std::uint64_t count = 0;
};

/// Bits per second; text form "10.3125Gb/s", "953Mb/s".
struct BitRate {
  std::uint64_t bits_per_s = 0;
};

/// Cycles per second; text form "2.2GHz", "133.333333MHz".
struct Frequency {
  std::uint64_t hz = 0;
  /// Length of one period in whole picoseconds, rounded to nearest.
  std::uint64_t period_ps() const { return (1'000'000'000'000ULL + hz / 2) / hz; }
};

/// A share from 0 to 1; text form "0.1%", "1e-6" (a bare number is the share itself).
struct Probability {
  double share = 0;
};

constexpr bool operator==(Bytes a, Bytes b) { return a.count == b.count; }
constexpr bool operator<(Bytes a, Bytes b) { return a.count < b.count; }
constexpr bool operator==(BitRate a, BitRate b) { return a.bits_per_s == b.bits_per_s; }
constexpr bool operator<(BitRate a, BitRate b) { return a.bits_per_s < b.bits_per_s; }
constexpr bool operator==(Frequency a, Frequency b) { return a.hz == b.hz; }
constexpr bool operator<(Frequency a, Frequency b) { return a.hz < b.hz; }
constexpr bool operator==(Probability a, Probability b) { return a.share == b.share; }
constexpr bool operator<(Probability a, Probability b) { return a.share < b.share; }

namespace units {
constexpr Bytes KiB(std::uint64_t n) { return {n << 10}; }
constexpr Bytes MiB(std::uint64_t n) { return {n << 20}; }
constexpr Bytes GiB(std::uint64_t n) { return {n << 30}; }
constexpr Frequency MHz(std::uint64_t n) { return {n * 1'000'000}; }
}  // namespace units

/// Whole picoseconds as sc_time (the platform runs at SystemC's default resolution of 1 ps).
inline sc_core::sc_time from_ps(std::uint64_t ps) { return sc_core::sc_time::from_value(ps); }
inline std::uint64_t to_ps(const sc_core::sc_time& t) { return t.value(); }
/// Present time; sc_time_stamp() without its call, of which there are a thousand a frame.
inline std::uint64_t now_ps() { return sc_core::sc_get_curr_simcontext()->time_stamp().value(); }

/// Time that `bytes` take at `rate`, in whole picoseconds, rounded up: a wire never runs faster than its rate.
inline std::uint64_t transfer_ps(std::uint64_t bytes, BitRate rate) {
  const unsigned __int128 bit_ps = static_cast<unsigned __int128>(bytes) * 8U * 1'000'000'000'000ULL;
  return static_cast<std::uint64_t>((bit_ps + rate.bits_per_s - 1) / rate.bits_per_s);
}

/// Reads a text form; no value when the text is not of that form.
std::optional<sc_core::sc_time> parse_time(const std::string& text);  ///< "345ns", "10ms", "1s"
std::optional<Bytes> parse_bytes(const std::string& text);
std::optional<BitRate> parse_bit_rate(const std::string& text);
std::optional<Frequency> parse_frequency(const std::string& text);
std::optional<Probability> parse_probability(const std::string& text);

/// The shortest exact text form; parse_*(to_text(x)) gives x back.
std::string to_text(const sc_core::sc_time& t);
std::string to_text(Bytes b);
std::string to_text(BitRate r);
std::string to_text(Frequency f);
std::string to_text(Probability p);

}  // namespace longhaul
