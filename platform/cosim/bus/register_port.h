// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "platform/cosim/bus/bus_status.h"

namespace longhaul::cosim {

/// Who is told how accesses of a RegisterPort ended.
class RegisterClient {
 public:
  virtual ~RegisterClient() = default;
  /// In SystemC's time of the edge at which the access ended. `data`: the bytes of a read, nullptr
  /// for a write; all ones where the status is not kOk. New accesses may be made from here.
  virtual void access_done(std::uint64_t tag, BusStatus status, const std::uint8_t* data) = 0;
};

/// Registers of a block, whatever bus they lie behind: the block is the subordinate.
///
/// Accesses have 1 to 8 bytes at any address; what lies across words of the bus is made word by
/// word, in rising order, with the byte strobes that belong to it, and ends with the first error.
/// Accesses are made one after the other in the order of the calls. Call in SystemC's time; acts on
/// edges after it. Errors: std::invalid_argument for any other number of bytes.
class RegisterPort {
 public:
  virtual ~RegisterPort() = default;
  virtual void read(std::uint64_t address, std::uint32_t bytes, std::uint64_t tag) = 0;
  virtual void write(std::uint64_t address, const std::uint8_t* data, std::uint32_t bytes,
                     std::uint64_t tag) = 0;
};

}  // namespace longhaul::cosim
