// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace longhaul::hostbus {

/// Who is told that a platform device's access to memory is over.
class DmaClient {
 public:
  virtual ~DmaClient() = default;
  virtual void dma_done(std::uint64_t tag, bool ok) = 0;
};

/// The host's bus as a platform device sees it. Calls act at the present instant.
class DevicePort {
 public:
  virtual ~DevicePort() = default;
  /// The oldest access that the device has not answered is over. `data`: the bytes of a read.
  virtual void answer(bool ok, const std::uint8_t* data) = 0;
  /// The level of its interrupt line, active high.
  virtual void set_interrupt(bool level) = 0;
  /// Accesses of the device to memory; `data` stays until dma_done(), which comes later. A read's
  /// data are there by then, and a write's in memory. Addresses that are not memory's end without
  /// ok.
  virtual void read_memory(std::uint64_t address, std::uint8_t* data, std::uint32_t bytes,
                           DmaClient& client, std::uint64_t tag) = 0;
  virtual void write_memory(std::uint64_t address, const std::uint8_t* data, std::uint32_t bytes,
                            DmaClient& client, std::uint64_t tag) = 0;
};

/// A device on the host's own bus, without a configuration space: what it is and where, a device
/// tree tells.
class PlatformDevice {
 public:
  virtual ~PlatformDevice() = default;
  /// Once, while the machine is put together.
  virtual void join(DevicePort& port) = 0;
  /// Of its registers.
  virtual std::uint64_t window_bytes() const = 0;
  /// An access of 1 to 8 bytes within an aligned quad-word, `address` from the window's begin on.
  /// The device answers in the order of the calls, from within the call or later.
  virtual void read(std::uint64_t address, std::uint32_t bytes) = 0;
  virtual void write(std::uint64_t address, const std::uint8_t* data, std::uint32_t bytes) = 0;
};

}  // namespace longhaul::hostbus
