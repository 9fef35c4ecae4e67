// SPDX-License-Identifier: Apache-2.0
#include "models/host/kernel/interrupt_router.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <string>

namespace longhaul::host {

InterruptRouter::InterruptRouter(const sc_core::sc_module_name& name,
                                 const std::vector<Processor*>& processors,
                                 const RouterParams& params)
    : sc_module(name),
      processors_(processors),
      params_(params),
      taken_(processors.size()),
      interval_(params.balance_interval()) {
  SC_HAS_PROCESS(InterruptRouter);
  SC_METHOD(balance_method);
  sensitive << balance_event_;
  dont_initialize();
}

void InterruptRouter::start_of_simulation() {
  if (params_.irqbalance() && processors_.size() > 1) balance_event_.notify(interval_);
}

void InterruptRouter::add_handler(std::uint32_t vector, InterruptHandler& handler) {
  for (Processor* const processor : processors_) processor->add_handler(vector, handler);
}

void InterruptRouter::set_affinity(std::uint32_t vector, std::uint32_t processor) {
  if (processor >= processors_.size())
    throw std::out_of_range(std::string(name()) + ": no such processor");
  wanted_.at(vector) = processor;
  follow(vector);
}

void InterruptRouter::follow(std::uint32_t vector) {
  const std::uint32_t from = route_[vector];
  const std::uint32_t to = wanted_[vector];
  const std::uint32_t bit = 1U << vector;
  if (from == to || processors_[from]->engaged(vector) ||
      (processors_[from]->masked_lines() & bit) != 0)
    return;
  route_[vector] = to;
  if ((lines_ & bit) == 0) return;
  processors_[from]->set_line(vector, false);
  processors_[to]->set_line(vector, true);
}

/// A new interrupt of the vector is about to go to a processor.
void InterruptRouter::rises(std::uint32_t vector) {
  const std::uint32_t last = route_[vector];
  if (params_.in_turn())
    wanted_[vector] = (last + 1) % static_cast<std::uint32_t>(processors_.size());
  follow(vector);
  if (route_[vector] != last) turns.add();
  ++taken_[route_[vector]][vector];
  ++interrupts_[vector];
}

void InterruptRouter::intx(std::uint32_t line, bool asserted) {
  if (line >= Processor::kVectors) return;
  if (asserted) {
    rises(line);
  } else {
    follow(line);
  }
  lines_ = asserted ? lines_ | 1U << line : lines_ & ~(1U << line);
  intx_lines.set(lines_);
  processors_[route_[line]]->set_line(line, asserted);
}

void InterruptRouter::msi(std::uint64_t /*address*/, std::uint16_t data) {
  if (data >= Processor::kVectors) return;
  rises(data);
  processors_[route_[data]]->message(data);
}

std::uint64_t InterruptRouter::load_of(std::uint32_t processor) const {
  return std::accumulate(taken_[processor].begin(), taken_[processor].end(), std::uint64_t{0});
}

void InterruptRouter::move(std::uint32_t vector, std::uint32_t processor) {
  if (wanted_[vector] != processor) moves.add();
  wanted_[vector] = processor;
  follow(vector);
}

void InterruptRouter::balance_method() {
  const sc_core::sc_time longest = params_.balance_interval();
  const sc_core::sc_time shortest = std::min(params_.shortest_balance_interval(), longest);
  if (balance(interval_)) {
    const sc_core::sc_time less = longest / 5;
    interval_ = interval_ > shortest + less ? interval_ - less : shortest;
  } else {
    interval_ = std::min(longest, interval_ + longest / 50);
  }
  for (Counts& counts : taken_) counts = {};
  balance_event_.notify(interval_);
}

bool InterruptRouter::balance(const sc_core::sc_time& interval) {
  std::vector<std::uint64_t> loads(processors_.size());
  for (std::uint32_t p = 0; p < loads.size(); ++p) loads[p] = load_of(p);
  const auto least = std::min_element(loads.begin(), loads.end());
  std::vector<std::uint32_t> heaviest_first(loads.size());
  std::iota(heaviest_first.begin(), heaviest_first.end(), 0U);
  std::stable_sort(heaviest_first.begin(), heaviest_first.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return loads[a] > loads[b]; });
  std::uint64_t imbalance = 0;
  for (const std::uint32_t from : heaviest_first) {
    if (loads[from] == 0) break;
    imbalance = (loads[from] - *least) / 2;
    if (imbalance < loads[from] / 8) return false;
    // The vector whose move comes nearest to balance without reversing the imbalance.
    std::uint32_t chosen = Processor::kVectors;
    for (std::uint32_t v = 0; v < Processor::kVectors; ++v) {
      const std::uint64_t load = taken_[from][v];
      if (load == 0 || load >= imbalance) continue;
      if (chosen == Processor::kVectors || load > taken_[from][chosen]) chosen = v;
    }
    if (chosen == Processor::kVectors) continue;
    move(chosen, static_cast<std::uint32_t>(least - loads.begin()));
    return true;
  }
  // There are few vectors, and each is too heavy for a lasting balance: they rotate.
  const std::uint64_t useful = interval.value() / processors_.front()->params().tick().value() + 10;
  if (imbalance >= useful) rotate(useful);
  return false;
}

void InterruptRouter::rotate(std::uint64_t least_load) {
  for (std::uint32_t p = 0; p < processors_.size(); ++p) {
    for (std::uint32_t v = 0; v < Processor::kVectors; ++v) {
      if (taken_[p][v] >= least_load)
        move(v, (p + 1) % static_cast<std::uint32_t>(processors_.size()));
    }
  }
}

}  // namespace longhaul::host
