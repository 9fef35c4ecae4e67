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

/// Every connection's user data, by direction, as the hosts' PayloadMeters have it.
///
/// `json()` has the measured window: of each adapter the flows with the most bytes (kMostListed)
/// and how many others there are. Over time: `connections.csv`, a line for each flow that is drawn
/// (PayloadMeter::kMostDrawn) and brought data in a period. A failed write stops the simulation;
/// check() and close() throw its SinkError.
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

  /// Writes the file at `path` from now on, a line a flow and period.
  void draw(const std::string& path, const sc_core::sc_time& period, Ticker& ticker);
  void begin_window();
  void end_window();
  /// [{"at", "received": [{"protocol", "from", "to", "bytes"}], "received_others", "sent":
  /// [{"protocol", "from", "to", "bytes", "retransmits", "round_trips", "round_trip_ps"}],
  /// "sent_others"}]: the mean of the round trips, null without one.
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
