// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/host/kernel/process.h"

namespace longhaul::host {

/// The kernel thread that continues softirqs that do not end, in turn with processes.
class Ksoftirqd final : public Process {
 public:
  Ksoftirqd(const sc_core::sc_module_name& name, Processor& processor);

  /// There are softirqs for this thread.
  void wake();

 private:
  void main() override;
};

}  // namespace longhaul::host
