// SPDX-License-Identifier: Apache-2.0
#include "platform/cosim/wire/mii_checker.h"

#include <fmt/format.h>

#include <utility>

#include "models/net/frame/ethernet_header.h"

namespace longhaul::cosim {

MiiChecker::MiiChecker(std::string name, CheckerSink& sink) : name_(std::move(name)), sink_(sink) {}

void MiiChecker::tell(const Rule& rule, std::uint64_t edge_ps, std::uint32_t nibble) {
  sink_.violated(rule, edge_ps, name_, fmt::format("nibble 0x{:x}", nibble));
}

void MiiChecker::check(bool enable, bool error, std::uint32_t nibble, std::uint64_t edge_ps) {
  constexpr std::uint32_t kLowPowerIdle = 1;
  if (!enable) {
    if (std::exchange(active_, false)) {
      if (delimited_ && nibbles_ % 2 != 0) tell(mii_rules::kWholeBytes, edge_ps, nibble);
      gap_ = 0;
      told_ = false;
    }
    if (gap_ < kLeastGapNibbles) ++gap_;
    const bool wrong = error && nibble != kLowPowerIdle;
    if (wrong && !told_) tell(mii_rules::kControl, edge_ps, nibble);
    told_ = wrong;
    return;
  }
  if (!std::exchange(active_, true)) {
    if (gap_ < kLeastGapNibbles) tell(mii_rules::kGap, edge_ps, nibble);
    delimited_ = false;
    told_ = false;
    nibbles_ = 0;
  }
  ++nibbles_;
  if (delimited_ || error) return;
  delimited_ = nibble == 0xd;
  const bool right = nibbles_ == 2 * ethernet::kPreambleBytes ? delimited_ : nibble == 0x5;
  if (!right && !std::exchange(told_, true)) tell(mii_rules::kPreamble, edge_ps, nibble);
  if (delimited_) nibbles_ = 0;
}

}  // namespace longhaul::cosim
