// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "platform/observe/output_file.h"
#include "platform/observe/payload_meter.h"
#include "platform/observe/ticker.h"

namespace longhaul::observe {

/// The user data of every connection, by direction, from the hosts' PayloadMeters.
///
/// `json()` has the measured window: for each adapter the flows with the most bytes (kMostListed),
/// and the number of the others. connections.csv has the development over time. It has one line for
/// each period and flow with data, of the flows that the meter records over time
/// (PayloadMeter::kMostDrawn). A failed write stops the simulation; check() and close() throw its
/// SinkError.
class ConnectionSink {
 public:
  static constexpr std::size_t kMostListed = 64;

  struct Place {
    std::string name;  ///< MACHINE.DEVICE
    PayloadMeter* meter;
  };

  explicit ConnectionSink(std::vector<Place> places)
      : places_(std::move(places)), last_(places_.size()) {}
  ConnectionSink(const ConnectionSink&) = delete;
  ConnectionSink& operator=(const ConnectionSink&) = delete;

  /// Writes the file at `path` from this call on, one line for each flow and period.
  void draw(const std::string& path, const sc_core::sc_time& period, Ticker& ticker);
  void begin_window();
  void end_window();
  /// [{"at", "received": [{"protocol", "from", "to", "bytes"}], "received_others", "sent":
  /// [{"protocol", "from", "to", "bytes", "retransmits", "round_trips", "round_trip_ps"}],
  /// "sent_others"}]. `round_trip_ps` is the mean of the round trips; null without one.
  nlohmann::json json() const;
  /// Writes the lines of the last, shorter period, and gives the file its name.
  void close();
  void check() const;

 private:
  void write_lines();

  std::vector<Place> places_;
  std::vector<std::vector<std::uint64_t>> last_;  // by place and flow: bytes at the line before
  std::unique_ptr<OutputFile> file_;
};

}  // namespace longhaul::observe
