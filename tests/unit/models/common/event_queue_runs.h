// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <systemc>
#include <utility>
#include <vector>

#include "models/common/event_queue.h"

namespace longhaul::testing {

using Seen = std::vector<std::pair<char, std::uint64_t>>;  ///< who, and now_ps() then

inline std::uint64_t kernel_ps() { return to_ps(sc_core::sc_time_stamp()); }
inline void run_to(std::uint64_t at_ps) { sc_core::sc_start(from_ps(at_ps - kernel_ps())); }
/// With leave to be ahead of the kernel.
inline void run_ahead_to(std::uint64_t at_ps) {
  EventQueue::get().go_ahead(at_ps);
  run_to(at_ps);
}

}  // namespace longhaul::testing
