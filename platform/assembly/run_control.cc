// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/run_control.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <systemc>

#include "platform/assembly/stop_signal.h"
#include "platform/guest/guest_error.h"
#include "platform/guest/text_tail.h"
#include "platform/observe/sink_error.h"

namespace longhaul::assembly {

using guest::GuestError;

namespace {

/// Prefixes of a guest's status while it serves its user (own_commands.sh, console_here.sh). Such a
/// guest may take any time.
constexpr std::array<std::string_view, 2> kForItsUser{"runs a command", "has an open console"};

bool is_for_its_user(const std::string& status) {
  return std::any_of(kForItsUser.begin(), kForItsUser.end(), [&status](std::string_view words) {
    return status.compare(0, words.size(), words) == 0;
  });
}

}  // namespace

RunControl::RunControl(const std::vector<std::string>& guests, std::string out,
                       observe::Progress& progress)
    : out_(std::move(out)), progress_(progress) {
  for (const std::string& guest : guests) {
    guests_[guest] = {};
    progress_.set_status(guest, guests_[guest].status);
  }
}

void RunControl::on_phase(const std::string& guest, const std::string& text) {
  progress();
  State& state = guests_.at(guest);
  const std::string word = text.substr(0, text.find(' '));
  const std::string rest = word.size() < text.size() ? text.substr(word.size() + 1) : "";
  if (word == "measure-begin") {
    ++measuring_;
    window_->mark_begin();
  } else if (word == "measure-end") {
    if (--measuring_ <= 0) window_->mark_end();
  } else if (word == "done") {
    state.done = true;
  } else if (word == "failed") {
    fail(std::make_exception_ptr(GuestError(
        fmt::format("guest '{}' says that its workload failed at simulated time {}: {}{}", guest,
                    guest::now_text(), rest, report_tail(guest)))));
  } else if (word == "note") {
    std::ofstream(std::filesystem::path(out_) / "notes.txt", std::ios::app)
        << to_ps(sc_core::sc_time_stamp()) << ' ' << guest << ' ' << rest << '\n';
  } else if (word == "status") {
    state.status = rest;
    state.status_ps = now_ps();
    progress_.set_status(guest, rest);
  } else {
    fail(std::make_exception_ptr(GuestError(fmt::format(
        "guest '{}' announces phase '{}': wants measure-begin, measure-end, note, done, failed "
        "or status",
        guest, word))));
  }
}

void RunControl::on_report(const std::string& guest, const std::string& name,
                           const std::string& bytes) {
  progress();
  const std::string relative = "guests/" + guest + "/report/" + name;
  const std::filesystem::path path = std::filesystem::path(out_) / relative;
  std::vector<std::string>& files = reports_[guest];
  if (std::find(files.begin(), files.end(), relative) == files.end()) files.push_back(relative);
  guests_.at(guest).last_report = relative;
  std::uint64_t& sent = guests_.at(guest).report_bytes;
  sent += bytes.size();
  if (sent > kMostReportBytes || files.size() > kMostReports) {
    fail(std::make_exception_ptr(GuestError(fmt::format(
        "guest '{}' reports too much at simulated time {}: {} MiB in {} files are the most", guest,
        guest::now_text(), kMostReportBytes >> 20, kMostReports))));
    return;
  }
  std::error_code error;
  std::filesystem::create_directories(path.parent_path(), error);
  std::ofstream file(path, std::ios::app | std::ios::binary);
  file << bytes;
  file.close();
  if (!file)
    fail(std::make_exception_ptr(observe::SinkError(
        fmt::format("{}: cannot be written: {}", path.string(), std::strerror(errno)))));
}

void RunControl::on_power_off(const std::string& guest, guest::PowerOff how) {
  State& state = guests_.at(guest);
  state.off = true;
  progress();
  progress_.set_status(guest, "is off");
  if (!state.done) {
    const char* const did = how == guest::PowerOff::kRestart
                                ? "restarted, which ends it as powering off does,"
                                : "powered off";
    fail(std::make_exception_ptr(GuestError(
        fmt::format("guest '{}' {} at simulated time {} before it was done; it last said '{}', and "
                    "{}/guests/{}/console.log tells more",
                    guest, did, guest::now_text(), state.status, out_, guest))));
  }
  if (all_off()) sc_core::sc_stop();
}

void RunControl::on_suspended(const std::string& guest, bool suspended) {
  progress_.set_status(
      guest, suspended
                 ? "its process is stopped from outside; the run waits until it goes on (SIGCONT)"
                 : guests_.at(guest).status);
  progress_.tell();
}

void RunControl::on_failure(const std::string& guest, std::exception_ptr failure) {
  guests_.at(guest).off = true;
  fail(std::move(failure));
}

std::string RunControl::report_tail(const std::string& guest) const {
  const std::string& last = guests_.at(guest).last_report;
  if (last.empty()) return {};
  const std::string path = out_ + "/" + last;
  const std::string tail = guest::text_tail(path);
  return tail.empty() ? "" : fmt::format("; {} ended with:\n{}", path, tail);
}

void RunControl::fail(std::exception_ptr failure) {
  if (!failure_) failure_ = std::move(failure);
  sc_core::sc_stop();
}

void RunControl::look_for_progress() {
  if (patience_ps_ == 0 || failure_) return;
  const std::uint64_t delivered = delivered_();
  const bool silent = std::any_of(guests_.begin(), guests_.end(), [](const auto& item) {
    return !item.second.off && is_for_its_user(item.second.status);
  });
  if (silent || delivered != delivered_bytes_) progress();
  delivered_bytes_ = delivered;
  if (now_ps() - progress_ps_ < patience_ps_) return;
  fail(std::make_exception_ptr(GuestError(
      fmt::format("the run was given up at simulated time {}: for {:g} s no host has said "
                  "anything, and no data of TCP or UDP has arrived; {}",
                  guest::now_text(), from_ps(patience_ps_).to_seconds(), whereabouts()))));
}

bool RunControl::should_stop() {
  if (stop_signal() != 0) sc_core::sc_stop();
  return failure_ || stop_signal() != 0;
}

void RunControl::check() const {
  if (failure_) std::rethrow_exception(failure_);
}

bool RunControl::all_off() const {
  return std::all_of(guests_.begin(), guests_.end(),
                     [](const auto& item) { return item.second.off; });
}

std::string RunControl::whereabouts() const {
  std::string text;
  for (const auto& [name, state] : guests_)
    text += fmt::format("{}'{}' {}", text.empty() ? "" : "; ", name,
                        state.off ? "is off"
                                  : fmt::format("last said '{}' at {:.6f} s", state.status,
                                                from_ps(state.status_ps).to_seconds()));
  return text;
}

}  // namespace longhaul::assembly
