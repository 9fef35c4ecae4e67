// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "models/common/units.h"
#include "platform/assembly/measured_window.h"
#include "platform/guest/guest_listener.h"
#include "platform/observe/progress.h"

namespace longhaul::assembly {

/// Follows the guests through a run. It marks the measured window, which ends when all that they
/// began has ended, and collects reports and status. It ends the simulation when all guests have
/// powered off or one has failed.
class RunControl final : public guest::GuestListener {
 public:
  /// `guests` are the names. `out` is the directory whose guests/NAME/report/ gets the reports.
  RunControl(const std::vector<std::string>& guests, std::string out, observe::Progress& progress);

  /// Ends the run if no guest reports and `delivered()`, the user bytes that have arrived anywhere,
  /// does not change for this time. A guest that runs a user's command may be silent. Zero: never.
  void set_patience(const sc_core::sc_time& patience, std::function<std::uint64_t()> delivered) {
    patience_ps_ = to_ps(patience);
    delivered_ = std::move(delivered);
  }
  /// Checks the progress; call it regularly.
  void look_for_progress();

  /// Sets the window to be marked. It is made after the topology is built.
  void set_window(MeasuredWindow& window) { window_ = &window; }

  void on_phase(const std::string& guest, const std::string& text) override;
  void on_report(const std::string& guest, const std::string& name,
                 const std::string& bytes) override;
  void on_power_off(const std::string& guest, guest::PowerOff how) override;
  void on_suspended(const std::string& guest, bool suspended) override;
  void on_failure(const std::string& guest, std::exception_ptr failure) override;
  bool should_stop() override;

  /// Rethrows a guest's failure. Throws GuestError if guests have stopped before `done`.
  void check() const;
  bool all_off() const;
  /// The guests that still run and their last status, for the message of a run that does not end.
  std::string whereabouts() const;
  /// Most bytes of all reports of a guest; more fail the run.
  static constexpr std::uint64_t kMostReportBytes = std::uint64_t{1} << 30;
  /// Most reports of a guest, whose names are in `sim.json`.
  static constexpr std::size_t kMostReports = 1000;
  /// Report files by guest, relative to `out`.
  const std::map<std::string, std::vector<std::string>>& reports() const { return reports_; }

 private:
  struct State {
    bool done = false;
    bool off = false;
    std::string status = "boots";
    std::uint64_t status_ps = 0;  // time of the last status
    std::uint64_t report_bytes = 0;
    std::string last_report;
  };
  void progress() { progress_ps_ = now_ps(); }
  void fail(std::exception_ptr failure);
  /// The last lines of the guest's last report, for its message of failure; empty if it sent none.
  std::string report_tail(const std::string& guest) const;

  const std::string out_;
  observe::Progress& progress_;
  MeasuredWindow* window_ = nullptr;
  int measuring_ = 0;  // measurements that have begun and not ended, of all guests
  std::uint64_t patience_ps_ = 0;
  std::function<std::uint64_t()> delivered_;
  std::uint64_t delivered_bytes_ = 0;
  std::uint64_t progress_ps_ = 0;  // when a guest last reported, or bytes arrived
  std::map<std::string, State> guests_;
  std::map<std::string, std::vector<std::string>> reports_;
  std::exception_ptr failure_;
};

}  // namespace longhaul::assembly
