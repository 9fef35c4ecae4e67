// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/rtl/nic/twin/twin_memory.h"
#include "tests/rtl/nic/twin/wire_end.h"

namespace longhaul::nic_twin {

/// An access of software to a register, 1, 2 or 4 bytes.
struct Access {
  bool is_read = false;
  std::uint32_t offset = 0;
  std::uint32_t value = 0;
  std::uint32_t bytes = 4;
  std::uint64_t at_ps = 0;      ///< of an action: from the phase's traffic on
  std::uint64_t settle_ps = 0;  ///< software waits that long behind it
};

inline Access write_of(std::uint32_t offset, std::uint32_t value) {
  return {false, offset, value, 4, 0, 0};
}

/// Bytes that software stores in host memory.
struct Store {
  std::uint64_t address = 0;
  std::vector<std::uint8_t> bytes;
};

/// How long a cut link stays so.
constexpr std::uint64_t kDarkPs = 40'000'000;

/// The work of both machines from one rest to the next. Times are from the phase's begin.
struct Phase {
  std::string name;
  bool reset = false;  ///< it begins with CTRL0.RST
  MemoryPace pace;
  std::vector<Store> stores;             ///< before all accesses
  std::uint64_t setup_ps = 250'000'000;  ///< from its begin to the traffic's
  std::vector<Access> setup;             ///< one after another, before the traffic
  std::vector<Access> actions;           ///< in order of their times
  std::vector<LineFrame> frames;         ///< times are from the traffic on
  std::vector<Access> closing;           ///< at rest, when the traffic is over
  std::uint64_t rest_ps = 0;             ///< how long nothing happens at rest
  bool alone = false;                    ///< frames and packets are far apart, and memory is fast
  std::uint32_t buffer = 2048;           ///< bytes of a receive buffer
  bool handler = false;                  ///< each interrupt is answered by a read of ICR
  bool dark = false;                     ///< the link is cut from the traffic's begin for kDarkPs
  bool cut = false;  ///< a reset under load: what left before it is a matter of time
};

}  // namespace longhaul::nic_twin
