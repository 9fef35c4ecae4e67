// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/sinks.h"

#include <fmt/format.h>

#include <algorithm>

#include "platform/assembly/json_object.h"
#include "platform/observe/probe_walk.h"

namespace longhaul::assembly {
namespace {

/// Least length of a line of the series while hosts start and end, in periods and in time. Hosts
/// may take a second to start, and minutes to end. From the begin of the workload to the end of the
/// window, each period has its own line.
constexpr unsigned kPeriodsBesideWorkload = 10;
const sc_core::sc_time kTimeBesideWorkload{10, sc_core::SC_MS};

}  // namespace

Sinks::Sinks(const SimulationConfig& config, const std::vector<std::unique_ptr<Machine>>& machines,
             const std::vector<std::unique_ptr<wan::WanBox>>& boxes,
             const std::vector<std::unique_ptr<Link>>& links, observe::Ticker& ticker,
             MeasuredWindow& window)
    : config_(config), machines_(machines), links_(links), ticker_(ticker), window_(window) {
  const ObserveConfig& observe = config_.observe;
  if (observe.series_period != sc_core::SC_ZERO_TIME) add_series();
  add_connections();
  if (observe.timeline || observe.packets || !observe.waves.empty() || !observe.pcap.empty())
    frames_ = std::make_unique<FrameHistory>(machines_, !observe.pcap.empty());
  if (observe.timeline) {
    spans_ = std::make_unique<observe::SpanSink>(
        config_.output("spans.bin"), observe::ProbeWalk().span_taps, observe::SpanSink::kMostSpans,
        &frames_->watch(), &frames_->origins());
  }
  if (observe.packets) packets_ = std::make_unique<Packets>(config_, machines_, links_, *frames_);
  if (observe.record) recording_ = std::make_unique<Recording>(config_, machines_, links_);
  if (!observe.record_device.empty()) record_device(observe.record_device);
  if (!observe.waves.empty()) {
    waves_ = std::make_unique<Waves>(config_, machines_, boxes, links_, *frames_);
    if (packets_) waves_->add_packets(*packets_);
    if (waves_->from_the_begin()) waves_->begin();
    window_.on_change([this](bool opens) {
      if (opens) waves_->begin();
    });
  }
  add_captures();
}

void Sinks::add_series() {
  const sc_core::sc_time& period = config_.observe.series_period;
  series_ = std::make_unique<observe::SeriesSink>(config_.output("series.csv"), period,
                                                  std::vector<std::string>{}, ticker_);
  const auto coarse =
      std::max(kPeriodsBesideWorkload, static_cast<unsigned>(kTimeBesideWorkload / period));
  series_->set_periods_per_line(coarse);
  window_.on_mark([this] { series_->set_periods_per_line(1); });
  window_.on_change([this, coarse](bool opens) {
    if (!opens) series_->set_periods_per_line(coarse);
  });
}

void Sinks::add_captures() {
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

void Sinks::record_device(const std::string& place) {
  std::vector<std::string> places;
  for (std::size_t i = 0; i < machines_.size(); ++i) {
    const std::vector<DeviceConfig>& devices = config_.machines[i].devices;
    const auto adapters = machines_[i]->adapters();
    for (std::size_t j = 0; j < devices.size(); ++j) {
      places.push_back(fmt::format("{}.{}", config_.machines[i].name, devices[j].name));
      if (places.back() != place) continue;
      pcix::PcixDevice* const function = adapters[j].second->function();
      if (function == nullptr)
        throw ConfigError("observe.record_device: '" + place + "' is no function of a PCI bus");
      device_ = std::make_unique<observe::DeviceRecorder>(
          config_.output("device.bin"), machines_[i]->pcix(),
          observe::DevicePlace{devices[j].slot, devices[j].function}, function->config());
    }
  }
  if (device_) return;
  throw ConfigError(fmt::format("observe.record_device: no adapter '{}'; {}", echo(place),
                                nearest_hint(place, places)));
}

void Sinks::add_connections() {
  std::vector<observe::ConnectionSink::Place> places;
  for (const auto& machine : machines_) {
    for (const std::string& device : machine->device_names())
      places.push_back({machine->name() + ("." + device), machine->payload_meter(device)});
  }
  connections_ = std::make_unique<observe::ConnectionSink>(std::move(places));
  const sc_core::sc_time& period = config_.observe.series_period;
  if (period != sc_core::SC_ZERO_TIME)
    connections_->draw(config_.output("connections.csv"), period, ticker_);
  window_.on_change(
      [this](bool opens) { opens ? connections_->begin_window() : connections_->end_window(); });
}

void Sinks::follow(BoxControl& box_control) {
  box_control_ = &box_control;
  if (!waves_) return;
  box_control.on_write([this](const char* by, const std::string& box, std::uint32_t address) {
    waves_->box_written(by, box, address);
  });
}

void Sinks::check() const {
  if (series_) series_->check();
  connections_->check();
  if (spans_) spans_->check();
  if (packets_) packets_->check();
  for (const auto& capture : captures_) capture->check();
  if (box_control_) box_control_->check();
  if (waves_) waves_->check();
  if (recording_) recording_->check();
  if (device_) device_->check();
}

void Sinks::fail(const std::string& why) {
  if (!waves_) return;
  waves_->fail(why);
  if (waves_->json()["from_ps"].is_null()) return;
  waves_->close();
}

void Sinks::close() {
  if (series_) series_->close();
  connections_->close();
  if (spans_) spans_->close();
  if (packets_) packets_->close();
  for (auto& capture : captures_) capture->close();
  if (waves_) waves_->close();
  if (recording_) recording_->close();
  if (device_) device_->close();
  if (box_control_) box_control_->close();
}

void Sinks::describe(nlohmann::json& results) const {
  if (waves_) results["waves"] = waves_->json();
  if (packets_) results["packets"] = packets_->json();
  if (!violations_.empty()) results["violations"] = violations_.json();
  const observe::FrameNotes* const notes = frames_ ? frames_->notes() : nullptr;
  if (notes != nullptr && notes->left_out() > 0)
    results["comments_left_out"] = {{"count", notes->left_out()},
                                    {"from_ps", notes->left_out_from_ps()}};
}

}  // namespace longhaul::assembly
