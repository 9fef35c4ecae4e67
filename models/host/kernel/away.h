// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cassert>

#include "models/host/kernel/processor.h"

namespace longhaul::host {

/// While one exists, no code of the processor runs: other code runs, or time passes.
class Away {
 public:
  explicit Away(Processor& processor) : processor_(processor) {
    assert(Processor::g_current == &processor &&
           "code that runs on no processor, or on another one, lets time pass on this one");
    Processor::g_current = nullptr;
  }
  ~Away() { Processor::g_current = &processor_; }
  Away(const Away&) = delete;
  Away& operator=(const Away&) = delete;

 private:
  Processor& processor_;
};

}  // namespace longhaul::host
