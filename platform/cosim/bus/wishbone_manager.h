// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "platform/cosim/bus/register_manager.h"
#include "platform/cosim/bus/wishbone_checker.h"

namespace longhaul::cosim {

/// A register manager for Wishbone B4, classic or pipelined, of 8 to 64 bits: a manager at the
/// block's pins.
///
/// One word is in progress at a time. ERR gives BusStatus::kSlaveError. After RTY the word is
/// requested again, until the access times out. A classic cycle begins when the terminations of the
/// one before are low.
class WishboneManager final : public RegisterManager {
 public:
  /// `sink` gets the checker's violations; nullptr: no checker. Throws std::invalid_argument for
  /// another data width.
  WishboneManager(RtlBlock& block, ClockDomain& clock, const WishbonePins& pins,
                  RegisterClient& client, const RegisterManagerParams& params, CheckerSink* sink);

  void sample() override { sample_.take(pins_); }
  void clocked(std::uint64_t edge_ps) override;
  const WishboneChecker* checker() const { return checker_.get(); }

 private:
  void drive();
  void stop();

  WishbonePins pins_;
  const std::uint32_t address_shift_;
  WishboneSample sample_;
  bool again_ = false;  // the word was answered by RTY
  std::unique_ptr<WishboneChecker> checker_;
};

}  // namespace longhaul::cosim
