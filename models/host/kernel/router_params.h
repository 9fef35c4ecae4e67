// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <systemc>
#include <tuple>

#include "models/common/param.h"

namespace longhaul::host {

/// How a system with several processors distributes interrupts.
struct RouterParams {
  /// Moves lines between processors by their load, like Linux 2.6's kirqd. Otherwise each line
  /// stays at its processor, by default the first one.
  Param<bool> irqbalance{
      "irqbalance",
      false,
      "moves interrupt lines between processors by their load",
      {Evidence::kChosen, "a user's choice: kirqd needs an SMP kernel for i386"}};
  Param<sc_core::sc_time> balance_interval{
      "balance_interval",
      {5, sc_core::SC_SEC},
      "longest time from one look at the load to the next",
      {Evidence::kDatasheet, "Linux 2.6, arch/i386/kernel/io_apic.c: MAX_BALANCED_IRQ_INTERVAL"},
      Range<sc_core::sc_time>{{1, sc_core::SC_MS}, {1000, sc_core::SC_SEC}}};
  /// Lower limit of the interval. While moving a line helps, the interval falls by a fifth of the
  /// longest interval each time; otherwise it rises by a fiftieth.
  Param<sc_core::sc_time> shortest_balance_interval{
      "shortest_balance_interval",
      {500, sc_core::SC_MS},
      "shortest such time, to which it falls while moving something helps",
      {Evidence::kDatasheet, "Linux 2.6, arch/i386/kernel/io_apic.c: MIN_BALANCED_IRQ_INTERVAL"},
      Range<sc_core::sc_time>{{1, sc_core::SC_MS}, {1000, sc_core::SC_SEC}}};

  /// The vector's affinity names all processors, and the interrupt controller takes them in turn.
  Param<bool> in_turn{
      "in_turn",
      false,
      "each interrupt of a line goes to the next processor",
      {Evidence::kChosen,
       "a user's choice: Linux' cxgb.rst tells of interrupts that are bound to several processors; "
       "README.md#where-an-interrupt-goes"}};
  /// Gives each vector to the processor with the least interrupts, like the program irqbalance.
  Param<bool> daemon{"daemon",
                     false,
                     "a program gives interrupt lines to the processors with the least interrupts",
                     {Evidence::kChosen, "a user's choice: distributions start irqbalance"}};
  Param<sc_core::sc_time> daemon_interval{
      "daemon_interval",
      {10, sc_core::SC_SEC},
      "time from one look of that program to the next",
      {Evidence::kDatasheet, "Linux, cxgb.rst: irqbalance runs on a 10 second interval"},
      Range<sc_core::sc_time>{{1, sc_core::SC_MS}, {1000, sc_core::SC_SEC}}};
  Param<std::uint32_t> daemon_penalty{
      "daemon_penalty",
      3000,
      "interrupts by which another processor must have less before that program moves a line",
      {Evidence::kDatasheet, "irqbalance of December 2006, constants.h: CROSS_PACKAGE_PENALTY"},
      Range<std::uint32_t>{0, 1'000'000}};

  auto fields() {
    return std::tie(irqbalance, balance_interval, shortest_balance_interval, in_turn, daemon,
                    daemon_interval, daemon_penalty);
  }
};

}  // namespace longhaul::host
