// SPDX-License-Identifier: Apache-2.0
#pragma once

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

  auto fields() { return std::tie(irqbalance, balance_interval, shortest_balance_interval); }
};

}  // namespace longhaul::host
