// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "platform/observe/output_file.h"
#include "platform/observe/ticker.h"

namespace longhaul::observe {

class SeriesColumn;

/// Writes counters, levels and state clocks over simulated time as CSV: one line for each period,
/// or for a number of periods.
///
/// The header is `time_ps,COLUMN,...`. The line of time T covers the time since the line before it.
/// Columns: the increase of a counter; the mean of a level; NAME:STATE for each state of a clock,
/// in picoseconds. A failed write stops the simulation; check() and close() throw its SinkError.
class SeriesSink {
 public:
  /// `globs` select probes by name (none: all). Throws ConfigError for a glob without a match.
  /// `ticker` must outlive the run, and the sink must outlive the simulation.
  SeriesSink(const std::string& path, const sc_core::sc_time& period,
             const std::vector<std::string>& globs, Ticker& ticker);
  SeriesSink(const SeriesSink&) = delete;
  SeriesSink& operator=(const SeriesSink&) = delete;
  ~SeriesSink();

  /// A line covers `periods` (>= 1) periods from this call on. If the number changes, the time
  /// since the line before gets its own line, so no line covers both.
  void set_periods_per_line(unsigned periods);
  /// Writes the line of the last, shorter period if time has passed since the line before, and
  /// gives the file its name.
  void close();
  /// Throws the SinkError of the first failed write, if there was one.
  void check() const { file_.check(); }

 private:
  void tick();
  void write_line();

  OutputFile file_;
  std::vector<std::unique_ptr<SeriesColumn>> columns_;
  std::uint64_t last_ps_;
  unsigned periods_per_line_ = 1;
  unsigned waited_ = 0;  // periods since the line before
  fmt::memory_buffer line_;
};

}  // namespace longhaul::observe
