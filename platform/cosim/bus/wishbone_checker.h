// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "platform/cosim/bus/wishbone_pins.h"
#include "platform/cosim/bus/wishbone_rules.h"

namespace longhaul::cosim {

/// Checks both sides of Wishbone, classic or pipelined, against the rules of wishbone_rules.h.
class WishboneChecker {
 public:
  WishboneChecker(const WishbonePins& pins, std::string prefix, CheckerSink& sink);
  /// Checks the pins just before the edge at `edge_ps` (the block's time). Call it at every edge.
  void check(const WishboneSample& sample, std::uint64_t edge_ps);
  const UncheckedRules& unchecked() const { return unchecked_; }

 private:
  void check_terminations(const WishboneSample& s);
  void check_held(const WishboneSample& s);
  void tell(const Rule& rule, const char* signal, const char* detail);

  const std::string prefix_;
  CheckerSink& sink_;
  const bool pipelined_;
  UncheckedRules unchecked_;
  std::uint64_t edge_ps_ = 0;
  bool in_reset_ = false;
  bool held_ = false;        // a request was on the pins at the edge before, and waits
  std::uint32_t taken_ = 0;  // pipelined: requests without a termination yet
  WishboneSample::Request request_;
};

}  // namespace longhaul::cosim
