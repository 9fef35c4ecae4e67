// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "models/common/param.h"

namespace longhaul::pcix {

struct BusParams {
  Param<std::string> protocol{"protocol", "pcix", {Evidence::kChosen, "pcix (PCI-X 1.0) or pci (conventional 2.3)"}};
  Param<Frequency> clock{"clock",
                         {133'333'333},
                         {Evidence::kStandard, "PCI-X 1.0b, chapter 9: 66, 100 or 133 MHz"},
                         Range<Frequency>{{10'000'000}, {133'400'000}}};
  Param<std::uint32_t> width_bits{
      "width_bits", 64, {Evidence::kStandard, "PCI-X 1.0b, chapter 1: 64 or 32 bit"}, Range<std::uint32_t>{32, 64}};
  Param<std::uint32_t> arbitration_clocks{
      "arbitration_clocks", 4, {Evidence::kAssumed, "models/pcix/README.md#open-numbers"}, Range<std::uint32_t>{1, 16}};
  Param<std::uint32_t> retry_clocks{
      "retry_clocks", 16, {Evidence::kAssumed, "models/pcix/README.md#open-numbers"}, Range<std::uint32_t>{2, 1024}};
  Param<std::uint32_t> bridge_decode_clocks{"bridge_decode_clocks",
                                            1,
                                            {Evidence::kAssumed, "models/pcix/README.md#open-numbers"},
                                            Range<std::uint32_t>{1, 3}};
  Param<std::uint32_t> bridge_latency_timer{"bridge_latency_timer",
                                            64,
                                            {Evidence::kStandard, "PCI-X 1.0b, chapter 7: reset value in PCI-X mode"},
                                            Range<std::uint32_t>{8, 255}};
  auto fields() {
    return std::tie(protocol, clock, width_bits, arbitration_clocks, retry_clocks, bridge_decode_clocks,
                    bridge_latency_timer);
  }
};

/// The clocks that a transaction takes under the rules of PCI-X 1.0b or PCI 2.3: pure arithmetic, no state.
///
/// A tenure is `lead` clocks (address, attribute, target response, target's waits), then the data phases or the one clock of
/// a termination (Split Response, Retry, target abort), then one turn-around clock. README.md#clocks derives each.
class BusTiming {
 public:
  static constexpr std::uint32_t kTurnAround = 1;
  static constexpr std::uint32_t kTermination = 1;
  static constexpr std::uint32_t kConfigPreDrive = 4;

  /// Throws ConfigError, starting with `where`, when the mode does not exist.
  BusTiming(const BusParams& params, const std::string& where);

  bool is_pcix() const { return pcix_; }
  std::uint64_t period_ps() const { return period_ps_; }
  std::uint64_t ps(std::uint32_t clocks) const { return clocks * period_ps_; }
  std::uint32_t width_bytes() const { return width_bytes_; }
  /// Bytes that data phases bring in `ps`.
  std::uint64_t bytes_in(std::uint64_t ps) const { return ps / period_ps_ * width_bytes_; }
  /// The first clock edge at or after `at_ps`.
  std::uint64_t edge_ps(std::uint64_t at_ps) const { return (at_ps + period_ps_ - 1) / period_ps_ * period_ps_; }

  /// Clocks before the first data phase, for a target that answers after `decode_clocks` and then waits.
  std::uint32_t lead(std::uint64_t address, std::uint32_t decode_clocks, std::uint32_t wait_clocks = 0) const;
  /// Clocks before turn-around of a transaction that nobody claims.
  std::uint32_t master_abort(std::uint64_t address) const;
  /// Data phases of a burst: bus-wide words touched.
  std::uint32_t data(std::uint64_t address, std::uint32_t bytes) const;
  /// Bytes that a burst of `bytes` moves if its master has to stop `clocks` after the address phase began: to the next
  /// allowable disconnect boundary, with one data phase at least.
  std::uint32_t bytes_when_stopped(std::uint64_t address, std::uint32_t bytes, std::uint32_t lead,
                                   std::uint64_t clocks) const;
  /// Bytes from `address` that end at a disconnect boundary and are at most `room`; zero if no boundary lies so near.
  std::uint32_t bytes_that_fit(std::uint64_t address, std::uint32_t bytes, std::uint64_t room) const;
  /// Where bursts may be cut: 128 B in PCI-X, any data phase in conventional PCI.
  std::uint32_t boundary_bytes() const { return boundary_bytes_; }

 private:
  bool pcix_;
  std::uint64_t period_ps_;
  std::uint32_t width_bytes_;
  std::uint32_t boundary_bytes_;
};

}  // namespace longhaul::pcix
