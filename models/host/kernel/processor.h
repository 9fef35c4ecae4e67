// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <systemc>

#include "models/common/observe/probe.h"
#include "models/common/units.h"
#include "models/cpu/core.h"
#include "models/host/kernel/idle_thread.h"
#include "models/host/kernel/interrupt_lines.h"
#include "models/host/kernel/kernel_params.h"
#include "models/host/kernel/owed_work.h"
#include "models/host/kernel/run_queue.h"
#include "models/host/kernel/softirq_queue.h"
#include "models/host/kernel/softirqs_off.h"

namespace longhaul::host {

class GiantLock;
class Ksoftirqd;
class Process;
class Timers;

/// One processor under a modelled operating system. It runs processes, takes interrupts while they
/// work, runs softirqs on the way back, and charges all work to its core.
///
/// Code that runs on it (handlers, softirqs, processes) reports its work by charge(), execute() and
/// touch(), which take no time, and lets the time pass by pay(). Interrupts are taken in pay()
/// only, and their handlers run nested, as on real hardware. So code may read and write shared
/// state freely between two calls of pay(). The amount of work in one pay() bounds how late an
/// interrupt is taken: pay after every packet and every piece of a copy. Such code runs in fibers
/// (models/common/fiber.h).
class Processor final : public sc_core::sc_module {
 public:
  static constexpr std::uint32_t kVectors = InterruptLines::kVectors;
  /// Stack of each fiber of a processor. Interrupts nest.
  static constexpr std::size_t kStackBytes = 256 << 10;

  Processor(const sc_core::sc_module_name& name, cpu::Core& core, const KernelParams& params);
  ~Processor() override;

  /// The processor, of any host, whose code runs at this instant. Null if the running code belongs
  /// to no modelled host: a device's process, elaboration.
  static Processor* current() { return g_current; }

  cpu::Core& core() { return core_; }
  const KernelParams& params() const { return params_; }
  std::uint64_t now_ps() const { return longhaul::now_ps(); }

  // For the code that runs on it.
  void charge(cpu::WorkKind kind, std::uint64_t units = 1);
  /// Charges kernel code of `cycles`, multiplied by KernelParams::code_scale.
  void execute(std::uint64_t cycles) {
    charge(cpu::WorkKind::kExecuted, cycles * units_per_cycle_);
  }
  /// Charges a walk along a list of `elements` in the second-level cache. This is the processor's
  /// time, which code_scale does not change.
  void step_along(std::uint64_t elements) {
    charge(cpu::WorkKind::kExecuted,
           elements * core_.params().costs.list_step() * cpu::kUnitsPerCycle);
  }
  /// Charges memory that the work reads or writes in bulk. The bytes of a copy are also charged as
  /// kByteCopied. A copy may sum the bytes in the same loop.
  void copy(std::uint64_t source, std::uint64_t target, std::uint64_t bytes, bool sums = false) {
    using Kind = cpu::MemoryTouch::Kind;
    charge(cpu::WorkKind::kByteCopied, bytes);
    if (sums) charge(cpu::WorkKind::kExecuted, core_.sum_beyond_copy(bytes));
    owed_.touch({sums ? Kind::kCopySum : Kind::kCopy, work_state(), source, target, bytes});
  }
  /// A checksum in a pass of its own.
  void sum(std::uint64_t address, std::uint64_t bytes) {
    charge(cpu::WorkKind::kByteChecksummed, bytes);
    owed_.touch({cpu::MemoryTouch::Kind::kSum, work_state(), address, 0, bytes});
  }
  void touch_read(std::uint64_t address, std::uint64_t bytes) {
    owed_.touch({cpu::MemoryTouch::Kind::kRead, work_state(), address, 0, bytes});
  }
  void touch_write(std::uint64_t address, std::uint64_t bytes) {
    owed_.touch({cpu::MemoryTouch::Kind::kWrite, work_state(), 0, address, bytes});
  }
  /// Lets the time of all charged work pass, then takes pending interrupts.
  void pay();
  /// Lets the simulator's kernel reach this processor's time (EventQueue::catch_up()), before the
  /// simulation ends.
  void catch_up();
  /// Accesses to device registers and configuration space: pay(), then the bus's time. An address
  /// that no device decodes reads as all ones.
  std::uint64_t read(std::uint64_t address, std::uint32_t size = 4);
  void write(std::uint64_t address, std::uint64_t value, std::uint32_t size = 4);

  bool in_hardirq() const { return context_ == cpu::CoreState::kHardirq; }
  bool in_softirq() const { return context_ == cpu::CoreState::kSoftirq; }

  using SoftirqsOff = host::SoftirqsOff;

  // Interrupts (InterruptLines).
  void add_handler(std::uint32_t vector, InterruptHandler& handler);
  void set_line(std::uint32_t vector, bool asserted);
  void message(std::uint32_t vector);
  /// Sets the handler of the processor's own timer interrupt, which is not dispatched like a
  /// device's.
  void set_timer_handler(InterruptHandler& handler) { timer_handler_ = &handler; }
  void timer_interrupt();
  /// Whether a handler of the vector runs or is about to run, or a message waits for it.
  bool engaged(std::uint32_t vector) const { return interrupts_.engaged(vector); }
  /// Lines whose interrupts no handler claimed. They stay masked.
  std::uint32_t masked_lines() const { return interrupts_.masked(); }
  /// Marks a softirq to be run: on the way out of the interrupt, at the end of SoftirqsOff, or when
  /// the processor next checks.
  void raise(Softirq& softirq);

  /// Handlers, softirqs and system calls hold this lock from this call on.
  void set_giant(GiantLock& giant) { giant_ = &giant; }
  /// Whether interrupts or softirqs have found the GiantLock taken.
  bool wants_giant() const { return interrupts_.waiting() != 0 || softirqs_.waiting(); }
  /// An event that the processor waits for may have occurred, so an idle processor checks.
  void notice();

  // Processes.
  /// Makes a process of this processor ready. It gets the processor when that is free (round robin,
  /// with time slices).
  void ready(Process& process);
  /// The timers by which its processes sleep; null before they are set.
  Timers* timers() { return timers_; }
  void set_timers(Timers& timers) { timers_ = &timers; }

  observe::Counter softirq_runs{"softirq_runs", "1", "turns of softirqs"};
  observe::Counter ksoftirqd_wakeups{"ksoftirqd_wakeups", "1",
                                     "times that softirqs were left to the kernel thread"};
  observe::Counter nobody_cared{"nobody_cared", "1",
                                "lines masked because no handler claimed them"};
  observe::Counter preemptions{"preemptions", "1",
                               "processes that lost the processor to one that was woken"};
  observe::Counter slices{"slices", "1", "time slices used up"};
  observe::Counter kicks{"kicks", "1", "interrupts from other processors, to look for work"};

 private:
  friend class Process;
  friend class Ksoftirqd;
  friend class IdleThread;
  friend class Away;
  friend host::SoftirqsOff;

  /// The state to which present work is accounted.
  cpu::CoreState work_state() const {
    return context_ == cpu::CoreState::kIdle ? cpu::CoreState::kSystem : context_;
  }
  /// Vectors that can be served now.
  std::uint32_t due_vectors() const {
    const std::uint32_t waiting = interrupts_.waiting();
    return waiting == 0 || giant_is_free() ? interrupts_.pending()
                                           : interrupts_.pending() & ~waiting;
  }
  bool interrupt_pending() const { return timer_pending_ || kicked_ || due_vectors() != 0; }
  bool softirqs_can_run() const { return !softirqs_.waiting() || giant_is_free(); }
  bool softirqs_ready() const { return softirqs_.due() && softirqs_can_run(); }
  bool giant_is_free() const;

  void settle();
  void take_interrupts();
  void serve(std::uint32_t vector);
  bool enter_giant();
  void leave_giant();
  void switch_thread();
  void give_way();
  void run_softirqs();
  bool run_softirq();
  void kick();

  void admit(Process& process, bool interactive);
  void give_to(Process* next);
  void await(Process& process);
  void give_up(Process& process);
  void leave();
  void reschedule();

  static Processor* g_current;

  cpu::Core& core_;
  const KernelParams params_;
  Timers* timers_ = nullptr;
  cpu::CoreState context_ = cpu::CoreState::kIdle;

  const std::uint64_t units_per_cycle_;  // of code that is given in cycles
  OwedWork owed_;

  InterruptLines interrupts_;
  InterruptHandler* timer_handler_ = nullptr;
  bool timer_pending_ = false;
  bool kicked_ = false;

  SoftirqQueue softirqs_;
  GiantLock* giant_ = nullptr;
  std::unique_ptr<Ksoftirqd> ksoftirqd_;

  RunQueue runnable_;
  Process* running_ = nullptr;  // null: the idle thread
  Process* last_ = nullptr;     // the process whose translations are loaded
  IdleThread idle_;
};

}  // namespace longhaul::host
