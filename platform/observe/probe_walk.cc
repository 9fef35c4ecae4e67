// SPDX-License-Identifier: Apache-2.0
#include "platform/observe/probe_walk.h"

#include <fnmatch.h>

#include "models/common/echo.h"
#include "models/common/param.h"

namespace longhaul::observe {
namespace {

template <class T>
void keep_if(Probe* probe, std::vector<T*>& list) {
  if (auto* typed = dynamic_cast<T*>(probe)) list.push_back(typed);
}

void visit(const std::vector<sc_core::sc_object*>& objects, ProbeWalk& walk) {
  for (sc_core::sc_object* object : objects) {
    if (auto* probe = dynamic_cast<Probe*>(object)) {
      walk.all.push_back(probe);
      keep_if(probe, walk.counters);
      keep_if(probe, walk.levels);
      keep_if(probe, walk.signals);
      keep_if(probe, walk.gauges);
      keep_if(probe, walk.clocks);
      keep_if(probe, walk.frame_taps);
      keep_if(probe, walk.span_taps);
      keep_if(probe, walk.violation_taps);
    }
    visit(object->get_child_objects(), walk);
  }
}

}  // namespace

ProbeWalk::ProbeWalk() { visit(sc_core::sc_get_top_level_objects(), *this); }

std::vector<Probe*> select(const std::vector<Probe*>& probes, const std::vector<std::string>& globs,
                           const std::string& where) {
  if (globs.empty()) return probes;
  std::vector<bool> used(globs.size(), false);
  std::vector<Probe*> chosen;
  for (Probe* probe : probes) {
    bool wanted = false;
    for (std::size_t i = 0; i < globs.size(); ++i) {
      if (::fnmatch(globs[i].c_str(), probe->name(), 0) == 0) wanted = used[i] = true;
    }
    if (wanted) chosen.push_back(probe);
  }
  for (std::size_t i = 0; i < globs.size(); ++i) {
    if (used[i]) continue;
    std::vector<std::string> names;
    names.reserve(probes.size());
    for (const Probe* probe : probes) names.emplace_back(probe->name());
    throw ConfigError(where + ": no probe is called '" + echo(globs[i]) + "'" +
                      (names.empty() ? std::string("; there are none")
                                     : "; the nearest is '" + nearest(globs[i], names) + "'"));
  }
  return chosen;
}

}  // namespace longhaul::observe
