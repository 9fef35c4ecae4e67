// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "platform/cosim/bus/apb_checker.h"
#include "platform/cosim/bus/register_manager.h"

namespace longhaul::cosim {

/// Registers of a block behind APB, of 8, 16 or 32 bits: the requester at its pins.
///
/// The address is that of the word of the bus. Without PSTRB a write of some bytes writes the whole
/// word, the others as zero. PSLVERR is BusStatus::kSlaveError.
class ApbManager final : public RegisterManager {
 public:
  /// `sink`: of the checker; nullptr: no checker. Errors: std::invalid_argument for data of any
  /// other width.
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
