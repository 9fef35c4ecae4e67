// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <systemc>
#include <vector>

#include "models/host/kernel/processor.h"

namespace longhaul::host {

/// Processes that wait for something: the socket's readers, its writers.
class WaitQueue {
 public:
  /// Makes all of them ready. From any context; charges the wake-up to the caller.
  void wake_all();
  bool empty() const { return waiting_.empty(); }

 private:
  friend class Process;
  std::vector<Process*> waiting_;
};

/// A program: main() runs on its processor as user code, and enters the kernel with Syscall.
class Process : public sc_core::sc_module {
 public:
  Process(const sc_core::sc_module_name& name, Processor& processor);

  Processor& processor() { return processor_; }
  bool done() const { return done_; }

  /// In the kernel on behalf of the program while one lives: charges entry and exit; the time slice is looked at on the way out.
  class Syscall {
   public:
    explicit Syscall(Process& process);
    ~Syscall();
    Syscall(const Syscall&) = delete;
    Syscall& operator=(const Syscall&) = delete;

   private:
    Process& process_;
  };

  /// In a Syscall: gives the processor away until the queue is woken (true) or `timeout_ps` is over (false). Pays first. Spurious
  /// wake-ups happen: look again.
  bool wait(WaitQueue& queue, std::uint64_t timeout_ps = ~std::uint64_t{0});
  void sleep(std::uint64_t duration_ps);

 protected:
  virtual void main() = 0;

 private:
  Processor& processor_;
  bool done_ = false;
};

}  // namespace longhaul::host
