// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "platform/cosim/bus/apb_checker.h"
#include "platform/cosim/bus/register_manager.h"

namespace longhaul::cosim {

/// A register manager for APB, of 8, 16 or 32 bits: the requester at a block's completer pins.
///
/// The address is that of the bus word. Without PSTRB, a write of some bytes writes the whole word,
/// with zeros in the other bytes. PSLVERR gives BusStatus::kSlaveError.
class ApbManager final : public RegisterManager {
 public:
  /// `sink` gets the checker's violations; nullptr: no checker. Throws std::invalid_argument for
  /// another data width.
  ApbManager(RtlBlock& block, ClockDomain& clock, const ApbPins& pins, RegisterClient& client,
             const RegisterManagerParams& params, CheckerSink* sink);

  void sample() override { sample_.take(pins_); }
  void clocked(std::uint64_t edge_ps) override;
  const ApbChecker* checker() const { return checker_.get(); }

 private:
  ApbPins pins_;
  ApbSample sample_;
  std::unique_ptr<ApbChecker> checker_;
};

}  // namespace longhaul::cosim
