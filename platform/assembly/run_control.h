// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <exception>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "platform/guest/guest_listener.h"
#include "platform/observe/progress.h"
#include "platform/observe/summary.h"

namespace longhaul::assembly {

/// Follows the guests through a run: opens and closes the measured window, collects reports and status, and ends the
/// simulation when all have powered off or one has failed.
///
/// The window opens when the first guest writes `measure-begin` and closes when the first writes `measure-end`.
class RunControl final : public guest::GuestListener {
 public:
  /// `guests`: names; `out`: directory whose guests/NAME/report/ takes the reports.
  RunControl(std::vector<std::string> guests, std::string out, observe::Progress& progress);

  /// The summary to drive; it exists only once the topology stands.
  void set_summary(observe::Summary& summary) { summary_ = &summary; }

  /// Calls `action` when the measured window opens.
  void on_window_begin(std::function<void()> action) { window_begin_action_ = std::move(action); }

  void on_phase(const std::string& guest, const std::string& text) override;
  void on_report(const std::string& guest, const std::string& name, const std::string& bytes) override;
  void on_power_off(const std::string& guest) override;
  void on_failure(const std::string& guest, std::exception_ptr failure) override;
  bool should_stop() override;

  /// Rethrows what a guest did wrong; throws GuestError when guests have stopped short of `done`.
  void check() const;
  bool all_off() const;
  /// Which guests still run and what they last said, for the message of a run that does not end.
  std::string whereabouts() const;
  /// Wall time that the measured window took; zero without one.
  double window_wall_s() const { return window_wall_s_; }
  /// Report files by guest, relative to `out`.
  const std::map<std::string, std::vector<std::string>>& reports() const { return reports_; }

 private:
  struct State {
    bool done = false;
    bool off = false;
    std::string status = "boots";
  };
  void fail(std::exception_ptr failure);

  const std::string out_;
  observe::Progress& progress_;
  observe::Summary* summary_ = nullptr;
  std::function<void()> window_begin_action_;
  std::map<std::string, State> guests_;
  std::map<std::string, std::vector<std::string>> reports_;
  std::exception_ptr failure_;
  bool window_closed_ = false;
  std::chrono::steady_clock::time_point window_begin_{};
  double window_wall_s_ = 0;
};

}  // namespace longhaul::assembly
