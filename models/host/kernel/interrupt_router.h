// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <systemc>
#include <vector>

#include "models/common/observe/probe.h"
#include "models/host/kernel/processor.h"
#include "models/host/kernel/router_params.h"
#include "models/pcix/host_bridge.h"

namespace longhaul::host {

/// Passes a machine's interrupt lines and messages to its processors. INTx line n is vector n; a
/// message's data is its vector. Each vector goes to one processor. A vector that is given to
/// another processor moves when the old one has finished its handler.
class InterruptRouter final : public sc_core::sc_module,
                              public pcix::IntxReceiver,
                              public pcix::MsiReceiver {
 public:
  InterruptRouter(const sc_core::sc_module_name& name, const std::vector<Processor*>& processors,
                  const RouterParams& params = {});

  /// Adds a handler, on all processors.
  void add_handler(std::uint32_t vector, InterruptHandler& handler);
  /// Sends the vector to one processor (/proc/irq/*/smp_affinity).
  void set_affinity(std::uint32_t vector, std::uint32_t processor);
  std::uint32_t affinity(std::uint32_t vector) const { return wanted_.at(vector); }
  /// The same, counted as a move if the vector had another processor.
  void move(std::uint32_t vector, std::uint32_t processor);
  /// Interrupts of the vector since the begin.
  std::uint64_t interrupts(std::uint32_t vector) const { return interrupts_.at(vector); }

  void intx(std::uint32_t line, bool asserted) override;
  /// A message with an unknown vector is dropped.
  void msi(std::uint64_t address, std::uint16_t data) override;

  observe::Signal intx_lines{"intx", Processor::kVectors, "interrupt lines, asserted"};
  observe::Counter moves{"moves", "1", "vectors that irqbalance gave to another processor"};
  observe::Counter turns{"turns", "1", "interrupts that went to another processor than the last"};

 private:
  using Counts = std::array<std::uint64_t, Processor::kVectors>;

  void start_of_simulation() override;
  void balance_method();
  bool balance(const sc_core::sc_time& interval);
  void rotate(std::uint64_t least_load);
  void follow(std::uint32_t vector);
  void rises(std::uint32_t vector);
  std::uint64_t load_of(std::uint32_t processor) const;

  const std::vector<Processor*> processors_;
  const RouterParams params_;
  std::array<std::uint32_t, Processor::kVectors> wanted_{};
  std::array<std::uint32_t, Processor::kVectors> route_{};
  Counts interrupts_{};  // on all processors
  std::uint32_t lines_ = 0;
  std::vector<Counts> taken_;  // on each processor, since the last balance
  sc_core::sc_time interval_;
  sc_core::sc_event balance_event_{"balance_event"};
};

}  // namespace longhaul::host
