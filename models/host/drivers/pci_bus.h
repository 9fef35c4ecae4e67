// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/host/drivers/pci_function.h"

namespace longhaul::host {

/// The knowledge of firmware and kernel about a machine's PCI-X bus: the functions on it, and their
/// addresses.
class PciBus {
 public:
  /// `name` begins the messages of errors. Slots 1 to slots - 1 are scanned (0 is the bridge).
  PciBus(std::string name, std::uint32_t slots) : name_(std::move(name)), slots_(slots) {}

  /// Finds all functions, and gives them memory and ports, largest first. Memory begins at
  /// address_map::kMmioBegin (64-bit BARs: kHighMmioBegin), ports at kFirstPort. Called from a
  /// process; later calls do nothing. Throws ConfigError if a window is full.
  void scan();
  /// Throws ConfigError if there is no function at this place.
  const PciFunction& at(std::uint32_t slot, std::uint32_t function) const;
  const std::vector<PciFunction>& functions() const { return functions_; }

  /// The ports below belong to a PC's own devices.
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
