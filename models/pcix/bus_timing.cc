// SPDX-License-Identifier: Apache-2.0
#include "models/pcix/bus_timing.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/common/echo.h"

namespace longhaul::pcix {
namespace {

constexpr std::uint32_t kAdbBytes = 128;                 // PCI-X 1.0b, chapter 2
constexpr std::uint64_t kFirstDualAddress = 1ULL << 32;  // a dual address cycle from here on
// PCI-X 1.0b, chapter 2: IDSEL settles through a resistor.
constexpr std::uint32_t kConfigPreDrive = 4;
// Clocks without DEVSEL# until the master gives up. PCI-X masters look until the sixth clock after
// the address phase; their inputs and outputs are registered, so they release the bus two clocks
// later. Conventional masters look until the fourth clock (subtractive decode). They release FRAME#
// in the next clock and IRDY# in the one after.
constexpr std::uint32_t kPcixAbortResponse = 6;  // after the attribute phase
constexpr std::uint32_t kPciAbortResponse = 5;   // after the address phase
constexpr std::uint64_t kFastestPciHz = 66'700'000;
constexpr std::uint64_t kFastestMode2Hz = 133'400'000;

}  // namespace

BusTiming::BusTiming(const BusParams& params, const std::string& where)
    : pcix_(params.protocol() == "pcix"),
      period_ps_(params.clock().period_ps()),
      width_bytes_(params.width_bits() / 8),
      subphases_(params.data_subphases()),
      boundary_bytes_(pcix_ ? kAdbBytes : width_bytes_),
      arbitration_clocks_(pcix_ ? params.arbitration_clocks() : params.arbitration_clocks() / 2),
      stride_(pcix_ ? 1 : 1 + params.subsequent_wait_clocks()),
      beat_ps_(period_ps_.value() * stride_) {
  if (!pcix_ && params.protocol() != "pci") {
    throw ConfigError(
        fmt::format("{}.protocol: '{}' is neither pcix nor pci", where, echo(params.protocol())));
  }
  if (params.width_bits() != 64 && params.width_bits() != 32) {
    throw ConfigError(fmt::format("{}.width_bits: a bus is 64 or 32 bit wide, not {}", where,
                                  params.width_bits()));
  }
  if (!pcix_ && params.clock().hz > kFastestPciHz) {
    throw ConfigError(fmt::format("{}.clock: conventional PCI runs at 66.7MHz at most, not {}",
                                  where, to_text(params.clock())));
  }
  if (subphases_ == 1) return;
  if (!pcix_ || params.clock().hz > kFastestMode2Hz || (subphases_ != 2 && subphases_ != 4)) {
    throw ConfigError(
        fmt::format("{}.data_subphases: 2 (PCI-X 266) or 4 (PCI-X 533) want protocol pcix and a "
                    "clock of 133.4MHz at "
                    "most; here are {} with {} at {}",
                    where, subphases_, params.protocol(), to_text(params.clock())));
  }
}

Phases BusTiming::opening(std::uint64_t address, std::uint32_t decode_clocks,
                          std::uint32_t wait_clocks) const {
  Phases phases;
  phases.address = address >= kFirstDualAddress ? 2 : 1;
  phases.attribute = pcix_ ? 1 : 0;
  phases.response = decode_clocks;
  phases.wait = wait_clocks;
  return phases;
}

Phases BusTiming::configuration(std::uint32_t decode_clocks, std::uint32_t wait_clocks) const {
  Phases phases = opening(0, decode_clocks, wait_clocks);
  if (pcix_) phases.pre_drive = kConfigPreDrive;
  return phases;
}

Phases BusTiming::master_abort(std::uint64_t address) const {
  return opening(address, pcix_ ? kPcixAbortResponse : kPciAbortResponse);
}

void BusTiming::add_data(Phases& phases, std::uint64_t address, std::uint32_t bytes,
                         std::uint32_t width) const {
  phases.data = data(address, bytes, width);
  phases.stalls = (phases.data - 1) * (stride_ - 1);
  // With registered inputs and outputs, a master sees a data phase two clocks later and holds IRDY#
  // until then. With two or more data phases that clock is over when the last one is.
  phases.release = pcix_ && phases.data == 1 ? 1 : 0;
}

void BusTiming::add_termination(Phases& phases, bool burst) const {
  phases.termination = 1;
  // PCI-X: as after a single data phase. PCI: a master with FRAME# asserted releases it in the next
  // clock, and IRDY# in the one after.
  phases.release = pcix_ || burst ? 1 : 0;
}

void BusTiming::add_target_disconnect(Phases& phases) const {
  if (!pcix_) phases.release = 1;
}

std::uint32_t BusTiming::data(std::uint64_t address, std::uint32_t bytes,
                              std::uint32_t width) const {
  const auto lane = static_cast<std::uint32_t>(address & (width - 1));
  return (lane + bytes + width - 1) / width;
}

std::uint32_t BusTiming::bytes_when_stopped(std::uint64_t address, std::uint32_t bytes,
                                            std::uint32_t width, std::uint32_t lead,
                                            std::uint64_t clocks) const {
  // Conventional PCI releases FRAME# with the last data phase, PCI-X one clock before it.
  const std::uint64_t last = clocks + (pcix_ ? 1 : 0);
  const std::uint64_t phases = last > lead ? (last - lead) / stride_ + 1 : 1;
  const std::uint64_t reached = address - (address & (width - 1)) + phases * width;
  const std::uint64_t boundary = pcix_ ? boundary_bytes_ : width;
  const std::uint64_t end = (reached + boundary - 1) & ~(boundary - 1);
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(end - address, bytes));
}

std::uint32_t BusTiming::bytes_that_fit(std::uint64_t address, std::uint32_t bytes,
                                        std::uint64_t room) const {
  if (room >= bytes) return bytes;
  const std::uint64_t end = (address + room) / boundary_bytes_ * boundary_bytes_;
  return end > address ? static_cast<std::uint32_t>(end - address) : 0;
}

}  // namespace longhaul::pcix
