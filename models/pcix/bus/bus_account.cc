// SPDX-License-Identifier: Apache-2.0
#include "models/pcix/bus/bus_account.h"

#include <algorithm>

#include "models/pcix/bus/tenure_record.h"

namespace longhaul::pcix {

using Command = BusJob::Command;
using Outcome = Tenure::Outcome;

BusAccount::Cause BusAccount::cause_of(const Tenure& tenure) {
  switch (tenure.outcome) {
    case Outcome::kRetried: return kRetries;
    case Outcome::kMasterAborted:
    case Outcome::kTargetAborted: return kAborts;
    default: break;
  }
  const BusJob& job = *tenure.job;
  if (job.command == Command::kHost || job.command == Command::kHostCompletion) return kMmio;
  if (tenure.outcome == Outcome::kSplits) return kReadRequests;
  return job.moved > 0 ? kDisconnects : kProtocol;
}

void BusAccount::credit_gap(const Tenure& tenure, bool reads_outstanding) {
  const std::uint64_t gap_begin_ps = end_ps_ + owed_overhead_ps_;
  if (tenure.start_ps <= gap_begin_ps) return;
  const std::uint64_t gap_ps = tenure.start_ps - gap_begin_ps;
  if (tenure.job->refused) {
    clocks.credit(kRetries, gap_ps);
    return;
  }
  const std::uint64_t arbitration_ps = std::min(gap_ps, tenure.start_ps - tenure.job->requested_ps);
  clocks.credit(kArbitration, arbitration_ps);
  // Reads begin and end with tenures, so the answer holds for the whole gap.
  if (reads_outstanding) clocks.credit(kSplitWait, gap_ps - arbitration_ps);
}

void BusAccount::credit(const Tenure& tenure, std::uint64_t free_ps, bool reads_outstanding) {
  const std::uint64_t data_ps = timing_.ps(tenure.phases.data);
  const std::uint64_t other_ps = tenure.end_ps - tenure.start_ps - data_ps;
  // The clocks after the last data phase are in the future. Credited here, they could exceed the
  // time that has passed.
  activity.credit(kOverhead, other_ps + owed_overhead_ps_);
  if (data_ps > 0) activity.credit(kData, data_ps);
  const Cause cause = cause_of(tenure);
  if (owed_overhead_ps_ > 0) clocks.credit(owed_cause_, owed_overhead_ps_);
  credit_gap(tenure, reads_outstanding);
  clocks.credit(cause, other_ps);
  if (data_ps > 0) clocks.credit(cause == kMmio ? kMmio : kDataPhases, data_ps);
  end_ps_ = now_ps();
  owed_overhead_ps_ = free_ps - end_ps_;
  owed_cause_ = cause;
  if (tenures.active()) {
    tenures.report(tenure.start_ps, free_ps, label_of(tenure, timing_.is_pcix()), tenure.address(),
                   tenure.outcome == Outcome::kMoves ? tenure.bytes : 0);
  }
}

}  // namespace longhaul::pcix
