// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/common/register_bank.h"
#include "models/pcix/pcix_device.h"

namespace longhaul::nic {

/// I/O ports through which all registers of a bank are accessed, at their own offsets.
class RegisterPorts final : public pcix::IoPorts {
 public:
  explicit RegisterPorts(RegisterBank& bank) : bank_(bank) {}
  std::uint32_t io_read(std::uint32_t offset) override { return bank_.read(offset); }
  void io_write(std::uint32_t offset, std::uint32_t value, std::uint32_t byte_mask) override {
    bank_.write(offset, value, byte_mask);
  }

 private:
  RegisterBank& bank_;
};

}  // namespace longhaul::nic
