// SPDX-License-Identifier: Apache-2.0
#include "platform/cosim/bus/wishbone_checker.h"

#include <utility>

namespace longhaul::cosim {

WishboneChecker::WishboneChecker(const WishbonePins& pins, std::string prefix, CheckerSink& sink)
    : prefix_(std::move(prefix)), sink_(sink), pipelined_(pins.pipelined) {
  if (!pins.reset.pin) unchecked_.push_back({&wishbone_rules::kReset, prefix_ + "rst"});
  if (!pins.cyc) unchecked_.push_back({&wishbone_rules::kCycle, prefix_ + "cyc"});
  if (!pins.err && !pins.rty)
    unchecked_.push_back({&wishbone_rules::kOneTermination, prefix_ + "err"});
}

void WishboneChecker::tell(const Rule& rule, const char* signal, const char* detail) {
  sink_.violated(rule, edge_ps_, prefix_ + signal, detail);
}

void WishboneChecker::check(const WishboneSample& s, std::uint64_t edge_ps) {
  edge_ps_ = edge_ps;
  if (s.reset) {
    // The block sees its synchronous reset at its first edge.
    if (std::exchange(in_reset_, true)) {
      if (s.cyc && !held_) tell(wishbone_rules::kReset, "cyc", "high in reset");
      if (s.stb && !held_) tell(wishbone_rules::kReset, "stb", "high in reset");
      held_ = s.cyc || s.stb;  // report it once
    } else {
      held_ = false;
    }
    taken_ = 0;
    return;
  }
  if (std::exchange(in_reset_, false)) held_ = false;
  if (s.stb && !s.cyc) tell(wishbone_rules::kCycle, "stb", "high while CYC is low");
  check_held(s);
  check_terminations(s);
}

void WishboneChecker::check_held(const WishboneSample& s) {
  const auto changed = [this](bool differs, const char* signal) {
    if (differs) tell(wishbone_rules::kStable, signal, "changed while the request waits");
  };
  if (held_ && !s.stb) {
    tell(wishbone_rules::kHeld, "stb", "fell before the request was taken");
  } else if (held_) {
    changed(s.request.adr != request_.adr, "adr");
    changed(s.request.we != request_.we, "we");
    changed(s.request.sel != request_.sel, "sel");
    changed(s.request.write_data != request_.write_data, "dat_w");
  }
  const bool asks = s.cyc && s.stb;
  held_ = asks && (pipelined_ ? s.stall : !s.terminated());
  if (held_) request_ = s.request;
}

void WishboneChecker::check_terminations(const WishboneSample& s) {
  const bool asks = s.cyc && s.stb;
  if (pipelined_ && !s.cyc) taken_ = 0;  // the manager drops its outstanding requests
  if (pipelined_ && asks && !s.stall) ++taken_;
  if (!s.terminated()) return;
  const char* signal = s.ack ? "ack" : s.err ? "err" : "rty";
  if (s.ack + s.err + s.rty > 1)
    tell(wishbone_rules::kOneTermination, signal, "high beside another termination");
  if (pipelined_ ? taken_ == 0 : !asks) {
    tell(wishbone_rules::kTermination, signal, "high without a request");
  } else if (pipelined_) {
    --taken_;
  }
}

}  // namespace longhaul::cosim
