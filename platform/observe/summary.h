// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "platform/observe/probe_walk.h"

namespace longhaul::observe {

/// What every counter, level and state clock did in the measured window, as JSON.
///
/// {"window": {"begin_ps", "end_ps"}, "window_marked", "probes": {NAME: {"kind", "unit",
/// "description", ...}}} with counter: "begin", "end", "delta"; level: "begin", "end", "mean",
/// "highest" (within the window); states: "states" {STATE: picoseconds in the window}. Without a
/// window that was both begun and ended, the window is the whole run.
class Summary {
 public:
  /// Make it when the topology stands and before the simulation starts: time 0 is the begin of an
  /// unmarked window.
  Summary();

  /// The measured window begins now; a second begin starts it afresh.
  void begin_window();
  /// The measured window ends now; an end without a begin is ignored, a second end moves the end.
  void end_window();
  bool window_marked() const { return end_.has_value(); }
  /// The summary as of now.
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
