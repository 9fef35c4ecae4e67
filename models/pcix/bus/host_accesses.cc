// SPDX-License-Identifier: Apache-2.0
#include "models/pcix/bus/host_accesses.h"

#include "models/common/units.h"

namespace longhaul::pcix {

using Command = BusJob::Command;
using Delayed = BusJob::Delayed;
using Outcome = Tenure::Outcome;

void HostAccesses::count(HostRequest::Kind kind) {
  switch (kind) {
    case HostRequest::Kind::kMmioRead: count_.mmio_reads.add(); break;
    case HostRequest::Kind::kMmioWrite: count_.mmio_writes.add(); break;
    case HostRequest::Kind::kIoRead:
    case HostRequest::Kind::kIoWrite: count_.io_accesses.add(); break;
    case HostRequest::Kind::kConfigRead:
    case HostRequest::Kind::kConfigWrite: count_.config_accesses.add(); break;
  }
}

void HostAccesses::end_access(const Tenure& tenure) {
  HostRequest& request = *tenure.job->host;
  if (tenure.outcome == Outcome::kRetried) {
    if (request.is_read()) note_read(tenure);
    return ask_again(tenure);
  }
  count(request.kind);
  sc_core::sc_time later = sc_core::SC_ZERO_TIME;
  if (tenure.outcome == Outcome::kMasterAborted) {
    count_.master_aborts.add();
    unclaimed_.note(request, places_);
    request.data.fill(0xff);
  } else if (tenure.outcome == Outcome::kTargetAborted) {
    count_.target_aborts.add();
  } else if (tenure.job->delayed != Delayed::kFetched) {
    later = access_function(tenure);
  }
  if (reporter_.is_on())
    reporter_.report(tenure);  // after the access, so that the record has a
                               // register's value
  if (tenure.outcome == Outcome::kSplits) return split_read(tenure, later);
  arbiter_.remove(tenure);
  host_->host_done(request);
}

/// Carries out the bridge's access to a function. Returns the time until a read's data are
/// available.
sc_core::sc_time HostAccesses::access_function(const Tenure& tenure) {
  HostRequest& request = *tenure.job->host;
  const sc_core::sc_time later = places_[tenure.target_unit].access(request, payload_);
  if (later != FunctionInterface::later() && !payload_.is_response_ok()) {
    count_.target_aborts.add();
    request.data.fill(0xff);
  }
  return later;
}

/// The bridge got a Retry for its read and will repeat it. The first attempt starts the read in the
/// function.
void HostAccesses::note_read(const Tenure& tenure) {
  BusJob& job = *tenure.job;
  if (job.delayed == Delayed::kNew) {
    Place& place = places_[tenure.target_unit];
    const sc_core::sc_time later = place.access(*job.host, payload_);
    job.delayed = Delayed::kFetching;
    if (later == FunctionInterface::later()) {
      place.open_reads.push_back(&job);
    } else {
      job.delayed = Delayed::kFetched;
      job.fetched_ps = now_ps() + to_ps(place.target->split_latency()) + to_ps(later);
      job.failed = !payload_.is_response_ok();
      if (job.failed) job.host->data.fill(0xff);
    }
  }
}

/// The bridge got a Retry and repeats its request. Requests behind it wait.
void HostAccesses::ask_again(const Tenure& tenure) {
  BusJob& job = *tenure.job;
  if (reporter_.is_on()) reporter_.report(tenure);
  count_.retries.add();
  job.refused = true;
  Arbiter::ask_again(job, arbiter_.free_ps() + timing_.ps(params_.retry_clocks()));
}

/// The bridge got a Split Response.
void HostAccesses::split_read(const Tenure& tenure, sc_core::sc_time later) {
  HostRequest& request = *tenure.job->host;
  const std::uint32_t unit = tenure.target_unit;
  arbiter_.remove(tenure);
  Place& place = places_[unit];
  BusJob& completion =
      arbiter_.new_job(Command::kHostCompletion, unit, request.address, request.length);
  completion.host = &request;
  if (later == FunctionInterface::later()) {
    place.open_reads.push_back(&completion);
  } else {
    arbiter_.complete(place.master(), completion,
                      now_ps() + to_ps(place.target->split_latency()) + to_ps(later));
  }
}

void HostAccesses::end_completion(const Tenure& tenure) {
  HostRequest& request = *tenure.job->host;
  arbiter_.remove(tenure);
  host_->host_done(request);
}

bool HostAccesses::answered(std::uint32_t unit, tlm::tlm_response_status response) {
  Place& place = places_[unit];
  BusJob& job = *place.open_reads.pop_front();
  const bool failed = response != tlm::TLM_OK_RESPONSE;
  if (failed) job.host->data.fill(0xff);
  if (!timing_.is_pcix()) {  // the bridge repeats its read and finds the data
    job.delayed = Delayed::kFetched;
    job.fetched_ps = now_ps();
    job.failed = failed;
    return false;
  }
  if (failed) count_.target_aborts.add();
  arbiter_.complete(place.master(), job, now_ps());
  return true;
}

}  // namespace longhaul::pcix
