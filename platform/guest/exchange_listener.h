// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "models/cpu/work.h"
#include "sw/linux/longhaul_abi.h"

namespace longhaul::guest {

/// Receives a guest's exchanges. It must not change anything.
class ExchangeListener {
 public:
  virtual ~ExchangeListener() = default;
  /// The work of an exchange and the memory that it touched, before the time for it passes.
  virtual void on_work(const cpu::WorkBatch& work,
                       const std::vector<cpu::MemoryTouch>& touches) = 0;
  /// The exchange is answered now. `page` has the request and the answer. It was requested at
  /// `asked_ps`, after the time for the work before it.
  virtual void on_exchange(std::uint64_t asked_ps, const lh_page& page) = 0;
};

}  // namespace longhaul::guest
