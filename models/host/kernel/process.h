// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <systemc>
#include <vector>

#include "models/common/fiber.h"
#include "models/host/kernel/processor.h"
#include "models/host/kernel/timers.h"

namespace longhaul::host {

/// Processes that wait for an event, such as a socket's readers or its writers.
class WaitQueue {
 public:
  /// Makes all of them ready. May be called from any context; charges the wake-up to the caller's
  /// processor.
  void wake_all();
  /// Makes the process ready that has waited longest, if there is one.
  void wake_one();
  bool empty() const { return waiting_.empty(); }

  WaitQueue() = default;
  ~WaitQueue();  ///< does not wake processes that still wait
  WaitQueue(const WaitQueue&) = delete;
  WaitQueue& operator=(const WaitQueue&) = delete;

 private:
  friend class Process;
  std::vector<Process*> waiting_;
};

/// A program. main() runs as user code on its processor and enters the kernel by Syscall. The
/// process is ready from the start.
class Process : public sc_core::sc_module {
 public:
  Process(const sc_core::sc_module_name& name, Processor& processor);
  ~Process() override;

  static constexpr std::uint64_t kForever = ~std::uint64_t{0};

  Processor& processor() { return processor_; }
  bool done() const { return state_ == State::kDone; }

  /// A system call: the program is in the kernel while one exists. Charges the program's part of
  /// the call (kUserSyscall), and entry and exit (kSyscall). Pays on the way out, where the time
  /// slice is checked. A nested one is part of the outer one. It holds the GiantLock, if there is
  /// one, and may wait for it at its entry.
  class Syscall {
   public:
    explicit Syscall(Process& process);
    ~Syscall();
    Syscall(const Syscall&) = delete;
    Syscall& operator=(const Syscall&) = delete;

   private:
    Process& process_;
    bool outermost_;
  };

  /// Called in a Syscall: gives the processor up until the queue is woken (returns true) or
  /// `timeout_ps` is over (false). It pays first; a wake-up of the queue during that is not lost.
  /// Wake-ups may be spurious, so check the condition again. A GiantLock is released while waiting,
  /// and others may have held it.
  bool wait(WaitQueue& queue, std::uint64_t timeout_ps = kForever);
  /// Called in a Syscall: waits until the first tick at or after `duration_ps`. The GiantLock is
  /// released as in wait().
  void sleep(std::uint64_t duration_ps);

 protected:
  /// A kernel thread: blocked at first, always in the kernel, with its own time slice.
  Process(const sc_core::sc_module_name& name, Processor& processor, const sc_core::sc_time& slice);
  virtual void main() = 0;

 private:
  Process(const sc_core::sc_module_name& name, Processor& processor, bool kernel,
          const sc_core::sc_time& slice);
  friend class Processor;
  friend class RunQueue;
  friend class WaitQueue;
  friend class IntrusiveFifo<Process>;
  friend class Ksoftirqd;

  enum class State { kRunning, kReady, kBlocked, kDone };

  /// Ends a wait that has a time limit.
  class Timer final : public KernelTimer {
   public:
    explicit Timer(Process& process) : process_(process) {}
    void expired() override;

   private:
    Process& process_;
  };

  void run();
  void enter_queue(WaitQueue& queue);
  void leave_queue();
  bool block(std::uint64_t timeout_ps);
  void grant();
  void await_grant();
  void use_slice();
  bool slice_is_over() const;
  void renew_slice();
  void take_giant();
  bool release_giant();

  Processor& processor_;
  const bool kernel_;
  State state_ = State::kBlocked;
  bool granted_ = false;  // has the processor, or is about to
  bool woken_ = false;    // was woken before it blocked
  bool timed_out_ = false;
  bool interactive_ = false;  // was woken, and has not used up a slice since
  bool has_giant_ = false;
  std::uint64_t full_slice_ps_;
  std::uint64_t slice_left_ps_;
  std::uint64_t since_ps_ = 0;  // start of its present time on the processor
  Process* next_ = nullptr;
  WaitQueue* queue_ = nullptr;  // the queue in which it waits
  Timer timer_{*this};
  Condition has_processor_;
  Fiber fiber_;
};

}  // namespace longhaul::host
