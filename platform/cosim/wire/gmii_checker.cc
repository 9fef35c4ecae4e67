// SPDX-License-Identifier: Apache-2.0
#include "platform/cosim/wire/gmii_checker.h"

#include <fmt/format.h>

#include <utility>

#include "models/net/frame/ethernet_header.h"

namespace longhaul::cosim {

void GmiiChecker::tell(const Rule& rule, std::uint8_t data, std::uint64_t edge_ps) {
  sink_.violated(rule, edge_ps, name_, fmt::format("TXD 0x{:02x}", data));
}

void GmiiChecker::check_other(bool enable, bool error, std::uint8_t data, std::uint64_t edge_ps) {
  if (!enable) {
    if (std::exchange(active_, false)) {
      gap_ = 0;
      told_ = false;
    }
    gap_ += gap_ < kLeastGapBytes ? 1 : 0;
    const bool wrong = error && data != 0x01 && data != 0x0f && data != 0x1f;
    if (wrong && !told_) tell(gmii_rules::kControl, data, edge_ps);
    told_ = wrong;
    return;
  }
  if (!std::exchange(active_, true)) {
    if (gap_ < kLeastGapBytes) tell(gmii_rules::kGap, data, edge_ps);
    delimited_ = false;
    told_ = false;
    preamble_ = 0;
  }
  if (delimited_ || error) return;
  delimited_ = data == ethernet::kDelimiter;
  const bool right =
      preamble_ == ethernet::kPreambleBytes - 1 ? delimited_ : data == ethernet::kPreamble;
  ++preamble_;
  if (!right && !std::exchange(told_, true)) tell(gmii_rules::kPreamble, data, edge_ps);
}

}  // namespace longhaul::cosim
