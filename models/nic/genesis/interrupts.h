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

/// The chip's interrupt sources, masks and moderation, and the request that follows: high while a
/// cause is set that IMSK lets through and moderation does not hold back.
///
/// ISRC is what the parts say now. Reading SP_ISRC as a whole DWORD gives the causes that IMSK lets
/// through, and if there are any, clears IMSK: no further request until it is written again.
/// Reading a part of it changes nothing, so that a dump of all registers byte by byte loses no
/// interrupt. While the moderation timer IRQM runs, a cause that its mask names counts for the
/// request only from the timer's next zero on; ISRC shows it at once.
class Interrupts final : public sc_core::sc_module {
 public:
  struct Sources {
    std::function<std::uint32_t()> causes;        ///< ISRC's bits of queues, MAC and software
    std::function<std::uint32_t()> errors;        ///< HWE_ISRC
    std::function<std::uint32_t()> access_bytes;  ///< of the register access under way
    std::function<void(bool level)>
        drive;  ///< is told the request, at any time, also if it has not changed
  };
  Interrupts(const sc_core::sc_module_name& name, RegisterBank& bank, Frequency clock,
             Sources sources);

  /// What a source says may have changed.
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
  std::uint32_t passed_ = 0;   // those that it has let pass, while they last

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
