// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <systemc>
#include <tlm>
#include <vector>

#include "models/common/observe/probe.h"
#include "models/pcix/bus/arbiter.h"
#include "models/pcix/bus/place.h"
#include "models/pcix/bus/tenure.h"
#include "models/pcix/bus/tenure_record.h"
#include "models/pcix/bus/unclaimed_accesses.h"
#include "models/pcix/bus_timing.h"
#include "models/pcix/host_port.h"

namespace longhaul::pcix {

/// Handles the end of the bridge's tenures: accesses to functions, their Split Responses and Split
/// Completions, and delayed reads of conventional PCI.
class HostAccesses {
 public:
  /// Counters of the bus.
  struct Counters {
    observe::Counter& mmio_reads;
    observe::Counter& mmio_writes;
    observe::Counter& io_accesses;
    observe::Counter& config_accesses;
    observe::Counter& master_aborts;
    observe::Counter& target_aborts;
    observe::Counter& retries;
  };
  HostAccesses(const BusTiming& timing, const BusParams& params, Arbiter& arbiter,
               std::vector<Place>& places, TenureReporter& reporter, const Counters& counters)
      : timing_(timing),
        params_(params),
        arbiter_(arbiter),
        places_(places),
        reporter_(reporter),
        count_(counters) {}

  void set_host(HostPort& host) { host_ = &host; }
  void end_access(const Tenure& tenure);
  void end_completion(const Tenure& tenure);
  /// A function has the data, or an error, for the oldest read that it answered with later().
  /// Returns true if the function asks for the bus to send a Split Completion.
  bool answered(std::uint32_t unit, tlm::tlm_response_status response);
  /// Accesses to memory and I/O ports that no function claimed.
  const UnclaimedAccesses& unclaimed() const { return unclaimed_; }

 private:
  void count(HostRequest::Kind kind);
  sc_core::sc_time access_function(const Tenure& tenure);
  void note_read(const Tenure& tenure);
  void ask_again(const Tenure& tenure);
  void split_read(const Tenure& tenure, sc_core::sc_time later);

  const BusTiming& timing_;
  const BusParams& params_;
  Arbiter& arbiter_;
  std::vector<Place>& places_;
  TenureReporter& reporter_;
  const Counters count_;
  HostPort* host_ = nullptr;
  UnclaimedAccesses unclaimed_;
  tlm::tlm_generic_payload payload_;  // of the access in progress
};

}  // namespace longhaul::pcix
