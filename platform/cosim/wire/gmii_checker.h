// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "platform/cosim/gmii_tx.h"
#include "platform/cosim/rtl_block.h"
#include "platform/cosim/wire/wire_rules.h"

namespace longhaul::cosim {

/// Holds a transmitter's GMII, full duplex, to gmii_rules, beside a GmiiTx on the same pins.
class GmiiChecker final : public Transactor {
 public:
  /// `name`: of the pins in messages.
  GmiiChecker(ClockDomain& clock, GmiiTxPins pins, std::string name, CheckerSink& sink);

  void clocked(std::uint64_t edge_ps) override {
    const bool enable = pins_.enable.get();
    const bool error = pins_.error.get();
    if (!enable && !error && !active_) {
      gap_ += gap_ < kLeastGapBytes ? 1 : 0;
      told_ = false;
      return;
    }
    check(enable, error, edge_ps);
  }

 private:
  void check(bool enable, bool error, std::uint64_t edge_ps);
  void tell(const Rule& rule, std::uint64_t edge_ps);

  static constexpr std::uint32_t kLeastGapBytes = 12;
  GmiiTxPins pins_;
  const std::string name_;
  CheckerSink& sink_;
  bool active_ = false;
  bool delimited_ = false;
  bool told_ = false;  // of a wrong preamble or control code
  std::uint32_t gap_ = kLeastGapBytes;
};

}  // namespace longhaul::cosim
