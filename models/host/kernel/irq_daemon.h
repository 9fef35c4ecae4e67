// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <systemc>

#include "models/host/kernel/interrupt_router.h"

namespace longhaul::host {

/// The program irqbalance: at intervals it gives each vector, the heaviest first, to the processor
/// with the least interrupts. A processor has the interrupts of the vectors that it was given, and
/// the first one those of the tick, too. README.md#where-an-interrupt-goes has the rule's source.
///
/// Its own work costs nothing: it runs for some milliseconds in 10 s.
class IrqDaemon final : public sc_core::sc_module {
 public:
  /// `tick` is the period of the first processor's timer interrupt.
  IrqDaemon(const sc_core::sc_module_name& name, InterruptRouter& router, std::uint32_t processors,
            const sc_core::sc_time& tick, const RouterParams& params);

 private:
  void start_of_simulation() override;
  void look_method();

  InterruptRouter& router_;
  const std::uint32_t processors_;
  const sc_core::sc_time tick_;
  const sc_core::sc_time interval_;
  const std::uint64_t penalty_;
  std::array<std::uint64_t, Processor::kVectors> seen_{};  // interrupts at the last look
  sc_core::sc_event look_event_{"look_event"};
};

}  // namespace longhaul::host
