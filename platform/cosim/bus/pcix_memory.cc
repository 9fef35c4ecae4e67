// SPDX-License-Identifier: Apache-2.0
#include "platform/cosim/bus/pcix_memory.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace longhaul::cosim {
namespace {

namespace command = pcix_command;

// Split Completion Messages, PCI-X 1.0a, chapter 2: class 1 is an error of a bridge.
constexpr std::uint32_t kBridgeClass = 1;
constexpr std::uint32_t kMasterAbortIndex = 0;
constexpr std::uint32_t kTargetAbortIndex = 1;
constexpr std::uint32_t kErrorMessage = 3U << 29U;  // SCE and SCM of the attributes

}  // namespace

PcixMemory::PcixMemory(RtlBlock& block, BlockMemory& memory, std::uint32_t writes,
                       std::uint16_t completer, std::function<void()> ready)
    : block_(block),
      memory_(memory),
      completer_(completer),
      ready_(std::move(ready)),
      writes_(writes) {}

bool PcixMemory::has_room(std::uint64_t edge_ps) const {
  return std::any_of(writes_.begin(), writes_.end(), [&](const Write& write) {
    return !write.open && write.free_from_ps < edge_ps;
  });
}

void PcixMemory::take_write(const PcixTaken& taken) {
  std::uint32_t index = 0;
  while (writes_[index].open || writes_[index].free_from_ps >= block_.edge_ps()) ++index;
  Write& write = writes_[index];
  write.open = true;
  write.address = taken.address;
  write.number = ++number_;
  write.runs.clear();
  std::copy_n(taken.data.begin(), taken.bytes, write.data.begin());
  for (std::uint32_t at = 0; at < taken.bytes; ++at) {
    if (!taken.enabled[at]) continue;
    const std::uint32_t from = at;
    while (at < taken.bytes && taken.enabled[at]) ++at;
    write.runs.emplace_back(from, at - from);
  }
  events_.push_back({Event::Kind::kWrite, index, {}, number_});
}

void PcixMemory::take_read(const PcixTaken& taken) {
  Read& read = reads_[taken.tag()];
  read.open = true;
  read.address = taken.first();
  read.attributes = taken.attributes;
  read.bytes = taken.count();
  read.dword = command::is_dword(taken.command);
  read.sent = 0;
  read.order = 0;
  events_.push_back({Event::Kind::kRead, taken.tag(), {}, number_});
}

void PcixMemory::after_writes(std::function<void()> act) {
  events_.push_back({Event::Kind::kAct, 0, std::move(act), number_});
}

void PcixMemory::deliver() {
  while (!events_.empty()) {
    Event event = std::move(events_.front());
    events_.pop_front();
    if (event.kind == Event::Kind::kWrite) {
      ended_.push_back(false);
      start_write(writes_[event.index], event.index);
    } else {
      waiting_.push_back(std::move(event));
    }
  }
  run_waiting();
}

void PcixMemory::start_write(Write& write, std::uint32_t index) {
  write.left = static_cast<std::uint32_t>(write.runs.size());
  if (write.left == 0) return end_write(write);
  for (const auto& [offset, bytes] : write.runs)
    memory_.write(write.address + offset, write.data.data() + offset, bytes, *this, index);
}

void PcixMemory::end_write(Write& write) {
  write.open = false;
  write.free_from_ps = block_.input_ps();
  ended_[write.number - done_ - 1] = true;
  while (!ended_.empty() && ended_.front()) {
    ended_.pop_front();
    ++done_;
  }
}

void PcixMemory::run_waiting() {
  while (!waiting_.empty() && waiting_.front().after <= done_) {
    const Event event = std::move(waiting_.front());
    waiting_.pop_front();
    if (event.kind == Event::Kind::kAct) {
      event.act();
      continue;
    }
    Read& read = reads_[event.index];
    memory_.read(read.address, read.data.data(), read.bytes, *this, kReadTag | event.index);
  }
}

void PcixMemory::memory_done(std::uint64_t tag, BusStatus status) {
  if ((tag & kReadTag) == 0) {
    Write& write = writes_[tag];
    if (--write.left != 0) return;
    end_write(write);
    return run_waiting();
  }
  const auto index = static_cast<std::uint32_t>(tag & (kTags - 1));
  Read& read = reads_[index];
  read.status = status;
  read.order = next_order();
  read.from_ps = block_.input_ps();
  due_.push_back(index);
  ready_();
}

std::uint64_t PcixMemory::due(std::uint64_t edge_ps) const {
  if (due_.empty()) return 0;
  const Read& read = reads_[due_.front()];
  return read.from_ps < edge_ps ? read.order : 0;
}

void PcixMemory::fill(PcixWork& work) {
  const std::uint32_t tag = due_.front();
  Read& read = reads_[tag];
  const bool failed = read.status != BusStatus::kOk;
  const std::uint64_t at = read.address + read.sent;
  const std::uint32_t lower = failed || read.dword ? 0 : at & 0x7fU;
  work.command = command::kSplitCompletion;
  work.address = (read.attributes & 0x2000'0000U) | std::uint64_t{tag} << 24U |
                 (read.attributes & 0x00ff'ff00U) | lower;
  work.first = lower;
  work.bytes = read.bytes - read.sent;
  work.data = read.data.data() + read.sent;
  if (failed) {
    const std::uint32_t index =
        read.status == BusStatus::kDecodeError ? kMasterAbortIndex : kTargetAbortIndex;
    const std::uint32_t message = kBridgeClass << 28U | index << 20U |
                                  static_cast<std::uint32_t>(at & 0x7fU) << 12U |
                                  (work.bytes & 0xfffU);
    std::memcpy(read.message.data(), &message, sizeof message);
    work.bytes = 4;
    work.data = read.message.data();
  }
  work.attributes =
      (failed ? kErrorMessage : 0) | std::uint32_t{completer_} << 8U | (work.bytes & 0xffU);
  work.upper = work.bytes >> 8U & 0xfU;
}

bool PcixMemory::ended(const PcixWork& work) {
  if (work.ending == PcixEnding::kRetry) return true;
  Read& read = reads_[due_.front()];
  const bool taken = work.ending == PcixEnding::kMoved;
  read.sent += work.moved;
  if (taken && read.status == BusStatus::kOk && read.sent < read.bytes) return true;
  read.open = false;
  due_.pop_front();
  return taken;
}

}  // namespace longhaul::cosim
