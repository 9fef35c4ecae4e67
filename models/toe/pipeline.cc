// SPDX-License-Identifier: Apache-2.0
#include "models/toe/pipeline.h"

#include <algorithm>

#include "models/common/wide_math.h"

namespace longhaul::toe {
namespace {

constexpr std::size_t index(Event event) { return static_cast<std::size_t>(event); }

}  // namespace

TpPipeline::TpPipeline(const sc_core::sc_module_name& name, const ToeParams& params,
                       PipelineWork& work)
    : sc_module(name),
      work_(work),
      hz_(params.clock().hz),
      engine_("engine", params.clock(), [this] { return step(); }) {
  if (params.arbitration() == "receive-first") {
    arbitration_ = Arbitration::kReceiveFirst;
  } else if (params.arbitration() == "round-robin") {
    arbitration_ = Arbitration::kRoundRobin;
  } else if (params.arbitration() != "timers-first") {
    fail_unknown_name("arbitration", params.arbitration(), params.arbitration.choices,
                      std::string(this->name()));
  }
}

void TpPipeline::set_separators(std::uint32_t modulation_clocks, std::uint32_t timer_clocks) {
  const auto to_time = [this](std::uint32_t clocks) {
    return times_over(clocks, 1'000'000'000'000ULL, hz_ - 1, hz_);
  };
  separator_ps_[index(Event::kModulation)] = to_time(modulation_clocks);
  separator_ps_[index(Event::kTimer)] = to_time(timer_clocks);
  engine_.kick();
}

bool TpPipeline::due(Event event) const { return now_ps() >= not_before_ps_[index(event)]; }

std::array<Event, kEvents> TpPipeline::order() const {
  // Receive and the host's messages take turns.
  const bool message_first = last_served_ == Event::kReceive;
  const Event one = message_first ? Event::kMessage : Event::kReceive;
  const Event other = message_first ? Event::kReceive : Event::kMessage;
  switch (arbitration_) {
    case Arbitration::kTimersFirst: return {Event::kTimer, Event::kModulation, one, other};
    case Arbitration::kReceiveFirst:
      return {Event::kReceive, Event::kMessage, Event::kTimer, Event::kModulation};
    case Arbitration::kRoundRobin: break;
  }
  std::array<Event, kEvents> turn{};
  for (std::size_t i = 0; i < kEvents; ++i)
    turn[i] = static_cast<Event>((index(last_) + 1 + i) % kEvents);
  return turn;
}

void TpPipeline::count(Event event) {
  switch (event) {
    case Event::kReceive: return receive_events.add();
    case Event::kMessage: return message_events.add();
    case Event::kModulation: return modulation_events.add();
    case Event::kTimer: return timer_events.add();
  }
}

void TpPipeline::count(Stall stall) {
  if (stall == shown_) return;  // the same stall still
  shown_ = stall;
  switch (stall) {
    case Stall::kNone: return;
    case Stall::kTxFifo: return tx_fifo_stalls.add();
    case Stall::kReplies: return reply_stalls.add();
    case Stall::kPayload: return payload_stalls.add();
  }
}

void TpPipeline::take(Event event) {
  last_ = event;
  if (event == Event::kReceive || event == Event::kMessage) last_served_ = event;
  not_before_ps_[index(event)] = now_ps() + separator_ps_[index(event)];
  count(event);
  occupancy.enter(1 + index(event));
  running_ = true;
  engine_.spend(std::max<std::uint64_t>(work_.run(event), 1));
}

Step TpPipeline::step() {
  if (running_) {
    running_ = false;
    work_.finish();
  }
  Stall stalled = Stall::kNone;
  std::uint64_t next_ps = ~0ULL;
  for (const Event event : order()) {
    if (!work_.waits(event)) continue;
    if (!due(event)) {
      next_ps = std::min(next_ps, not_before_ps_[index(event)]);
      continue;
    }
    const Stall stall = work_.stall(event);
    if (stall == Stall::kNone) {
      count(Stall::kNone);
      take(event);
      return Step::kDone;
    }
    if (stalled == Stall::kNone) stalled = stall;
  }
  if (next_ps != ~0ULL) engine_.kick_in(next_ps - now_ps());
  count(stalled);
  if (stalled != Stall::kNone) {
    occupancy.enter(kSeparated + static_cast<std::size_t>(stalled));
    return Step::kBlocked;
  }
  occupancy.enter(next_ps != ~0ULL ? kSeparated : 0);
  return Step::kIdle;
}

}  // namespace longhaul::toe
