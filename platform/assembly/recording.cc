// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/recording.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "models/pcix/address_map.h"
#include "platform/observe/probe_walk.h"

namespace longhaul::assembly {

Recording::Recording(const SimulationConfig& config,
                     const std::vector<std::unique_ptr<Machine>>& machines,
                     const std::vector<std::unique_ptr<Link>>& links)
    : config_(config), machines_(machines), file_(config.output("record.bin")) {
  for (const auto& machine : machines_) {
    if (machine->software().guest() == nullptr) continue;
    exchanges_.push_back(std::make_unique<guest::ExchangeRecorder>(file_, machine->name()));
    machine->software().listen(exchanges_.back().get());
  }
  add_links(config, links);
  add_probes(config);
}

void Recording::add_links(const SimulationConfig& config,
                          const std::vector<std::unique_ptr<Link>>& links) {
  for (std::size_t i = 0; i < links.size(); ++i) {
    const LinkConfig& link = config.links[i];
    const auto add = [&](LinkDirection& way, const std::string& from, const std::string& to) {
      frames_.push_back(std::make_unique<observe::FrameRecorder>(
          file_, way.tap, way.name(), fmt::format("{} to {}", from, to),
          observe::FrameRecorder::Which::kAll));
    };
    add(links[i]->a_to_b, link.a, link.b);
    add(links[i]->b_to_a, link.b, link.a);
  }
}

void Recording::add_probes(const SimulationConfig& config) {
  const observe::ProbeWalk probes;
  for (observe::FrameTap* tap : probes.frame_taps) {
    if (dynamic_cast<LinkDirection*>(tap->get_parent_object()) != nullptr) continue;
    frames_.push_back(std::make_unique<observe::FrameRecorder>(
        file_, *tap, tap->name(), tap->description(), observe::FrameRecorder::Which::kDropped));
  }
  for (observe::SpanTap* tap : probes.span_taps) {
    const std::string name = tap->name();
    const bool modelled =
        std::any_of(config.machines.begin(), config.machines.end(), [&](const MachineConfig& each) {
          return !each.guest && name.compare(0, each.name.size() + 1, each.name + ".") == 0;
        });
    if (modelled) spans_.push_back(std::make_unique<observe::SpanRecorder>(file_, *tap));
  }
}

void Recording::stop() {
  for (const auto& machine : machines_) machine->software().listen(nullptr);
  frames_.clear();
  spans_.clear();
}

/// Returns the addresses of each adapter's registers, as the running system has placed them.
std::vector<observe::RecordFile::Window> Recording::windows() const {
  namespace map = pcix::address_map;
  std::vector<observe::RecordFile::Window> all;
  for (std::size_t i = 0; i < machines_.size(); ++i) {
    for (const auto& [name, adapter] : machines_[i]->adapters()) {
      const std::string place = fmt::format("{}.{}", config_.machines[i].name, name);
      if (adapter->function() == nullptr) {
        all.push_back(
            {place, *machines_[i]->window(name), adapter->platform_device()->window_bytes()});
        continue;
      }
      const pcix::ConfigSpace& space = adapter->function()->config();
      for (std::size_t bar = 0; bar < space.memory_bars(); ++bar) {
        const std::string what = bar == 0 ? place : fmt::format("{} memory {}", place, bar);
        if (space.memory_bar(bar) != 0)
          all.push_back({what, space.memory_bar(bar), space.memory_size(bar)});
      }
      if (space.io_bar() != 0)
        all.push_back({place + " I/O", map::kIoBegin + space.io_bar(), space.io_bar_size()});
    }
    for (const DeviceConfig& device : config_.machines[i].devices) {
      if (machines_[i]->window(device.name)) continue;
      const std::string place =
          fmt::format("{}.{} configuration", config_.machines[i].name, device.name);
      all.push_back({place,
                     map::kConfigBegin + device.slot * std::uint64_t{map::kConfigBytes} +
                         device.function * std::uint64_t{map::kFunctionBytes},
                     map::kFunctionBytes});
    }
  }
  return all;
}

void Recording::close() {
  stop();
  file_.close(windows());
}

}  // namespace longhaul::assembly
