// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "platform/cosim/bus/rule.h"

namespace longhaul::cosim {

/// Checks the pins to a Microwire EEPROM against microwire_rules.
class MicrowireChecker {
 public:
  /// `name` is that of the interface in messages.
  MicrowireChecker(std::string name, CheckerSink& sink);
  /// The levels of the pins from the edge at `edge_ps` on. Call it whenever one has changed.
  void check(bool select, bool clock, bool data, std::uint64_t edge_ps);

 private:
  void check_clock(bool clock, std::uint64_t edge_ps);
  void check_least(const Rule& rule, const char* pin, std::uint64_t since_ps,
                   std::uint64_t least_ps, std::uint64_t edge_ps);

  const std::string name_;
  CheckerSink& sink_;
  bool select_ = false;
  bool clock_ = false;
  bool data_ = false;
  bool clocked_ = false;  // SK has risen since CS rose
  // Times of the last changes; kLongAgo: never.
  std::uint64_t selected_ps_ = kLongAgo;
  std::uint64_t deselected_ps_ = kLongAgo;
  std::uint64_t rose_ps_ = kLongAgo;
  std::uint64_t fell_ps_ = kLongAgo;
  std::uint64_t data_ps_ = kLongAgo;

  static constexpr std::uint64_t kLongAgo = ~0ULL;
};

}  // namespace longhaul::cosim
