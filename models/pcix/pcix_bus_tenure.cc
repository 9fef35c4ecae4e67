// SPDX-License-Identifier: Apache-2.0
// Handles the end of a tenure.
#include "models/pcix/pcix_bus.h"

namespace longhaul::pcix {

using Command = BusJob::Command;
using Delayed = BusJob::Delayed;
using Outcome = Tenure::Outcome;

void PcixBus::finish() {
  const Tenure& tenure = tenure_;  // until plan()
  const std::uint64_t free_ps =
      now_ps() + timing_.ps(tenure.phases.release + BusTiming::kTurnAround);
  account.credit(tenure, free_ps, outstanding_reads.value() > 0);
  if (reporter_.is_on() && tenure.job->command != Command::kHost) reporter_.report(tenure);
  arbiter_.begin_end(tenure, free_ps);
  switch (tenure.job->command) {
    case Command::kMemoryWrite: end_write(tenure); break;
    case Command::kMemoryRead: end_read_request(tenure); break;
    case Command::kSplitCompletion: end_completion(tenure); break;
    case Command::kHost: host_accesses_.end_access(tenure); break;
    case Command::kHostCompletion: host_accesses_.end_completion(tenure); break;
  }
  arbiter_.end_end();
  plan();
}

bool PcixBus::refused(const Tenure& tenure) {
  BusJob& job = *tenure.job;
  switch (tenure.outcome) {
    case Outcome::kMasterAborted: abort_dma(tenure, tlm::TLM_ADDRESS_ERROR_RESPONSE); return true;
    case Outcome::kTargetAborted: abort_dma(tenure, tlm::TLM_GENERIC_ERROR_RESPONSE); return true;
    case Outcome::kRetried:
      retries.add();
      job.refused = true;
      Arbiter::ask_again(job, arbiter_.free_ps() + timing_.ps(params_.retry_clocks()));
      return true;
    default: job.refused = false; return false;
  }
}

void PcixBus::end_write(const Tenure& tenure) {
  if (refused(tenure)) return;
  BusJob& job = *tenure.job;
  memory_writes.add();
  const tlm::tlm_response_status response =
      host_->take_write(*job.payload, job.moved, tenure.bytes);
  if (response != tlm::TLM_OK_RESPONSE) return abort_dma(tenure, tlm::TLM_GENERIC_ERROR_RESPONSE);
  written_bytes.add(tenure.bytes);
  job.moved += tenure.bytes;
  if (job.moved < job.bytes) {
    disconnects.add();
    Arbiter::ask_again(job, arbiter_.free_ps());
    return;
  }
  tlm::tlm_generic_payload& payload = *job.payload;
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
  const std::uint32_t unit = job.unit;
  arbiter_.remove(tenure);
  respond(unit, payload, tlm::BEGIN_RESP);
}

void PcixBus::end_read_request(const Tenure& tenure) {
  BusJob& job = *tenure.job;
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
  arbiter_.remove(tenure);
  host_->take_read(payload, 0, bytes);
  respond(unit, payload, tlm::END_REQ);
}

void PcixBus::end_delayed_read(const Tenure& tenure) {
  BusJob& job = *tenure.job;
  split_completions.add();
  completed_bytes.add(tenure.bytes);
  outstanding_reads.add(-1);
  host_->completion_gone(*job.payload);
  job.moved += tenure.bytes;
  job.delayed = Delayed::kNew;  // the bridge discards data that it fetched beyond
  if (job.moved < job.bytes) {
    disconnects.add();
    Arbiter::ask_again(job, arbiter_.free_ps());
    return;
  }
  tlm::tlm_generic_payload& payload = *job.payload;
  const std::uint32_t unit = job.unit;
  arbiter_.remove(tenure);
  respond(unit, payload, tlm::BEGIN_RESP);
}

void PcixBus::end_completion(const Tenure& tenure) {
  BusJob& job = *tenure.job;
  split_completions.add();
  tlm::tlm_generic_payload& payload = *job.payload;
  const bool has_data = payload.get_response_status() == tlm::TLM_OK_RESPONSE;
  if (has_data) completed_bytes.add(tenure.bytes);
  job.moved += tenure.bytes;
  if (job.moved < job.bytes) {
    disconnects.add();
    Arbiter::ask_again(job, arbiter_.free_ps());
    return;
  }
  const std::uint32_t unit = job.unit;
  if (!has_data) {
    target_aborts.add();
    places_[unit].config->note_status(status::kReceivedTargetAbort);
  }
  outstanding_reads.add(-1);
  arbiter_.remove(tenure);
  host_->completion_gone(payload);
  respond(unit, payload, tlm::BEGIN_RESP);
}

void PcixBus::abort_dma(const Tenure& tenure, tlm::tlm_response_status response) {
  const std::uint32_t unit = tenure.job->unit;
  const bool nobody = response == tlm::TLM_ADDRESS_ERROR_RESPONSE;
  (nobody ? master_aborts : target_aborts).add();
  places_[unit].config->note_status(nobody ? status::kReceivedMasterAbort
                                           : status::kReceivedTargetAbort);
  tlm::tlm_generic_payload& payload = *tenure.job->payload;
  payload.set_response_status(response);
  arbiter_.remove(tenure);
  respond(unit, payload, tlm::BEGIN_RESP);
}

void PcixBus::respond(std::uint32_t unit, tlm::tlm_generic_payload& payload, tlm::tlm_phase phase) {
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  places_[unit].inside->nb_transport_bw(payload, phase, delay);
}

}  // namespace longhaul::pcix
