// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <systemc>
#include <vector>

#include "models/cpu/core.h"
#include "models/host/kernel/kernel_params.h"

namespace longhaul::host {

class Process;

/// What an interrupt line or message calls, in hard interrupt context.
class InterruptHandler {
 public:
  virtual ~InterruptHandler() = default;
  /// May charge work and access registers; must not block. False: the interrupt was not its own (lines are shared).
  virtual bool interrupt() = 0;
};

/// Work that interrupts put off: NAPI polls, packets behind netif_rx, timers, a swi thread of BSD, a DPC of Windows.
class Softirq {
 public:
  virtual ~Softirq() = default;
  /// One turn; false when there is nothing left to do, true to be called again after the others.
  virtual bool run() = 0;
};

/// One processor under a modelled operating system: runs processes, lets interrupts in while they work, runs softirqs on the
/// way back, and charges everything to its core.
///
/// Code that runs on it (handlers, softirqs, processes) says what it does with charge(), execute() and touch(), which cost nothing yet,
/// and lets the time pass with pay(). In pay(), and only there, interrupts come in and their handlers run nested, as on the real
/// thing; so code reads and writes shared state freely between two pays. A chunk of work that is paid at once bounds how late an
/// interrupt is taken: pay after every packet and every piece of a copy.
class Processor final : public sc_core::sc_module {
 public:
  static constexpr std::uint32_t kVectors = 32;

  Processor(const sc_core::sc_module_name& name, cpu::Core& core, const KernelParams& params);

  cpu::Core& core() { return core_; }
  std::uint64_t now_ps() const;

  // For the code that runs on it.
  void charge(cpu::WorkKind kind, std::uint64_t units = 1);
  /// Instructions of the kernel or a program that take so many cycles on the core.
  void execute(std::uint64_t cycles);
  /// Memory that the work reads or writes in bulk; the bytes of a copy are charged as such, too.
  void copy(std::uint64_t source, std::uint64_t target, std::uint64_t bytes);
  void touch_read(std::uint64_t address, std::uint64_t bytes);
  void touch_write(std::uint64_t address, std::uint64_t bytes);
  /// Lets the time of everything owed pass, then takes interrupts that are pending.
  void pay();
  /// Accesses to device registers and configuration space: pay(), then the bus's time. An address nobody decodes reads all ones.
  std::uint64_t read(std::uint64_t address, std::uint32_t size = 4);
  void write(std::uint64_t address, std::uint64_t value, std::uint32_t size = 4);

  bool in_hardirq() const { return context_ == cpu::CoreState::kHardirq; }
  bool in_softirq() const { return context_ == cpu::CoreState::kSoftirq; }

  /// While one lives no softirq runs here in pay(): what protects a socket from its own packets.
  class SoftirqsOff {
   public:
    explicit SoftirqsOff(Processor& processor);
    ~SoftirqsOff();  // runs what has been raised
    SoftirqsOff(const SoftirqsOff&) = delete;
    SoftirqsOff& operator=(const SoftirqsOff&) = delete;

   private:
    Processor& processor_;
  };

  // Interrupts. Lines are level-triggered, messages are taken once.
  void add_handler(std::uint32_t vector, InterruptHandler& handler);
  void set_line(std::uint32_t vector, bool asserted);
  void message(std::uint32_t vector);
  /// Marks a softirq to be run: on the way out of the interrupt, at the end of SoftirqsOff, or when the processor next looks.
  void raise(Softirq& softirq);

  // Processes.
  /// Makes a process of this processor ready to run; it gets the processor when it is free (round robin, with time slices).
  void ready(Process& process);

 private:
  friend class Process;
  // The implementation's own.
  cpu::Core& core_;
  const KernelParams& params_;
  cpu::CoreState context_ = cpu::CoreState::kIdle;
};

}  // namespace longhaul::host
