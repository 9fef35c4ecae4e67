// SPDX-License-Identifier: Apache-2.0
#include "models/pcix/bus_timing.h"

#include <fmt/format.h>

#include <algorithm>

namespace longhaul::pcix {
namespace {

constexpr std::uint32_t kAdbBytes = 128;                 // PCI-X 1.0b, chapter 2
constexpr std::uint64_t kFirstDualAddress = 1ULL << 32;  // a dual address cycle from here on
constexpr std::uint32_t kPcixDecodeLimit = 6;            // clocks after the address phase without DEVSEL#
constexpr std::uint32_t kPciDecodeLimit = 5;
constexpr std::uint64_t kFastestPciHz = 66'700'000;

}  // namespace

BusTiming::BusTiming(const BusParams& params, const std::string& where)
    : pcix_(params.protocol() == "pcix"),
      period_ps_(params.clock().period_ps()),
      width_bytes_(params.width_bits() / 8),
      boundary_bytes_(pcix_ ? kAdbBytes : width_bytes_) {
  if (!pcix_ && params.protocol() != "pci") {
    throw ConfigError(fmt::format("{}.protocol: '{}' is neither pcix nor pci", where, params.protocol()));
  }
  if (params.width_bits() != 64 && params.width_bits() != 32) {
    throw ConfigError(fmt::format("{}.width_bits: a bus is 64 or 32 bit wide, not {}", where, params.width_bits()));
  }
  if (!pcix_ && params.clock().hz > kFastestPciHz) {
    throw ConfigError(
        fmt::format("{}.clock: conventional PCI runs at 66.7MHz at most, not {}", where, to_text(params.clock())));
  }
}

std::uint32_t BusTiming::lead(std::uint64_t address, std::uint32_t decode_clocks, std::uint32_t wait_clocks) const {
  const std::uint32_t address_phases = address >= kFirstDualAddress ? 2 : 1;
  return address_phases + (pcix_ ? 1U : 0U) + decode_clocks + wait_clocks;
}

std::uint32_t BusTiming::master_abort(std::uint64_t address) const {
  return (address >= kFirstDualAddress ? 2U : 1U) + (pcix_ ? kPcixDecodeLimit : kPciDecodeLimit);
}

std::uint32_t BusTiming::data(std::uint64_t address, std::uint32_t bytes) const {
  const auto lane = static_cast<std::uint32_t>(address % width_bytes_);
  return (lane + bytes + width_bytes_ - 1) / width_bytes_;
}

std::uint32_t BusTiming::bytes_when_stopped(std::uint64_t address, std::uint32_t bytes, std::uint32_t lead,
                                            std::uint64_t clocks) const {
  const std::uint64_t phases = clocks > lead ? clocks - lead : 1;
  const std::uint64_t reached = (address / width_bytes_ + phases) * width_bytes_;
  const std::uint64_t end = (reached + boundary_bytes_ - 1) / boundary_bytes_ * boundary_bytes_;
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(end - address, bytes));
}

std::uint32_t BusTiming::bytes_that_fit(std::uint64_t address, std::uint32_t bytes, std::uint64_t room) const {
  if (room >= bytes) return bytes;
  const std::uint64_t end = (address + room) / boundary_bytes_ * boundary_bytes_;
  return end > address ? static_cast<std::uint32_t>(end - address) : 0;
}

}  // namespace longhaul::pcix
