// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "platform/cosim/wire/wire_rules.h"

namespace longhaul::cosim {

/// Checks a transmitter's GMII, full duplex, against gmii_rules.
class GmiiChecker final {
 public:
  /// `name` is that of the pins in messages.
  GmiiChecker(std::string name, CheckerSink& sink) : name_(std::move(name)), sink_(sink) {}

  /// Checks the pins after the edge at `edge_ps`. Call it at every edge.
  void check(bool enable, bool error, std::uint8_t data, std::uint64_t edge_ps) {
    if (!enable && !error && !active_) {
      gap_ += gap_ < kLeastGapBytes ? 1 : 0;
      told_ = false;
      return;
    }
    // Within a frame there is no rule to check.
    if (!(enable && active_ && delimited_)) check_other(enable, error, data, edge_ps);
  }
  /// Whether nothing needs to be counted while both bits stay low.
  bool rests() const { return !active_ && !told_ && gap_ == kLeastGapBytes; }

 private:
  void check_other(bool enable, bool error, std::uint8_t data, std::uint64_t edge_ps);
  void tell(const Rule& rule, std::uint8_t data, std::uint64_t edge_ps);

  static constexpr std::uint32_t kLeastGapBytes = 12;
  const std::string name_;
  CheckerSink& sink_;
  bool active_ = false;
  bool delimited_ = false;
  std::uint32_t preamble_ = 0;  // bytes of the preamble so far
  bool told_ = false;           // a wrong preamble or control code was reported
  std::uint32_t gap_ = kLeastGapBytes;
};

}  // namespace longhaul::cosim
