// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "models/common/divisor.h"
#include "models/common/param.h"

namespace longhaul::pcix {

struct BusParams {
  Param<std::string> protocol{"protocol",
                              "pcix",
                              "PCI-X, or conventional PCI on the same slots",
                              {Evidence::kChosen, "pcix (PCI-X 1.0) or pci (conventional 2.3)"},
                              {"pcix", "pci"}};
  Param<Frequency> clock{
      "clock",
      {133'333'333},
      "clock of the bus",
      {Evidence::kStandard,
       "PCI-X 1.0b, chapter 9: 66, 100 or 133 MHz; 2.0 keeps them, with data_subphases"},
      Range<Frequency>{{10'000'000}, {533'400'000}}};
  Param<std::uint32_t> width_bits{"width_bits",
                                  64,
                                  "width of the data lines, bits",
                                  {Evidence::kStandard, "PCI-X 1.0b, chapter 1: 64 or 32 bit"},
                                  Range<std::uint32_t>{32, 64}};
  Param<std::uint32_t> data_subphases{
      "data_subphases",
      1,
      "words that a data phase of a pushing burst moves (PCI-X 2.0)",
      {Evidence::kStandard,
       "PCI-X 2.0: 1 in mode 1, in mode 2 two (PCI-X 266) or four "
       "(PCI-X 533) of a burst that pushes"},
      Range<std::uint32_t>{1, 4}};
  Param<std::uint32_t> arbitration_clocks{
      "arbitration_clocks",
      4,
      "clocks from REQ# to FRAME# on an idle bus",
      {Evidence::kStandard,
       "registered inputs and outputs: two clocks from REQ# to GNT#, two to "
       "FRAME#; half in PCI (models/pcix/README.md#clocks)"},
      Range<std::uint32_t>{2, 16}};
  Param<bool> parks_on_last_master{"parks_on_last_master",
                                   false,
                                   "an idle bus stays granted to its last master",
                                   {Evidence::kAssumed, "models/pcix/README.md#open-numbers"}};
  Param<std::uint32_t> retry_clocks{"retry_clocks",
                                    16,
                                    "clocks from a Retry to the next attempt",
                                    {Evidence::kAssumed, "models/pcix/README.md#open-numbers"},
                                    Range<std::uint32_t>{2, 1024}};
  Param<std::uint32_t> bridge_decode_clocks{
      "bridge_decode_clocks",
      1,
      "clocks after which the bridge answers with DEVSEL#",
      {Evidence::kAssumed, "models/pcix/README.md#open-numbers"},
      Range<std::uint32_t>{1, 3}};
  Param<std::uint32_t> bridge_latency_timer{
      "bridge_latency_timer",
      64,
      "Latency Timer of the bridge as a master, clocks",
      {Evidence::kStandard, "PCI-X 1.0b, chapter 7: reset value in PCI-X mode"},
      Range<std::uint32_t>{8, 255}};
  Param<std::uint32_t> bridge_wait_clocks{
      "bridge_wait_clocks",
      0,
      "initial wait states of the bridge as a target, clocks",
      {Evidence::kAssumed, "models/pcix/README.md#open-numbers"},
      Range<std::uint32_t>{0, 12}};
  Param<std::uint32_t> subsequent_wait_clocks{
      "subsequent_wait_clocks",
      0,
      "wait states between data phases in conventional PCI, clocks",
      {Evidence::kAssumed, "models/pcix/README.md#open-numbers"},
      Range<std::uint32_t>{0, 7}};
  auto fields() {
    return std::tie(protocol, clock, width_bits, data_subphases, arbitration_clocks,
                    parks_on_last_master, retry_clocks, bridge_decode_clocks, bridge_latency_timer,
                    bridge_wait_clocks, subsequent_wait_clocks);
  }
};

/// The clocks of one tenure of the bus, phase by phase in their order. One turn-around clock
/// follows.
struct Phases {
  std::uint32_t pre_drive = 0;  ///< configuration in PCI-X: address driven ahead of FRAME#
  std::uint32_t address = 0;
  std::uint32_t attribute = 0;
  /// Until DEVSEL# (PCI-X); the clock after which DEVSEL# may come (PCI).
  std::uint32_t response = 0;
  std::uint32_t wait = 0;    ///< initial wait states of the target
  std::uint32_t data = 0;    ///< data phases
  std::uint32_t stalls = 0;  ///< conventional PCI: wait states of the target between data phases
  /// Split Response, Retry, Target-Abort: a data phase without data.
  std::uint32_t termination = 0;
  /// FRAME# or IRDY# is still asserted, since the master sees the end a clock later.
  std::uint32_t release = 0;

  std::uint32_t lead() const { return pre_drive + address + attribute + response + wait; }
  std::uint32_t clocks() const { return lead() + data + stalls + termination + release; }
  /// Clocks until the last byte has moved or the termination is seen.
  std::uint32_t clocks_to_end() const { return clocks() - release; }
};

/// The clocks of a transaction under the rules of PCI-X 1.0b and 2.0 or PCI 2.3. Pure arithmetic,
/// without state.
///
/// README.md#clocks derives each number. `width` is the common width of master and target in bytes,
/// at most that of the bus.
class BusTiming {
 public:
  static constexpr std::uint32_t kTurnAround = 1;

  /// Throws ConfigError whose message starts with `where` if the mode does not exist.
  BusTiming(const BusParams& params, const std::string& where);

  bool is_pcix() const { return pcix_; }
  std::uint64_t period_ps() const { return period_ps_.value(); }
  std::uint64_t ps(std::uint32_t clocks) const { return clocks * period_ps_.value(); }
  std::uint32_t width_bytes() const { return width_bytes_; }
  /// Words of a data phase in a burst whose sender drives strobes: memory writes and split
  /// completions. All other transactions, and the phases before data, use the common clock (PCI-X
  /// 2.0).
  std::uint32_t subphases() const { return subphases_; }
  /// Clocks from REQ# to FRAME# on an idle bus.
  std::uint32_t arbitration_clocks() const { return arbitration_clocks_; }
  /// Bytes that the data phases of such a burst move in `ps`.
  std::uint64_t bytes_in(std::uint64_t ps) const {
    return beat_ps_.quotient(ps) * width_bytes_ * subphases_;
  }
  /// Time from the first to the last data phase of such a burst at the bus's full width.
  std::uint64_t burst_ps(std::uint64_t address, std::uint32_t bytes) const {
    const std::uint32_t phases = data(address, bytes, width_bytes_ * subphases_);
    return ps(phases + (phases - 1) * (stride_ - 1));
  }
  /// The first clock edge at or after `at_ps`.
  std::uint64_t edge_ps(std::uint64_t at_ps) const { return clocks_in(at_ps) * period_ps_.value(); }
  /// Clocks that cover `ps`.
  std::uint64_t clocks_in(std::uint64_t ps) const {
    return period_ps_.quotient(ps + period_ps_.value() - 1);
  }

  /// The phases up to the first data phase, for a target that answers after `decode_clocks` and
  /// then waits.
  Phases opening(std::uint64_t address, std::uint32_t decode_clocks,
                 std::uint32_t wait_clocks = 0) const;
  /// The phases of a configuration access up to its data phase.
  Phases configuration(std::uint32_t decode_clocks, std::uint32_t wait_clocks = 0) const;
  /// All phases of a transaction that no target claims.
  Phases master_abort(std::uint64_t address) const;
  /// Appends the data phases of `bytes` at `address` to `phases`.
  void add_data(Phases& phases, std::uint64_t address, std::uint32_t bytes,
                std::uint32_t width) const;
  /// Appends a termination without data (Split Response, Retry, Target-Abort) to `phases`. `burst`:
  /// FRAME# is asserted.
  void add_termination(Phases& phases, bool burst) const;
  /// Adds the clocks of a burst that the target, not the master, ends after its data phases. None
  /// in PCI-X, where both count to the boundary.
  void add_target_disconnect(Phases& phases) const;

  /// Data phases of a burst: units of `width` bytes that it touches.
  std::uint32_t data(std::uint64_t address, std::uint32_t bytes, std::uint32_t width) const;
  /// Bytes that a burst of `bytes` moves if its master learns, `clocks` after FRAME#, that it must
  /// stop. It stops at the next allowable disconnect boundary that it can still announce, and moves
  /// at least one data phase.
  std::uint32_t bytes_when_stopped(std::uint64_t address, std::uint32_t bytes, std::uint32_t width,
                                   std::uint32_t lead, std::uint64_t clocks) const;
  /// The most bytes from `address` that end at a disconnect boundary, or with the burst, and are at
  /// most `room`. Zero if no boundary is so near.
  std::uint32_t bytes_that_fit(std::uint64_t address, std::uint32_t bytes,
                               std::uint64_t room) const;
  /// Spacing of the boundaries at which bursts may be cut: 128 B in PCI-X, one data phase in
  /// conventional PCI.
  std::uint32_t boundary_bytes() const { return boundary_bytes_; }

 private:
  bool pcix_;
  Divisor period_ps_;
  std::uint32_t width_bytes_;
  std::uint32_t subphases_;
  std::uint32_t boundary_bytes_;
  std::uint32_t arbitration_clocks_;
  std::uint32_t stride_;  // clocks from one data phase to the next
  Divisor beat_ps_;       // stride_ as a time
};

}  // namespace longhaul::pcix
