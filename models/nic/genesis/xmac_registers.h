// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

#include "models/common/register_bank.h"
#include "models/nic/genesis/xmac_regs.h"

namespace longhaul::nic::genesis {

/// The XMAC's registers: 16 bits in each 4 bytes of the bank, found by their offset x in the XMAC's
/// documents. A 32-bit register is two, each of which acts when it is written.
///
/// While the MAC is in reset the registers have their reset values and ignore writes.
class XmacRegisters {
 public:
  /// `Then` is called after a write with the written bits; `Shows` gives the value of a read.
  using Then = std::function<void(std::uint32_t)>;
  using Shows = std::function<std::uint32_t()>;

  /// `in_reset` is read at each access. The watermarks are the reset values of RX_LO_WM and
  /// RX_HI_WM, in words of 4 bytes.
  XmacRegisters(RegisterBank& bank, const bool& in_reset, std::uint16_t rx_low_words,
                std::uint16_t rx_high_words);

  /// Adds a register of 16 bits. The offset in `spec` is x, not an offset in the bank.
  void add(const RegisterSpec& spec, Then then = {}, Shows shows = {});
  void add_halves(const char* name, std::uint32_t x, std::uint32_t count, const Then& then = {});
  void reset();

  Reg32& at(std::uint32_t x) { return *by_x_.at(x / 2); }
  std::uint16_t value(std::uint32_t x) const {
    return static_cast<std::uint16_t>(by_x_.at(x / 2)->value());
  }

 private:
  void add_plain(std::uint16_t rx_low_words, std::uint16_t rx_high_words);

  RegisterBank& bank_;
  const bool& in_reset_;
  std::deque<Reg32> registers_;
  std::vector<std::uint16_t> reset_values_;  // of registers_
  std::vector<Reg32*> by_x_;
};

}  // namespace longhaul::nic::genesis
