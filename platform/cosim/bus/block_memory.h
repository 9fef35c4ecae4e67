// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "platform/cosim/bus/bus_status.h"

namespace longhaul::cosim {

/// Who asked for an access to a BlockMemory.
class MemoryClient {
 public:
  virtual ~MemoryClient() = default;
  /// The access of this tag is over; in SystemC's time.
  virtual void memory_done(std::uint64_t tag, BusStatus status) = 0;
};

/// The memory that a block reaches as a manager. Called in SystemC's time.
///
/// `data` is the caller's and stays until memory_done(), which comes later, never from within the
/// call. Accesses may be done in any order. Lengths are those of a burst: up to 4 KiB from a block
/// that keeps its bus's rules, up to 16 KiB from another one.
class BlockMemory {
 public:
  virtual ~BlockMemory() = default;
  virtual void read(std::uint64_t address, std::uint8_t* data, std::uint32_t length,
                    MemoryClient& client, std::uint64_t tag) = 0;
  virtual void write(std::uint64_t address, const std::uint8_t* data, std::uint32_t length,
                     MemoryClient& client, std::uint64_t tag) = 0;
};

}  // namespace longhaul::cosim
