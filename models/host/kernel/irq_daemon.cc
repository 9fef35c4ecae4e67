// SPDX-License-Identifier: Apache-2.0
#include "models/host/kernel/irq_daemon.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace longhaul::host {

IrqDaemon::IrqDaemon(const sc_core::sc_module_name& name, InterruptRouter& router,
                     std::uint32_t processors, const sc_core::sc_time& tick,
                     const RouterParams& params)
    : sc_module(name),
      router_(router),
      processors_(processors),
      tick_(tick),
      interval_(params.daemon_interval()),
      penalty_(params.daemon_penalty()) {
  SC_HAS_PROCESS(IrqDaemon);
  SC_METHOD(look_method);
  sensitive << look_event_;
  dont_initialize();
}

void IrqDaemon::start_of_simulation() { look_event_.notify(interval_); }

void IrqDaemon::look_method() {
  std::array<std::uint64_t, Processor::kVectors> load{};
  for (std::uint32_t v = 0; v < load.size(); ++v) {
    load[v] = router_.interrupts(v) - seen_[v];
    seen_[v] = router_.interrupts(v);
  }
  std::array<std::uint32_t, Processor::kVectors> heaviest_first{};
  std::iota(heaviest_first.begin(), heaviest_first.end(), 0U);
  std::stable_sort(heaviest_first.begin(), heaviest_first.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return load[a] > load[b]; });
  std::vector<std::uint64_t> given(processors_);
  given.front() = interval_.value() / tick_.value();
  for (const std::uint32_t v : heaviest_first) {
    if (load[v] == 0) break;
    const std::uint32_t here = router_.affinity(v);
    const auto cost = [&](std::uint32_t p) { return given[p] + (p == here ? 0 : penalty_); };
    std::uint32_t best = 0;
    for (std::uint32_t p = 1; p < processors_; ++p) {
      if (cost(p) < cost(best)) best = p;
    }
    given[best] += load[v];
    router_.move(v, best);
  }
  look_event_.notify(interval_);
}

}  // namespace longhaul::host
