// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "models/pcix/bus/arbiter.h"
#include "models/pcix/bus/place.h"
#include "models/pcix/bus/tenure.h"

namespace longhaul::pcix {

/// Computes the phases of a tenure when it begins: which agent answers and how, how many bytes
/// move, and after how many clocks it ends.
class TenurePlanner {
 public:
  /// `places` has all functions by their number on the bus.
  TenurePlanner(const BusTiming& timing, const BusParams& params, const Arbiter& arbiter,
                const std::vector<Place>& places, std::uint32_t slots)
      : timing_(timing), params_(params), arbiter_(arbiter), places_(places), slots_(slots) {}
  /// Sets the bridge, before any tenure is planned.
  void set_host(HostPort& host) { host_ = &host; }

  void plan(Tenure& tenure, const Arbiter::Grant& grant) const;
  /// Ends a burst earlier if its latency timer has run out and another master wants the bus.
  void limit_by_latency_timer(Tenure& tenure, std::uint64_t now) const;

 private:
  void plan_dma(Tenure& tenure) const;
  void plan_delayed_read(Tenure& tenure) const;
  void plan_host(Tenure& tenure) const;
  std::uint32_t claiming_unit(const HostRequest& request) const;
  void set_end(Tenure& tenure) const {
    tenure.end_ps = tenure.start_ps + timing_.ps(tenure.phases.clocks_to_end());
  }

  const BusTiming& timing_;
  const BusParams& params_;
  const Arbiter& arbiter_;
  const std::vector<Place>& places_;
  const std::uint32_t slots_;
  HostPort* host_ = nullptr;
};

}  // namespace longhaul::pcix
