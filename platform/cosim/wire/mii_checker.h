// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "platform/cosim/wire/wire_rules.h"

namespace longhaul::cosim {

/// Checks a transmitter's MII against mii_rules.
class MiiChecker {
 public:
  /// `name` is that of the pins in messages.
  MiiChecker(std::string name, CheckerSink& sink);
  /// Checks the pins of one clock.
  void check(bool enable, bool error, std::uint32_t nibble, std::uint64_t edge_ps);

 private:
  void tell(const Rule& rule, std::uint64_t edge_ps, std::uint32_t nibble);

  static constexpr std::uint32_t kLeastGapNibbles = 24;
  const std::string name_;
  CheckerSink& sink_;
  bool active_ = false;
  bool delimited_ = false;
  bool told_ = false;          // a wrong preamble or control code was reported
  std::uint32_t nibbles_ = 0;  // after the delimiter, or of the preamble
  std::uint32_t gap_ = kLeastGapNibbles;
};

}  // namespace longhaul::cosim
