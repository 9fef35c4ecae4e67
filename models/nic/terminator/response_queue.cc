// SPDX-License-Identifier: Apache-2.0
#include "models/nic/terminator/response_queue.h"

#include <algorithm>

#include "models/common/wide_math.h"
#include "models/nic/blocks/little_endian.h"

namespace longhaul::nic::terminator {

ResponseQueue::ResponseQueue(const sc_core::sc_module_name& name, RegisterBank& bank,
                             pcix::DmaEngine& dma, Frequency core_clock,
                             std::uint32_t credit_return, Calls calls)
    : sc_module(name),
      dma_(dma),
      hz_(core_clock.hz),
      credit_return_(credit_return),
      calls_(std::move(calls)),
      base_low_(bank, regs::kSgRspbaselwr),
      base_high_(bank, regs::kSgRspbaseupr),
      size_(bank, regs::kSgRspsize, this, &ResponseQueue::start_anew),
      credit_(
          bank, regs::kSgRspqueuecredit,
          [this] {
            return regs::kSgRspqueuecreditFields.respq_credit.put(
                static_cast<std::uint32_t>(credits.value()));
          },
          [this](std::uint32_t value) { credits_written(value); }),
      sleep_(
          bank, regs::kSgSleeping, [this] { return regs::kSgSleepingFields.sleeping.put(seen_); },
          [this](std::uint32_t value) { sleeping_written(value); }),
      timer_(bank, regs::kSgIntrtimer) {}

std::uint64_t ResponseQueue::base() const {
  return std::uint64_t{base_high_.value()} << 32 | base_low_.value();
}

std::pair<std::uint64_t, std::uint64_t> ResponseQueue::memory() const {
  return {base(), base() + std::uint64_t{size_.value()} * response::kBytes};
}

void ResponseQueue::start_anew() {
  dma_.abandon(*this);
  next_ = in_memory_ = seen_ = 0;
  generation_ = true;
  waiting_ = oldest_ = 0;
  credits.set(0);
}

void ResponseQueue::reset() {
  start_anew();
  enabled_ = allowed_ = was_held_ = false;
  finished_ = {};
  sleeping_ = 0;
  hold_until_ps_ = 0;
  hold_over_.cancel();
}

void ResponseQueue::enable(bool on) {
  if (on && !enabled_) allowed_ = true;
  enabled_ = on;
  if (!on) return;
  flush();
  calls_.ready();
  update();
}

bool ResponseQueue::ready() {
  if (!enabled_ || size_.value() == 0) return false;
  if (credits.value() == 0) {
    calls_.exhausted();
    return false;
  }
  return waiting_ < kInFlight;
}

void ResponseQueue::credits_written(std::uint32_t value) {
  const std::uint64_t sum = credits.value() + regs::kSgRspqueuecreditFields.respq_credit.get(value);
  credits.set(std::min<std::uint64_t>(sum, regs::kSgRspqueuecreditFields.respq_credit));
  flush();
  calls_.ready();
}

void ResponseQueue::return_credits(std::uint32_t queue, std::uint32_t count) {
  finished_.at(queue) += count;
  flush();
}

void ResponseQueue::tell_sleep(std::uint32_t queues) {
  sleeping_ |= queues;
  flush();
}

void ResponseQueue::write_packet(std::uint32_t bytes, std::uint32_t free_list, bool offload) {
  write(bytes, response::kSop | response::kEop | response::kDataValid |
                   response::kFreelist.put(free_list) | (offload ? response::kOffload : 0U));
}

/// Writes entries without a packet for all that must not wait for one.
void ResponseQueue::flush() {
  const auto must_tell = [this] {
    return sleeping_ != 0 || finished_[0] >= credit_return_ || finished_[1] >= credit_return_;
  };
  while (must_tell() && ready()) {
    pure.add();
    write(0, 0);
  }
}

void ResponseQueue::write(std::uint32_t bytes, std::uint32_t word) {
  word |= generation_ ? response::kGeneration : 0U;
  for (std::uint32_t queue = 0; queue < finished_.size(); ++queue) {
    const std::uint32_t count = std::min(finished_.at(queue), response::kMostCredits);
    finished_.at(queue) -= count;
    word |= response::kDmaComplete.at(queue).put(count);
    word |= response::kCreditReturn.at(queue).put(count);
    if (count > 0) word |= response::kCreditValid;
  }
  // The last descriptors of a queue are told of no later than its sleep.
  if (finished_[0] == 0 && finished_[1] == 0) {
    word |= response::kSleeping.put(sleeping_);
    sleeping_ = 0;
  }
  const std::uint32_t slot = (oldest_ + waiting_) % kInFlight;
  std::uint8_t* const entry = in_flight_.at(slot).data();
  write_le32(entry, bytes);
  write_le32(entry + 4, word);
  ++waiting_;
  entries.add();
  credits.add(-1);
  const std::uint64_t at = base() + std::uint64_t{next_} * response::kBytes;
  if (++next_ >= size_.value()) {
    next_ = 0;
    generation_ = !generation_;
  }
  dma_.write(at, entry, response::kBytes, this, 0);
}

void ResponseQueue::dma_done(std::uint64_t /*tag*/, pcix::DmaStatus status) {
  const bool was_full = waiting_ == kInFlight;
  oldest_ = (oldest_ + 1) % kInFlight;
  --waiting_;
  if (++in_memory_ >= size_.value()) in_memory_ = 0;
  if (status != pcix::DmaStatus::kOk) calls_.failed(status);
  update();
  if (!was_full) return;
  flush();
  calls_.ready();
}

void ResponseQueue::sleeping_written(std::uint32_t value) {
  seen_ = regs::kSgSleepingFields.sleeping.get(value);
  allowed_ = true;
  was_held_ = false;
  const std::uint64_t ticks = timer_.get(regs::kSgIntrtimerFields.interrupt_timer_count);
  hold_until_ps_ = now_ps() + times_over(ticks, 1'000'000'000'000ULL, 0, hz_);
  update();
}

void ResponseQueue::update() {
  if (!allowed_ || in_memory_ == seen_) return;
  if (now_ps() < hold_until_ps_) {
    if (!was_held_) held_off.add();
    was_held_ = true;
    hold_over_.set(hold_until_ps_);
    return;
  }
  allowed_ = false;
  calls_.data_ready();
}

}  // namespace longhaul::nic::terminator
