// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

#include "models/common/register_bank.h"
#include "models/nic/terminator/regs_mac.h"

namespace longhaul::nic::terminator {

/// Elmer0, the gate array of the board: input pins with an interrupt, and output pins.
///
/// A rising edge of an input latches its bit in INT_CAUSE. A write of ones clears bits; a bit whose
/// input is still high is latched again at once, unless the input is one of `kEdges`. The interrupt
/// is INT_CAUSE masked by INT_ENABLE. GPI_STAT shows the inputs.
class Elmer0 {
 public:
  /// The version of the gate array that ELMER0_VERSION shows.
  static constexpr std::uint32_t kVersion = 1;

  /// `outputs_changed` gets the new value of GPO, `interrupt_changed` is called when interrupt()
  /// has changed.
  Elmer0(std::function<void(std::uint32_t)> outputs_changed,
         std::function<void()> interrupt_changed);

  RegisterBank& bank() { return bank_; }
  /// Sets an input, by its bit in the registers.
  void set_input(const RegisterField& pin, bool high);
  bool interrupt() const { return interrupt_; }
  std::uint32_t outputs() const { return gpo_.value(); }
  /// All outputs low, nothing enabled, no cause. Inputs stay.
  void reset();

 private:
  /// MOD_DETECT asks when a module comes or goes, not while one is missing.
  static constexpr std::uint32_t kEdges = mac_regs::kElmer0PinFields.module.mask();

  std::uint32_t cause_now() const { return cause_; }
  std::uint32_t inputs_now() const { return inputs_; }
  void cause_written(std::uint32_t value);
  void enable_written(std::uint32_t) { update(); }
  void gpo_written(std::uint32_t value) { outputs_changed_(value); }
  void update();

  std::function<void(std::uint32_t)> outputs_changed_;
  std::function<void()> interrupt_changed_;
  std::uint32_t inputs_ = 0;
  std::uint32_t cause_ = 0;
  bool interrupt_ = false;
  RegisterBank bank_{mac_regs::kElmer0Bytes};
  Reg32 version_{bank_, "ELMER0_VERSION", mac_regs::kElmer0Version, kVersion, Access::kReadOnly};
  Reg32 phy_cfg_{bank_, mac_regs::kElmer0PhyCfg};
  Reg32 int_enable_{bank_, mac_regs::kElmer0IntEnable, this, &Elmer0::enable_written};
  Reg32 int_cause_{bank_, mac_regs::kElmer0IntCause, this, &Elmer0::cause_now,
                   &Elmer0::cause_written};
  Reg32 gpi_cfg_{bank_, mac_regs::kElmer0GpiCfg};
  Reg32 gpi_stat_{bank_, mac_regs::kElmer0GpiStat, this, &Elmer0::inputs_now};
  Reg32 gpo_{bank_, mac_regs::kElmer0Gpo, this, &Elmer0::gpo_written};
};

}  // namespace longhaul::nic::terminator
