// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/host/drivers/pci_function.h"

namespace longhaul::host {

/// What firmware and kernel know of a machine's PCI-X bus: who is there, and at which addresses.
class PciBus {
 public:
  /// `name` starts the messages of its errors; slots 1 to slots - 1 are looked at (0 is the
  /// bridge).
  PciBus(std::string name, std::uint32_t slots) : name_(std::move(name)), slots_(slots) {}

  /// Finds all functions and gives them memory from address_map::kMmioBegin (64-bit BARs:
  /// from kHighMmioBegin) and ports from kFirstPort upwards, largest first; from a process, once:
  /// later calls do nothing. Throws ConfigError when the window is full.
  void scan();
  /// Throws ConfigError when there is nothing at this place.
  const PciFunction& at(std::uint32_t slot, std::uint32_t function) const;
  const std::vector<PciFunction>& functions() const { return functions_; }

  /// Below lie the ports of a PC's own devices.
  static constexpr std::uint64_t kFirstPort = 0x1000;

 private:
  struct Placed {
    std::size_t function;
    std::uint32_t bar;
    std::uint64_t bytes;
    bool io;
    bool wide;
  };
  void find();
  void place_all();

  std::string name_;
  std::uint32_t slots_;
  bool scanned_ = false;
  std::vector<PciFunction> functions_;
};

}  // namespace longhaul::host
