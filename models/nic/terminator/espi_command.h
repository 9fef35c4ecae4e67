// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "models/common/register_bank.h"
#include "models/common/units.h"
#include "models/nic/terminator/regs_mac.h"

namespace longhaul::nic::terminator {

/// ESPI's indirect registers, those of the SPI-4.2 macro (TriCN): a command in ESPI_CMD_ADDR, which
/// a write of ESPI_GOSTAT starts. The macro has one bundle of three modules, each with 16 channels
/// of 16 registers. They store what is written.
class EspiCommand {
 public:
  EspiCommand(RegisterBank& bank, Frequency core_clock);
  void reset();

 private:
  static constexpr std::uint32_t kClocks = 16;  ///< of a command: README.md#open-numbers
  static constexpr std::uint32_t kModules = 3;
  static constexpr std::uint32_t kRegistersOfAModule = 16 * 16;

  void start();
  std::uint32_t state() const;

  const std::uint64_t clock_ps_;
  std::uint64_t busy_until_ps_ = 0;
  std::uint32_t result_ = 0;
  std::array<std::uint8_t, std::size_t{kModules} * kRegistersOfAModule> registers_{};
  Reg32 address_;
  Reg32 gostat_;
};

}  // namespace longhaul::nic::terminator
