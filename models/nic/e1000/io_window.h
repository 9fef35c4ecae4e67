// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/common/register_bank.h"
#include "models/pcix/pcix_device.h"

namespace longhaul::nic::e1000 {

/// IOADDR and IODATA: two I/O ports through which a driver reaches every register. Drivers use them
/// to reset parts whose CTRL.RST must not be written through memory (8254x SDM, 13.2.2).
///
/// IOADDR (port 0) holds 20 bits. IODATA (port 4) accesses the register at that offset, up to the
/// end of `bank`. Beyond it there is no flash: it reads as zero and ignores writes. Both ports take
/// whole DWORDs only; narrower writes are ignored. A device reset does not change IOADDR.
class IoWindow final : public pcix::IoPorts {
 public:
  static constexpr std::uint32_t kBytes = 8;  ///< 8254x SDM, 4.1: I/O register space
  static constexpr std::uint8_t kBar = 2;     ///< 8254x SDM, 4.1: for memory BARs of 32 bits

  explicit IoWindow(RegisterBank& bank) : bank_(bank) {}

  std::uint32_t io_read(std::uint32_t offset) override;
  void io_write(std::uint32_t offset, std::uint32_t value, std::uint32_t byte_mask) override;

 private:
  RegisterBank& bank_;
  std::uint32_t address_ = 0;
};

}  // namespace longhaul::nic::e1000
