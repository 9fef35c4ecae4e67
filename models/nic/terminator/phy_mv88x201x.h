// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

#include "models/nic/phy/phy45.h"

namespace longhaul::nic::terminator {

/// Marvell's 88X2010 between XAUI and an XFP module: the registers that cxgb's mv88x201x.c reads
/// and writes, with the interrupt LASI (XENPAK MSA, 10.13).
///
/// The module has no clock, and sends no light, until 3.8300h bit 0 is set. LASI follows
/// 1.9005h masked by 1.9002h. Its bit 0 is latched when link changes, until 1.9005h is read.
/// Register 3.8304h gives the link LED to 1.7 bit 0; before, the LED shows the link.
class PhyMv88x201x final : public Phy45 {
 public:
  /// `interrupt_changed` is called when interrupt() may have changed, `state_changed` when
  /// transmits() may have changed.
  PhyMv88x201x(std::function<bool()> has_light, std::function<void()> interrupt_changed,
               std::function<void()> state_changed);

  void light_changed() override;
  bool interrupt() const override { return (alarm_ & alarm_control_) != 0; }
  bool transmits() const override { return (module_control_ & 1U) != 0; }
  void reset() override;
  bool link_led() const;

 private:
  bool read_own(std::uint32_t device, std::uint16_t address, std::uint16_t& value) override;
  void write_own(std::uint32_t device, std::uint16_t address, std::uint16_t value) override;
  std::uint16_t take_alarm();

  std::function<void()> interrupt_changed_;
  std::function<void()> state_changed_;
  bool was_lit_ = false;
  std::uint16_t alarm_ = 0;           // 1.9005h
  std::uint16_t alarm_control_ = 0;   // 1.9002h
  std::uint16_t led_ = 0;             // 1.7
  std::uint16_t module_control_ = 0;  // 3.8300h
  std::uint16_t led_control_ = 0;     // 3.8304h
};

}  // namespace longhaul::nic::terminator
