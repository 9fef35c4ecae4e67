// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "platform/observe/probe_walk.h"

namespace longhaul::observe {

/// The figures of every counter, level and state clock in the measured window, as JSON.
///
/// {"window": {"begin_ps", "end_ps"}, "window_marked", "probes": {NAME: {"kind", "unit",
/// "description", ...}}}. A counter has "begin", "end", "delta"; a level "begin", "end", "mean",
/// "highest" (within the window); states have "states" {STATE: picoseconds in the window}. If the
/// window was not both begun and ended, it is the whole run.
class Summary {
 public:
  /// Make it after the topology is built and before the simulation starts: an unmarked window
  /// begins at time 0.
  Summary();

  /// The measured window begins now. A second call restarts it.
  void begin_window();
  /// The measured window ends now. A call without a begin is ignored; a second call moves the end.
  void end_window();
  bool window_marked() const { return end_.has_value(); }
  /// The summary at the present time.
  nlohmann::json json() const;

 private:
  struct Snapshot {
    std::uint64_t at_ps = 0;
    std::vector<std::uint64_t> counters;
    std::vector<std::uint64_t> levels;
    std::vector<std::uint64_t> highest;
    std::vector<Level::Integral> integrals;
    std::vector<std::vector<std::uint64_t>> clocks;
  };
  Snapshot take() const;

  ProbeWalk probes_;
  Snapshot start_;
  std::vector<std::uint64_t> highest_before_;  // highest values of the levels before the window
  std::optional<Snapshot> begin_;
  std::optional<Snapshot> end_;
};

}  // namespace longhaul::observe
