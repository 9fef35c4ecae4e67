// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <systemc>
#include <type_traits>

#include "models/common/wide_math.h"

namespace longhaul {

/// A number of bytes. Text form: "512B", "64KiB", "16MiB", "2GiB"; also kB, MB, GB as powers of
/// ten.
struct Bytes {
  std::uint64_t count = 0;
};

/// Bits per second. Text form: "10.3125Gb/s", "953Mb/s".
struct BitRate {
  std::uint64_t bits_per_s = 0;
};

/// Cycles per second. Text form: "2.2GHz", "133.333333MHz".
struct Frequency {
  std::uint64_t hz = 0;
  /// The length of one period in whole picoseconds, rounded to the nearest.
  std::uint64_t period_ps() const { return (1'000'000'000'000ULL + hz / 2) / hz; }
};

/// A share from 0 to 1. Text form: "0.1%", "1e-6"; a bare number is the share itself.
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

namespace detail {
/// The one number in an sc_time. SystemC's own accessors make a function call each time. The
/// platform runs at SystemC's default resolution of 1 ps.
using TimeValue = sc_core::sc_time::value_type;
static_assert(std::is_standard_layout_v<sc_core::sc_time> &&
              sizeof(sc_core::sc_time) == sizeof(TimeValue));

extern const TimeValue* const kKernelPs;  // sc_time_stamp()
// The same, or the time of the event queue while that is ahead of the kernel (event_queue.h).
extern const TimeValue* g_now_ps;
// While the event queue is ahead: the first instant at which the kernel has something to do.
inline std::uint64_t g_kernel_next_ps = 0;
}  // namespace detail

/// Whole picoseconds as sc_time.
inline sc_core::sc_time from_ps(std::uint64_t ps) {
  sc_core::sc_time t;
  reinterpret_cast<detail::TimeValue&>(t) = ps;
  return t;
}
inline std::uint64_t to_ps(const sc_core::sc_time& t) { return t.value(); }

/// The present time: sc_time_stamp(), or the time of the timer that goes off (event_queue.h).
/// Called about a thousand times a frame.
inline std::uint64_t now_ps() { return *detail::g_now_ps; }
inline sc_core::sc_time now() { return from_ps(now_ps()); }

/// Notifies an event `ps` from now; 0 means in the next delta cycle. Code that a timer may reach
/// must use this; other code may call notify() as usual.
inline void notify_in(sc_core::sc_event& event, std::uint64_t ps) {
  detail::g_kernel_next_ps = std::min(detail::g_kernel_next_ps, now_ps() + ps);
  event.notify(from_ps(now_ps() + ps - *detail::kKernelPs));
}
/// Notifies an event at once. If a timer runs ahead of the kernel, the notification comes when the
/// kernel has reached the timer's instant.
inline void notify_now(sc_core::sc_event& event) {
  if (now_ps() != *detail::kKernelPs) return notify_in(event, 0);
  detail::g_kernel_next_ps = now_ps();
  event.notify();
}

/// The time for `bytes` at `rate`, in whole picoseconds, rounded up: a wire never runs faster than
/// its rate.
inline std::uint64_t transfer_ps(std::uint64_t bytes, BitRate rate) {
  return times_over(bytes, 8'000'000'000'000ULL, rate.bits_per_s - 1, rate.bits_per_s);
}

/// Reads a text form. No value if the text does not have that form.
std::optional<sc_core::sc_time> parse_time(const std::string& text);  ///< "345ns", "10ms", "1s"
std::optional<Bytes> parse_bytes(const std::string& text);
std::optional<BitRate> parse_bit_rate(const std::string& text);
std::optional<Frequency> parse_frequency(const std::string& text);
std::optional<Probability> parse_probability(const std::string& text);

/// The shortest exact text form: parse_*(to_text(x)) gives x back.
std::string to_text(const sc_core::sc_time& t);
std::string to_text(Bytes b);
std::string to_text(BitRate r);
std::string to_text(Frequency f);
std::string to_text(Probability p);

}  // namespace longhaul
