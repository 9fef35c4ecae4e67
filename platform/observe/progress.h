// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <optional>
#include <string>

namespace longhaul::observe {

/// Reports the progress of the simulation to its parent process: JSON lines on a file descriptor,
/// about every half second of wall time.
///
/// A line is {"sim_s", "wall_s", "rate", "guests": {NAME: STATUS}}, with "window_begin_s" after the
/// window has begun. `rate` is simulated seconds per wall second since the line before. The wall
/// clock decides only when a line is written, not what the simulation does. A slow or closed reader
/// loses lines: a line that the pipe does not take at once is dropped. Silent if the descriptor is
/// not open.
class Progress {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr int kDescriptor = 3;
  static constexpr std::chrono::milliseconds kPeriod{500};
  /// Longest status of a guest, in bytes, so that a line of eight guests fits into PIPE_BUF and is
  /// written in one piece.
  static constexpr std::size_t kStatusBytes = 160;

  /// Make it before any file is opened, which might get the descriptor's number. Ignores SIGPIPE in
  /// this process.
  explicit Progress(int descriptor = kDescriptor, Clock::duration period = kPeriod);

  /// Sets a guest's status, which the next line shows.
  void set_status(const std::string& guest, const std::string& status);
  /// The measured window begins now.
  void set_window_begin();
  /// Writes a line if one is due. It only reads the clock otherwise, so call it from a Ticker and
  /// between pieces of a run.
  void poll();
  /// Writes a line at once: the run has ended or is suspended.
  void tell();

 private:
  void write_line(Clock::time_point now);

  int descriptor_;
  const Clock::duration period_;
  const Clock::time_point start_ = Clock::now();
  Clock::time_point last_ = start_;
  double last_sim_s_ = 0;
  std::map<std::string, std::string> status_;
  std::optional<double> window_begin_s_;
};

}  // namespace longhaul::observe
