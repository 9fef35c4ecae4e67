// SPDX-License-Identifier: Apache-2.0
#include "models/wan/nistnet/packet_path.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/common/split_mix.h"

namespace longhaul::wan {
namespace {

/// Phase of the timer at the simulation's start. The timer has run since before; the seed chooses
/// the phase.
std::uint64_t phase_ps(std::uint64_t seed, Frequency rate) {
  return split_mix(seed) % rate.period_ps();
}

}  // namespace

PacketPath::PacketPath(const sc_core::sc_module_name& name, const NistnetParams& params,
                       BoxCpu& cpu)
    : sc_core::sc_module(name),
      clock_(params.timer.rate(), phase_ps(params.settings.seed(), params.timer.rate())),
      costs_(params.cpu),
      timer_ps_(costs_.code_ps(costs_.interrupt_cycles()) +
                params.timer.port_accesses() * to_ps(params.timer.port_access())),
      cpu_(cpu) {
  set_delay(kWest, params.settings.delay_west());
  set_delay(kEast, params.settings.delay_east());
  cpu_.set_softirq(softirq_);
  timer_.set(clock_.tick_ps(0));
}

void PacketPath::join(SkAdapter& west, SkAdapter& east) { adapters_ = {&west, &east}; }

void PacketPath::set_delay(Side from, sc_core::sc_time delay) {
  const sc_core::sc_time longest(10, sc_core::SC_SEC);
  if (delay > longest) {
    throw ConfigError(
        fmt::format("{}: delay of {}, wants 0 to {}", name(), to_text(delay), to_text(longest)));
  }
  delay_ticks_[from] = clock_.ticks(delay);
}

/// netif_rx().
void PacketPath::enqueue(const FrameRef& frame, Side from) {
  if (backlog_.size() >= costs_.backlog()) {
    backlog_dropped.add();
    tap.report(now(), frame, observe::FrameFate::kDropped, "backlog full");
    return;
  }
  backlog_.push_back({frame, from, 0});
  backlog.set(backlog_.size());
  cpu_.raise_softirq();
}

std::uint64_t PacketPath::begin_packet_ps() {
  step_is_released_ = !released_.empty();
  step_forwards_ = step_is_released_ || delay_ticks_[backlog_.front().from] == 0;
  std::uint64_t length_ps = 0;
  if (!step_is_released_)
    length_ps += costs_.code_ps(costs_.classify_cycles(), costs_.classify_lines());
  if (step_forwards_) length_ps += costs_.code_ps(costs_.forward_cycles(), costs_.forward_lines());
  return length_ps;
}

bool PacketPath::end_packet() {
  Packet packet = step_is_released_ ? released_.pop_front() : backlog_.pop_front();
  backlog.set(backlog_.size());
  if (step_forwards_) {
    forwarded.add();
    adapters_[packet.from == kWest ? kEast : kWest]->transmit(packet.frame);
  } else {
    RingBuffer<Packet>& line = held_[packet.from];
    packet.due_tick = counted_ticks_ + delay_ticks_[packet.from] + 1;
    if (!line.empty()) packet.due_tick = std::max(packet.due_tick, line.back().due_tick);
    line.push_back(std::move(packet));
    held.add(1);
  }
  return !released_.empty() || !backlog_.empty();
}

/// Handles a tick of the hardware. As in the real clock, a tick is lost if the last tick's
/// interrupt is still pending.
void PacketPath::tick() {
  ++next_tick_;
  timer_.set(clock_.tick_ps(next_tick_));
  if (timer_pending_) return;
  timer_pending_ = true;
  cpu_.interrupt(timer_interrupt_);
}

bool PacketPath::TimerInterrupt::end_step() {
  path_.timer_pending_ = false;
  path_.ticks.add();
  ++path_.counted_ticks_;
  path_.release_due();
  return false;
}

void PacketPath::release_due() {
  bool any = false;
  for (RingBuffer<Packet>& line : held_) {
    while (!line.empty() && line.front().due_tick <= counted_ticks_) {
      released_.push_back(line.pop_front());
      held.add(-1);
      any = true;
    }
  }
  if (any) cpu_.raise_softirq();
}

}  // namespace longhaul::wan
