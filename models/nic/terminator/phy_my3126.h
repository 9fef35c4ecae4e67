// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <utility>

#include "models/nic/phy/phy45.h"

namespace longhaul::nic::terminator {

/// Mysticom's MY3126, XAUI to 10GBASE-CX4: the registers of clause 45. cxgb's my3126.c reads 1.1
/// alone, every 33 ms; the PHY has no interrupt on these boards.
class PhyMy3126 final : public Phy45 {
 public:
  explicit PhyMy3126(std::function<bool()> has_signal) : Phy45(kKind, std::move(has_signal)) {}

 private:
  // IEEE 802.3, 45.2.1.6: type 0 is 10GBASE-CX4; 45.2.1.7: its ability is in register 1.11.
  static constexpr Kind kKind{1U << kPmaPmd | 1U << kPcs | 1U << kPhyXs, 0, 1U << 9};
  bool read_own(std::uint32_t device, std::uint16_t address, std::uint16_t& value) override {
    if (device != kPmaPmd || address != 11) return false;
    value = 1;  // 45.2.1.10: 10GBASE-CX4
    return true;
  }
};

}  // namespace longhaul::nic::terminator
