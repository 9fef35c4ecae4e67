// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <systemc>

#include "models/common/observe/probe.h"
#include "models/common/register_bank.h"
#include "models/nic/terminator/regs_pl.h"

namespace longhaul::nic::terminator {

/// PL_ENABLE and PL_CAUSE, the root of the interrupt tree.
///
/// SGE_DATA is latched until software clears it. All other causes are the requests of the chip's
/// parts: clearing one in PL_CAUSE has an effect only when the part has withdrawn its request.
///
/// The request is `PL_CAUSE & PL_ENABLE`. With MSI a message goes out when a bit of it rises, and
/// when PL_CAUSE or PL_ENABLE is written while a bit of it is set.
class PlInterrupts final : public sc_core::sc_module {
 public:
  /// Drives the interrupt: its level, and whether a message is due.
  using Drive = std::function<void(bool level, bool message)>;

  /// `parts` returns the requests of the chip's parts in the bits of PL_CAUSE.
  PlInterrupts(const sc_core::sc_module_name& name, RegisterBank& bank,
               std::function<std::uint32_t()> parts, Drive drive);

  void data_ready();  ///< latches SGE_DATA
  void update();      ///< called when a part's request may have changed
  void reset();       ///< called after the bank has reset the registers

  observe::Counter raised{"raised", "1", "rises of the interrupt request"};
  observe::Counter withdrawn{"withdrawn", "1",
                             "falls of the interrupt request by its mask, with the cause unread"};
  observe::Signal request{"request", 1, "the interrupt request"};
  observe::SpanTap spans{"spans",
                         "from the rise of the interrupt request to its fall; arg0 causes at the "
                         "rise, arg1 enabled causes"};

 private:
  std::uint32_t causes() const;
  void cause_written(std::uint32_t value);
  void enable_written();
  void settle(bool written);

  const std::function<std::uint32_t()> parts_;
  const Drive drive_;
  bool data_ = false;
  std::uint32_t last_ = 0;  // the request's bits
  std::uint64_t rose_ps_ = 0;
  std::uint32_t rose_causes_ = 0;
  Reg32 enable_;
  Reg32 cause_;
};

}  // namespace longhaul::nic::terminator
