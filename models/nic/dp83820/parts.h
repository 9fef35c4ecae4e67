// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/common/register_bank.h"
#include "models/net/mac/eth_mac.h"
#include "models/nic/dp83820/interrupts.h"
#include "models/nic/dp83820/params.h"
#include "models/pcix/dma_engine.h"

namespace longhaul::nic::dp83820 {

/// The parts of the device that the transmit and receive units share.
struct Dp83820Parts {
  const Dp83820Params& params;  ///< read at each use: the device may change the speeds
  RegisterBank& bank;
  pcix::DmaEngine& dma;
  EthMac& mac;
  Interrupts& interrupts;
};

/// The interrupt cause for a transfer that ended with an error.
constexpr std::uint32_t cause_of(pcix::DmaStatus status) {
  return status == pcix::DmaStatus::kTargetAbort ? regs::kIsrFields.rtabt : regs::kIsrFields.rmabt;
}

}  // namespace longhaul::nic::dp83820
