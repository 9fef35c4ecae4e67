// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace longhaul::hostbus {

/// Receives the end of a platform device's accesses to memory.
class DmaClient {
 public:
  virtual ~DmaClient() = default;
  virtual void dma_done(std::uint64_t tag, bool ok) = 0;
};

/// Calls of a platform device to the host's bus. They act at the present instant.
class DevicePort {
 public:
  virtual ~DevicePort() = default;
  /// Answers the oldest access that the device has not answered. `data` are the bytes of a read.
  virtual void answer(bool ok, const std::uint8_t* data) = 0;
  /// Sets the level of the device's interrupt line, active high.
  virtual void set_interrupt(bool level) = 0;
  /// Accesses of the device to memory. `data` must stay valid until dma_done(), which always comes
  /// later: a read's data are at `data` then, and a write's are in memory. An address that is not
  /// memory ends the access with ok = false.
  virtual void read_memory(std::uint64_t address, std::uint8_t* data, std::uint32_t bytes,
                           DmaClient& client, std::uint64_t tag) = 0;
  virtual void write_memory(std::uint64_t address, const std::uint8_t* data, std::uint32_t bytes,
                            DmaClient& client, std::uint64_t tag) = 0;
};

/// A device on the host's own bus, without a configuration space. A device tree tells its kind and
/// its address.
class PlatformDevice {
 public:
  virtual ~PlatformDevice() = default;
  /// Gives the device its port; called once, during elaboration.
  virtual void join(DevicePort& port) = 0;
  /// Bytes of the window of its registers.
  virtual std::uint64_t window_bytes() const = 0;
  /// An access of 1 to 8 bytes within an aligned quad-word; `address` is the offset in the window.
  /// The device answers in the order of the calls, during the call or later.
  virtual void read(std::uint64_t address, std::uint32_t bytes) = 0;
  virtual void write(std::uint64_t address, const std::uint8_t* data, std::uint32_t bytes) = 0;
};

}  // namespace longhaul::hostbus
