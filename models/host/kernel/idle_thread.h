// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/common/fiber.h"

namespace longhaul::host {

class Processor;

/// What has a processor while no process wants it: lets interrupts in, runs softirqs, gives the
/// processor to a process that is ready, and idles when there is none.
class IdleThread {
 public:
  explicit IdleThread(Processor& processor);

  /// Whether the processor idles.
  bool idles() const { return idles_; }
  /// The processor is its own again, or there may be something to do.
  void wake() { wanted_.notify(); }

 private:
  void run();

  Processor& processor_;
  bool idles_ = false;
  Condition wanted_;
  Fiber fiber_;
};

}  // namespace longhaul::host
