// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/common/register_bank.h"
#include "models/nic/genesis/regs.h"
#include "models/pcix/pcix_device.h"

namespace longhaul::nic::genesis {

/// The 256 I/O ports of BAR 1. The lower half accesses block 0 of the registers; the upper half
/// accesses the block whose number is in RAP (FreeBSD sys/dev/sk/if_skreg.h). A block has 128
/// bytes.
class IoWindow final : public pcix::IoPorts {
 public:
  static constexpr std::uint32_t kBytes = 256;
  static constexpr std::uint8_t kBar = 1;
  static constexpr std::uint32_t kBlockBytes = kBytes / 2;

  explicit IoWindow(RegisterBank& bank) : bank_(bank) {}

  std::uint32_t io_read(std::uint32_t offset) override { return bank_.read(at(offset)); }
  void io_write(std::uint32_t offset, std::uint32_t value, std::uint32_t byte_mask) override {
    bank_.write(at(offset), value, byte_mask);
  }

 private:
  std::uint32_t at(std::uint32_t offset) const {
    return offset < kBlockBytes ? offset
                                : bank_.peek(regs::kRap) * kBlockBytes + offset - kBlockBytes;
  }

  RegisterBank& bank_;
};

}  // namespace longhaul::nic::genesis
