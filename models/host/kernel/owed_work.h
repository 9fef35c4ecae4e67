// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "models/cpu/core.h"
#include "models/cpu/work.h"

namespace longhaul::host {

/// Work that a processor's code has charged and whose time has not yet passed.
class OwedWork {
 public:
  explicit OwedWork(cpu::Core& core);

  bool any() const { return any_; }
  void add(cpu::CoreState state, cpu::WorkKind kind, std::uint64_t units) {
    work_.add(state, kind, units);
    any_ = true;
  }
  /// Adds memory that the work touches in bulk.
  void touch(const cpu::MemoryTouch& touch);
  /// Lets the time of the work pass on the core.
  void spend();

 private:
  cpu::Core& core_;
  cpu::WorkBatch work_;
  std::vector<cpu::MemoryTouch> touches_;
  bool any_ = false;
};

}  // namespace longhaul::host
