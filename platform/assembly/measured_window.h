// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <systemc>
#include <utility>
#include <vector>

#include "platform/assembly/config.h"
#include "platform/observe/payload_meter.h"
#include "platform/observe/progress.h"
#include "platform/observe/summary.h"

namespace longhaul::assembly {

/// The one stretch of simulated time to which all figures of a run belong.
///
/// Without a WindowConfig the guests mark it: from the first `measure-begin` to the first
/// `measure-end`. With a WindowConfig, the mark only arms it. The time counts from the frame that
/// brings the traffic's first user data to the receiver; the window opens `warmup` later and lasts
/// for `length`. So it has traffic throughout, and contains neither a program's start nor the drain
/// of the last bytes. `measure-end` ends it earlier if the workload ends before.
class MeasuredWindow final : public sc_core::sc_module {
 public:
  /// A window by the guests' marks.
  MeasuredWindow(const sc_core::sc_module_name& name, observe::Summary& summary,
                 observe::Progress& progress);
  /// A window by the user data that `receiver` counts.
  MeasuredWindow(const sc_core::sc_module_name& name, observe::Summary& summary,
                 observe::Progress& progress, const WindowConfig& config,
                 observe::PayloadMeter& receiver);

  /// A guest has written `measure-begin` or `measure-end`. Marks after the window has closed are
  /// ignored.
  void mark_begin();
  void mark_end();
  /// `told` is called when the window opens (true) and closes (false).
  void on_change(std::function<void(bool)> told) { on_change_.push_back(std::move(told)); }
  /// `told` is called at the first `measure-begin`, when a workload begins. Its first data may take
  /// a round trip to the receiver.
  void on_mark(std::function<void()> told) { on_mark_.push_back(std::move(told)); }
  /// Wall time for which the window was open.
  double wall_s() const { return wall_s_; }

 private:
  enum class State { kIdle, kArmed, kRunning, kOpen, kClosed };
  void traffic();
  void due_method();
  void open();
  void close();

  observe::Summary& summary_;
  observe::Progress& progress_;
  const WindowConfig config_;
  observe::PayloadMeter* const receiver_ = nullptr;
  State state_ = State::kIdle;
  std::uint64_t armed_at_bytes_ = 0;
  std::vector<std::function<void(bool)>> on_change_;
  std::vector<std::function<void()>> on_mark_;
  std::chrono::steady_clock::time_point opened_{};
  double wall_s_ = 0;
  sc_core::sc_event due_event_{"due_event_"};
};

}  // namespace longhaul::assembly
