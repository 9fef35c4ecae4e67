// SPDX-License-Identifier: Apache-2.0
#include "models/host/drivers/pci_bus.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/common/param.h"
#include "models/pcix/address_map.h"

namespace longhaul::host {

namespace map = pcix::address_map;

void PciBus::scan() {
  if (std::exchange(scanned_, true)) return;
  find();
  place_all();
  for (PciFunction& function : functions_) function.enable();
}

void PciBus::find() {
  constexpr std::uint32_t kFunctions = 8;  // PCI 2.3, 6.1
  for (std::uint32_t slot = 1; slot < slots_; ++slot) {
    for (std::uint32_t number = 0; number < kFunctions; ++number) {
      PciFunction function(slot, number);
      if (function.probe()) {
        function.size_bars();
        functions_.push_back(function);
      }
      if (number == 0 && !function.multifunction()) break;
    }
  }
}

void PciBus::place_all() {
  std::vector<Placed> wanted;
  for (std::size_t i = 0; i < functions_.size(); ++i) {
    for (std::uint32_t bar = 0; bar < PciFunction::kBars; ++bar) {
      const PciFunction::Bar& found = functions_[i].bar(bar);
      if (found.bytes != 0) wanted.push_back({i, bar, found.bytes, found.io, found.wide});
    }
  }
  // Sizes are powers of two, and each address is a multiple of the size. Placing the largest first
  // leaves no gaps.
  std::stable_sort(wanted.begin(), wanted.end(),
                   [](const Placed& a, const Placed& b) { return a.bytes > b.bytes; });
  std::uint64_t memory = map::kMmioBegin;
  std::uint64_t high = map::kHighMmioBegin;
  std::uint64_t port = map::kIoBegin + kFirstPort;
  for (const Placed& placed : wanted) {
    std::uint64_t& next = placed.io ? port : placed.wide ? high : memory;
    const std::uint64_t end = placed.io     ? map::kIoBegin + map::kIoBytes
                              : placed.wide ? map::kHighMmioEnd
                                            : map::kMmioEnd;
    const std::uint64_t address = (next + placed.bytes - 1) & ~(placed.bytes - 1);
    if (address + placed.bytes > end) {
      throw ConfigError(fmt::format(
          "{}: no room for the {} bytes of {} that BAR {} of slot {}, function {} wants", name_,
          placed.bytes, placed.io ? "I/O space" : "memory space", placed.bar,
          functions_[placed.function].slot(), functions_[placed.function].function()));
    }
    functions_[placed.function].place(placed.bar, address);
    next = address + placed.bytes;
  }
}

const PciFunction& PciBus::at(std::uint32_t slot, std::uint32_t function) const {
  for (const PciFunction& candidate : functions_) {
    if (candidate.slot() == slot && candidate.function() == function) return candidate;
  }
  throw ConfigError(
      fmt::format("{}: there is nothing in slot {}, function {}", name_, slot, function));
}

}  // namespace longhaul::host
