// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>

#include "models/common/register_bank.h"
#include "models/nic/terminator/regs_mc5.h"

namespace longhaul::nic::terminator {

/// MC5 with its TCAM, as far as drivers use it by its debug interface (DBGI): reset, and reads and
/// writes of 72-bit words. A command is over at once.
class Tcam final {
 public:
  explicit Tcam(RegisterBank& bank);

  void reset();  ///< called after the bank has reset the registers

 private:
  static constexpr std::uint32_t kWords = 3;  // of a 72-bit word
  // Commands of all TCAMs, in their lowest bits (illumos chxge/com/mc5.c).
  static constexpr std::uint32_t kCommand = 7;
  static constexpr std::uint32_t kRead = 0;
  static constexpr std::uint32_t kWrite = 1;
  using Word = std::array<std::uint32_t, kWords>;

  void config_written(std::uint32_t value);
  void command(std::uint32_t value);

  RegisterBank& bank_;
  bool ready_ = false;
  bool valid_ = false;  // a command is over
  Word response_{};
  std::unordered_map<std::uint32_t, Word> words_;  // those that are not zero
  Reg32 config_;
  Reg32 request_;
  Reg32 status_;
  Reg32 data0_;
  Reg32 data1_;
  Reg32 data2_;
};

}  // namespace longhaul::nic::terminator
