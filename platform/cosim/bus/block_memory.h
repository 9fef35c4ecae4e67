// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "platform/cosim/bus/bus_status.h"

namespace longhaul::cosim {

/// The requester of an access to a BlockMemory.
class MemoryClient {
 public:
  virtual ~MemoryClient() = default;
  /// The access with this tag is over. Called in SystemC's time.
  virtual void memory_done(std::uint64_t tag, BusStatus status) = 0;
};

/// The memory that a block reaches as a manager. Called in SystemC's time.
///
/// `data` is the caller's and must stay valid until memory_done(), which always comes later.
/// Accesses may complete in any order. Lengths are those of a burst: up to 4 KiB from a block that
/// keeps the rules of its bus, otherwise up to 16 KiB.
class BlockMemory {
 public:
  virtual ~BlockMemory() = default;
  virtual void read(std::uint64_t address, std::uint8_t* data, std::uint32_t length,
                    MemoryClient& client, std::uint64_t tag) = 0;
  virtual void write(std::uint64_t address, const std::uint8_t* data, std::uint32_t length,
                     MemoryClient& client, std::uint64_t tag) = 0;
};

}  // namespace longhaul::cosim
