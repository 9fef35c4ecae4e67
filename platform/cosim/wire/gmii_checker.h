// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "platform/cosim/wire/wire_rules.h"

namespace longhaul::cosim {

/// Holds a transmitter's GMII, full duplex, to gmii_rules.
class GmiiChecker final {
 public:
  /// `name`: of the pins in messages.
  GmiiChecker(std::string name, CheckerSink& sink) : name_(std::move(name)), sink_(sink) {}

  /// The pins after the edge at `edge_ps`, at every edge.
  void check(bool enable, bool error, std::uint8_t data, std::uint64_t edge_ps) {
    if (!enable && !error && !active_) {
      gap_ += gap_ < kLeastGapBytes ? 1 : 0;
      told_ = false;
      return;
    }
    // Within a frame no rule is left.
    if (!(enable && active_ && delimited_)) check_other(enable, error, data, edge_ps);
  }
  /// While both bits stay low nothing else is to be counted.
  bool rests() const { return !active_ && !told_ && gap_ == kLeastGapBytes; }

 private:
  void check_other(bool enable, bool error, std::uint8_t data, std::uint64_t edge_ps);
  void tell(const Rule& rule, std::uint8_t data, std::uint64_t edge_ps);

  static constexpr std::uint32_t kLeastGapBytes = 12;
  const std::string name_;
  CheckerSink& sink_;
  bool active_ = false;
  bool delimited_ = false;
  std::uint32_t preamble_ = 0;  // its bytes so far
  bool told_ = false;           // of a wrong preamble or control code
  std::uint32_t gap_ = kLeastGapBytes;
};

}  // namespace longhaul::cosim
