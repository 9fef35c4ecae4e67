// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <utility>

#include "models/common/register_bank.h"

namespace longhaul {

/// A register as its SystemRDL description has it. `written` masks the bits for which a write has a
/// meaning, `kept` those that keep the written value, `shown` those that can read as non-zero.
struct RegisterInfo {
  const char* name;
  std::uint32_t offset;  ///< bytes, within the register's block
  std::uint32_t reset;
  std::uint32_t written;
  std::uint32_t kept;
  std::uint32_t shown;
  bool reset_known;  ///< false if no reset sets the register

  constexpr Access access() const {
    if (written == 0) return Access::kReadOnly;
    return shown == 0 ? Access::kWriteOnly : Access::kReadWrite;
  }
};

/// The description with another reset value, for a register whose reset value differs from block to
/// block.
constexpr RegisterInfo with_reset(RegisterInfo info, std::uint32_t reset) {
  info.reset = reset;
  return info;
}

/// Declares the described register in a block that begins at byte `base` of the bank.
inline Reg32 make_register(RegisterBank& bank, const RegisterInfo& info, std::uint32_t base = 0,
                           Reg32::OnRead on_read = {}, Reg32::OnWrite on_write = {}) {
  return Reg32(bank, info.name, base + info.offset, info.reset, info.access(), std::move(on_read),
               std::move(on_write));
}

}  // namespace longhaul
