// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <systemc>

namespace longhaul::nic {

/// A one-shot timer that may be restarted very often: a restart only moves the deadline and costs
/// no event.
class DelayTimer final : public sc_core::sc_module {
 public:
  DelayTimer(const sc_core::sc_module_name& name, std::function<void()> expired);

  /// Runs out `delay` from now, whatever it did before (a "packet timer": each packet puts the end
  /// off). Delay 0 expires before the call returns.
  void restart(const sc_core::sc_time& delay);
  /// The same, but a timer that runs keeps its deadline (an "absolute timer").
  void start_if_idle(const sc_core::sc_time& delay);
  void cancel() { running_ = false; }
  bool running() const { return running_; }
  sc_core::sc_time deadline() const { return deadline_; }

 private:
  void wake_method();

  std::function<void()> expired_;
  bool running_ = false;
  bool wake_pending_ = false;
  sc_core::sc_time deadline_;
  sc_core::sc_time wake_at_;
  sc_core::sc_event wake_event_{"wake_event_"};
};

}  // namespace longhaul::nic
