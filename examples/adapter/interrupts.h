// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <systemc>

#include "models/common/observe/probe.h"
#include "models/common/register_bank.h"
#include "models/nic/blocks/delay_timer.h"

namespace tc9021 {

/// Whether the register access under way covers the byte at an offset: what a reading does belongs
/// to 8 or 16 bits of a DWORD.
using AccessCovers = std::function<bool(std::uint32_t offset)>;

/// IntStatus, IntStatusAck, IntEnable and Countdown. The request is `(IntStatus & IntEnable) != 0`.
///
/// Writing ones to IntStatus clears causes. Reading IntStatusAck gives IntStatus, clears it, and
/// clears IntEnable. Countdown's count runs from each write and ends as IntRequested.
class Interrupts final : public sc_core::sc_module {
 public:
  /// `drive` is told the level at each change.
  Interrupts(const sc_core::sc_module_name& name, longhaul::RegisterBank& bank,
             const sc_core::sc_time& countdown_unit, const AccessCovers& covers,
             std::function<void(bool level)> drive);

  void post(std::uint32_t causes);
  /// Nothing latched or enabled. The bank has reset the registers.
  void reset();

  longhaul::observe::Counter withdrawn{
      "withdrawn", "1", "falls of the interrupt request by its mask, with the cause pending"};

 private:
  std::uint32_t status() const;
  std::uint32_t acknowledge();
  void written(std::uint32_t value);
  std::uint32_t countdown_now() const;
  void countdown_written(std::uint32_t value);
  void update();

  const sc_core::sc_time unit_;
  const AccessCovers& covers_;
  std::function<void(bool)> drive_;
  std::uint32_t causes_ = 0;
  std::uint32_t enabled_ = 0;
  bool level_ = false;
  longhaul::nic::DelayTimer timer_;
  longhaul::Reg32 int_;
  longhaul::Reg32 ack_;
  longhaul::Reg32 countdown_;
};

}  // namespace tc9021
