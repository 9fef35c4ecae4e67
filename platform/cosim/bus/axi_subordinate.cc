// SPDX-License-Identifier: Apache-2.0
#include "platform/cosim/bus/axi_subordinate.h"

#include <fmt/format.h>

#include <cstring>

#include "models/common/copy_bytes.h"

namespace longhaul::cosim {

AxiSubordinate::AxiSubordinate(RtlBlock& block, ClockDomain& clock, const AxiPins& pins,
                               BlockMemory& memory, const AxiSubordinateParams& params,
                               CheckerSink* sink)
    : block_(block),
      clock_(clock),
      watcher_(clock.watch(*this, true)),
      pins_(pins.completed(params.prefix)),
      memory_(memory),
      prefix_(params.prefix),
      bus_bytes_(pins_.bus_bytes()),
      beats_ahead_(params.beats_ahead),
      stalls_(params.stalls),
      delays_(params.delays),
      sink_(sink),
      handshakes_(pins_),
      writes_(params.writes, bus_bytes_),
      reads_(params.reads, bus_bytes_),
      asks_(params.writes + params.reads),
      patience_(params.patience) {
  if (sink != nullptr) checker_ = std::make_unique<AxiChecker>(pins, params.prefix, *sink);
  due_.reserve(params.writes + params.reads);
  reset();
  for (const Pin* valid : {&pins_.aw.valid, &pins_.w.valid, &pins_.ar.valid})
    watcher_.wake_by(*valid, 0);
  pins_.reset.wakes(watcher_);
}

void AxiSubordinate::reset() {
  writes_.abandon();
  reads_.abandon();
  ahead_.clear();
  asks_.clear();
  due_.clear();
  filling_ = answered_ = playing_ = kNone;
  b_waits_ = r_waits_ = w_waits_ = 0;
  w_ready_ = false;
  pins_.aw.ready.set(0);
  pins_.w.ready.set(0);
  pins_.ar.ready.set(0);
  pins_.b.valid.set(0);
  pins_.r.valid.set(0);
}

void AxiSubordinate::clocked(std::uint64_t edge_ps) {
  if (checker_) checker_->check(sample_, edge_ps);
  if (sample_.reset) {
    reset();
  } else {
    const AxiChannels taken = sample_.taken();
    if ((taken & kAxiAw) != 0) take_address(writes_, "aw", sample_.aw, edge_ps);
    if ((taken & kAxiAr) != 0) take_address(reads_, "ar", sample_.ar, edge_ps);
    if (patience_ != 0 && sink_ != nullptr) count_waits(edge_ps);
    if ((taken & (kAxiAw | kAxiW)) != 0) take_data();
    drive_write(edge_ps);
    drive_read(edge_ps);
    if (!asks_.empty()) asks_.release(due_);
    if (!due_.empty()) block_.call_at_edge(*this);
  }
  if (held_ == idle()) {
    held_ = !held_;
    if (held_) {
      clock_.hold(edge_ps);
    } else {
      clock_.release();
    }
  }
  if (sample_.quiet && !stalls_.any() && waits_for_others()) watcher_.sleep();
}

/// Whether there is nothing to do until memory completes an access or a VALID is high.
bool AxiSubordinate::waits_for_others() const {
  return asks_.empty() && filling_ == kNone && answered_ == kNone && playing_ == kNone &&
         writes_.done == 0 && reads_.done == 0;
}

/// Whether memory does not support the burst, so that its response is SLVERR.
bool AxiSubordinate::refuses(const char* channel, const AxiBurst& burst, std::uint64_t edge_ps) {
  if (burst.beat_bytes() > bus_bytes_ || burst.type == AxiBurstType::kReserved) return true;
  if (burst.type != AxiBurstType::kFixed) return false;
  if (sink_ != nullptr) {
    sink_->violated(axi_rules::kFixedRefused, edge_ps, prefix_ + channel + "burst",
                    fmt::format("FIXED, {} beats at 0x{:x}", burst.beats, burst.addr));
  }
  return true;
}

void AxiSubordinate::take_address(AxiBursts& bursts, const char* channel, const AxiBurst& burst,
                                  std::uint64_t edge_ps) {
  const std::uint32_t number = bursts.offered;
  Slot& slot = bursts.slots[number];
  const bool write = &bursts == &writes_;
  bursts.moved = true;
  slot.burst = burst;
  slot.beats = slot.bytes = slot.open = 0;
  slot.runs.clear();
  slot.done_ps = edge_ps;
  slot.status = BusStatus::kOk;
  slot.state = write ? State::kData : State::kAsk;
  bursts.order.push_back(number);
  slot.refused = refuses(channel, burst, edge_ps);
  if (slot.refused) {
    slot.status = BusStatus::kSlaveError;
    if (!write) bursts.end(slot);
  } else if (!write) {
    await(static_cast<std::uint32_t>(writes_.slots.size()) + number);
  }
  if (write && filling_ == kNone) filling_ = number;
}

/// Takes write data. They belong to addresses in their order (A5.4) and may come before them.
void AxiSubordinate::take_data() {
  const bool beat = (sample_.taken() & kAxiW) != 0;
  if (filling_ != kNone && ahead_.empty()) {
    if (beat) take_beat(writes_.slots[filling_], sample_.w.strb, sample_.w.data.data());
    return;
  }
  if (beat) ahead_.push_back({sample_.w.strb, sample_.w.data});
  while (filling_ != kNone && !ahead_.empty()) {
    const Beat& first = ahead_.front();
    take_beat(writes_.slots[filling_], first.strb, first.data.data());
    ahead_.pop_front();
  }
}

void AxiSubordinate::take_beat(Slot& slot, std::uint64_t strb, const std::uint8_t* data) {
  const AxiBurst& burst = slot.burst;
  if (!slot.refused) {
    const std::uint64_t address = burst.address(slot.beats);
    const AxiLanes lanes(burst, address, bus_bytes_);
    std::uint64_t enabled = strb & lanes.mask();
    if (enabled == lanes.mask()) {
      append(slot, address, data + lanes.first, lanes.count);
      enabled = 0;
    }
    while (enabled != 0) {
      const auto lane = static_cast<std::uint32_t>(__builtin_ctzll(enabled));
      const std::uint64_t above = ~(enabled >> lane);
      const std::uint32_t count =
          above == 0 ? 64 : static_cast<std::uint32_t>(__builtin_ctzll(above));
      append(slot, address + lane - lanes.first, data + lane, count);
      enabled &= ~(low_bits(count) << lane);
    }
  }
  if (++slot.beats < burst.beats) return;
  const std::uint32_t number = filling_;
  slot.open = static_cast<std::uint32_t>(slot.runs.size());
  if (slot.open == 0) {
    writes_.end(slot);
  } else {
    slot.state = State::kAsk;
    await(number);
  }
  filling_ = kNone;
  for (const std::uint32_t other : writes_.order) {
    if (writes_.slots[other].state != State::kData) continue;
    filling_ = other;
    break;
  }
}

void AxiSubordinate::append(Slot& slot, std::uint64_t address, const std::uint8_t* data,
                            std::uint32_t count) {
  if (!slot.runs.empty() && slot.runs.back().address + slot.runs.back().length == address) {
    slot.runs.back().length += count;
  } else {
    slot.runs.push_back({address, count});
  }
  copy_bytes(slot.buffer.get() + slot.bytes, data, count);
  slot.bytes += count;
}

void AxiSubordinate::await(std::uint32_t number) {
  asks_.add(number, is_write(number), slot_of(number).burst.id, delays_.next());
}

void AxiSubordinate::deliver() {
  // These accesses complete later, so no slot becomes due in this loop.
  for (const std::uint32_t number : due_) ask(slot_of(number), number);
  due_.clear();
}

void AxiSubordinate::ask(Slot& slot, std::uint32_t number) {
  slot.state = State::kMemory;
  if (!is_write(number)) {
    const AxiBurst& burst = slot.burst;
    const bool wraps = burst.type == AxiBurstType::kWrap;
    const std::uint64_t from = wraps ? burst.wrap_base() : burst.addr;
    const std::uint64_t end = wraps ? from + burst.bytes() : burst.aligned() + burst.bytes();
    slot.open = 1;
    return memory_.read(from, slot.buffer.get(), static_cast<std::uint32_t>(end - from), *this,
                        number);
  }
  const std::uint8_t* data = slot.buffer.get();
  for (const AxiSlot::Run& run : slot.runs) {
    memory_.write(run.address, data, run.length, *this, number);
    data += run.length;
  }
}

void AxiSubordinate::memory_done(std::uint64_t tag, BusStatus status) {
  const auto number = static_cast<std::uint32_t>(tag);
  Slot& slot = slot_of(number);
  slot.status = first_error(slot.status, status);
  if (--slot.open != 0) return;
  watcher_.wake();
  slot.done_ps = block_.input_ps();
  AxiBursts& bursts = is_write(number) ? writes_ : reads_;
  if (slot.state != State::kAbandoned) return bursts.end(slot);
  slot.state = State::kFree;
  bursts.moved = true;
}

/// Counts clocks in which a response is on the pins, or a write lacks data, and the block does not
/// move.
void AxiSubordinate::count_waits(std::uint64_t edge_ps) {
  const bool b = (sample_.held() & kAxiB) != 0;
  const bool r = (sample_.held() & kAxiR) != 0;
  const bool w = filling_ != kNone && (sample_.valid & kAxiW) == 0;
  if (!b && !r && !w) {
    b_waits_ = r_waits_ = w_waits_ = 0;
    return;
  }
  const auto slot_of = [](const AxiBursts& bursts, std::uint32_t number) {
    return number == kNone ? nullptr : &bursts.slots[number];
  };
  count_wait(b_waits_, b, edge_ps, "bready", "the response of the write",
             slot_of(writes_, answered_));
  count_wait(r_waits_, r, edge_ps, "rready", "data of the read", slot_of(reads_, playing_));
  count_wait(w_waits_, w, edge_ps, "wvalid", "the rest of the write", slot_of(writes_, filling_));
}

void AxiSubordinate::count_wait(std::uint32_t& clocks, bool waits, std::uint64_t edge_ps,
                                const char* pin, const char* what, const Slot* slot) {
  if (!waits) {
    clocks = 0;
  } else if (clocks <= patience_ && ++clocks > patience_ && slot != nullptr) {
    sink_->violated(
        kMemoryTaken, edge_ps, prefix_ + pin,
        fmt::format("{} of 0x{:x} has waited for {} clocks", what, slot->burst.addr, patience_));
  }
}

void AxiSubordinate::drive_write(std::uint64_t edge_ps) {
  if ((sample_.taken() & kAxiB) != 0) {
    writes_.leave(answered_);
    answered_ = kNone;
    pins_.b.valid.set(0);
  }
  if (answered_ == kNone && !writes_.order.empty()) {
    answered_ = stalls_.stalls() ? kNone : writes_.next_done(edge_ps);
    if (answered_ != kNone) {
      const Slot& slot = writes_.slots[answered_];
      pins_.b.id.set(slot.burst.id);
      pins_.b.resp.set(static_cast<std::uint64_t>(response_of(slot.status)));
      pins_.b.valid.set(1);
    }
  }
  offer(writes_, pins_.aw.ready);
  const bool room = filling_ != kNone || ahead_.size() < beats_ahead_;
  const bool ready = room && !stalls_.stalls();
  if (ready == w_ready_) return;
  w_ready_ = ready;
  pins_.w.ready.set(ready ? 1 : 0);
}

void AxiSubordinate::drive_read(std::uint64_t edge_ps) {
  const bool taken = (sample_.taken() & kAxiR) != 0;
  if (taken && ++reads_.slots[playing_].beats == reads_.slots[playing_].burst.beats) {
    reads_.leave(playing_);
    playing_ = kNone;
  }
  if (playing_ == kNone) playing_ = reads_.next_done(edge_ps);
  const bool waits = (sample_.held() & kAxiR) != 0;
  if (playing_ != kNone && !waits && !stalls_.stalls()) {
    put_read_beat(reads_.slots[playing_]);
  } else if (taken) {
    pins_.r.valid.set(0);
  }
  offer(reads_, pins_.ar.ready);
}

/// Shows whether there is a slot for the next address.
void AxiSubordinate::offer(AxiBursts& bursts, Pin& ready) {
  if (!bursts.moved && !stalls_.any()) return;
  bursts.moved = false;
  bursts.offered = stalls_.stalls() ? kNone : bursts.free_slot();
  ready.set(bursts.offered == kNone ? 0 : 1);
}

void AxiSubordinate::put_read_beat(const Slot& slot) {
  const AxiBurst& burst = slot.burst;
  const std::uint64_t address = burst.address(slot.beats);
  const AxiLanes lanes(burst, address, bus_bytes_);
  const std::uint64_t base = burst.type == AxiBurstType::kWrap ? burst.wrap_base() : burst.addr;
  if (!slot.refused && lanes.count == bus_bytes_) {
    pins_.r.data.store(slot.buffer.get() + (address - base));
  } else {
    AxiSample::Data data{};
    if (!slot.refused)
      std::memcpy(&data[lanes.first], slot.buffer.get() + (address - base), lanes.count);
    pins_.r.data.store(data.data());
  }
  pins_.r.id.set(burst.id);
  pins_.r.resp.set(static_cast<std::uint64_t>(response_of(slot.status)));
  pins_.r.last.set(slot.beats + 1 == burst.beats ? 1 : 0);
  pins_.r.valid.set(1);
}

}  // namespace longhaul::cosim
