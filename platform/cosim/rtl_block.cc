// SPDX-License-Identifier: Apache-2.0
#include "platform/cosim/rtl_block.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "platform/cosim/edge_process.h"

namespace longhaul::cosim {

RtlBlock::RtlBlock(const sc_core::sc_module_name& name)
    : sc_core::sc_module(name), process_(EdgeProcess::get()) {
  process_->add(*this);
}

RtlBlock::~RtlBlock() { process_->remove(*this); }

void RtlBlock::set_model(RtlModel& model) {
  model_ = &model;
  shows_falls_ = model.shows_falls();
}

ClockDomain& RtlBlock::add_clock(BitPin pin, const ClockParams& params) {
  requests_ |= params.gating.request.byte != nullptr;
  const ClockEdges edges(params.frequency, params.ppm, params.phase_ps);
  auto source = std::find_if(sources_.begin(), sources_.end(),
                             [&](const auto& one) { return one->edges().same_clock(edges); });
  if (source == sources_.end())
    source = sources_.insert(source, std::make_unique<ClockSource>(edges));
  return clocks_.emplace_back(pin, **source, params.gating, process_->goes_on_event());
}

void RtlBlock::power_up(std::uint64_t unit_ps, const std::function<bool()>& ready) {
  for (ClockDomain& clock : clocks_) clock.lower();
  eval(0);
  look_again();
  while (!ready()) {
    zero_ps_ += unit_ps;
    while (next_ps_ <= zero_ps_) take_edges(next_ps_);
  }
  waiting_.clear();  // before SystemC's zero nothing is delivered
  for (ClockDomain& clock : clocks_) {
    if (gating_) clock.allow_gating();
  }
}

std::uint64_t RtlBlock::input_ps() const {
  const std::uint64_t now = zero_ps_ + now_ps();
  if (edge_ps_ > now) {
    throw std::logic_error(
        fmt::format("{}: something happens at {}, and this block has run ahead to {}", name(),
                    to_text(from_ps(now - zero_ps_)), to_text(from_ps(edge_ps_ - zero_ps_))));
  }
  return now;
}

void RtlBlock::look_for_next() {
  next_ps_ = ClockSource::kNever;
  for (const auto& source : sources_) {
    const bool falls = shows_falls_ && source->high();
    next_ps_ = std::min(next_ps_, falls ? source->fall_ps() : source->next_ps());
  }
}

bool RtlBlock::stands_still() const {
  return std::any_of(sources_.begin(), sources_.end(),
                     [](const auto& source) { return !source->goes(); });
}

void RtlBlock::take_edges(std::uint64_t at_ps) {
  // No block has logic on a falling edge. If falls are not shown, a clock falls with the next edge
  // of another clock, or just before its own next edge.
  if (sources_.size() == 1 && !shows_falls_) {
    take_edges_of(*sources_.front(), at_ps);
  } else {
    take_edges_of_all(at_ps);
  }
}

void RtlBlock::take_edges_of(ClockSource& only, std::uint64_t at_ps) {
  edge_ps_ = at_ps;
  if (only.high()) {
    lower(only);
    eval(at_ps);
  } else if (!only.sampling().empty() && unsettled_) {
    settle(at_ps);
  }
  sample(only, at_ps);
  raise(only, at_ps);
  take_rises(at_ps);
  next_ps_ = only.next_ps();
}

void RtlBlock::take_edges_of_all(std::uint64_t at_ps) {
  rising_.clear();
  bool falls_first = false;
  bool samples = false;
  for (const auto& source : sources_) {
    if (source->next_ps() == at_ps) {
      rising_.push_back(source.get());
      falls_first |= source->high();
      samples |= !source->sampling().empty();
    }
    if (source->high() && (!shows_falls_ || source->fall_ps() <= at_ps)) lower(*source);
  }
  edge_ps_ = at_ps;
  if (falls_first) {
    eval(at_ps);
  } else if (samples && unsettled_) {
    settle(at_ps);
  }
  for (ClockSource* source : rising_) sample(*source, at_ps);
  for (ClockSource* source : rising_) raise(*source, at_ps);
  if (rising_.empty()) {
    eval(at_ps);
  } else {
    take_rises(at_ps);
  }
  look_for_next();
}

void RtlBlock::lower(ClockSource& source) {
  source.fall();
  for (ClockDomain* clock : source.inputs()) clock->lower();
}

void RtlBlock::sample(const ClockSource& source, std::uint64_t at_ps) {
  for (ClockDomain* clock : source.sampling()) clock->sample(at_ps);
}

void RtlBlock::raise(ClockSource& source, std::uint64_t at_ps) {
  source.rise();
  for (ClockDomain* clock : source.inputs()) clock->raise(at_ps);
}

/// Handles clocks that have been raised.
void RtlBlock::take_rises(std::uint64_t at_ps) {
  eval(at_ps);
  for (ClockDomain& clock : clocks_) {
    if (clock.risen()) clock.run_transactors(at_ps);
  }
  if (requests_) {
    for (ClockDomain& clock : clocks_) clock.look_at_request(at_ps);
  }
  unsettled_ = true;
}

void RtlBlock::settle(std::uint64_t at_ps) {
  ++evaluations_;
  model_->settle(at_ps);
}

void RtlBlock::eval(std::uint64_t at_ps) {
  ++evaluations_;
  unsettled_ = false;
  model_->eval(at_ps);
}

void RtlBlock::deliver() {
  called_.swap(waiting_);
  for (Transactor* transactor : called_) transactor->deliver();
  called_.clear();
}

}  // namespace longhaul::cosim
