// SPDX-License-Identifier: Apache-2.0
// What happens while a master owns the bus: the clocks of each phase, and what is different when
// they are over.
#include <algorithm>

#include "models/common/payload.h"
#include "models/pcix/address_map.h"
#include "models/pcix/pcix_bus.h"

namespace longhaul::pcix {

void PcixBus::plan_tenure(Tenure& tenure, std::uint32_t master, Job& job,
                          std::uint64_t start_ps) const {
  tenure = {};
  tenure.job = &job;
  tenure.master = master;
  tenure.start_ps = start_ps;
  tenure.width = job.command == Command::kHost ? timing_.width_bytes() : functions_[job.unit].width;
  if (pushes(job)) tenure.width *= timing_.subphases();
  switch (job.command) {
    case Command::kMemoryWrite:
    case Command::kMemoryRead: plan_dma(tenure); break;
    case Command::kHost: plan_host(tenure); break;
    case Command::kSplitCompletion:
      // Addressed by requester number, so never a dual address cycle (PCI-X 1.0b, chapter 2).
      tenure.phases = timing_.opening(0, functions_[job.unit].target->decode_clocks());
      tenure.bytes = job.bytes - job.moved;
      break;
    case Command::kHostCompletion:
      tenure.phases = timing_.opening(0, params_.bridge_decode_clocks());
      tenure.bytes = job.bytes;
      break;
  }
  if (tenure.outcome == Outcome::kMoves) {
    timing_.add_data(tenure.phases, job.address + job.moved, tenure.bytes, tenure.width);
    if (tenure.cut_by_target) timing_.add_target_disconnect(tenure.phases);
    set_end(tenure);
    limit_by_latency_timer(tenure, start_ps);
    return;
  }
  if (tenure.outcome != Outcome::kMasterAborted)
    timing_.add_termination(tenure.phases, job.bytes - job.moved > tenure.width);
  set_end(tenure);
}

void PcixBus::plan_dma(Tenure& tenure) const {
  const Job& job = *tenure.job;
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

void PcixBus::plan_delayed_read(Tenure& tenure) const {
  const Job& job = *tenure.job;
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

void PcixBus::plan_host(Tenure& tenure) const {
  const HostRequest& request = *tenure.job->host;
  tenure.target_unit = claiming_unit(request);
  if (tenure.target_unit == kNoUnit) {
    tenure.outcome = Outcome::kMasterAborted;
    tenure.phases = timing_.master_abort(request.address);
    if (request.is_config()) tenure.phases.pre_drive = timing_.configuration(1).pre_drive;
    return;
  }
  const TargetParams& target = *functions_[tenure.target_unit].target;
  // I/O space is 32 bits wide: REQ64# is for memory commands only (PCI 2.3, 3.8).
  tenure.width = request.is_io() ? 4 : functions_[tenure.target_unit].width;
  if (request.is_read() && !request.is_config() && target.split_reads() && timing_.is_pcix()) {
    tenure.outcome = Outcome::kSplits;
    tenure.phases = timing_.opening(request.address, target.decode_clocks());
    return;
  }
  const std::uint32_t wait = request.is_read() ? target.read_wait_clocks() : 0;
  tenure.phases = request.is_config()
                      ? timing_.configuration(target.decode_clocks(), wait)
                      : timing_.opening(request.address, target.decode_clocks(), wait);
  tenure.bytes = request.length;
}

std::uint32_t PcixBus::claiming_unit(const HostRequest& request) const {
  if (request.is_config()) {
    const std::uint64_t function = request.address / address_map::kFunctionBytes;
    if (request.slot >= slots_ || function >= kFunctions) return kNoUnit;
    const auto unit = static_cast<std::uint32_t>(request.slot + function * slots_);
    return functions_[unit].config != nullptr ? unit : kNoUnit;
  }
  for (std::uint32_t unit = 0; unit < units(); ++unit) {
    const ConfigSpace* const config = functions_[unit].config;
    if (config != nullptr && (request.is_io() ? config->claims_io(request.address)
                                              : config->claims_memory(request.address)))
      return unit;
  }
  return kNoUnit;
}

void PcixBus::limit_by_latency_timer(Tenure& tenure, std::uint64_t now) const {
  const Job& job = *tenure.job;
  const bool is_burst = job.command == Command::kMemoryWrite ||
                        job.command == Command::kMemoryRead ||
                        job.command == Command::kSplitCompletion;
  if (!is_burst || tenure.outcome != Outcome::kMoves || tenure.bytes <= timing_.boundary_bytes())
    return;
  const std::uint32_t timer = tenure.master == kHostMaster
                                  ? params_.bridge_latency_timer()
                                  : functions_[job.unit].config->latency_timer();
  const std::uint64_t from_ps = std::max(tenure.start_ps + timing_.ps(timer), now);
  if (from_ps >= tenure.end_ps) return;
  const std::uint64_t stop_ps = std::max(from_ps, rivals_want_from_ps(tenure));
  if (stop_ps >= tenure.end_ps) return;
  const std::uint64_t stop_clock = timing_.clocks_in(stop_ps - tenure.start_ps);
  const std::uint64_t address = job.address + job.moved;
  const std::uint32_t bytes = timing_.bytes_when_stopped(address, tenure.bytes, tenure.width,
                                                         tenure.phases.lead(), stop_clock);
  if (bytes == tenure.bytes) return;
  tenure.bytes = bytes;
  tenure.cut_by_target = false;
  timing_.add_data(tenure.phases, address, bytes, tenure.width);
  set_end(tenure);
}

void PcixBus::finish() {
  const Tenure& tenure = tenure_;  // until plan()
  free_ps_ = now_ps() + timing_.ps(tenure.phases.release + BusTiming::kTurnAround);
  account(tenure);
  if (listener_ != nullptr && tenure.job->command != Command::kHost) tell(tenure);
  last_master_ = tenure.master;
  const RingBuffer<Job*>& requests = masters_[tenure.master].requests;
  masters_[tenure.master].completion_is_next = !requests.empty() && requests.front() == tenure.job;
  finishing_ = true;
  switch (tenure.job->command) {
    case Command::kMemoryWrite: end_write(tenure); break;
    case Command::kMemoryRead: end_read_request(tenure); break;
    case Command::kSplitCompletion: end_completion(tenure); break;
    case Command::kHost: end_host_access(tenure); break;
    case Command::kHostCompletion: end_host_completion(tenure); break;
  }
  finishing_ = false;
  plan();
}

bool PcixBus::refused(const Tenure& tenure) {
  Job& job = *tenure.job;
  switch (tenure.outcome) {
    case Outcome::kMasterAborted: abort_dma(tenure, tlm::TLM_ADDRESS_ERROR_RESPONSE); return true;
    case Outcome::kTargetAborted: abort_dma(tenure, tlm::TLM_GENERIC_ERROR_RESPONSE); return true;
    case Outcome::kRetried:
      retries.add();
      job.refused = true;
      ask_again(job, free_ps_ + timing_.ps(params_.retry_clocks()));
      return true;
    default: job.refused = false; return false;
  }
}

void PcixBus::end_write(const Tenure& tenure) {
  if (refused(tenure)) return;
  Job& job = *tenure.job;
  memory_writes.add();
  const tlm::tlm_response_status response =
      host_->take_write(*job.payload, job.moved, tenure.bytes);
  if (response != tlm::TLM_OK_RESPONSE) return abort_dma(tenure, tlm::TLM_GENERIC_ERROR_RESPONSE);
  written_bytes.add(tenure.bytes);
  job.moved += tenure.bytes;
  if (job.moved < job.bytes) {
    disconnects.add();
    ask_again(job, free_ps_);
    return;
  }
  tlm::tlm_generic_payload& payload = *job.payload;
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
  const std::uint32_t unit = job.unit;
  end_job(tenure);
  respond(unit, payload, tlm::BEGIN_RESP);
}

void PcixBus::end_read_request(const Tenure& tenure) {
  Job& job = *tenure.job;
  if (!timing_.is_pcix() && tenure.outcome == Outcome::kRetried && job.delayed == Delayed::kNew &&
      tenure.bytes > 0) {
    memory_reads.add();
    outstanding_reads.add(1);
    job.delayed = Delayed::kFetching;
    job.fetched_bytes = tenure.bytes;
    host_->take_read(*job.payload, job.moved, tenure.bytes);
  }
  if (tenure.outcome == Outcome::kTargetAborted) {
    outstanding_reads.add(-1);
    host_->completion_gone(*job.payload);
  }
  if (refused(tenure)) return;
  if (tenure.outcome == Outcome::kMoves) return end_delayed_read(tenure);
  memory_reads.add();
  outstanding_reads.add(1);
  tlm::tlm_generic_payload& payload = *job.payload;
  const std::uint32_t unit = job.unit;
  const std::uint32_t bytes = job.bytes;
  end_job(tenure);
  host_->take_read(payload, 0, bytes);
  respond(unit, payload, tlm::END_REQ);
}

void PcixBus::end_delayed_read(const Tenure& tenure) {
  Job& job = *tenure.job;
  split_completions.add();
  completed_bytes.add(tenure.bytes);
  outstanding_reads.add(-1);
  host_->completion_gone(*job.payload);
  job.moved += tenure.bytes;
  job.delayed = Delayed::kNew;  // what was fetched beyond, the bridge throws away
  if (job.moved < job.bytes) {
    disconnects.add();
    ask_again(job, free_ps_);
    return;
  }
  tlm::tlm_generic_payload& payload = *job.payload;
  const std::uint32_t unit = job.unit;
  end_job(tenure);
  respond(unit, payload, tlm::BEGIN_RESP);
}

void PcixBus::end_completion(const Tenure& tenure) {
  Job& job = *tenure.job;
  split_completions.add();
  tlm::tlm_generic_payload& payload = *job.payload;
  const bool has_data = payload.get_response_status() == tlm::TLM_OK_RESPONSE;
  if (has_data) completed_bytes.add(tenure.bytes);
  job.moved += tenure.bytes;
  if (job.moved < job.bytes) {
    disconnects.add();
    ask_again(job, free_ps_);
    return;
  }
  const std::uint32_t unit = job.unit;
  if (!has_data) {
    target_aborts.add();
    functions_[unit].config->note_status(status::kReceivedTargetAbort);
  }
  outstanding_reads.add(-1);
  end_job(tenure);
  host_->completion_gone(payload);
  respond(unit, payload, tlm::BEGIN_RESP);
}

void PcixBus::end_host_access(const Tenure& tenure) {
  HostRequest& request = *tenure.job->host;
  switch (request.kind) {
    case HostRequest::Kind::kMmioRead: mmio_reads.add(); break;
    case HostRequest::Kind::kMmioWrite: mmio_writes.add(); break;
    case HostRequest::Kind::kIoRead:
    case HostRequest::Kind::kIoWrite: io_accesses.add(); break;
    case HostRequest::Kind::kConfigRead:
    case HostRequest::Kind::kConfigWrite: config_accesses.add(); break;
  }
  const std::uint32_t unit = tenure.target_unit;
  sc_core::sc_time later = sc_core::SC_ZERO_TIME;
  if (tenure.outcome == Outcome::kMasterAborted) {
    master_aborts.add();
    request.data.fill(0xff);
  } else {
    later = access_target(request, unit);
  }
  if (listener_ != nullptr) tell(tenure);  // now that what a register gave is there
  end_job(tenure);
  if (tenure.outcome != Outcome::kSplits) {
    host_->host_done(request);
    return;
  }
  Job& completion = new_job(Command::kHostCompletion, unit, request.address, request.length);
  completion.host = &request;
  completion.arrived_ps = now_ps() + to_ps(functions_[unit].target->split_latency()) + to_ps(later);
  raise_request(completion, master_of(unit), completion.arrived_ps);
  queue_completion(master_of(unit), completion);
}

void PcixBus::end_host_completion(const Tenure& tenure) {
  HostRequest& request = *tenure.job->host;
  end_job(tenure);
  host_->host_done(request);
}

void PcixBus::abort_dma(const Tenure& tenure, tlm::tlm_response_status response) {
  const std::uint32_t unit = tenure.job->unit;
  const bool nobody = response == tlm::TLM_ADDRESS_ERROR_RESPONSE;
  (nobody ? master_aborts : target_aborts).add();
  functions_[unit].config->note_status(nobody ? status::kReceivedMasterAbort
                                              : status::kReceivedTargetAbort);
  tlm::tlm_generic_payload& payload = *tenure.job->payload;
  payload.set_response_status(response);
  end_job(tenure);
  respond(unit, payload, tlm::BEGIN_RESP);
}

sc_core::sc_time PcixBus::access_target(HostRequest& request, std::uint32_t unit) {
  const ConfigSpace& config = *functions_[unit].config;
  const std::uint64_t base = request.is_config()
                                 ? functions_[unit].function * address_map::kFunctionBytes
                             : request.is_io() ? config.io_bar()
                                               : config.bar0();
  set_access(target_payload_, request.is_read() ? tlm::TLM_READ_COMMAND : tlm::TLM_WRITE_COMMAND,
             request.address - base, request.data.data(), request.length);
  FunctionInterface& inside = *functions_[unit].inside;
  sc_core::sc_time later = sc_core::SC_ZERO_TIME;
  if (request.is_config()) {
    inside.access_config(target_payload_);
  } else if (request.is_io()) {
    inside.access_io(target_payload_);
  } else {
    later = inside.access_memory(target_payload_);
  }
  if (!target_payload_.is_response_ok()) {
    target_aborts.add();
    request.data.fill(0xff);
  }
  return later;
}

void PcixBus::respond(std::uint32_t unit, tlm::tlm_generic_payload& payload, tlm::tlm_phase phase) {
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  functions_[unit].inside->nb_transport_bw(payload, phase, delay);
}

void PcixBus::end_job(const Tenure& tenure) {
  Master& master = masters_[tenure.master];
  if (!master.requests.empty() && master.requests.front() == tenure.job) {
    master.requests.pop_front();
  } else {
    master.completions.erase(
        std::find(master.completions.begin(), master.completions.end(), tenure.job));
  }
  if (master.requests.empty() && master.completions.empty())
    waiting_ &= ~(std::uint64_t{1} << tenure.master);
  free_jobs_.push_back(tenure.job);
}

}  // namespace longhaul::pcix
