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

/// One processor under a modelled operating system: runs processes, lets interrupts in while they
/// work, runs softirqs on the way back, and charges everything to its core.
///
/// Code that runs on it (handlers, softirqs, processes) says what it does with charge(), execute()
/// and touch(), which cost nothing yet, and lets the time pass with pay(). In pay(), and only
/// there, interrupts come in and their handlers run nested, as on the real thing; so code reads and
/// writes shared state freely between two pays. A chunk of work that is paid at once bounds how
/// late an interrupt is taken: pay after every packet and every piece of a copy. Such code runs in
/// fibers (models/common/fiber.h).
class Processor final : public sc_core::sc_module {
 public:
  static constexpr std::uint32_t kVectors = InterruptLines::kVectors;
  static constexpr std::size_t kStackBytes =
      256 << 10;  ///< of each fiber of a processor: interrupts nest

  Processor(const sc_core::sc_module_name& name, cpu::Core& core, const KernelParams& params);
  ~Processor() override;

  /// The one whose code is being executed at this instant, of whichever host; null in anything that
  /// is no code of a modelled host: a device's process, elaboration.
  static Processor* current() { return g_current; }

  cpu::Core& core() { return core_; }
  const KernelParams& params() const { return params_; }
  std::uint64_t now_ps() const { return longhaul::now_ps(); }

  // For the code that runs on it.
  void charge(cpu::WorkKind kind, std::uint64_t units = 1);
  /// Code of the kernel that is said to take so many cycles; KernelParams::code_scale says how many
  /// it does.
  void execute(std::uint64_t cycles) {
    charge(cpu::WorkKind::kExecuted, cycles * units_per_cycle_);
  }
  /// Goes along a list of which only the second-level cache has so many elements: the processor's
  /// time, not the code's.
  void step_along(std::uint64_t elements) {
    charge(cpu::WorkKind::kExecuted,
           elements * core_.params().costs.list_step() * cpu::kUnitsPerCycle);
  }
  /// Memory that the work reads or writes in bulk; the bytes of a copy are charged as such, too.
  void copy(std::uint64_t source, std::uint64_t target, std::uint64_t bytes) {
    charge(cpu::WorkKind::kByteCopied, bytes);
    owed_.touch({cpu::MemoryTouch::Kind::kCopy, work_state(), source, target, bytes});
  }
  void touch_read(std::uint64_t address, std::uint64_t bytes) {
    owed_.touch({cpu::MemoryTouch::Kind::kRead, work_state(), address, 0, bytes});
  }
  void touch_write(std::uint64_t address, std::uint64_t bytes) {
    owed_.touch({cpu::MemoryTouch::Kind::kWrite, work_state(), 0, address, bytes});
  }
  /// Lets the time of everything owed pass, then takes interrupts that are pending.
  void pay();
  /// Lets the simulator's kernel come to where this processor is (EventQueue::catch_up()), before
  /// something that ends the simulation.
  void catch_up();
  /// Accesses to device registers and configuration space: pay(), then the bus's time. An address
  /// nobody decodes reads all ones.
  std::uint64_t read(std::uint64_t address, std::uint32_t size = 4);
  void write(std::uint64_t address, std::uint64_t value, std::uint32_t size = 4);

  bool in_hardirq() const { return context_ == cpu::CoreState::kHardirq; }
  bool in_softirq() const { return context_ == cpu::CoreState::kSoftirq; }

  using SoftirqsOff = host::SoftirqsOff;

  // Interrupts (InterruptLines).
  void add_handler(std::uint32_t vector, InterruptHandler& handler);
  void set_line(std::uint32_t vector, bool asserted);
  void message(std::uint32_t vector);
  /// The interrupt of the processor's own timer: not dispatched like a device's.
  void set_timer_handler(InterruptHandler& handler) { timer_handler_ = &handler; }
  void timer_interrupt();
  /// Whether a handler of the vector is at work or about to be, or a message waits for it.
  bool engaged(std::uint32_t vector) const { return interrupts_.engaged(vector); }
  /// Lines that nobody has cared for; they stay masked.
  std::uint32_t masked_lines() const { return interrupts_.masked(); }
  /// Marks a softirq to be run: on the way out of the interrupt, at the end of SoftirqsOff, or when
  /// the processor next looks.
  void raise(Softirq& softirq);

  /// From now on handlers, softirqs and system calls run under it.
  void set_giant(GiantLock& giant) { giant_ = &giant; }
  /// Whether interrupts or softirqs have found the GiantLock taken.
  bool wants_giant() const { return interrupts_.waiting() != 0 || softirqs_.waiting(); }
  /// What it waits for may have happened: an idle processor looks.
  void notice();

  // Processes.
  /// Makes a process of this processor ready to run; it gets the processor when it is free (round
  /// robin, with time slices).
  void ready(Process& process);
  /// Timers that its processes sleep by; null before there are any.
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

  /// To which work is accounted that is done now.
  cpu::CoreState work_state() const {
    return context_ == cpu::CoreState::kIdle ? cpu::CoreState::kSystem : context_;
  }
  /// Vectors that something can be done about now.
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

  const std::uint64_t units_per_cycle_;  // of code that is told in cycles
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
