// SPDX-License-Identifier: Apache-2.0
#include "platform/cosim/rtl_block.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "platform/cosim/edge_process.h"

namespace longhaul::cosim {

RtlBlock::RtlBlock(const sc_core::sc_module_name& name)
    : sc_core::sc_module(name), process_(EdgeProcess::get()) {
  sources_.reserve(kMostClockInputs);
  process_->add(*this);
}

RtlBlock::~RtlBlock() { process_->remove(*this); }

void RtlBlock::set_model(RtlModel& model) {
  model_ = &model;
  shows_falls_ = model.shows_falls();
}

ClockDomain& RtlBlock::add_clock(BitPin pin, const ClockParams& params) {
  if (inputs_.size() == kMostClockInputs) {
    throw std::length_error(
        fmt::format("{}: a block has at most {} clock inputs", name(), kMostClockInputs));
  }
  const ClockEdges edges(params.frequency, params.ppm, params.phase_ps);
  auto source = std::find_if(sources_.begin(), sources_.end(),
                             [&](const auto& one) { return one.edges().same_clock(edges); });
  if (source == sources_.end()) source = sources_.insert(source, ClockSource(edges));
  const ClockInputs input = ClockInputs{1} << inputs_.size();
  ClockDomain& clock =
      clocks_.emplace_back(*source, input, params.gating, process_->goes_on_event());
  inputs_.push_back({pin, &clock});
  if (params.gating.request.byte != nullptr) requesting_ |= input;
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
  std::uint64_t next_ps = ClockSource::kNever;
  for (const ClockSource& source : sources_) {
    const bool falls = shows_falls_ && (high_ & source.inputs()) != 0;
    next_ps = std::min(next_ps, falls ? source.fall_ps() : source.next_ps());
  }
  next_ps_ = next_ps;
}

bool RtlBlock::stands_still() const {
  return std::any_of(sources_.begin(), sources_.end(),
                     [](const ClockSource& source) { return source.going() == 0; });
}

/// The inputs that fall with the edge at `at_ps`, or ahead of it: if falls are shown, those whose
/// fall is due; else all that are high.
ClockInputs RtlBlock::fallen(std::uint64_t at_ps) const {
  if (!shows_falls_) return high_;
  ClockInputs due = 0;
  for (const ClockSource& source : sources_)
    if (source.fall_ps() <= at_ps) due |= source.inputs();
  return high_ & due;
}

/// Sets the levels of all clock pins. The host's CPU cannot predict which of them change, after all
/// the branches of an evaluation, so there is no branch on it.
void RtlBlock::show(ClockInputs high) {
  high_ = high;
  for (Input& input : inputs_) {
    const auto level = static_cast<std::uint8_t>(-(high & 1U));
    *input.pin.byte =
        static_cast<std::uint8_t>((*input.pin.byte & ~input.pin.mask) | (level & input.pin.mask));
    high >>= 1;
  }
}

template <class Call>
void RtlBlock::for_each(ClockInputs inputs, const Call& call) {
  for (; inputs != 0; inputs &= inputs - 1)
    call(inputs_[static_cast<std::size_t>(__builtin_ctz(inputs))]);
}

/// If falls are not shown, a clock falls with the next edge of another clock, or just before its
/// own next edge.
///
/// Everything that it calls at each edge is compiled into it, since each clock edge of each block
/// comes here.
[[gnu::flatten]] void RtlBlock::take_edges(std::uint64_t at_ps) {
  edge_ps_ = at_ps;
  const ClockInputs falling = fallen(at_ps);
  ClockInputs taking = 0;  // this edge
  ClockInputs beside = 0;  // all inputs of their sources
  ClockInputs going = 0;
  ClockInputs sampling = 0;
  for (ClockSource& source : sources_) {
    going |= source.going();
    if (source.next_ps() != at_ps) continue;
    taking |= source.rise();
    beside |= source.inputs();
    sampling |= source.sampling();
  }
  sampling &= taking;
  show(high_ & ~falling);
  if ((falling & beside) != 0) {
    eval(at_ps);
  } else if (sampling != 0 && unsettled_) {
    settle(at_ps);
  }
  for_each(sampling, [](const Input& input) { input.clock->sample(); });
  show(high_ | taking);
  eval(at_ps);
  if (taking != 0) {
    for_each(taking, [at_ps](const Input& input) { input.clock->run_transactors(at_ps); });
    for_each(requesting_ & ~going, [at_ps](const Input& input) {
      if (input.clock->request()) input.clock->requested(at_ps);
    });
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
