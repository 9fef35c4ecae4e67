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
  const ClockEdges edges(params.frequency, params.ppm, params.phase_ps);
  auto source = std::find_if(sources_.begin(), sources_.end(),
                             [&](const auto& one) { return one->edges().same_clock(edges); });
  if (source == sources_.end())
    source = sources_.insert(source, std::make_unique<ClockSource>(edges));
  ClockDomain& clock = clocks_.emplace_back(**source, params.gating, process_->goes_on_event());
  inputs_.push_back({&clock, source->get(), pin});
  taking_.resize(inputs_.size());
  if (params.gating.request.byte != nullptr) requests_.push_back({params.gating.request, &clock});
  return clock;
}

void RtlBlock::power_up(std::uint64_t unit_ps, const std::function<bool()>& ready) {
  for (Input& input : inputs_) input.pin.set(false);
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

/// If falls are not shown, a clock falls with the next edge of another clock, or just before its
/// own next edge.
///
/// Everything that it calls is compiled into it, since each clock edge of each block comes here.
[[gnu::flatten]] void RtlBlock::take_edges(std::uint64_t at_ps) {
  edge_ps_ = at_ps;
  Input** end = taking_.data();  // of the inputs that take this edge
  bool falls_first = false;      // one of them is high
  bool samples = false;
  for (Input& input : inputs_) {
    ClockSource& source = *input.source;
    const bool rises = source.next_ps() == at_ps;
    if (rises && input.clock->takes(at_ps)) {
      *end++ = &input;
      samples |= input.clock->samples();
    }
    if (!input.high || (shows_falls_ && source.fall_ps() > at_ps)) continue;
    falls_first |= rises;
    input.high = false;
    input.pin.set(false);
    source.fall();
  }
  if (falls_first) {
    eval(at_ps);
  } else if (samples && unsettled_) {
    settle(at_ps);
  }
  if (samples) {
    for (Input** input = taking_.data(); input != end; ++input) (*input)->clock->sample();
  }
  for (Input** input = taking_.data(); input != end; ++input) {
    (*input)->high = true;
    (*input)->pin.set(true);
  }
  for (const auto& source : sources_) {
    if (source->next_ps() == at_ps) source->rise();
  }
  eval(at_ps);
  if (end != taking_.data()) {
    for (Input** input = taking_.data(); input != end; ++input)
      (*input)->clock->run_transactors(at_ps);
    for (const Request& request : requests_) {
      if (request.pin.get()) request.clock->requested(at_ps);
    }
    unsettled_ = true;
  }
  look_for_next();
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
