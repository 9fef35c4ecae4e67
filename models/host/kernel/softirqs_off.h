// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace longhaul::host {

class Processor;

/// While one lives no softirq runs on the processor in pay(): what protects a socket from its own
/// packets. Its end runs what has been raised.
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
