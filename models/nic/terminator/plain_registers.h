// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>

#include "models/common/register_bank.h"

namespace longhaul::nic::terminator {

/// The registers that only hold the values written to them. Cause registers among them never have a
/// cause.
class PlainRegisters final {
 public:
  explicit PlainRegisters(RegisterBank& bank);

 private:
  std::deque<Reg32> registers_;
};

}  // namespace longhaul::nic::terminator
