// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "platform/cosim/bus/bus_status.h"

namespace longhaul::cosim {

/// Receives the results of accesses to a RegisterPort.
class RegisterClient {
 public:
  virtual ~RegisterClient() = default;
  /// Called in SystemC's time of the edge at which the access ended. `data` are the bytes of a
  /// read, all ones if the status is not kOk; nullptr for a write. New accesses may be made in this
  /// call.
  virtual void access_done(std::uint64_t tag, BusStatus status, const std::uint8_t* data) = 0;
};

/// Registers of a block behind any bus, with the block as the subordinate.
///
/// Accesses have 1 to 8 bytes at any address. An access that spans words of the bus is made word by
/// word, in rising order, with the matching byte strobes, and ends with the first error. Accesses
/// are made one after the other, in the order of the calls. Call in SystemC's time; acts on edges
/// after that. Throws std::invalid_argument for another number of bytes.
class RegisterPort {
 public:
  virtual ~RegisterPort() = default;
  virtual void read(std::uint64_t address, std::uint32_t bytes, std::uint64_t tag) = 0;
  virtual void write(std::uint64_t address, const std::uint8_t* data, std::uint32_t bytes,
                     std::uint64_t tag) = 0;
};

}  // namespace longhaul::cosim
