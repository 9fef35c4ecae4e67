// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <utility>

#include "models/nic/phy/phy45.h"

namespace longhaul::nic::terminator {

/// Mysticom's MY3126, XAUI to 10GBASE-CX4: the registers of clause 45. The PHY has no interrupt on
/// these boards.
///
/// Link in 1.1 is the present one, not latched: cxgb looks at it once when the interface is opened,
/// and its poll does not repeat itself (README.md#open-numbers).
class PhyMy3126 final : public Phy45 {
 public:
  explicit PhyMy3126(std::function<bool()> has_signal) : Phy45(kKind, std::move(has_signal)) {}

 private:
  // IEEE 802.3, 45.2.1.6: type 0 is 10GBASE-CX4; 45.2.1.7: its ability is in register 1.11.
  static constexpr Kind kKind{1U << kPmaPmd | 1U << kPcs | 1U << kPhyXs, 0, 1U << 9};
  static constexpr std::uint16_t kStatus1 = 1;
  static constexpr std::uint16_t kStatus1Link = 1U << 2;
  static constexpr std::uint16_t kStatus1Fault = 1U << 7;
  static constexpr std::uint16_t kMoreAbilities = 11;
  bool read_own(std::uint32_t device, std::uint16_t address, std::uint16_t& value) override {
    if (device != kPmaPmd) return false;
    if (address == kStatus1) return value = has_light() ? kStatus1Link : kStatus1Fault, true;
    if (address == kMoreAbilities) return value = 1, true;  // 45.2.1.10: 10GBASE-CX4
    return false;
  }
};

}  // namespace longhaul::nic::terminator
