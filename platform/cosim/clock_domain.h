// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <systemc>
#include <vector>

#include "models/common/units.h"

#include "platform/cosim/clock_source.h"
#include "platform/cosim/pins.h"
#include "platform/cosim/watcher.h"

namespace longhaul::cosim {

/// One clock input of a block, and the transactors in that clock domain.
///
/// Members that each edge reads come first, in two lines of the host's cache.
class alignas(64) ClockDomain {
 public:
  /// Clock gating of the domain. `allowed`: the block does nothing in this domain while no
  /// transactor runs in it, except for `settle_clocks` after the last one left. Then the clock
  /// stops. The block's port map tells so, and a test shows that results do not change. `request`:
  /// an output that is high while the block needs the clock anyway; it starts a stopped clock.
  struct Gating {
    bool allowed = false;
    std::uint32_t settle_clocks = 0;
    BitPin request{};
  };

  /// The clock input `input` of `source`, which must outlive this object. `goes_on` is notified
  /// when a stopped clock starts.
  ClockDomain(ClockSource& source, ClockInputs input, Gating gating, sc_core::sc_event& goes_on)
      : request_(gating.request.byte == nullptr ? BitPin{&g_never, 0} : gating.request),
        settle_clocks_(gating.settle_clocks),
        gating_allowed_(gating.allowed),
        source_(source),
        input_(input),
        goes_on_event_(goes_on) {
    source.add(input);
  }

  /// Runs a transactor from the first edge after `now_ps` on. It must not be attached already.
  void attach(Transactor& transactor, std::uint64_t now_ps) {
    running_.push_back(&transactor);
    go_on(now_ps);
  }
  /// May be called from the transactor's own clocked().
  void detach(Transactor& transactor) {
    running_.erase(std::find(running_.begin(), running_.end(), &transactor));
    settle_left_ = settle_clocks_ + 1;
  }

  /// Runs a transactor at every edge while it does not sleep. It does not keep a gated clock
  /// running; hold() does. `samples`: its sample() is called before each edge. Call before
  /// power-up. The returned watcher lives as long as this object.
  Watcher& watch(Transactor& transactor, bool samples) {
    if (samples) source_.samples(input_);
    return watchers_.add(transactor, samples);
  }
  /// Starts the clock after `now_ps` and prevents gating until release(). Calls of hold() are
  /// counted.
  void hold(std::uint64_t now_ps) {
    ++holders_;
    go_on(now_ps);
  }
  void release() {
    --holders_;
    settle_left_ = settle_clocks_ + 1;
  }
  /// Runs the clock after `now_ps` until it has settled: an input has changed from outside.
  void run_on(std::uint64_t now_ps) {
    hold(now_ps);
    release();
  }
  /// Called after an evaluation at `now_ps` of a block whose other clocks run, when the request
  /// output is high.
  void requested(std::uint64_t now_ps) { go_on(now_ps); }
  /// Called before an edge that it takes, if a transactor samples the pins.
  void sample() { watchers_.sample(); }
  /// Whether the request output is high.
  bool request() const { return request_.get(); }

  /// Allows gating from this call on. Before it, as during a reset, the clock runs.
  void allow_gating() {
    may_gate_ = gating_allowed_;
    settle_left_ = settle_clocks_ + 1;
  }

  const ClockEdges& edges() const { return source_.edges(); }
  bool stopped() const { return stopped_; }
  /// Called behind an edge that it takes.
  void run_transactors(std::uint64_t edge_ps) {
    ++taken_;
    if (running_.empty()) {
      count_idle_clock();
    } else {
      for (std::size_t i = running_.size(); i-- > 0;) running_[i]->clocked(edge_ps);
    }
    watchers_.clocked(edge_ps);
  }
  std::uint64_t edges_taken() const { return taken_; }
  std::uint64_t edges_skipped() const { return skipped_; }

 private:
  void count_idle_clock() {
    if (holders_ != 0) {
      settle_left_ = settle_clocks_ + 1;
      return;
    }
    // Without a branch on the other conditions, which the host's CPU could not predict.
    const std::uint32_t idle = may_gate_ & !request_.get();
    settle_left_ = (settle_left_ - 1) * idle + (settle_clocks_ + 1) * (1 - idle);
    if (settle_left_ == 0) stop();
  }
  [[gnu::noinline]] void stop() {
    stopped_ = true;
    still_from_ = source_.number();
    source_.leave(input_);
  }
  void go_on(std::uint64_t now_ps) {
    if (stopped_) start(now_ps);
  }
  [[gnu::noinline]] void start(std::uint64_t now_ps) {
    skipped_ += source_.join(input_, now_ps) - still_from_;
    stopped_ = false;
    settle_left_ = settle_clocks_ + 1;
    notify_in(goes_on_event_, 0);
  }

  inline static std::uint8_t g_never = 0;  // the request output if there is none

  std::uint64_t taken_ = 0;
  std::vector<Transactor*> running_;
  BitPin request_;
  const std::uint32_t settle_clocks_;
  std::uint32_t settle_left_ = 1;  // idle clocks until it stops
  std::uint32_t holders_ = 0;
  const bool gating_allowed_;
  bool may_gate_ = false;
  bool stopped_ = false;
  WatcherList watchers_;
  ClockSource& source_;
  const ClockInputs input_;
  sc_core::sc_event& goes_on_event_;
  std::uint64_t still_from_ = 0;  // the source's number of the first edge that it missed
  std::uint64_t skipped_ = 0;
};

}  // namespace longhaul::cosim
