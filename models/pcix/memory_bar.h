// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

namespace longhaul::pcix {

/// A base address register for memory (PCI 2.3, 6.2.5.1). A 64-bit one takes the next register,
/// too.
struct MemoryBar {
  std::uint8_t index = 0;   ///< number of its register: 0 to 5
  std::uint32_t bytes = 0;  ///< a power of two, 16 at least; 0: no BAR
  bool wide = false;        ///< 64 bits
  bool prefetchable = false;

  std::uint32_t type_bits() const { return (wide ? 4U : 0U) | (prefetchable ? 8U : 0U); }
};

/// The memory BARs of a function. Those with bytes come first.
using MemoryBars = std::array<MemoryBar, 6>;

}  // namespace longhaul::pcix
