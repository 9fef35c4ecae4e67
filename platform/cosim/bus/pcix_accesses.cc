// SPDX-License-Identifier: Apache-2.0
#include "platform/cosim/bus/pcix_accesses.h"

#include <fmt/format.h>

#include <algorithm>

#include "platform/cosim/bus/pcix_rules.h"

namespace longhaul::cosim {
namespace {

namespace command = pcix_command;

constexpr std::uint32_t kDevice = 1;  // of the slot; IDSEL is AD[17]

}  // namespace

void PcixAccesses::add(const PcixAccess& access, std::uint64_t from_ps) {
  Job job;
  job.access = access;
  job.order = memory_.next_order();
  job.from_ps = from_ps;
  jobs_.push_back(job);
}

bool PcixAccesses::take_early(PcixAccess& answered) {
  if (over_.empty()) return false;
  answered = over_.pop_front();
  return true;
}

PcixAccesses::Due PcixAccesses::due(std::uint64_t completion) {
  due_ = nullptr;
  bool read_waits = false;
  for (Job& job : jobs_) {
    if (job.split) continue;
    if (job.from_ps >= block_.edge_ps() || (completion != 0 && completion < job.order)) break;
    const bool posted = job.access.write && !job.access.config;
    const bool waits = job.not_before > clock_;
    if (posted && waits) return Due::kNothing;  // nothing passes a write
    if (posted || (!waits && !read_waits && completion == 0)) {
      due_ = &job;
      return Due::kAccess;
    }
    read_waits = true;
  }
  return completion == 0 ? Due::kNothing : Due::kCompletion;
}

/// Gives it a tag that no other access has which waits for Split Completions.
void PcixAccesses::take_tag(Job& job) {
  const auto taken = [&](const Job& each) { return each.split && each.tag == next_tag_; };
  while (std::any_of(jobs_.begin(), jobs_.end(), taken)) next_tag_ = (next_tag_ + 1) % kTags;
  job.tag = static_cast<std::uint8_t>(next_tag_);
}

void PcixAccesses::begin(PcixWork& work) {
  Job& job = *due_;
  const PcixAccess& access = job.access;
  if (job.since_clock == 0) job.since_clock = clock_;
  const std::uint64_t address = access.address + job.done;
  const std::uint32_t left = access.bytes - job.done;
  const auto lane = static_cast<std::uint32_t>(address % 4);
  const std::uint32_t lanes = ((1U << std::min(left, 4U)) - 1) << lane;
  take_tag(job);
  work.data = access.write ? job.access.data.data() + job.done : nullptr;
  work.address = work.first = address;
  work.bytes = left;
  work.wide = false;
  work.attributes =
      std::uint32_t{job.tag} << 24U | std::uint32_t{kPcixHostId} << 8U | (left & 0xffU);
  work.upper = 0;
  if (access.config || (!access.write && lane + left <= 4)) {
    work.attributes = (work.attributes & ~0xffU) | (access.config ? kPcixBus : 0);
    work.upper = static_cast<std::uint8_t>(~lanes & 0xfU);
    work.bytes = access.write ? left : 4;
    work.first = access.write ? address : address - lane;
    work.address = address - lane;
    if (access.config) {
      work.address |= 1U << (16U + kDevice) | kDevice << 11U;
      work.first &= 0xffU;
      work.command = access.write ? command::kConfigWrite : command::kConfigRead;
      return;
    }
    work.command = command::kReadDword;
    return;
  }
  work.command = access.write ? command::kWrite : command::kReadBlock;
  work.wide = wide_ && left > 4;
}

void PcixAccesses::ended(const PcixWork& work) {
  Job& job = *due_;
  const auto at =
      std::find_if(jobs_.begin(), jobs_.end(), [&](const Job& each) { return &each == &job; });
  switch (work.ending) {
    case PcixEnding::kRetry: job.not_before = clock_ + kPcixRetryClocks; return;
    case PcixEnding::kSplit:
      job.split = true;
      next_tag_ = (next_tag_ + 1) % kTags;
      return;
    case PcixEnding::kMasterAbort: return finish(at, BusStatus::kDecodeError);
    case PcixEnding::kTargetAbort: return finish(at, BusStatus::kSlaveError);
    case PcixEnding::kMoved: break;
  }
  PcixAccess& access = job.access;
  const auto lane = static_cast<std::uint32_t>(access.address + job.done - work.first);
  const std::uint32_t most = access.bytes - job.done;
  const std::uint32_t moved =
      access.config ? most : std::min(most, work.moved - std::min(lane, work.moved));
  if (!access.write) std::copy_n(work.read.begin() + lane, moved, access.data.begin() + job.done);
  job.done += moved;
  if (job.done == access.bytes) finish(at, BusStatus::kOk);
}

void PcixAccesses::complete(const PcixTaken& taken) {
  const auto job = std::find_if(jobs_.begin(), jobs_.end(), [&](const Job& each) {
    return each.split && each.tag == taken.tag();
  });
  if (job == jobs_.end()) {
    return checker_.broken(pcix_rules::kCompletion, block_.edge_ps(), "ad",
                           fmt::format("no access waits with tag {}", taken.tag()));
  }
  PcixAccess& access = job->access;
  const bool message = (taken.attributes >> 29U & 1U) != 0;
  if (message || access.write) {
    const bool error = !message || (taken.attributes >> 30U & 1U) != 0;
    return finish(job, error ? BusStatus::kSlaveError : BusStatus::kOk);
  }
  const std::uint64_t at = access.address + job->done;
  const bool dword = access.config || access.address % 4 + access.bytes <= 4;
  const std::uint32_t left = access.bytes - job->done;
  const auto lane = static_cast<std::uint32_t>(dword ? at % 4 : 0);
  const bool fits = dword ? taken.bytes == 4 : taken.bytes <= left && taken.first() == at % 128;
  if (!fits) {
    checker_.broken(pcix_rules::kCompletion, block_.edge_ps(), "ad",
                    fmt::format("{} bytes from {:#x}, and {} bytes from {:#x} are left",
                                taken.bytes, taken.first(), left, at % 128));
    return finish(job, BusStatus::kSlaveError);
  }
  const std::uint32_t moved = std::min(left, taken.bytes - lane);
  std::copy_n(taken.data.begin() + lane, moved, access.data.begin() + job->done);
  job->done += moved;
  if (job->done == access.bytes) finish(job, BusStatus::kOk);
}

void PcixAccesses::finish(std::list<Job>::iterator job, BusStatus status) {
  const PcixAccess access = job->access;
  const bool told = job->dropped;
  jobs_.erase(job);
  if (!told) report(access, status);
}

void PcixAccesses::report(PcixAccess access, BusStatus status) {
  access.status = status;
  if (status != BusStatus::kOk && !access.write) access.data.fill(0xff);
  over_.push_back(access);
  if (powers_up_) return;
  memory_.after_writes([this] { client_.pcix_access_done(over_.pop_front()); });
  block_.call_at_edge(owner_);
}

void PcixAccesses::count_patience() {
  for (Job& job : jobs_) {
    if (job.since_clock == 0 || job.dropped) continue;
    if (clock_ - job.since_clock <= patience_) continue;
    const PcixAccess& access = job.access;
    checker_.broken(pcix_rules::kReadAnswered, block_.edge_ps(), "trdy",
                    fmt::format("a {} of {} bytes at {:#x}{} has no answer within {} clocks",
                                access.write ? "write" : "read", access.bytes, access.address,
                                access.config ? " of configuration space" : "", patience_));
    job.dropped = true;
    report(access, BusStatus::kTimeout);
  }
}

}  // namespace longhaul::cosim
