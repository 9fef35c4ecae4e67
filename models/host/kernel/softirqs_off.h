// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace longhaul::host {

class Processor;

/// While one exists, no softirq runs on the processor in pay(); this protects a socket from its own
/// packets. Its destructor runs the softirqs that were raised.
class SoftirqsOff {
 public:
  explicit SoftirqsOff(Processor& processor);
  ~SoftirqsOff();
  SoftirqsOff(const SoftirqsOff&) = delete;
  SoftirqsOff& operator=(const SoftirqsOff&) = delete;

 private:
  Processor& processor_;
};

}  // namespace longhaul::host
