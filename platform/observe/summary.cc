// SPDX-License-Identifier: Apache-2.0
#include "platform/observe/summary.h"

#include <algorithm>

namespace longhaul::observe {
namespace {

nlohmann::json head(const char* kind, const Probe& probe) {
  return {{"kind", kind}, {"unit", probe.unit()}, {"description", probe.description()}};
}

}  // namespace

Summary::Summary() : start_(take()), highest_before_(probes_.levels.size(), 0) {}

void Summary::begin_window() {
  for (std::size_t i = 0; i < probes_.levels.size(); ++i) {
    highest_before_[i] = std::max(highest_before_[i], probes_.levels[i]->highest());
    probes_.levels[i]->restart_highest();
  }
  begin_ = take();
  end_.reset();
}

void Summary::end_window() {
  if (begin_) end_ = take();
}

Summary::Snapshot Summary::take() const {
  Snapshot snapshot;
  snapshot.at_ps = now_ps();
  for (const Counter* counter : probes_.counters) snapshot.counters.push_back(counter->value());
  for (const Level* level : probes_.levels) {
    snapshot.levels.push_back(level->value());
    snapshot.highest.push_back(level->highest());
    snapshot.integrals.push_back(level->integral());
  }
  for (const StateClock* clock : probes_.clocks) {
    std::vector<std::uint64_t>& spent = snapshot.clocks.emplace_back();
    for (std::size_t state = 0; state < clock->states().size(); ++state)
      spent.push_back(clock->spent_ps(state));
  }
  return snapshot;
}

nlohmann::json Summary::json() const {
  const bool marked = window_marked();
  const Snapshot& begin = marked ? *begin_ : start_;
  const Snapshot end = marked ? *end_ : take();

  nlohmann::json probes = nlohmann::json::object();
  for (std::size_t i = 0; i < probes_.counters.size(); ++i) {
    nlohmann::json& entry = probes[probes_.counters[i]->name()] =
        head("counter", *probes_.counters[i]);
    entry["begin"] = begin.counters[i];
    entry["end"] = end.counters[i];
    entry["delta"] = end.counters[i] - begin.counters[i];
  }
  const std::uint64_t window_ps = end.at_ps - begin.at_ps;
  for (std::size_t i = 0; i < probes_.levels.size(); ++i) {
    nlohmann::json& entry = probes[probes_.levels[i]->name()] = head("level", *probes_.levels[i]);
    entry["begin"] = begin.levels[i];
    entry["end"] = end.levels[i];
    entry["mean"] = window_ps == 0 ? static_cast<double>(end.levels[i])
                                   : static_cast<double>(end.integrals[i] - begin.integrals[i]) /
                                         static_cast<double>(window_ps);
    entry["highest"] = marked ? end.highest[i] : std::max(highest_before_[i], end.highest[i]);
  }
  for (std::size_t i = 0; i < probes_.clocks.size(); ++i) {
    nlohmann::json& entry = probes[probes_.clocks[i]->name()] = head("states", *probes_.clocks[i]);
    const std::vector<std::string>& states = probes_.clocks[i]->states();
    for (std::size_t state = 0; state < states.size(); ++state) {
      entry["states"][states[state]] =
          static_cast<std::int64_t>(end.clocks[i][state] - begin.clocks[i][state]);
    }
  }
  return {{"window", {{"begin_ps", begin.at_ps}, {"end_ps", end.at_ps}}},
          {"window_marked", marked},
          {"probes", std::move(probes)}};
}

}  // namespace longhaul::observe
