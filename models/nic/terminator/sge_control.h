// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <utility>

#include "models/common/register_bank.h"
#include "models/nic/terminator/regs_sge.h"

namespace longhaul::nic::terminator {

/// Registers that all queues of the SGE share: SG_CONTROL, SG_DOORBELL, SG_INT_ENABLE and
/// SG_INT_CAUSE.
class SgeControl final {
 public:
  struct Calls {
    std::function<void(std::uint32_t)> controlled;  ///< SG_CONTROL was written
    std::function<void(std::uint32_t)> rung;        ///< SG_DOORBELL was written
    std::function<void()> causes_changed;
  };

  SgeControl(RegisterBank& bank, Calls calls);

  bool has(std::uint32_t bits) const { return control_.has(bits); }
  std::uint32_t get(const RegisterField& field) const { return control_.get(field); }
  void post(std::uint32_t causes);  ///< latches causes of SG_INT_CAUSE
  bool request() const { return (causes_ & enable_.value()) != 0; }
  void reset() { causes_ = 0; }  ///< called after the bank has reset the registers

 private:
  void cause_written(std::uint32_t value);

  const Calls calls_;
  std::uint32_t causes_ = 0;
  Reg32 control_;
  Reg32 doorbell_;
  Reg32 enable_;
  Reg32 cause_;
};

}  // namespace longhaul::nic::terminator
