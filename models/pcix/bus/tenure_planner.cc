// SPDX-License-Identifier: Apache-2.0
#include "models/pcix/bus/tenure_planner.h"

#include <algorithm>

#include "models/pcix/address_map.h"

namespace longhaul::pcix {

using Command = BusJob::Command;
using Delayed = BusJob::Delayed;
using Outcome = Tenure::Outcome;

void TenurePlanner::plan(Tenure& tenure, const Arbiter::Grant& grant) const {
  const BusJob& job = *grant.job;
  tenure = {};
  tenure.job = grant.job;
  tenure.master = grant.master;
  tenure.start_ps = grant.start_ps;
  tenure.width = job.command == Command::kHost ? timing_.width_bytes() : places_[job.unit].width;
  if (job.pushes()) tenure.width *= timing_.subphases();
  switch (job.command) {
    case Command::kMemoryWrite:
    case Command::kMemoryRead: plan_dma(tenure); break;
    case Command::kHost: plan_host(tenure); break;
    case Command::kSplitCompletion:
      // Addressed by requester number, so never a dual address cycle (PCI-X 1.0b, chapter 2).
      tenure.phases = timing_.opening(0, places_[job.unit].target->decode_clocks());
      tenure.bytes = job.bytes - job.moved;
      break;
    case Command::kHostCompletion:
      tenure.phases = timing_.opening(0, params_.bridge_decode_clocks());
      tenure.bytes = job.bytes;
      break;
  }
  if (tenure.outcome == Outcome::kMoves) {
    timing_.add_data(tenure.phases, tenure.address(), tenure.bytes, tenure.width);
    if (tenure.cut_by_target) timing_.add_target_disconnect(tenure.phases);
    set_end(tenure);
    limit_by_latency_timer(tenure, tenure.start_ps);
    return;
  }
  if (tenure.outcome != Outcome::kMasterAborted)
    timing_.add_termination(tenure.phases, job.bytes - job.moved > tenure.width);
  set_end(tenure);
}

void TenurePlanner::plan_dma(Tenure& tenure) const {
  const BusJob& job = *tenure.job;
  const bool is_read = job.command == Command::kMemoryRead;
  if (is_read && job.delayed != Delayed::kNew) return plan_delayed_read(tenure);
  const HostPort::Decode decode = host_->decode(*job.payload, job.moved, tenure.start_ps);
  tenure.phases = timing_.opening(job.address, params_.bridge_decode_clocks());
  switch (decode.answer) {
    case HostPort::Answer::kNotClaimed:
      tenure.outcome = Outcome::kMasterAborted;
      tenure.phases = timing_.master_abort(job.address);
      break;
    case HostPort::Answer::kRetry: tenure.outcome = Outcome::kRetried; break;
    case HostPort::Answer::kAccept:
      tenure.bytes = decode.bytes;
      // A read is split, or as a delayed one refused while its data are fetched (PCI 2.3, 3.3.3.3).
      if (is_read) tenure.outcome = timing_.is_pcix() ? Outcome::kSplits : Outcome::kRetried;
      tenure.cut_by_target = !is_read && job.moved + decode.bytes < job.bytes;
      break;
  }
}

void TenurePlanner::plan_delayed_read(Tenure& tenure) const {
  const BusJob& job = *tenure.job;
  tenure.phases =
      timing_.opening(job.address, params_.bridge_decode_clocks(), params_.bridge_wait_clocks());
  if (job.delayed == Delayed::kFetching || tenure.start_ps < job.fetched_ps) {
    tenure.outcome = Outcome::kRetried;
    tenure.phases.wait = 0;
  } else if (job.payload->get_response_status() != tlm::TLM_OK_RESPONSE) {
    tenure.outcome = Outcome::kTargetAborted;
  } else {
    tenure.bytes = job.fetched_bytes;
    tenure.cut_by_target = job.moved + tenure.bytes < job.bytes;
  }
}

void TenurePlanner::plan_host(Tenure& tenure) const {
  const HostRequest& request = *tenure.job->host;
  tenure.target_unit = claiming_unit(request);
  if (tenure.target_unit == kNoUnit) {
    tenure.outcome = Outcome::kMasterAborted;
    tenure.phases = timing_.master_abort(request.address);
    if (request.is_config()) tenure.phases.pre_drive = timing_.configuration(1).pre_drive;
    return;
  }
  const TargetParams& target = *places_[tenure.target_unit].target;
  // I/O space is 32 bits wide: REQ64# is for memory commands only (PCI 2.3, 3.8).
  tenure.width = request.is_io() ? 4 : places_[tenure.target_unit].width;
  if (request.is_config() && timing_.is_pcix() &&
      places_[tenure.target_unit].inside->splits_config()) {
    tenure.phases = timing_.configuration(target.decode_clocks());
    tenure.outcome = Outcome::kSplits;
    return;
  }
  if (request.is_read() && !request.is_config() && target.split_reads()) {
    const BusJob& job = *tenure.job;
    tenure.phases = timing_.opening(request.address, target.decode_clocks());
    if (timing_.is_pcix()) {
      tenure.outcome = Outcome::kSplits;
    } else if (job.delayed != BusJob::Delayed::kFetched || tenure.start_ps < job.fetched_ps) {
      tenure.outcome = Outcome::kRetried;
    } else if (job.failed) {
      tenure.outcome = Outcome::kTargetAborted;
    } else {
      tenure.bytes = request.length;
    }
    return;
  }
  if (request.kind == HostRequest::Kind::kMmioWrite &&
      !places_[tenure.target_unit].inside->takes_write()) {
    tenure.phases = timing_.opening(request.address, target.decode_clocks());
    tenure.outcome = Outcome::kRetried;
    return;
  }
  const std::uint32_t wait = request.is_read() ? target.read_wait_clocks() : 0;
  tenure.phases = request.is_config()
                      ? timing_.configuration(target.decode_clocks(), wait)
                      : timing_.opening(request.address, target.decode_clocks(), wait);
  tenure.bytes = request.length;
}

std::uint32_t TenurePlanner::claiming_unit(const HostRequest& request) const {
  if (request.is_config()) {
    const std::uint64_t function = request.address / address_map::kFunctionBytes;
    if (request.slot >= slots_ || request.slot + function * slots_ >= places_.size())
      return kNoUnit;
    const auto unit = static_cast<std::uint32_t>(request.slot + function * slots_);
    return places_[unit].config != nullptr ? unit : kNoUnit;
  }
  for (std::uint32_t unit = 0; unit < places_.size(); ++unit) {
    const ConfigSpace* const config = places_[unit].config;
    if (config != nullptr && (request.is_io() ? config->claims_io(request.address)
                                              : config->claims_memory(request.address)))
      return unit;
  }
  return kNoUnit;
}

void TenurePlanner::limit_by_latency_timer(Tenure& tenure, std::uint64_t now) const {
  const BusJob& job = *tenure.job;
  const bool is_burst = job.command == Command::kMemoryWrite ||
                        job.command == Command::kMemoryRead ||
                        job.command == Command::kSplitCompletion;
  if (!is_burst || tenure.outcome != Outcome::kMoves || tenure.bytes <= timing_.boundary_bytes())
    return;
  const std::uint32_t timer = tenure.master == kHostMaster
                                  ? params_.bridge_latency_timer()
                                  : places_[job.unit].config->latency_timer();
  const std::uint64_t from_ps = std::max(tenure.start_ps + timing_.ps(timer), now);
  if (from_ps >= tenure.end_ps) return;
  const bool turns = job.command == Command::kSplitCompletion && host_->completions_take_turns();
  const std::uint64_t stop_ps = std::max(from_ps, arbiter_.rivals_want_from_ps(tenure, turns));
  if (stop_ps >= tenure.end_ps) return;
  const std::uint64_t stop_clock = timing_.clocks_in(stop_ps - tenure.start_ps);
  const std::uint64_t address = tenure.address();
  const std::uint32_t bytes = timing_.bytes_when_stopped(address, tenure.bytes, tenure.width,
                                                         tenure.phases.lead(), stop_clock);
  if (bytes == tenure.bytes) return;
  tenure.bytes = bytes;
  tenure.cut_by_target = false;
  timing_.add_data(tenure.phases, address, bytes, tenure.width);
  set_end(tenure);
}

}  // namespace longhaul::pcix
