// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace longhaul::wan {

/// Time in the format T of GNET-1's registers and stamps: bits 31:5 count 100 ns; bits 4:0 count 4
/// ns within that, 0 to 24.
///
/// Arithmetic is modulo 2^27 x 100 ns, as in rtl/gnet1/gnet1_pkg.sv. For times that do not wrap,
/// comparing the words compares the times.
struct Gnet1Time {
  static constexpr std::uint32_t kQuadsPerTenth = 25;  ///< 4 ns in 100 ns
  static constexpr std::uint64_t kQuadPs = 4'000;
  /// One clock of 31.25 MHz, the box's own; the step of delays.
  static constexpr std::uint64_t kClockPs = 32'000;
  static constexpr std::uint32_t kQuadsPerClock = 8;
  static constexpr std::uint32_t kTicksPerClock = 4;  ///< bytes of GMII, 8 ns each

  std::uint32_t word = 0;

  constexpr std::uint32_t tenths() const { return word >> 5; }
  constexpr std::uint32_t quads() const { return word & 31U; }
  /// The length in units of 4 ns. Only a write to a register can make a low part above 24, which
  /// counts as it is.
  constexpr std::uint64_t length_quads() const {
    return std::uint64_t{tenths()} * kQuadsPerTenth + quads();
  }

  /// The format for a length in units of 4 ns, modulo the range.
  static constexpr Gnet1Time of_quads(std::uint64_t quads) {
    return {static_cast<std::uint32_t>(quads / kQuadsPerTenth) << 5 |
            static_cast<std::uint32_t>(quads % kQuadsPerTenth)};
  }
  static constexpr Gnet1Time of_clocks(std::uint64_t clocks) {
    return of_quads(clocks * kQuadsPerClock);
  }
  /// The format for a length in ps, rounded up to 4 ns.
  static constexpr Gnet1Time of_ps(std::uint64_t ps) {
    return of_quads((ps + kQuadPs - 1) / kQuadPs);
  }
};

constexpr Gnet1Time operator+(Gnet1Time a, Gnet1Time b) {
  const std::uint32_t quads = a.quads() + b.quads();
  const bool carry = quads >= Gnet1Time::kQuadsPerTenth;
  return {(a.tenths() + b.tenths() + (carry ? 1U : 0U)) << 5 |
          ((carry ? quads - Gnet1Time::kQuadsPerTenth : quads) & 31U)};
}
constexpr Gnet1Time operator-(Gnet1Time a, Gnet1Time b) {
  const bool borrow = a.quads() < b.quads();
  return {(a.tenths() - b.tenths() - (borrow ? 1U : 0U)) << 5 |
          ((a.quads() + (borrow ? Gnet1Time::kQuadsPerTenth : 0U) - b.quads()) & 31U)};
}
constexpr bool operator==(Gnet1Time a, Gnet1Time b) { return a.word == b.word; }
constexpr bool operator!=(Gnet1Time a, Gnet1Time b) { return a.word != b.word; }

/// Whether `now` is at or after `due`, for times less than 6.7 s apart.
constexpr bool reached(Gnet1Time now, Gnet1Time due) { return ((now.word - due.word) >> 31) == 0; }

}  // namespace longhaul::wan
