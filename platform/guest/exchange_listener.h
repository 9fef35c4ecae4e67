// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "models/cpu/work.h"
#include "sw/linux/longhaul_abi.h"

namespace longhaul::guest {

/// Is told of a guest's exchanges. It must not change anything.
class ExchangeListener {
 public:
  virtual ~ExchangeListener() = default;
  /// What an exchange pays for, before its time passes: work and the memory that it touched.
  virtual void on_work(const cpu::WorkBatch& work,
                       const std::vector<cpu::MemoryTouch>& touches) = 0;
  /// The exchange is answered: `page` has the request and the answer; it was asked for at
  /// `asked_ps`, the work before it paid, and is answered now.
  virtual void on_exchange(std::uint64_t asked_ps, const lh_page& page) = 0;
};

}  // namespace longhaul::guest
