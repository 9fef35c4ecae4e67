// SPDX-License-Identifier: Apache-2.0
// What a simulation writes while it runs: its measured window, series, connections, timeline,
// waves, captures, profiles.
#include <fmt/format.h>

#include <algorithm>

#include "platform/assembly/json_object.h"
#include "platform/assembly/simulation.h"
#include "platform/observe/probe_walk.h"

namespace longhaul::assembly {
namespace {

/// How often, in simulated time, the progress line is thought of, and whether a signal asks the run
/// to stop.
const sc_core::sc_time kProgressPeriod{1, sc_core::SC_MS};
/// What a line of the series covers at least while hosts start and end, in periods and in time;
/// from the workload's begin to the window's end each period has a line of its own. Hosts may take
/// a second to start, and minutes to end.
constexpr unsigned kPeriodsBesideWorkload = 10;
const sc_core::sc_time kTimeBesideWorkload{10, sc_core::SC_MS};

}  // namespace

void Simulation::add_window() {
  if (!config_.window) {
    window_ = std::make_unique<MeasuredWindow>("window", *summary_, progress_);
  } else {
    const std::string& at = config_.window->opens_at;
    const std::size_t dot = at.find('.');
    observe::PayloadMeter* meter = nullptr;
    for (std::size_t i = 0; i < machines_.size() && dot != std::string::npos; ++i) {
      if (config_.machines[i].name == at.substr(0, dot))
        meter = machines_[i]->payload_meter(at.substr(dot + 1));
    }
    if (meter == nullptr) {
      throw ConfigError(fmt::format(
          "window.opens_at: '{}' is no adapter of a machine, wants MACHINE.DEVICE", echo(at)));
    }
    window_ =
        std::make_unique<MeasuredWindow>("window", *summary_, progress_, *config_.window, *meter);
  }
  control_.set_window(*window_);
}

void Simulation::add_sinks() {
  summary_ = std::make_unique<observe::Summary>();
  add_window();
  ticker_.every(kProgressPeriod, [this] {
    progress_.poll();
    control_.should_stop();
  });
  const ObserveConfig& observe = config_.observe;
  if (observe.series_period != sc_core::SC_ZERO_TIME) {
    series_ = std::make_unique<observe::SeriesSink>(
        config_.output("series.csv"), observe.series_period, std::vector<std::string>{}, ticker_);
    const auto coarse = std::max(
        kPeriodsBesideWorkload, static_cast<unsigned>(kTimeBesideWorkload / observe.series_period));
    series_->set_periods_per_line(coarse);
    window_->on_mark([this] { series_->set_periods_per_line(1); });
    window_->on_change([this, coarse](bool opens) {
      if (!opens) series_->set_periods_per_line(coarse);
    });
  }
  add_connections();
  if (observe.timeline || !observe.waves.empty() || !observe.pcap.empty())
    frames_ = std::make_unique<FrameHistory>(machines_, !observe.pcap.empty());
  if (observe.timeline) {
    spans_ = std::make_unique<observe::SpanSink>(
        config_.output("spans.bin"), observe::ProbeWalk().span_taps, observe::SpanSink::kMostSpans,
        &frames_->watch(), &frames_->origins());
  }
  if (observe.record) recording_ = std::make_unique<Recording>(config_, machines_, links_);
  if (!observe.waves.empty()) {
    waves_ = std::make_unique<Waves>(config_, machines_, boxes_, links_, *frames_);
    window_->on_change([this](bool opens) {
      if (opens) waves_->begin();
    });
  }
  add_captures();
}

void Simulation::add_captures() {
  const ObserveConfig& observe = config_.observe;
  std::vector<std::string> link_names;
  for (const LinkConfig& link : config_.links) link_names.push_back(link.name);
  for (const std::string& name : observe.pcap) {
    const auto at = std::find(link_names.begin(), link_names.end(), name);
    if (at == link_names.end()) {
      throw ConfigError(fmt::format("observe.pcap: no link '{}'; {}", echo(name),
                                    nearest_hint(name, link_names)));
    }
    const auto index = static_cast<std::size_t>(at - link_names.begin());
    const LinkConfig& link = config_.links[index];
    captures_.push_back(std::make_unique<observe::PcapngSink>(config_.output(name + ".pcapng"),
                                                              observe.snaplen, frames_->notes()));
    const std::uint64_t rate = links_[index]->phy().mac_rate.bits_per_s;
    captures_.back()->watch(links_[index]->a_to_b.tap, link.a + " to " + link.b, rate);
    captures_.back()->watch(links_[index]->b_to_a.tap, link.b + " to " + link.a, rate);
  }
}

void Simulation::add_connections() {
  std::vector<observe::ConnectionSink::Place> places;
  for (const auto& machine : machines_) {
    for (const std::string& device : machine->device_names())
      places.push_back({machine->name() + ("." + device), machine->payload_meter(device)});
  }
  connections_ = std::make_unique<observe::ConnectionSink>(std::move(places));
  const sc_core::sc_time& period = config_.observe.series_period;
  if (period != sc_core::SC_ZERO_TIME)
    connections_->draw(config_.output("connections.csv"), period, ticker_);
  window_->on_change(
      [this](bool opens) { opens ? connections_->begin_window() : connections_->end_window(); });
}

void Simulation::add_profiles() {
  for (const auto& machine : machines_) {
    guest::BlockProfile* const profile = machine->software().profile();
    if (profile == nullptr) continue;
    window_->on_change(
        [profile](bool opens) { opens ? profile->begin_window() : profile->end_window(); });
  }
}

void Simulation::add_host_times() {
  window_->on_change([this](bool opens) {
    if (opens) own_begin_ = guest::own_seconds();
    own_seconds_ = guest::own_seconds() - own_begin_;
  });
  for (const auto& machine : machines_) {
    guest::GuestProcess* const guest = machine->software().guest();
    if (guest == nullptr) continue;
    window_->on_change(
        [guest](bool opens) { opens ? guest->begin_window() : guest->end_window(); });
  }
}

}  // namespace longhaul::assembly
