// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "models/pcix/bus/place.h"
#include "models/pcix/host_port.h"

namespace longhaul::pcix {

/// Accesses of the bridge to memory and I/O ports that ended with Master-Abort, because no function
/// claimed the address: software reads ones, and what it writes is lost.
class UnclaimedAccesses {
 public:
  /// A base address register, and what it maps.
  struct Bar {
    std::uint32_t slot;
    std::uint32_t function;
    std::uint32_t index;  ///< which base address register: 0 to 5
    std::uint64_t begin;  ///< bus address, or port
    std::uint64_t bytes;
  };
  struct Access {
    HostRequest::Kind kind;
    std::uint64_t address;
    std::uint32_t length;  ///< bytes
    std::uint64_t end_ps;
    /// The base address register that begins nearest below the address; none if all are above it.
    /// If the address lies in its range, the function's decoding is off (command register).
    std::optional<Bar> nearest;
  };

  /// Counts a request of the bridge that nobody claimed. Those to configuration space are not
  /// counted: that is how firmware and kernel find empty slots.
  void note(const HostRequest& request, const std::vector<Place>& places);
  std::uint64_t count() const { return count_; }
  const std::optional<Access>& first() const { return first_; }

 private:
  std::uint64_t count_ = 0;
  std::optional<Access> first_;
};

}  // namespace longhaul::pcix
