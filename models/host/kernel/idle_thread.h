// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/common/fiber.h"

namespace longhaul::host {

class Processor;

/// The code of a processor while no process runs. It takes interrupts, runs softirqs, gives the
/// processor to a ready process, and idles if there is none.
class IdleThread {
 public:
  explicit IdleThread(Processor& processor);

  /// Whether the processor idles.
  bool idles() const { return idles_; }
  /// The processor is free again, or there may be work.
  void wake() { wanted_.notify(); }

 private:
  void run();

  Processor& processor_;
  bool idles_ = false;
  Condition wanted_;
  Fiber fiber_;
};

}  // namespace longhaul::host
