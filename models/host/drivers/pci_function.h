// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "models/host/kernel/processor.h"

namespace longhaul::host {

/// One function of a device, as software finds it in configuration space. Every access is a bus
/// transaction of the running processor and takes its time.
class PciFunction {
 public:
  static constexpr std::uint32_t kBars = 6;
  struct Bar {
    std::uint64_t address = 0;  ///< physical address; 0: there is no such BAR
    std::uint64_t bytes = 0;
    bool io = false;
    bool wide = false;  ///< 64 bits: the next register is its upper half
  };

  PciFunction(std::uint32_t slot, std::uint32_t function) : slot_(slot), function_(function) {}

  /// Reads the identity. Returns false if no function answers.
  bool probe();
  /// Finds the size of each base address register, with decoding switched off.
  void size_bars();
  /// Sets a BAR to a physical address.
  void place(std::uint32_t bar, std::uint64_t address);
  /// Enables decoding of the BARs and bus mastering, and sets the interrupt line.
  void enable();

  std::uint32_t slot() const { return slot_; }
  std::uint32_t function() const { return function_; }
  std::uint16_t vendor_id() const { return vendor_id_; }
  std::uint16_t device_id() const { return device_id_; }
  bool multifunction() const { return multifunction_; }
  const Bar& bar(std::uint32_t index) const { return bars_[index]; }
  /// The line of its pin by the board's wiring: INTA# of slot n is line n, INTB# is line n + 1
  /// (docs/interfaces.md).
  std::uint32_t interrupt_line() const { return line_; }

  std::uint32_t read(std::uint32_t offset, std::uint32_t size) const;
  void write(std::uint32_t offset, std::uint32_t value, std::uint32_t size) const;

 private:
  std::uint64_t address(std::uint32_t offset) const;

  std::uint32_t slot_;
  std::uint32_t function_;
  std::uint16_t vendor_id_ = 0xffff;
  std::uint16_t device_id_ = 0xffff;
  bool multifunction_ = false;
  std::uint32_t line_ = 0;
  std::array<Bar, kBars> bars_{};
};

}  // namespace longhaul::host
