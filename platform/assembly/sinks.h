// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include "models/net/link/link.h"
#include "models/wan/box_type.h"
#include "platform/assembly/box_control.h"
#include "platform/assembly/config.h"
#include "platform/assembly/frame_history.h"
#include "platform/assembly/machine.h"
#include "platform/assembly/measured_window.h"
#include "platform/assembly/packets.h"
#include "platform/assembly/recording.h"
#include "platform/assembly/waves.h"
#include "platform/observe/connection_sink.h"
#include "platform/observe/device_recorder.h"
#include "platform/observe/pcapng_sink.h"
#include "platform/observe/probe_walk.h"
#include "platform/observe/series_sink.h"
#include "platform/observe/span_sink.h"
#include "platform/observe/ticker.h"
#include "platform/observe/violation_book.h"

namespace longhaul::assembly {

/// The outputs of a simulation while it runs, as configured: series, connections, timeline,
/// packets, recording, waves, captures.
class Sinks {
 public:
  /// Watches a complete topology, which must outlive it. Throws ConfigError for a part that cannot
  /// be watched, SinkError for a file that cannot be written.
  Sinks(const SimulationConfig& config, const std::vector<std::unique_ptr<Machine>>& machines,
        const std::vector<std::unique_ptr<wan::WanBox>>& boxes,
        const std::vector<std::unique_ptr<Link>>& links, observe::Ticker& ticker,
        MeasuredWindow& window);
  Sinks(const Sinks&) = delete;
  Sinks& operator=(const Sinks&) = delete;

  /// Shows the writes of `box_control` in the waves, and adds its log to the sinks.
  void follow(BoxControl& box_control);
  /// Throws the SinkError of a sink that has stopped the run.
  void check() const;
  /// The run fails now. Completes the waves, if there are any. Throws SinkError.
  void fail(const std::string& why);
  /// Completes all files.
  void close();
  /// Adds to `sim.json` the data that a reader of the files needs.
  void describe(nlohmann::json& results) const;
  const observe::ConnectionSink& connections() const { return *connections_; }
  const observe::ViolationBook& violations() const { return violations_; }

 private:
  void add_series();
  void add_connections();
  void add_captures();
  void record_device(const std::string& place);

  const SimulationConfig& config_;
  const std::vector<std::unique_ptr<Machine>>& machines_;
  const std::vector<std::unique_ptr<Link>>& links_;
  observe::Ticker& ticker_;
  MeasuredWindow& window_;
  observe::ViolationBook violations_{observe::ProbeWalk().violation_taps};
  std::unique_ptr<FrameHistory> frames_;  // null without a sink that shows frames
  std::unique_ptr<observe::SeriesSink> series_;
  std::unique_ptr<observe::ConnectionSink> connections_;
  std::unique_ptr<observe::SpanSink> spans_;
  std::vector<std::unique_ptr<observe::PcapngSink>> captures_;
  std::unique_ptr<Packets> packets_;
  std::unique_ptr<Waves> waves_;
  std::unique_ptr<Recording> recording_;
  std::unique_ptr<observe::DeviceRecorder> device_;
  BoxControl* box_control_ = nullptr;
};

}  // namespace longhaul::assembly
