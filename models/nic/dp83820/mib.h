// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/common/register_bank.h"
#include "models/net/mac/eth_mac.h"
#include "models/nic/blocks/statistics_block.h"
#include "models/nic/dp83820/regs.h"

namespace longhaul::nic::dp83820 {

/// The management counters, which a read clears, and MIBC, which freezes and clears them. After a
/// reset they are frozen.
class Mib {
 public:
  Mib(RegisterBank& bank, const EthMac& mac);

  void errored_packet() { count(errored_); }
  void bad_fcs() { count(bad_fcs_); }
  void missed() { count(missed_); }
  void too_long() { count(too_long_); }
  void reset();

 private:
  void count(std::uint32_t& counter) const {
    if (!frozen_) StatisticsBlock::count(counter);
  }
  std::uint32_t control_now() const { return frozen_ ? regs::kMibcFields.frz : 0; }
  void control_written(std::uint32_t value);

  StatisticsBlock block_;
  std::uint32_t& errored_;
  std::uint32_t& bad_fcs_;
  std::uint32_t& missed_;
  std::uint32_t& too_long_;
  bool frozen_ = true;
  Reg32 mibc_;
};

}  // namespace longhaul::nic::dp83820
