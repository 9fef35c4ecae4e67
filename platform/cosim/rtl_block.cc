// SPDX-License-Identifier: Apache-2.0
#include "platform/cosim/rtl_block.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace longhaul::cosim {

RtlBlock::RtlBlock(const sc_core::sc_module_name& name) : sc_core::sc_module(name) {
  SC_HAS_PROCESS(RtlBlock);
  SC_METHOD(clock_method);
}

void RtlBlock::set_model(RtlModel& model) {
  model_ = &model;
  shows_falls_ = model.shows_falls();
}

ClockDomain& RtlBlock::add_clock(BitPin pin, const ClockParams& params) {
  requests_ |= params.gating.request.byte != nullptr;
  return clocks_.emplace_back(pin, ClockEdges(params.frequency, params.ppm, params.phase_ps),
                              params.gating, clock_goes_on_event_);
}

void RtlBlock::power_up(std::uint64_t unit_ps, const std::function<bool()>& ready) {
  for (ClockDomain& clock : clocks_) clock.lower();
  eval(0);
  while (!ready()) {
    zero_ps_ += unit_ps;
    for (std::uint64_t at = next_ps(); at <= zero_ps_; at = next_ps()) take_edges(at);
  }
  waiting_.clear();  // before SystemC's zero nobody listens
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

void RtlBlock::clock_method() {
  if (clocks_.empty()) return;
  unsettled_ = true;  // anybody may have set inputs since the last activation
  const std::uint64_t now = zero_ps_ + now_ps();
  if (edge_ps_ == now) deliver();
  std::uint64_t limit = limit_ps();
  std::uint64_t next = next_ps();
  while (next <= limit) {
    take_edges(next);
    if (!waiting_.empty()) {
      if (edge_ps_ > now) return next_trigger(from_ps(edge_ps_ - now));
      deliver();
      limit = limit_ps();  // who has been told acts now
    }
    next = next_ps();
  }
  sleep_until(next);
}

/// The next edge, or an earlier one of a clock that stands still.
void RtlBlock::sleep_until(std::uint64_t next) {
  const auto stopped = [](const ClockDomain& clock) { return clock.stopped(); };
  const std::uint64_t now = zero_ps_ + now_ps();
  if (next == ClockDomain::kNever) {
    next_trigger(clock_goes_on_event_);
  } else if (std::any_of(clocks_.begin(), clocks_.end(), stopped)) {
    next_trigger(from_ps(next - now), clock_goes_on_event_);
  } else {
    next_trigger(from_ps(next - now));
  }
}

/// The instant up to which no other process can do anything.
std::uint64_t RtlBlock::limit_ps() const {
  const std::uint64_t now = zero_ps_ + now_ps();
  if (sc_core::sc_pending_activity_at_current_time()) return now;
  return now + std::min(run_ahead_ps_, to_ps(sc_core::sc_time_to_pending_activity()));
}

std::uint64_t RtlBlock::next_ps() const {
  std::uint64_t next = ClockDomain::kNever;
  for (const ClockDomain& clock : clocks_) {
    next = std::min(next, shows_falls_ && clock.high() ? clock.edges().fall_ps() : clock.next_ps());
  }
  return next;
}

void RtlBlock::take_edges(std::uint64_t at_ps) {
  // No block has logic on a falling edge: where nobody looks, a clock falls with the next edge of
  // another one, or just before its own next.
  bool rises = false;
  bool falls_first = false;
  bool samples = false;
  for (ClockDomain& clock : clocks_) {
    if (clock.next_ps() == at_ps) {
      rises = true;
      falls_first |= clock.high();
      samples |= clock.samples();
    }
  }
  const auto lower = [&] {
    for (ClockDomain& clock : clocks_) {
      if (!shows_falls_ || (clock.high() && clock.edges().fall_ps() <= at_ps)) clock.lower();
    }
  };
  lower();
  if (falls_first) {
    eval(at_ps);
  } else if (samples && unsettled_) {
    ++evaluations_;
    model_->settle(at_ps);
  }
  if (!rises) {
    edge_ps_ = at_ps;
    return eval(at_ps);
  }
  if (samples) {
    for (ClockDomain& clock : clocks_) {
      if (clock.next_ps() == at_ps) clock.sample();
    }
  }
  std::uint32_t risen = 0;
  std::uint32_t bit = 1;
  for (ClockDomain& clock : clocks_) {
    if (clock.next_ps() == at_ps) {
      clock.raise();
      risen |= bit;
    }
    bit <<= 1U;
  }
  edge_ps_ = at_ps;
  eval(at_ps);
  for (ClockDomain& clock : clocks_) {
    if ((risen & 1U) != 0) clock.run_transactors(at_ps);
    risen >>= 1U;
  }
  if (requests_) {
    for (ClockDomain& clock : clocks_) clock.look_at_request(at_ps);
  }
  unsettled_ = true;
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
