// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <optional>
#include <string>

namespace longhaul::observe {

/// Tells whoever started the simulation how far it is: JSON lines on a file descriptor, about every
/// half second of wall time.
///
/// {"sim_s", "wall_s", "rate", "guests": {NAME: STATUS}} and, from then on, "window_begin_s"; rate
/// is simulated seconds per wall second since the line before. The wall clock decides only when a
/// line is written, never what the simulation does. A reader that is slow or gone loses lines: a
/// line that the pipe does not take at once is left out. Silent when the descriptor is not open.
class Progress {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr int kDescriptor = 3;
  static constexpr std::chrono::milliseconds kPeriod{500};
  /// Longest status kept of a guest, in bytes, so that a line of eight guests fits into PIPE_BUF
  /// and is written whole.
  static constexpr std::size_t kStatusBytes = 160;

  /// Make it before anything else opens a file, which might get the descriptor's number. Ignores
  /// SIGPIPE in this process.
  explicit Progress(int descriptor = kDescriptor, Clock::duration period = kPeriod);

  /// What a guest is doing; shown with the next line.
  void set_status(const std::string& guest, const std::string& status);
  /// The measured window begins now.
  void set_window_begin();
  /// Writes a line if one is due. Cheap (one look at the clock): call it from a Ticker and between
  /// pieces of a run.
  void poll();
  /// Writes a line now: the run has ended, or stands still.
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
