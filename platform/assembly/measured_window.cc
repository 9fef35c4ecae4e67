// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/measured_window.h"

namespace longhaul::assembly {

MeasuredWindow::MeasuredWindow(const sc_core::sc_module_name& name, observe::Summary& summary,
                               observe::Progress& progress)
    : sc_module(name), summary_(summary), progress_(progress) {}

MeasuredWindow::MeasuredWindow(const sc_core::sc_module_name& name, observe::Summary& summary,
                               observe::Progress& progress, const WindowConfig& config,
                               observe::PayloadMeter& receiver)
    : sc_module(name),
      summary_(summary),
      progress_(progress),
      config_(config),
      receiver_(&receiver) {
  SC_HAS_PROCESS(MeasuredWindow);
  SC_METHOD(due_method);
  sensitive << due_event_;
  dont_initialize();
}

void MeasuredWindow::mark_begin() {
  if (state_ == State::kIdle) {
    for (const auto& told : on_mark_) told();
  }
  if (receiver_ == nullptr) {
    if (state_ != State::kClosed) open();
  } else if (state_ == State::kIdle) {
    state_ = State::kArmed;
    armed_at_bytes_ = receiver_->received();
    receiver_->on_received([this] { traffic(); });
  }
}

void MeasuredWindow::traffic() {
  if (receiver_->received() - armed_at_bytes_ <= config_.greeting.count) return;
  receiver_->on_received({});
  state_ = State::kRunning;
  if (config_.warmup == sc_core::SC_ZERO_TIME) {
    open();
  } else {
    notify_in(due_event_, to_ps(config_.warmup));
  }
}

void MeasuredWindow::due_method() {
  if (state_ == State::kRunning) {
    open();
  } else if (state_ == State::kOpen) {
    close();
  }
}

void MeasuredWindow::open() {
  state_ = State::kOpen;
  summary_.begin_window();
  for (const auto& told : on_change_) told(true);
  progress_.set_window_begin();
  opened_ = std::chrono::steady_clock::now();
  if (receiver_ != nullptr) notify_in(due_event_, to_ps(config_.length));
}

void MeasuredWindow::mark_end() {
  if (receiver_ != nullptr) receiver_->on_received({});
  if (state_ == State::kOpen) close();
  state_ = State::kClosed;
}

void MeasuredWindow::close() {
  state_ = State::kClosed;
  summary_.end_window();
  for (const auto& told : on_change_) told(false);
  wall_s_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - opened_).count();
}

}  // namespace longhaul::assembly
