// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace longhaul::cosim {

/// Returns the current counters of all ports of a gnet1_top: sixteen a port, in the order of their
/// registers. `Root` is Verilator's class of the model's internals.
///
/// The function uses Verilator's name of a signal that is never optimised away. A signal made
/// public by Verilator's own means needs its DPI. The DPI's scopes deadlock in their destructors if
/// a program has two libraries made by Verilator (5.006).
template <class Root>
const std::uint32_t* gnet1_counters(const Root& root) {
  return root.gnet1_top__DOT__count.data();
}

}  // namespace longhaul::cosim
