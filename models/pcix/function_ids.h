// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace longhaul::pcix {

/// Vendor and device of a function, from its configuration space (PCI 2.3, 6.2.1).
struct FunctionIds {
  std::uint16_t vendor;
  std::uint16_t device;
};

inline bool operator==(const FunctionIds& a, const FunctionIds& b) {
  return a.vendor == b.vendor && a.device == b.device;
}

}  // namespace longhaul::pcix
