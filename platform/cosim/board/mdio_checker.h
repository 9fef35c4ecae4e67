// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "platform/cosim/bus/rule.h"

namespace longhaul::cosim {

/// Checks the times of a management bus at its pins: mdio_rules::kClock and kStable. The rules of
/// frames are checked where frames are taken (MdioTarget).
class MdioChecker {
 public:
  /// `name` is that of the interface in messages.
  MdioChecker(std::string name, CheckerSink& sink);
  /// The levels from the edge at `edge_ps` on. `drives`: the block drives MDIO with `level`. Call
  /// it whenever one of them has changed.
  void check(bool clock, bool drives, bool level, std::uint64_t edge_ps);
  /// Reports that the frame of the present edge breaks a rule.
  void tell(const Rule& rule, const std::string& detail);

 private:
  void check_least(const Rule& rule, const char* what, std::uint64_t since_ps,
                   std::uint64_t least_ps);

  const std::string name_;
  CheckerSink& sink_;
  std::uint64_t edge_ps_ = 0;
  bool clock_ = false;
  bool drives_ = false;
  bool level_ = false;
  // Times of the last changes; kLongAgo: never.
  std::uint64_t rose_ps_ = kLongAgo;
  std::uint64_t fell_ps_ = kLongAgo;
  std::uint64_t driven_ps_ = kLongAgo;

  static constexpr std::uint64_t kLongAgo = ~0ULL;
};

}  // namespace longhaul::cosim
