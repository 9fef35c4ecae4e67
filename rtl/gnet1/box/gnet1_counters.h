// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace longhaul::cosim {

/// All counters of all ports of a gnet1_top as they are now, sixteen a port in the order of their
/// registers; `Root` is what Verilator made of what is inside. Its name for a signal that nothing
/// optimises away is all that this needs: Verilator's own way to make one public brings in its DPI,
/// whose scopes deadlock in their destructors when a program has two libraries of its making
/// (5.006).
template <class Root>
const std::uint32_t* gnet1_counters(const Root& root) {
  return root.gnet1_top__DOT__count.data();
}

}  // namespace longhaul::cosim
