// SPDX-License-Identifier: Apache-2.0
#include "platform/observe/probe_waves.h"

#include <cstring>
#include <utility>

#include "models/common/units.h"

namespace longhaul::observe {
namespace {

constexpr std::uint32_t kLevelBits = 32;
/// Name of the tap with a core's states, and name of its row.
constexpr const char* kCoreSpans = "spans";
constexpr const char* kCoreModule = "core";

bool lies_below(const Probe& probe, const std::string& object) {
  return std::strncmp(probe.name(), object.c_str(), object.size()) == 0 &&
         probe.name()[object.size()] == '.';
}

std::string parent(const Probe& probe) {
  const std::string name = probe.name();
  return name.substr(0, name.rfind('.'));
}

}  // namespace

ProbeWaves::ProbeWaves(WaveFile& file, const std::string& object, std::uint32_t rank,
                       const ProbeWalk& probes)
    : file_(file) {
  for (Signal* signal : probes.signals) {
    if (!lies_below(*signal, object)) continue;
    signals_.push_back(signal);
    WaveScope scope = file.scope(parent(*signal), rank);
    if (signal->states().empty()) {
      waves_[signal] = scope.add_bits(signal->basename(), signal->width(),
                                      signal->width() == 1 ? WaveShow::kBit : WaveShow::kUnsigned);
      continue;
    }
    WaveStates names;
    for (std::size_t i = 0; i < signal->states().size(); ++i)
      names.emplace_back(i, signal->states()[i]);
    waves_[signal] = scope.add_states(signal->basename(), signal->width(), std::move(names));
  }
  for (Level* level : probes.levels) {
    if (!lies_below(*level, object)) continue;
    levels_.push_back(level);
    waves_[level] = file.scope(parent(*level), rank)
                        .add_bits(level->basename(), kLevelBits, WaveShow::kUnsigned);
  }
  for (SpanTap* tap : probes.span_taps) {
    const sc_core::sc_object* const owner = tap->get_parent_object();
    if (std::strcmp(tap->basename(), kCoreSpans) != 0 || owner == nullptr ||
        std::strcmp(owner->basename(), kCoreModule) != 0 || !lies_below(*tap, object))
      continue;
    cores_.push_back(tap);
    waves_[tap] = file.scope(parent(*tap), rank).add_text("state");
  }
  file.add_source(*this);
}

void ProbeWaves::waves_begin() {
  for (Signal* signal : signals_) {
    waves_.at(signal).set(signal->value());
    signal->listen(this);
  }
  for (Level* level : levels_) {
    waves_.at(level).set(level->value());
    level->listen(this);
  }
  for (SpanTap* tap : cores_) {
    waves_.at(tap).text_at(now_ps(), "idle");
    tap->listen(this);
  }
}

void ProbeWaves::waves_end() {
  for (Signal* signal : signals_) signal->ignore(this);
  for (Level* level : levels_) level->ignore(this);
  for (SpanTap* tap : cores_) tap->ignore(this);
}

void ProbeWaves::on_value(const Probe& probe, std::uint64_t value) { waves_.at(&probe).set(value); }

void ProbeWaves::on_span(const SpanTap& tap, std::uint64_t start_ps, std::uint64_t end_ps,
                         const char* label, std::uint64_t, std::uint64_t) {
  const Wave& wave = waves_.at(&tap);
  wave.text_at(start_ps, label);
  wave.text_at(end_ps, "idle");
}

}  // namespace longhaul::observe
