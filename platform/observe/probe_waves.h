// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "platform/observe/probe_walk.h"
#include "platform/observe/wave_file.h"

namespace longhaul::observe {

/// Traces the probes below one object of SystemC's hierarchy, each in the scope of its place:
/// signals (descriptor rings, interrupt lines), states, levels (fills), and the states of a core
/// from its spans.
class ProbeWaves final : public ValueListener, public SpanListener, public WaveSource {
 public:
  /// `object` is a full name ("sender.eth0"). Its probes keep their names below the same scope.
  /// `rank`: see WaveFile::scope().
  ProbeWaves(WaveFile& file, const std::string& object, std::uint32_t rank,
             const ProbeWalk& probes);

  void on_value(const Probe& probe, std::uint64_t value) override;
  void on_span(const SpanTap& tap, std::uint64_t start_ps, std::uint64_t end_ps, const char* label,
               std::uint64_t arg0, std::uint64_t arg1) override;
  void waves_begin() override;
  void waves_end() override;

 private:
  WaveFile& file_;
  std::vector<Signal*> signals_;
  std::vector<Level*> levels_;
  std::vector<SpanTap*> cores_;
  std::map<const Probe*, Wave> waves_;
};

}  // namespace longhaul::observe
