// SPDX-License-Identifier: Apache-2.0
#include "models/pcix/bus/tenure_record.h"

#include <algorithm>

#include "models/pcix/transaction.h"

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

using Command = BusJob::Command;
using Outcome = Tenure::Outcome;

std::uint8_t command_code(const BusJob& job, bool is_pcix) {
  const bool is_dword = job.bytes <= 4 && job.address / 4 == (job.address + job.bytes - 1) / 4;
  switch (job.command) {
    case Command::kMemoryWrite:
      return is_dword || !is_pcix ? kMemoryWriteCommand : kMemoryWriteBlock;
    case Command::kMemoryRead:
      if (is_dword) return kMemoryReadDword;
      return is_pcix ? kMemoryReadBlock : kMemoryReadMultiple;
    case Command::kSplitCompletion:
    case Command::kHostCompletion: return kSplitCompletionCommand;
    case Command::kHost: break;
  }
  switch (job.host->kind) {
    case HostRequest::Kind::kMmioRead:
      return is_dword || !is_pcix ? kMemoryReadDword : kMemoryReadBlock;
    case HostRequest::Kind::kMmioWrite: return kMemoryWriteCommand;
    case HostRequest::Kind::kConfigRead: return kConfigReadCommand;
    case HostRequest::Kind::kConfigWrite: return kConfigWriteCommand;
    case HostRequest::Kind::kIoRead: return kIoReadCommand;
    case HostRequest::Kind::kIoWrite: return kIoWriteCommand;
  }
  return 0;
}

Ending ending_of(const Tenure& tenure) {
  switch (tenure.outcome) {
    case Outcome::kMoves: return tenure.cut_by_target ? Ending::kDisconnect : Ending::kComplete;
    case Outcome::kSplits: return Ending::kSplit;
    case Outcome::kRetried: return Ending::kRetry;
    case Outcome::kMasterAborted: return Ending::kMasterAbort;
    case Outcome::kTargetAborted: break;
  }
  return Ending::kTargetAbort;
}

}  // namespace

const char* label_of(const Tenure& tenure, bool is_pcix) {
  if (tenure.outcome == Outcome::kRetried) return "retry";
  if (tenure.outcome == Outcome::kMasterAborted) return "master abort";
  if (tenure.outcome == Outcome::kTargetAborted) return "target abort";
  switch (tenure.job->command) {
    case Command::kMemoryWrite: return "memory write";
    case Command::kMemoryRead: return is_pcix ? "memory read" : "delayed read";
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

void TenureReporter::remove(BusListener* listener) {
  listeners_.erase(std::remove(listeners_.begin(), listeners_.end(), listener), listeners_.end());
}

void TenureReporter::report(const Tenure& tenure) {
  const BusJob& job = *tenure.job;
  const bool by_host = job.host != nullptr;
  const bool moves = tenure.outcome == Outcome::kMoves;
  const bool completes =
      job.command == Command::kSplitCompletion || job.command == Command::kHostCompletion;
  TenureRecord record{};
  record.is_pcix = timing_.is_pcix();
  record.label = label_of(tenure, timing_.is_pcix());
  record.command = command_code(job, timing_.is_pcix());
  record.is_read =
      job.command == Command::kMemoryRead || (job.command == Command::kHost && job.host->is_read());
  record.is_dword = record.command == kMemoryReadDword || record.command == kConfigReadCommand ||
                    record.command == kConfigWriteCommand || (by_host && job.bytes <= 4);
  record.is_completion = completes;
  record.relaxed_ordering = !by_host && attributes_of(*job.payload)->relaxed_ordering;
  record.ending = ending_of(tenure);
  record.master = tenure.master == kHostMaster ? TenureRecord::kBridge : tenure.master - 1;
  record.target = TenureRecord::kBridge;
  if (job.command == Command::kHost)
    record.target =
        tenure.target_unit == kNoUnit ? TenureRecord::kBridge : places_[tenure.target_unit].slot;
  if (job.command == Command::kSplitCompletion) record.target = places_[job.unit].slot;
  record.requester = by_host ? TenureRecord::kBridge : places_[job.unit].slot;
  record.requester_function = by_host ? 0 : places_[job.unit].function;
  record.tag = by_host ? 0 : attributes_of(*job.payload)->tag;
  record.address = tenure.address();
  record.bytes = moves ? tenure.bytes : 0;
  record.byte_count = job.bytes - job.moved;
  record.subphases = job.pushes() ? timing_.subphases() : 1;
  record.width = tenure.width / record.subphases;
  record.phases = tenure.phases;
  record.requested_ps = job.requested_ps;
  record.kept_request = job.kept_request;
  record.refused_before = job.refused;
  record.start_ps = tenure.start_ps;
  if (moves) record.data = by_host ? job.host->data.data() : all_data(*job.payload) + job.moved;
  for (auto* const listener : listeners_) listener->on_tenure(record);
}

const std::uint8_t* TenureReporter::all_data(tlm::tlm_generic_payload& payload) {
  const Attributes& attributes = *attributes_of(payload);
  const std::uint32_t length = payload.get_data_length();
  const std::uint32_t stored = std::min(attributes.stored, length);
  if (stored == length) return payload.get_data_ptr();
  whole_.assign(payload.get_data_ptr(), payload.get_data_ptr() + stored);
  whole_.resize(length);
  return whole_.data();
}

}  // namespace longhaul::pcix
