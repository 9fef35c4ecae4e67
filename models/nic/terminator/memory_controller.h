// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/common/register_bank.h"
#include "models/common/units.h"
#include "models/nic/terminator/regs_mc.h"

namespace longhaul::nic::terminator {

/// MC3 or MC4, as far as drivers wait for it: delay lines that lock, and the test that clears the
/// memory. The memory itself is not there.
class MemoryController final {
 public:
  MemoryController(RegisterBank& bank, const RegisterSpec& strobe, const RegisterSpec& bist_op,
                   const sc_core::sc_time& test_time)
      : test_ps_(to_ps(test_time)),
        strobe_(bank, strobe, [this] { return strobe_now(); }),
        bist_op_(
            bank, bist_op, [this] { return op_ | (now_ps() < busy_until_ps_ ? kBist.busy : 0U); },
            [this](std::uint32_t value) { test(value); }) {}

  void reset() {
    op_ = 0;
    busy_until_ps_ = 0;
  }

 private:
  static constexpr const auto& kStrobe = regs::kMc3StrobeFields;
  static constexpr const auto& kBist = regs::kMcBistOpFields;

  std::uint32_t strobe_now() const {
    return strobe_.value() |
           (strobe_.has(kStrobe.master_dll_reset) ? 0U : kStrobe.master_dll_locked);
  }
  void test(std::uint32_t value) {
    op_ = value & kBist.mask() & ~kBist.busy;
    busy_until_ps_ = now_ps() + test_ps_;
  }

  const std::uint64_t test_ps_;
  std::uint32_t op_ = 0;
  std::uint64_t busy_until_ps_ = 0;
  Reg32 strobe_;
  Reg32 bist_op_;
};

}  // namespace longhaul::nic::terminator
