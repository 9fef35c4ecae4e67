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

/// Processes that wait for something: the socket's readers, its writers.
class WaitQueue {
 public:
  /// Makes all of them ready. From any context; charges the wake-up to the caller's processor.
  void wake_all();
  /// Makes the one ready that has waited longest, if there is one.
  void wake_one();
  bool empty() const { return waiting_.empty(); }

  WaitQueue() = default;
  ~WaitQueue();  ///< whoever still waits is not woken
  WaitQueue(const WaitQueue&) = delete;
  WaitQueue& operator=(const WaitQueue&) = delete;

 private:
  friend class Process;
  std::vector<Process*> waiting_;
};

/// A program: main() runs on its processor as user code, and enters the kernel with Syscall. It is
/// ready from the start.
class Process : public sc_core::sc_module {
 public:
  Process(const sc_core::sc_module_name& name, Processor& processor);
  ~Process() override;

  static constexpr std::uint64_t kForever = ~std::uint64_t{0};

  Processor& processor() { return processor_; }
  bool done() const { return state_ == State::kDone; }

  /// In the kernel on behalf of the program while one lives: charges the program's part of the call
  /// (kUserSyscall) and entry and exit (kSyscall); pays on the way out, where the time slice is
  /// looked at. One within another is part of it. It has the GiantLock, if there is one, for which
  /// it may wait at its entry.
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

  /// In a Syscall: gives the processor away until the queue is woken (true) or `timeout_ps` is over
  /// (false). Pays first; a queue that is woken while it does so is not missed. Spurious wake-ups
  /// happen: look again. Where there is a GiantLock, it is let go meanwhile, and others have had
  /// it.
  bool wait(WaitQueue& queue, std::uint64_t timeout_ps = kForever);
  /// In a Syscall: until the first tick at or after so much time; the GiantLock as in wait().
  void sleep(std::uint64_t duration_ps);

 protected:
  /// A thread of the kernel's own: blocked at first, always in the kernel, with its own time slice.
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

  /// What ends a wait that has a limit.
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
  bool woken_ = false;    // before it blocked
  bool timed_out_ = false;
  bool interactive_ = false;  // was woken, and has not used up a slice since
  bool has_giant_ = false;
  std::uint64_t full_slice_ps_;
  std::uint64_t slice_left_ps_;
  std::uint64_t since_ps_ = 0;  // has had the processor
  Process* next_ = nullptr;
  WaitQueue* queue_ = nullptr;  // it waits here
  Timer timer_{*this};
  Condition has_processor_;
  Fiber fiber_;
};

}  // namespace longhaul::host
