// SPDX-License-Identifier: Apache-2.0
#include "platform/observe/connection_sink.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace longhaul::observe {
namespace {

using FlowFigures = PayloadMeter::FlowFigures;

nlohmann::json head(const FlowFigures& flow) {
  const bool tcp = flow.protocol == TransportHeader::Protocol::kTcp;
  return {{"protocol", tcp ? "tcp" : "udp"},
          {"from", flow.key.from()},
          {"to", flow.key.to()},
          {"bytes", flow.passed.bytes}};
}

/// Returns the flows with the most bytes. Among equal flows, the ones with the smallest keys come
/// first.
std::vector<FlowFigures> largest(std::vector<FlowFigures> flows) {
  std::stable_sort(flows.begin(), flows.end(), [](const FlowFigures& a, const FlowFigures& b) {
    return a.passed.bytes > b.passed.bytes;
  });
  flows.resize(std::min(flows.size(), ConnectionSink::kMostListed));
  return flows;
}

}  // namespace

void ConnectionSink::draw(const std::string& path, const sc_core::sc_time& period, Ticker& ticker) {
  file_ = std::make_unique<OutputFile>(path);
  constexpr std::string_view kHeader = "time_ps,at,from,to,bytes\n";
  file_->write(kHeader.data(), kHeader.size());
  ticker.every(period, [this] { write_lines(); });
}

void ConnectionSink::begin_window() {
  for (const Place& place : places_) place.meter->begin_window();
}

void ConnectionSink::end_window() {
  for (const Place& place : places_) place.meter->end_window();
}

nlohmann::json ConnectionSink::json() const {
  nlohmann::json list = nlohmann::json::array();
  for (const Place& place : places_) {
    const std::vector<FlowFigures> received = place.meter->received_flows();
    const std::vector<FlowFigures> sent = place.meter->sent_flows();
    nlohmann::json entry{{"at", place.name},
                         {"received", nlohmann::json::array()},
                         {"sent", nlohmann::json::array()}};
    for (const FlowFigures& flow : largest(received)) entry["received"].push_back(head(flow));
    for (const FlowFigures& flow : largest(sent)) {
      nlohmann::json& said = entry["sent"].emplace_back(head(flow));
      said["retransmits"] = flow.passed.retransmits;
      said["round_trips"] = flow.passed.round_trips;
      said["round_trip_ps"] = nullptr;
      if (flow.passed.round_trips > 0)
        said["round_trip_ps"] = flow.passed.round_trips_ps / flow.passed.round_trips;
    }
    entry["received_others"] = received.size() - entry["received"].size();
    entry["sent_others"] = sent.size() - entry["sent"].size();
    list.push_back(std::move(entry));
  }
  return list;
}

void ConnectionSink::write_lines() {
  fmt::memory_buffer lines;
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const PayloadMeter& meter = *places_[i].meter;
    last_[i].resize(meter.drawn(), 0);
    for (std::size_t flow = 0; flow < meter.drawn(); ++flow) {
      const std::uint64_t bytes = meter.drawn_bytes(flow);
      const std::uint64_t before = std::exchange(last_[i][flow], bytes);
      if (bytes == before) continue;
      const FlowKey& key = meter.drawn_key(flow);
      fmt::format_to(std::back_inserter(lines), "{},{},{},{},{}\n", now_ps(), places_[i].name,
                     key.from(), key.to(), bytes - before);
    }
  }
  file_->write(lines.data(), lines.size());
}

void ConnectionSink::close() {
  if (!file_) return;
  write_lines();
  file_->close();
}

void ConnectionSink::check() const {
  if (file_) file_->check();
}

}  // namespace longhaul::observe
