// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <systemc>

#include "models/common/observe/probe.h"
#include "models/common/register_bank.h"
#include "models/nic/blocks/delay_timer.h"
#include "models/nic/dp83820/regs.h"

namespace longhaul::nic::dp83820 {

/// ISR, IMR, IER and IHR: causes, masks and the hold-off time between interrupts.
///
/// The request is `IER.IE and (ISR & IMR) != 0`, unless it is held off. A read of ISR clears it and
/// loads the hold-off timer with IHR.IH units. The timer starts at once, or with IHR.IHCTL at the
/// next enabled cause. While it runs there is no request.
class Interrupts final : public sc_core::sc_module {
 public:
  /// `drive` is called with the level at each change.
  Interrupts(const sc_core::sc_module_name& name, RegisterBank& bank,
             const sc_core::sc_time& holdoff_unit, std::function<void(bool level)> drive);

  void post(std::uint32_t causes);
  /// Clears latched causes, masks and the hold-off. Called after the bank has reset the registers.
  void reset(std::uint32_t causes);

  observe::Counter held_off{"held_off", "1", "requests that had to wait for the hold-off timer"};
  observe::Counter raised{"raised", "1", "rises of the interrupt request"};
  observe::Counter withdrawn{"withdrawn", "1",
                             "falls of the interrupt request by its mask, with the cause unread"};

 private:
  std::uint32_t take();
  void load_timer();
  void ihr_written(std::uint32_t value);
  void update();

  const sc_core::sc_time unit_;
  std::function<void(bool)> drive_;
  std::uint32_t causes_ = 0;
  bool level_ = false;
  bool armed_ = false;    // the timer starts with the next cause
  bool waiting_ = false;  // a request waits for the timer
  DelayTimer timer_{"timer", [this] { update(); }};
  Reg32 isr_;
  Reg32 imr_;
  Reg32 ier_;
  Reg32 ihr_;
};

}  // namespace longhaul::nic::dp83820
