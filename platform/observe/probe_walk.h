// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "models/common/observe/probe.h"
#include "models/net/frame/frame_tap.h"
#include "platform/observe/violation_tap.h"

namespace longhaul::observe {

/// All probes of the elaborated design, by type, in order of the hierarchy (parents before
/// children, siblings in order of construction: the same design gives the same order).
struct ProbeWalk {
  /// Walks from sc_get_top_level_objects(); call it when the topology stands.
  ProbeWalk();

  std::vector<Probe*> all;
  std::vector<Counter*> counters;
  std::vector<Level*> levels;
  std::vector<Signal*> signals;
  std::vector<Gauge*> gauges;
  std::vector<StateClock*> clocks;
  std::vector<FrameTap*> frame_taps;
  std::vector<SpanTap*> span_taps;
  std::vector<ViolationTap*> violation_taps;
};

/// Those of `probes` whose name matches one of `globs` (fnmatch(3): * matches dots too), in their
/// order; all of them if there is no glob. Throws ConfigError for a glob that matches none; `where`
/// names the setting in its message.
std::vector<Probe*> select(const std::vector<Probe*>& probes, const std::vector<std::string>& globs,
                           const std::string& where);

}  // namespace longhaul::observe
