// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace longhaul::guest {

/// Looks at a guest while it stands still in an exchange. It may read the guest's memory and must not change anything.
class GuestWatcher {
 public:
  virtual ~GuestWatcher() = default;
  /// The work before this exchange has been paid for: what the guest's memory holds is so at this simulated time.
  virtual void on_exchange() = 0;
  /// The guest's kernel writes to a device, at a physical address of its bus.
  virtual void on_write(std::uint64_t address) = 0;
};

}  // namespace longhaul::guest
