// SPDX-License-Identifier: Apache-2.0
#include "platform/cosim/bus/wishbone_target.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "platform/cosim/bus/bus_width.h"

namespace longhaul::cosim {

WishboneTarget::WishboneTarget(RtlBlock& block, ClockDomain& clock, const WishbonePins& pins,
                               BlockMemory& memory, const WishboneTargetParams& params,
                               CheckerSink* sink)
    : block_(block),
      clock_(clock),
      pins_(pins),
      memory_(memory),
      bus_bytes_(bus_word_bytes(pins.write_data, pins.read_data, 8, params.prefix)),
      stalls_(params.stalls),
      slots_(pins.pipelined ? params.requests : 1) {
  if (sink != nullptr) checker_ = std::make_unique<WishboneChecker>(pins, params.prefix, *sink);
  give_up();
  clock.watch(*this, true);
}

void WishboneTarget::give_up() {
  for (Slot& slot : slots_) {
    slot.given_up = slot.state == State::kMemory;
    if (!slot.given_up) slot.state = State::kFree;
  }
  order_.clear();
  answering_ = false;
  pins_.ack.set(0);
  pins_.err.set(0);
  pins_.rty.set(0);
  pins_.stall.set(pins_.pipelined && !has_room() ? 1 : 0);
}

bool WishboneTarget::has_room() const {
  return std::any_of(slots_.begin(), slots_.end(),
                     [](const Slot& slot) { return slot.state == State::kFree; });
}

void WishboneTarget::clocked(std::uint64_t edge_ps) {
  if (checker_) checker_->check(sample_, edge_ps);
  if (sample_.reset || !sample_.cyc) {
    if (!order_.empty() || sample_.reset) give_up();
  } else {
    if (std::exchange(answering_, false)) {
      pins_.ack.set(0);
      pins_.err.set(0);
      front().state = State::kFree;
      order_.pop_front();
    } else if (!pins_.pipelined && sample_.stb && order_.empty() && has_room()) {
      take_request(edge_ps);
    }
    if (pins_.pipelined && sample_.stb && !sample_.stall) take_request(edge_ps);
    answer(edge_ps);
  }
  if (pins_.pipelined) pins_.stall.set(!has_room() || stalls_.stalls() ? 1 : 0);
  for (std::size_t i = 0; i < order_.size(); ++i) {
    if (slots_[order_[i]].state == State::kAsk) {
      block_.call_at_edge(*this);
      break;
    }
  }
  if (held_ != order_.empty()) return;
  held_ = !held_;
  if (held_) {
    clock_.hold(edge_ps);
  } else {
    clock_.release();
  }
}

void WishboneTarget::take_request(std::uint64_t edge_ps) {
  std::uint32_t number = 0;
  while (slots_[number].state != State::kFree) ++number;
  Slot& slot = slots_[number];
  slot.request = sample_.request;
  slot.request.sel &= (1U << bus_bytes_) - 1;
  slot.request.adr = pins_.word_addresses ? slot.request.adr * bus_bytes_
                                          : slot.request.adr & ~(bus_bytes_ - 1ULL);
  slot.status = BusStatus::kOk;
  slot.given_up = false;
  slot.done_ps = edge_ps;
  slot.state = slot.request.sel == 0 ? State::kDone : State::kAsk;
  order_.push_back(number);
}

void WishboneTarget::answer(std::uint64_t edge_ps) {
  if (order_.empty()) return;
  const Slot& slot = front();
  if (slot.state != State::kDone || slot.done_ps >= edge_ps || stalls_.stalls()) return;
  std::uint64_t data = 0;
  std::memcpy(&data, slot.data.data(), slot.data.size());
  if (!slot.request.we) pins_.read_data.set(data);
  (slot.status != BusStatus::kOk && pins_.err ? pins_.err : pins_.ack).set(1);
  answering_ = true;
}

void WishboneTarget::deliver() {
  for (std::size_t i = 0; i < order_.size(); ++i)
    if (slots_[order_[i]].state == State::kAsk) ask(order_[i]);
}

void WishboneTarget::ask(std::uint32_t number) {
  Slot& slot = slots_[number];
  slot.state = State::kMemory;
  auto sel = static_cast<std::uint32_t>(slot.request.sel);
  const auto low = static_cast<std::uint32_t>(__builtin_ctz(sel));
  if (!slot.request.we) {
    slot.data.fill(0);
    slot.open = 1;
    const auto count = 32U - static_cast<std::uint32_t>(__builtin_clz(sel)) - low;
    return memory_.read(slot.request.adr + low, &slot.data[low], count, *this, number);
  }
  std::memcpy(slot.data.data(), &slot.request.write_data, slot.data.size());
  slot.open = static_cast<std::uint32_t>(__builtin_popcount(sel & ~(sel << 1U)));  // runs
  while (sel != 0) {
    const auto first = static_cast<std::uint32_t>(__builtin_ctz(sel));
    const auto count = static_cast<std::uint32_t>(__builtin_ctz(~(sel >> first)));
    sel &= ~(((1U << count) - 1) << first);
    memory_.write(slot.request.adr + first, &slot.data[first], count, *this, number);
  }
}

void WishboneTarget::memory_done(std::uint64_t tag, BusStatus status) {
  Slot& slot = slots_[tag];
  slot.status = first_error(slot.status, status);
  if (--slot.open != 0) return;
  slot.done_ps = block_.input_ps();
  slot.state = slot.given_up ? State::kFree : State::kDone;
}

}  // namespace longhaul::cosim
