// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <systemc>

#include "models/common/event_queue.h"

namespace longhaul::nic {

/// A one-shot timer that may be restarted very often.
class DelayTimer final : public sc_core::sc_module {
 public:
  DelayTimer(const sc_core::sc_module_name& name, std::function<void()> expired);

  /// Sets the timer to expire `delay` from now, in place of an earlier deadline (a "packet timer":
  /// each packet extends the time). Delay 0 expires before the call returns.
  void restart(const sc_core::sc_time& delay);
  /// Like restart(), but a running timer keeps its deadline (an "absolute timer").
  void start_if_idle(const sc_core::sc_time& delay);
  void cancel() { running_ = false; }
  bool running() const { return running_; }
  sc_core::sc_time deadline() const { return deadline_; }

 private:
  void due();

  std::function<void()> expired_;
  sc_core::sc_time deadline_;
  bool running_ = false;
  // A restart to a later time leaves this timer as it is. It goes off at the earlier deadline and
  // is set again then, so many packets cost one event.
  Timer end_{[this] { due(); }};
};

}  // namespace longhaul::nic
