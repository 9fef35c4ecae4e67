// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "models/net/link/link.h"
#include "platform/assembly/config.h"
#include "platform/assembly/machine.h"
#include "platform/guest/exchange_recorder.h"
#include "platform/observe/record_file.h"
#include "platform/observe/record_taps.h"

namespace longhaul::assembly {

/// `observe.record`: all events in which two runs can differ, in their order.
///
/// It has the exchanges of real guests, frames on every link, and frames that any other part
/// dropped. For machines with a modelled system it has all spans of their SpanTaps: tenures of the
/// bus, interrupts, the core's states and the waits of the adapter's engines.
class Recording {
 public:
  /// Records from this call on. Throws ConfigError, SinkError.
  Recording(const SimulationConfig& config, const std::vector<std::unique_ptr<Machine>>& machines,
            const std::vector<std::unique_ptr<Link>>& links);
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;
  ~Recording() { stop(); }

  /// Writes the rest, and gives record.bin its name. Throws SinkError.
  void close();
  void check() const { file_.check(); }

 private:
  void add_links(const SimulationConfig& config, const std::vector<std::unique_ptr<Link>>& links);
  void add_probes(const SimulationConfig& config);
  void stop();
  std::vector<observe::RecordFile::Window> windows() const;

  const SimulationConfig& config_;
  const std::vector<std::unique_ptr<Machine>>& machines_;
  observe::RecordFile file_;
  std::vector<std::unique_ptr<guest::ExchangeRecorder>> exchanges_;
  std::vector<std::unique_ptr<observe::FrameRecorder>> frames_;
  std::vector<std::unique_ptr<observe::SpanRecorder>> spans_;
};

}  // namespace longhaul::assembly
