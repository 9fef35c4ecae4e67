// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "platform/cosim/clock_edges.h"
#include "platform/cosim/pins.h"
#include "platform/cosim/transactor.h"

namespace longhaul::cosim {

/// One clock input of a block, and the transactors that run on it.
class ClockDomain {
 public:
  /// `allowed`: the block has no business in this domain while no transactor runs in it, but for
  /// `settle_clocks` after the last one left; the clock stands still then. The block's port map
  /// says so, and a test shows that nothing differs.
  struct Gating {
    bool allowed = false;
    std::uint32_t settle_clocks = 0;
  };

  ClockDomain(BitPin pin, ClockEdges edges, Gating gating)
      : edges_(edges), pin_(pin), gating_(gating) {}

  /// A transactor runs from the first edge after `now_ps` on; never twice.
  void attach(Transactor& transactor, std::uint64_t now_ps) {
    running_.push_back(&transactor);
    if (stopped_) {
      skipped_ += edges_.skip_past(now_ps);
      stopped_ = false;
    }
  }
  /// May be called from the transactor's own clocked().
  void detach(Transactor& transactor) {
    running_.erase(std::find(running_.begin(), running_.end(), &transactor));
    settle_left_ = gating_.settle_clocks;
  }

  /// From now on the clock may be gated; before, as during a reset, it runs.
  void allow_gating() {
    may_gate_ = gating_.allowed;
    settle_left_ = gating_.settle_clocks;
  }

  std::uint64_t next_ps() const { return stopped_ ? kNever : edges_.next_ps(); }
  const ClockEdges& edges() const { return edges_; }
  bool high() const { return pin_.get(); }
  void lower() { pin_.set(false); }
  void raise() {
    pin_.set(true);
    edges_.advance();
    ++taken_;
  }
  void run_transactors(std::uint64_t edge_ps) {
    if (running_.empty()) {
      if (may_gate_ && settle_left_-- == 0) stopped_ = true;
      return;
    }
    for (std::size_t i = running_.size(); i-- > 0;) running_[i]->clocked(edge_ps);
  }
  std::uint64_t edges_taken() const { return taken_; }
  std::uint64_t edges_skipped() const { return skipped_; }

  static constexpr std::uint64_t kNever = ~std::uint64_t{0};

 private:
  ClockEdges edges_;
  BitPin pin_;
  const Gating gating_;
  std::vector<Transactor*> running_;
  bool may_gate_ = false;
  std::uint32_t settle_left_ = 0;
  bool stopped_ = false;
  std::uint64_t taken_ = 0;
  std::uint64_t skipped_ = 0;
};

}  // namespace longhaul::cosim
