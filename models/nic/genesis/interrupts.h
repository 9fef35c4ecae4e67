// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <systemc>

#include "models/common/observe/probe.h"
#include "models/common/register_bank.h"
#include "models/common/units.h"
#include "models/nic/genesis/chip_timer.h"
#include "models/nic/genesis/regs.h"

namespace longhaul::nic::genesis {

/// The chip's interrupt sources, masks and moderation, and its interrupt request. The request is
/// high while a cause is set that IMSK enables and that moderation does not hold back.
///
/// ISRC shows the present causes. A read of SP_ISRC as a whole DWORD returns the causes that IMSK
/// enables. If there are any, it clears IMSK, so there is no further request until IMSK is written
/// again. A narrower read changes nothing, so a dump of all registers byte by byte loses no
/// interrupt.
///
/// While the moderation timer IRQM runs, a cause in its mask counts for the request only from the
/// timer's next zero on. ISRC shows it at once.
class Interrupts final : public sc_core::sc_module {
 public:
  struct Sources {
    std::function<std::uint32_t()> causes;        ///< bits of ISRC for queues, MAC and software
    std::function<std::uint32_t()> errors;        ///< bits of HWE_ISRC
    std::function<std::uint32_t()> access_bytes;  ///< bytes of the present register access
    /// Called with the request, at any time, also if it has not changed.
    std::function<void(bool level)> drive;
  };
  Interrupts(const sc_core::sc_module_name& name, RegisterBank& bank, Frequency clock,
             Sources sources);

  /// Called when a source may have changed.
  void update();
  void reset();
  std::uint32_t causes() const;  ///< ISRC

  observe::Counter held_back{"held_back", "1", "causes that had to wait for the moderation timer"};

 private:
  std::uint32_t take();
  void released();
  void timer_done();

  const Sources sources_;
  bool timer_cause_ = false;
  std::uint32_t waiting_ = 0;  // moderated causes that wait for the timer
  std::uint32_t passed_ = 0;   // moderated causes that the timer has let pass, while they last

  RegisterBank& bank_;
  Reg32 isrc_{bank_, regs::kIsrc, this, &Interrupts::causes};
  Reg32 imsk_{bank_, regs::kImsk, this, &Interrupts::update};
  Reg32 hwe_isrc_{bank_, regs::kHweIsrc, [this] { return sources_.errors(); }};
  Reg32 hwe_imsk_{bank_, regs::kHweImsk, this, &Interrupts::update};
  Reg32 sp_isrc_{bank_, regs::kSpIsrc, this, &Interrupts::take};
  Reg32 irqm_msk_{bank_, regs::kIrqmMsk, this, &Interrupts::update};
  ChipTimer moderation_;
  ChipTimer timer_;
};

}  // namespace longhaul::nic::genesis
