// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "platform/cosim/bus/apb_pins.h"
#include "platform/cosim/bus/apb_rules.h"

namespace longhaul::cosim {

/// Checks APB against the rules of apb_rules.h, all of which bind the requester.
class ApbChecker {
 public:
  ApbChecker(const ApbPins& pins, std::string prefix, CheckerSink& sink);
  /// Checks the pins just before the edge at `edge_ps` (the block's time). Call it at every edge.
  void check(const ApbSample& sample, std::uint64_t edge_ps);
  const UncheckedRules& unchecked() const { return unchecked_; }

 private:
  enum class Phase : std::uint8_t { kIdle, kSetup, kAccess };
  void check_stable(const ApbSample::Request& is, std::uint64_t edge_ps);
  void tell(const Rule& rule, std::uint64_t edge_ps, const char* signal, const char* detail);

  const std::string prefix_;
  CheckerSink& sink_;
  UncheckedRules unchecked_;
  Phase phase_ = Phase::kIdle;  // at the edge before, if the transfer continues
  ApbSample::Request request_;
};

}  // namespace longhaul::cosim
