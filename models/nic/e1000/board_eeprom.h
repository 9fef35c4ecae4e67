// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/nic/blocks/eeprom_93c46.h"

namespace longhaul::nic::e1000 {

/// A board's EEPROM and the arbiter in front of its pins. Each function of an 82546 has EECD.REQ
/// and EECD.GNT; one of them has the grant until it clears its request (8254x SDM, 12.3.1, 13.4.3).
class BoardEeprom {
 public:
  BoardEeprom(const Eeprom93c46::Words& content, const Eeprom93c46Params& params)
      : rom_(content, params) {}

  const Eeprom93c46& rom() const { return rom_; }

  /// Function 0 or 1 requests the pins or gives them up. When it gives them up, the chip is
  /// deselected and the other function gets the grant if it waits.
  void request(std::uint32_t function, bool wants) {
    const std::uint32_t bit = 1U << function;
    wanted_ = wants ? wanted_ | bit : wanted_ & ~bit;
    if ((granted_ & wanted_) != 0) return;
    if (granted_ != 0) rom_.drive(false, false, false);
    granted_ = wanted_ & (~wanted_ + 1);
  }
  bool granted(std::uint32_t function) const { return (granted_ >> function & 1U) != 0; }
  /// Drives the pins; does nothing without the grant.
  void drive(std::uint32_t function, bool cs, bool sk, bool di) {
    if (granted(function)) rom_.drive(cs, sk, di);
  }

 private:
  Eeprom93c46 rom_;
  std::uint32_t wanted_ = 0;   // one bit per function
  std::uint32_t granted_ = 0;  // at most one bit is set
};

}  // namespace longhaul::nic::e1000
