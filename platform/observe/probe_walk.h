// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "models/common/observe/probe.h"
#include "models/net/frame/frame_tap.h"
#include "platform/observe/violation_tap.h"

namespace longhaul::observe {

/// All probes of the elaborated design, by type, in the order of the hierarchy: parents before
/// children, siblings in the order of construction. So the same design gives the same order.
struct ProbeWalk {
  /// Walks from sc_get_top_level_objects(). Call it after the topology is built.
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

/// The probes whose names match one of `globs` (fnmatch(3): * also matches dots), in their order;
/// all probes if there is no glob. Throws ConfigError for a glob without a match; `where` names the
/// setting in its message.
std::vector<Probe*> select(const std::vector<Probe*>& probes, const std::vector<std::string>& globs,
                           const std::string& where);

}  // namespace longhaul::observe
