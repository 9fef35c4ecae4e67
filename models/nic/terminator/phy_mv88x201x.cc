// SPDX-License-Identifier: Apache-2.0
#include "models/nic/terminator/phy_mv88x201x.h"

#include <utility>

namespace longhaul::nic::terminator {
namespace {

constexpr std::uint16_t kMv88Devices =
    1U << Phy45::kPmaPmd | 1U << Phy45::kWis | 1U << Phy45::kPcs | 1U << Phy45::kPhyXs;
constexpr std::uint16_t kTypeSr = 7;        // IEEE 802.3, 45.2.1.6: 10GBASE-SR
constexpr std::uint16_t kAbleSr = 1U << 7;  // 45.2.1.7

constexpr std::uint16_t kPmaControl2 = 7;
// Linux 6.1 include/uapi/linux/mdio.h.
constexpr std::uint16_t kLasiControl = 0x9002;
constexpr std::uint16_t kLasiRxStatus = 0x9003;
constexpr std::uint16_t kLasiStatus = 0x9005;
constexpr std::uint16_t kLinkAlarm = 1U << 0;
constexpr std::uint16_t kRxAlarm = 1U << 2;
constexpr std::uint16_t kRxLocalFault = 1U << 4;  // XENPAK MSA: PMA/PMD receiver local fault
// Linux 6.1 cxgb/mv88x201x.c.
constexpr std::uint16_t kModuleControl = 0x8300;
constexpr std::uint16_t kLedControl = 0x8304;

}  // namespace

PhyMv88x201x::PhyMv88x201x(std::function<bool()> has_light, std::function<void()> interrupt_changed,
                           std::function<void()> state_changed)
    : Phy45({kMv88Devices, kTypeSr, kAbleSr}, std::move(has_light)),
      interrupt_changed_(std::move(interrupt_changed)),
      state_changed_(std::move(state_changed)) {}

void PhyMv88x201x::light_changed() {
  Phy45::light_changed();
  const bool lit = has_light();
  if (std::exchange(was_lit_, lit) == lit) return;
  alarm_ |= kLinkAlarm | (was_lit_ ? 0U : kRxAlarm);
  interrupt_changed_();
}

bool PhyMv88x201x::link_led() const { return led_control_ != 0 ? (led_ & 1U) != 0 : was_lit_; }

std::uint16_t PhyMv88x201x::take_alarm() {
  const std::uint16_t seen = std::exchange(alarm_, std::uint16_t{0});
  interrupt_changed_();
  return seen;
}

bool PhyMv88x201x::read_own(std::uint32_t device, std::uint16_t address, std::uint16_t& value) {
  if (device == kPmaPmd) {
    switch (address) {
      case kPmaControl2: value = led_control_ != 0 ? led_ : kTypeSr; return true;
      case kLasiControl: value = alarm_control_; return true;
      case kLasiRxStatus: value = has_light() ? 0 : kRxLocalFault; return true;
      case kLasiStatus: value = take_alarm(); return true;
      default: return false;
    }
  }
  if (device != kPcs) return false;
  if (address == kModuleControl) return value = module_control_, true;
  if (address == kLedControl) return value = led_control_, true;
  return false;
}

void PhyMv88x201x::write_own(std::uint32_t device, std::uint16_t address, std::uint16_t value) {
  if (device == kPmaPmd && address == kPmaControl2) {
    led_ = value;
  } else if (device == kPmaPmd && address == kLasiControl) {
    alarm_control_ = value;
  } else if (device == kPcs && address == kModuleControl) {
    module_control_ = value;
  } else if (device == kPcs && address == kLedControl) {
    led_control_ = value;
  }
  state_changed_();
  interrupt_changed_();
}

void PhyMv88x201x::reset() {
  Phy45::reset();
  alarm_ = alarm_control_ = led_ = module_control_ = led_control_ = 0;
  was_lit_ = false;
  state_changed_();
  interrupt_changed_();
}

}  // namespace longhaul::nic::terminator
