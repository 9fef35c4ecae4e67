// SPDX-License-Identifier: Apache-2.0
// Where the clocks of the bus go, and what is told of a tenure.
#include <algorithm>

#include "models/pcix/pcix_bus.h"

namespace longhaul::pcix {
namespace {

// C/BE[3:0]# of the address phase: PCI 2.3, 3.1.1; PCI-X 1.0b, chapter 2.
constexpr std::uint8_t kIoReadCommand = 0x2;
constexpr std::uint8_t kIoWriteCommand = 0x3;
constexpr std::uint8_t kMemoryReadDword = 0x6;
constexpr std::uint8_t kMemoryWriteCommand = 0x7;
constexpr std::uint8_t kConfigReadCommand = 0xa;
constexpr std::uint8_t kConfigWriteCommand = 0xb;
constexpr std::uint8_t kSplitCompletionCommand = 0xc;  // PCI-X
constexpr std::uint8_t kMemoryReadMultiple = 0xc;      // PCI
constexpr std::uint8_t kMemoryReadBlock = 0xe;
constexpr std::uint8_t kMemoryWriteBlock = 0xf;

}  // namespace

PcixBus::Cause PcixBus::cause_of(const Tenure& tenure) const {
  switch (tenure.outcome) {
    case Outcome::kRetried: return kRetries;
    case Outcome::kMasterAborted:
    case Outcome::kTargetAborted: return kAborts;
    default: break;
  }
  const Job& job = *tenure.job;
  if (job.command == Command::kHost || job.command == Command::kHostCompletion) return kMmio;
  if (tenure.outcome == Outcome::kSplits) return kReadRequests;
  return job.moved > 0 ? kDisconnects : kProtocol;
}

void PcixBus::credit_gap(const Tenure& tenure) {
  const std::uint64_t gap_begin_ps = end_ps_ + owed_overhead_ps_;
  if (tenure.start_ps <= gap_begin_ps) return;
  const std::uint64_t gap_ps = tenure.start_ps - gap_begin_ps;
  if (tenure.job->refused) {
    clocks.credit(kRetries, gap_ps);
    return;
  }
  const std::uint64_t arbitration_ps = std::min(gap_ps, tenure.start_ps - tenure.job->requested_ps);
  clocks.credit(kArbitration, arbitration_ps);
  // Reads begin and end with tenures, so whether one was outstanding did not change in the gap.
  if (outstanding_reads.value() > 0) clocks.credit(kSplitWait, gap_ps - arbitration_ps);
}

void PcixBus::account(const Tenure& tenure) {
  const std::uint64_t data_ps = timing_.ps(tenure.phases.data);
  const std::uint64_t other_ps = tenure.end_ps - tenure.start_ps - data_ps;
  // What follows the last data phase is still to come: credited now, it could exceed the time that
  // has passed.
  activity.credit(kOverhead, other_ps + owed_overhead_ps_);
  if (data_ps > 0) activity.credit(kData, data_ps);
  const Cause cause = cause_of(tenure);
  if (owed_overhead_ps_ > 0) clocks.credit(owed_cause_, owed_overhead_ps_);
  credit_gap(tenure);
  clocks.credit(cause, other_ps);
  if (data_ps > 0) clocks.credit(cause == kMmio ? kMmio : kDataPhases, data_ps);
  end_ps_ = now_ps();
  owed_overhead_ps_ = free_ps_ - end_ps_;
  owed_cause_ = cause;
  if (tenures.active()) {
    tenures.report(tenure.start_ps, free_ps_, label(tenure),
                   tenure.job->address + tenure.job->moved,
                   tenure.outcome == Outcome::kMoves ? tenure.bytes : 0);
  }
}

const char* PcixBus::label(const Tenure& tenure) const {
  if (tenure.outcome == Outcome::kRetried) return "retry";
  if (tenure.outcome == Outcome::kMasterAborted) return "master abort";
  if (tenure.outcome == Outcome::kTargetAborted) return "target abort";
  switch (tenure.job->command) {
    case Command::kMemoryWrite: return "memory write";
    case Command::kMemoryRead: return timing_.is_pcix() ? "memory read" : "delayed read";
    case Command::kSplitCompletion: return "split completion";
    case Command::kHostCompletion: return "mmio completion";
    case Command::kHost: break;
  }
  switch (tenure.job->host->kind) {
    case HostRequest::Kind::kMmioRead: return "mmio read";
    case HostRequest::Kind::kMmioWrite: return "mmio write";
    case HostRequest::Kind::kConfigRead: return "config read";
    case HostRequest::Kind::kConfigWrite: return "config write";
    case HostRequest::Kind::kIoRead: return "io read";
    case HostRequest::Kind::kIoWrite: return "io write";
  }
  return "?";
}

std::uint8_t PcixBus::command_code(const Tenure& tenure) const {
  const Job& job = *tenure.job;
  const bool is_dword = job.bytes <= 4 && job.address / 4 == (job.address + job.bytes - 1) / 4;
  switch (job.command) {
    case Command::kMemoryWrite:
      return is_dword || !timing_.is_pcix() ? kMemoryWriteCommand : kMemoryWriteBlock;
    case Command::kMemoryRead:
      if (is_dword) return kMemoryReadDword;
      return timing_.is_pcix() ? kMemoryReadBlock : kMemoryReadMultiple;
    case Command::kSplitCompletion:
    case Command::kHostCompletion: return kSplitCompletionCommand;
    case Command::kHost: break;
  }
  switch (job.host->kind) {
    case HostRequest::Kind::kMmioRead:
      return is_dword || !timing_.is_pcix() ? kMemoryReadDword : kMemoryReadBlock;
    case HostRequest::Kind::kMmioWrite: return kMemoryWriteCommand;
    case HostRequest::Kind::kConfigRead: return kConfigReadCommand;
    case HostRequest::Kind::kConfigWrite: return kConfigWriteCommand;
    case HostRequest::Kind::kIoRead: return kIoReadCommand;
    case HostRequest::Kind::kIoWrite: return kIoWriteCommand;
  }
  return 0;
}

void PcixBus::tell(const Tenure& tenure) {
  const Job& job = *tenure.job;
  const bool by_host = job.host != nullptr;
  const bool moves = tenure.outcome == Outcome::kMoves;
  const bool completes =
      job.command == Command::kSplitCompletion || job.command == Command::kHostCompletion;
  TenureRecord record{};
  record.is_pcix = timing_.is_pcix();
  record.label = label(tenure);
  record.command = command_code(tenure);
  record.is_read =
      job.command == Command::kMemoryRead || (job.command == Command::kHost && job.host->is_read());
  record.is_dword = record.command == kMemoryReadDword || record.command == kConfigReadCommand ||
                    record.command == kConfigWriteCommand || (by_host && job.bytes <= 4);
  record.is_completion = completes;
  record.relaxed_ordering = !by_host && attributes_of(*job.payload)->relaxed_ordering;
  switch (tenure.outcome) {
    case Outcome::kMoves:
      record.ending = tenure.cut_by_target ? Ending::kDisconnect : Ending::kComplete;
      break;
    case Outcome::kSplits: record.ending = Ending::kSplit; break;
    case Outcome::kRetried: record.ending = Ending::kRetry; break;
    case Outcome::kMasterAborted: record.ending = Ending::kMasterAbort; break;
    case Outcome::kTargetAborted: record.ending = Ending::kTargetAbort; break;
  }
  record.master = tenure.master == kHostMaster ? TenureRecord::kBridge : tenure.master - 1;
  record.target = TenureRecord::kBridge;
  if (job.command == Command::kHost)
    record.target =
        tenure.target_unit == kNoUnit ? TenureRecord::kBridge : slot_of(tenure.target_unit);
  if (job.command == Command::kSplitCompletion) record.target = slot_of(job.unit);
  record.requester = by_host ? TenureRecord::kBridge : slot_of(job.unit);
  record.requester_function = by_host ? 0 : functions_[job.unit].function;
  record.tag = by_host ? 0 : attributes_of(*job.payload)->tag;
  record.address = job.address + job.moved;
  record.bytes = moves ? tenure.bytes : 0;
  record.byte_count = job.bytes - job.moved;
  record.subphases = pushes(job) ? timing_.subphases() : 1;
  record.width = tenure.width / record.subphases;
  record.phases = tenure.phases;
  record.requested_ps = job.requested_ps;
  record.kept_request = job.kept_request;
  record.refused_before = job.refused;
  record.start_ps = tenure.start_ps;
  if (moves) record.data = by_host ? job.host->data.data() : all_data(*job.payload) + job.moved;
  listener_->on_tenure(record);
}

const std::uint8_t* PcixBus::all_data(tlm::tlm_generic_payload& payload) {
  const Attributes& attributes = *attributes_of(payload);
  const std::uint32_t length = payload.get_data_length();
  const std::uint32_t stored = std::min(attributes.stored, length);
  if (stored == length) return payload.get_data_ptr();
  told_.assign(payload.get_data_ptr(), payload.get_data_ptr() + stored);
  told_.resize(length);
  return told_.data();
}

std::uint64_t PcixBus::horizon_ps() const {
  std::uint64_t horizon_ps = std::min(now_ps(), free_ps_);
  for (const Master& master : masters_) {
    for (std::size_t i = 0; i < master.requests.size(); ++i)
      horizon_ps = std::min(horizon_ps, master.requests[i]->requested_ps);
    for (const Job* job : master.completions) horizon_ps = std::min(horizon_ps, job->requested_ps);
  }
  return horizon_ps;
}

bool PcixBus::keeps_request(std::uint32_t master) const {
  const Master& who = masters_[master];
  if (!who.requests.empty() && who.requests.front()->kept_request && !who.requests.front()->refused)
    return true;
  return std::any_of(who.completions.begin(), who.completions.end(),
                     [](const Job* job) { return job->kept_request; });
}

}  // namespace longhaul::pcix
