// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <systemc>
#include <vector>

#include "models/common/units.h"

#include "platform/cosim/clock_edges.h"
#include "platform/cosim/pins.h"
#include "platform/cosim/transactor.h"

namespace longhaul::cosim {

/// One clock input of a block, and the transactors that run on it.
class ClockDomain {
 public:
  /// `allowed`: the block has no business in this domain while no transactor runs in it, but for
  /// `settle_clocks` after the last one left; the clock stands still then. The block's port map
  /// says so, and a test shows that nothing differs. `request`: an output of the block that is high
  /// while it has business in the domain all the same; a clock that stands still goes on then.
  struct Gating {
    bool allowed = false;
    std::uint32_t settle_clocks = 0;
    BitPin request{};
  };

  /// `goes_on` is notified when a clock that stood still goes on.
  ClockDomain(BitPin pin, ClockEdges edges, Gating gating, sc_core::sc_event& goes_on)
      : edges_(edges), pin_(pin), gating_(gating), goes_on_event_(goes_on) {}

  /// A transactor runs from the first edge after `now_ps` on; never twice.
  void attach(Transactor& transactor, std::uint64_t now_ps) {
    running_.push_back(&transactor);
    go_on(now_ps);
  }
  /// May be called from the transactor's own clocked().
  void detach(Transactor& transactor) {
    running_.erase(std::find(running_.begin(), running_.end(), &transactor));
    settle_left_ = gating_.settle_clocks;
  }

  /// A transactor runs at every edge that there is, but does not keep a gated clock going, which
  /// hold() does. `samples`: its sample() is called before each edge. Before power-up.
  void watch(Transactor& transactor, bool samples) {
    watching_.push_back(&transactor);
    if (samples) samplers_.push_back(&transactor);
  }
  /// The clock goes on after `now_ps` and is not gated until release(); as many as hold() count.
  void hold(std::uint64_t now_ps) {
    ++holders_;
    go_on(now_ps);
  }
  void release() {
    --holders_;
    settle_left_ = gating_.settle_clocks;
  }
  /// After an evaluation at `now_ps` of a block whose other clocks go on.
  void look_at_request(std::uint64_t now_ps) {
    if (stopped_ && requested()) go_on(now_ps);
  }
  /// Whether anybody samples before the edge.
  bool samples() const { return !samplers_.empty(); }
  void sample() {
    for (Transactor* transactor : samplers_) transactor->sample();
  }

  /// From now on the clock may be gated; before, as during a reset, it runs.
  void allow_gating() {
    may_gate_ = gating_.allowed;
    settle_left_ = gating_.settle_clocks;
  }

  std::uint64_t next_ps() const { return stopped_ ? kNever : edges_.next_ps(); }
  const ClockEdges& edges() const { return edges_; }
  bool stopped() const { return stopped_; }
  bool high() const { return pin_.get(); }
  void lower() { pin_.set(false); }
  void raise() {
    pin_.set(true);
    edges_.advance();
    ++taken_;
  }
  void run_transactors(std::uint64_t edge_ps) {
    if (running_.empty()) {
      count_idle_clock();
    } else {
      for (std::size_t i = running_.size(); i-- > 0;) running_[i]->clocked(edge_ps);
    }
    for (Transactor* transactor : watching_) transactor->clocked(edge_ps);
  }
  std::uint64_t edges_taken() const { return taken_; }
  std::uint64_t edges_skipped() const { return skipped_; }

  static constexpr std::uint64_t kNever = ~std::uint64_t{0};

 private:
  bool requested() const { return gating_.request.byte != nullptr && gating_.request.get(); }
  void count_idle_clock() {
    if (holders_ != 0 || !may_gate_) return;
    if (requested()) {
      settle_left_ = gating_.settle_clocks;
    } else if (settle_left_-- == 0) {
      stopped_ = true;
    }
  }
  void go_on(std::uint64_t now_ps) {
    if (!stopped_) return;
    skipped_ += edges_.skip_past(now_ps);
    stopped_ = false;
    notify_in(goes_on_event_, 0);
  }

  ClockEdges edges_;
  BitPin pin_;
  const Gating gating_;
  sc_core::sc_event& goes_on_event_;
  std::vector<Transactor*> running_;
  std::vector<Transactor*> watching_;
  std::vector<Transactor*> samplers_;  // those of watching_ that sample
  std::uint32_t holders_ = 0;
  bool may_gate_ = false;
  std::uint32_t settle_left_ = 0;
  bool stopped_ = false;
  std::uint64_t taken_ = 0;
  std::uint64_t skipped_ = 0;
};

}  // namespace longhaul::cosim
