// SPDX-License-Identifier: Apache-2.0
#include "models/nic/intel/descriptor_ring.h"

#include <algorithm>

namespace longhaul::nic::intel {
namespace {

constexpr std::uint64_t kFetchTag = 0;
constexpr std::uint64_t kWriteTag = 1;

}  // namespace

DescriptorRing::DescriptorRing(const sc_core::sc_module_name& name, pcix::DmaEngine& dma,
                               DescriptorUser& user, std::uint32_t cache_entries,
                               std::uint32_t largest_fetch)
    : sc_module(name),
      dma_(dma),
      user_(user),
      capacity_(cache_entries),
      largest_fetch_(largest_fetch),
      cache_(std::size_t{cache_entries} * kBytes),
      state_(cache_entries, Slot::kOpen) {}

void DescriptorRing::set_thresholds(const Thresholds& thresholds) {
  thresholds_ = thresholds;
  write_back();
  fetch();
}

void DescriptorRing::set_head(std::uint32_t index) {
  if (enabled_) return;
  forget();
  origin_ = index;
  head_index.set(head());
}

void DescriptorRing::set_tail(std::uint32_t index) {
  doorbells.add();
  tail_ = index;
  tail_index.set(index);
  halted_ = false;
  if (entries_ == 0) return;
  const std::uint32_t done_index = index_of(done_);
  tail_position_ = done_ + (index % entries_ + entries_ - done_index) % entries_;
  fetch();
}

void DescriptorRing::enable(bool on) {
  enabled_ = on;
  halted_ = false;
  fetch();
}

void DescriptorRing::reset() {
  enabled_ = false;
  forget();
  origin_ = 0;
  tail_ = 0;
  base_ = 0;
  entries_ = 0;
  fetching_ = false;
  thresholds_ = {};
  head_index.set(0);
  tail_index.set(0);
}

void DescriptorRing::forget() {
  ++epoch_;
  requested_ = arrived_ = taken_ = done_ = handled_ = waiting_ = tail_position_ = 0;
  goal_ = covered_ = 0;
  flushes_.clear();
  first_run_ = run_count_ = 0;
  halted_ = false;
  std::fill(state_.begin(), state_.end(), Slot::kOpen);
  on_chip.set(0);
}

std::uint32_t DescriptorRing::contiguous(std::uint64_t position, std::uint64_t wanted) const {
  const std::uint64_t to_ring_end = entries_ - index_of(position);
  const std::uint64_t to_cache_end = capacity_.value() - capacity_.remainder(position);
  return static_cast<std::uint32_t>(std::min({wanted, to_ring_end, to_cache_end}));
}

void DescriptorRing::fetch() {
  if (!enabled_ || fetching_ || halted_ || tail_position_ <= requested_) return;
  const std::uint64_t offered = tail_position_ - requested_;
  const std::uint64_t room = capacity_.value() - (requested_ - freed());
  const std::uint32_t unused = cached();
  if (unused != 0) {
    const bool prefetch =
        thresholds_.prefetch != 0 && unused <= thresholds_.prefetch && offered >= thresholds_.host;
    if (!prefetch) return;
  }
  const std::uint32_t count =
      contiguous(requested_, std::min<std::uint64_t>({offered, room, largest_fetch_}));
  if (count == 0) return;
  fetching_ = true;
  fetches.add();
  const std::uint64_t from = requested_;
  requested_ += count;
  dma_.read(base_ + std::uint64_t{index_of(from)} * kBytes, slot(from), count * kBytes, this,
            std::uint64_t{epoch_} << 32 | kFetchTag);
}

void DescriptorRing::dma_done(std::uint64_t tag, pcix::DmaStatus status) {
  const bool stale = tag >> 32 != epoch_;
  if (status != pcix::DmaStatus::kOk) dma_errors.add();
  if ((tag & 1U) == kFetchTag) {
    fetching_ = false;
    if (stale) {
      fetch();
    } else {
      fetch_done(status);
    }
    return;
  }
  if (stale) return;
  const Run run = runs_[first_run_];
  user_.written_back(run.begin, run.end);
  if (tag >> 32 != epoch_) return;  // the user reset the device
  first_run_ = (first_run_ + 1) % kMaxRuns;
  --run_count_;
  write_back();
  fetch();
  if (flushes_.end(freed())) user_.flushed();
}

void DescriptorRing::fetch_done(pcix::DmaStatus status) {
  if (status != pcix::DmaStatus::kOk) {
    requested_ = arrived_;
    halted_ = true;
    return;
  }
  fetched.add(requested_ - arrived_);
  arrived_ = requested_;
  on_chip.set(cached());
  user_.descriptors_arrived();
  fetch();
}

std::uint64_t DescriptorRing::take() {
  const std::uint64_t position = taken_++;
  on_chip.set(cached());
  fetch();
  return position;
}

void DescriptorRing::complete(std::uint64_t position, bool write_back_wanted) {
  state_of(position) = write_back_wanted ? Slot::kDoneWriteBack : Slot::kDone;
  while (done_ < taken_ && state_of(done_) != Slot::kOpen) {
    if (state_of(done_) == Slot::kDoneWriteBack) ++waiting_;
    ++done_;
  }
  write_back();
  fetch();
}

void DescriptorRing::flush() {
  goal_ = done_;
  write_back();
  flushes_.add(covered_);
  if (flushes_.end(freed())) user_.flushed();
}

void DescriptorRing::write_back() {
  if (entries_ == 0) return;
  start_write_backs();
  head_index.set(head());
}

bool DescriptorRing::write_back_due() const {
  const bool starved = requested_ - handled_ == capacity_.value() && done_ == requested_;
  return starved || waiting_ >= std::max(thresholds_.write_back, 1U);
}

void DescriptorRing::start_write_backs() {
  if (handled_ >= goal_ && run_count_ < kMaxRuns && write_back_due()) goal_ = done_;
  while (handled_ < done_ && run_count_ < kMaxRuns) {
    if (state_of(handled_) == Slot::kDone) {
      state_of(handled_) = Slot::kOpen;
      ++handled_;
      continue;
    }
    if (handled_ >= goal_) {
      if (!write_back_due()) return;
      goal_ = done_;
    }
    std::uint64_t end = handled_;
    const std::uint64_t last = handled_ + contiguous(handled_, goal_ - handled_);
    while (end < last && state_of(end) == Slot::kDoneWriteBack) state_of(end++) = Slot::kOpen;
    const auto count = static_cast<std::uint32_t>(end - handled_);
    runs_[(first_run_ + run_count_++) % kMaxRuns] = {handled_, end};
    waiting_ -= count;
    written.add(count);
    const std::uint64_t from = handled_;
    handled_ = end;
    dma_.write(base_ + std::uint64_t{index_of(from)} * kBytes, slot(from), count * kBytes, this,
               std::uint64_t{epoch_} << 32 | kWriteTag);
  }
}

}  // namespace longhaul::nic::intel
