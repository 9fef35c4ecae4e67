// SPDX-License-Identifier: Apache-2.0
#include "models/wan/gnet1/gnet1_twin_port.h"

#include "models/common/units.h"

namespace longhaul::wan {

Gnet1TwinPort::Gnet1TwinPort(const sc_core::sc_module_name& name,
                             std::function<void(const FrameRef&)> begins)
    : sc_core::sc_module(name), channel(counters, *this), begins_(std::move(begins)) {
  port.eth_rx.bind(*this);
}

void Gnet1TwinPort::accept(const Gnet1Arrival& arrival) {
  channel.accept(arrival);
  backlog.set(channel.shaper().backlog_tenths(arrival.take));
  red_average.set(channel.shaper().average_tenths(arrival.take));
  show_losses();
}

void Gnet1TwinPort::advance(std::uint64_t clock) {
  channel.advance(clock);
  show_losses();
}

void Gnet1TwinPort::show_losses() {
  using gnet1_regs::Counter;
  tail_drops.set(counters.now(Counter::kTailDrop));
  red_drops.set(counters.now(Counter::kRedDrop));
  memory_drops.set(counters.now(Counter::kSramDrop));
  flips.set(counters.now(Counter::kFlips));
  discards.set(counters.now(Counter::kDiscards));
}

void Gnet1TwinPort::send(const FrameRef& frame, std::uint64_t end_ps) {
  leaving_.push_back({frame, end_ps});
  if (leaving_.size() == 1) sent_.set(end_ps);
}

void Gnet1TwinPort::end_send() {
  const Leaving leaving = leaving_.pop_front();
  counters.add(gnet1_regs::Counter::kTxFrames);
  if (port.eth_tx.size() != 0) port.eth_tx->sent(leaving.frame);
  if (!leaving_.empty()) sent_.set(leaving_.front().end_ps);
}

void Gnet1TwinPort::frame_lost(const FrameRef& frame, std::uint64_t clock, Gnet1Channel::Loss why) {
  static constexpr const char* kWhy[] = {"router queue full", "RED", "memory full", "discarded"};
  lose(frame, kWhy[static_cast<std::size_t>(why)]);
}

}  // namespace longhaul::wan
