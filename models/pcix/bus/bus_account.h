// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "models/common/observe/probe.h"
#include "models/pcix/bus/tenure.h"

namespace longhaul::pcix {

/// Gives each clock of a bus one cause, and reports a span for each tenure.
class BusAccount {
 public:
  /// States of `activity`.
  enum Activity : std::size_t { kIdle, kData, kOverhead };
  /// States of `clocks`.
  enum Cause : std::size_t {
    kNothing,
    kSplitWait,
    kArbitration,
    kDataPhases,
    kProtocol,
    kReadRequests,
    kDisconnects,
    kRetries,
    kMmio,
    kAborts
  };

  explicit BusAccount(const BusTiming& timing) : timing_(timing) {}

  /// Credits a tenure, and the time since the one before it. Called at its last data phase; the bus
  /// is free from `free_ps` on. `reads_outstanding` tells the state before the tenure's end.
  void credit(const Tenure& tenure, std::uint64_t free_ps, bool reads_outstanding);

  observe::StateClock activity{
      "state",
      "what the clocks of the bus are spent on; a tenure is credited when it ends",
      {"idle", "data", "overhead"}};
  observe::StateClock clocks{
      "clocks",
      "what each clock of the bus went for; a tenure is credited when it ends",
      {"idle", "split_wait", "arbitration", "data", "protocol", "read_requests", "disconnects",
       "retries", "mmio", "aborts"}};
  observe::SpanTap tenures{"tenures", "bus tenures by command; numbers: address, bytes moved"};

 private:
  static Cause cause_of(const Tenure& tenure);
  void credit_gap(const Tenure& tenure, bool reads_outstanding);

  const BusTiming& timing_;
  std::uint64_t end_ps_ = 0;            // end of the last data phase
  std::uint64_t owed_overhead_ps_ = 0;  // from there to the end of the turn-around; credited with
                                        // the next tenure
  Cause owed_cause_ = kNothing;
};

}  // namespace longhaul::pcix
