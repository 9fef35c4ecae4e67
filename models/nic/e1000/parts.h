// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/common/register_bank.h"
#include "models/net/mac/eth_mac.h"
#include "models/nic/blocks/interrupt_moderator.h"
#include "models/nic/e1000/e1000_stats.h"
#include "models/nic/e1000/params.h"
#include "models/pcix/dma_engine.h"

namespace longhaul::nic::e1000 {

/// What the transmit and receive units share with the rest of the device.
struct E1000Parts {
  const E1000Params& params;
  RegisterBank& bank;
  pcix::DmaEngine& dma;
  EthMac& mac;
  InterruptModerator& interrupts;
  E1000Stats& stats;
  const Reg32& ctrl;  ///< VME and TFCE matter to the units
};

/// Largest frame without FCS and VLAN tag: Linux e1000_hw.h, MAX_JUMBO_FRAME_SIZE (0x3f00).
constexpr std::uint32_t kMaxFrameBytes = 0x3f00;
/// What is received without RCTL.LPE, and with it, FCS included (8254x SDM 13.4.22).
constexpr std::uint32_t kShortFrameBytes = 1522;
constexpr std::uint32_t kLongFrameBytes = 16384;

/// A timer register's value as time.
inline sc_core::sc_time delay_of(const E1000Params& params, std::uint32_t units) {
  return from_ps(to_ps(params.delay_unit()) * units);
}

}  // namespace longhaul::nic::e1000
