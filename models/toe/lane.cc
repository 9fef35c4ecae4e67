// SPDX-License-Identifier: Apache-2.0
#include "models/toe/lane.h"

#include <algorithm>
#include <utility>

#include "models/common/wide_math.h"

namespace longhaul::toe {
namespace {

constexpr std::size_t index(Event event) { return static_cast<std::size_t>(event); }

/// The classes that take turns: both queues of messages are one.
constexpr std::size_t kClasses = 4;
constexpr std::size_t class_of(Event event) {
  constexpr std::array<std::size_t, kEvents> kClassOf{0, 1, 1, 2, 3};
  return kClassOf[index(event)];
}

/// States of the probe.
constexpr std::size_t kSeparated = 1 + kClasses;

}  // namespace

Lane::Lane(const sc_core::sc_module_name& name, const ToeParams& params, const Form& form,
           LaneWork& work, EventSerials& serials, MemoryTurns* memory)
    : sc_module(name),
      work_(work),
      serials_(serials),
      memory_(memory),
      hz_(params.clock().hz),
      elements_(form.elements),
      engine_("engine", params.clock(), [this] { return step(); }) {
  for (const Event event : form.events) takes_[index(event)] = true;
  if (memory_ != nullptr) memory_->add([this] { kick(); });
  if (params.arbitration() == "receive-first") {
    arbitration_ = Arbitration::kReceiveFirst;
  } else if (params.arbitration() == "round-robin") {
    arbitration_ = Arbitration::kRoundRobin;
  } else if (params.arbitration() != "timers-first") {
    fail_unknown_name("arbitration", params.arbitration(), params.arbitration.choices,
                      std::string(this->name()));
  }
}

std::uint64_t Lane::to_time(std::uint64_t clocks) const {
  return times_over(clocks, 1'000'000'000'000ULL, hz_ - 1, hz_);
}

void Lane::set_separators(std::uint32_t modulation_clocks, std::uint32_t timer_clocks) {
  separator_ps_[index(Event::kModulation)] = to_time(modulation_clocks);
  separator_ps_[index(Event::kTimer)] = to_time(timer_clocks);
  engine_.kick();
}

bool Lane::due(Event event) const { return now_ps() >= not_before_ps_[index(event)]; }

std::array<Event, kEvents> Lane::order() const {
  const Event message = next_message_;
  const Event other = message == Event::kData ? Event::kControl : Event::kData;
  switch (arbitration_) {
    case Arbitration::kTimersFirst:
      // Receive and the host's messages take turns.
      return message_first_
                 ? std::array{Event::kTimer, Event::kModulation, message, other, Event::kReceive}
                 : std::array{Event::kTimer, Event::kModulation, Event::kReceive, message, other};
    case Arbitration::kReceiveFirst:
      return {Event::kReceive, message, other, Event::kTimer, Event::kModulation};
    case Arbitration::kRoundRobin: break;
  }
  std::array<Event, kEvents> turn{Event::kReceive, message, other, Event::kModulation,
                                  Event::kTimer};
  const auto behind_last = std::find_if(
      turn.begin(), turn.end(), [this](Event event) { return class_of(event) > last_class_; });
  std::rotate(turn.begin(), behind_last, turn.end());
  return turn;
}

void Lane::count(Event event) {
  switch (event) {
    case Event::kReceive: return receive_events.add();
    case Event::kData:
    case Event::kControl: return message_events.add();
    case Event::kModulation: return modulation_events.add();
    case Event::kTimer: return timer_events.add();
  }
}

void Lane::count(Stall stall) {
  if (stall == shown_) return;  // the same stall still
  shown_ = stall;
  switch (stall) {
    case Stall::kNone: return;
    case Stall::kTxFifo: return tx_fifo_stalls.add();
    case Stall::kReplies: return reply_stalls.add();
    case Stall::kPayload: return payload_stalls.add();
    case Stall::kMemory: return memory_stalls.add();
  }
}

void Lane::take(Event event) {
  last_class_ = class_of(event);
  const bool message = last_class_ == class_of(Event::kData);
  if (message) next_message_ = event == Event::kData ? Event::kControl : Event::kData;
  if (message || event == Event::kReceive) message_first_ = !message;
  not_before_ps_[index(event)] = now_ps() + separator_ps_[index(event)];
  count(event);
  enter(1 + last_class_);
  const std::uint64_t serial = ++serials_.last;
  const EventClocks clocks = work_.run(event, serial);
  if (memory_ != nullptr) memory_->hold(to_time(clocks.context + clocks.payload));
  const std::uint64_t all = std::max<std::uint64_t>(clocks.sum(), 1);
  if (elements_ == 1) {
    running_.push_back({serial, now_ps()});  // over in the step after the time that is spent now
    book(all - clocks.context - clocks.payload, clocks.context, clocks.payload);
    engine_.spend(all);
    return;
  }
  const std::uint64_t work = (clocks.work + elements_ - 1) / elements_;
  const std::uint64_t share = std::max<std::uint64_t>(work + clocks.context, 1);
  if (share >= clocks.payload) {
    book(share - clocks.context, clocks.context, 0);
  } else {
    book(0, 0, clocks.payload);
  }
  engine_.spend(std::max(share, clocks.payload));
  const std::uint64_t before = running_.empty() ? 0 : running_.back().over_ps;
  running_.push_back({serial, std::max(before, now_ps() + to_time(all))});
  over_.set_no_later(running_.front().over_ps);
}

void Lane::book(std::uint64_t work, std::uint64_t context, std::uint64_t payload) {
  work_ps.add(to_time(work));
  context_ps.add(to_time(context));
  payload_ps.add(to_time(payload));
}

/// Ends the events whose time is over.
void Lane::retire() {
  while (!running_.empty() && running_.front().over_ps <= now_ps())
    work_.finish(running_.pop_front().serial);
  if (elements_ > 1 && !running_.empty()) over_.set_no_later(running_.front().over_ps);
}

Step Lane::step() {
  retire();
  Stall stalled = Stall::kNone;
  std::uint64_t next_ps = ~0ULL;
  for (const Event event : order()) {
    if (!takes_[index(event)] || !work_.waits(event)) continue;
    if (!due(event)) {
      next_ps = std::min(next_ps, not_before_ps_[index(event)]);
      continue;
    }
    const bool memory_free = memory_ == nullptr || memory_->free();
    const Stall stall = memory_free ? work_.stall(event) : Stall::kMemory;
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
    enter(kSeparated + static_cast<std::size_t>(stalled));
    return Step::kBlocked;
  }
  enter(next_ps != ~0ULL ? kSeparated : 0);
  return Step::kIdle;
}

}  // namespace longhaul::toe
