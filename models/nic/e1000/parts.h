// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/common/register_bank.h"
#include "models/net/mac/eth_mac.h"
#include "models/nic/blocks/interrupt_moderator.h"
#include "models/nic/e1000/e1000_stats.h"
#include "models/nic/e1000/params.h"
#include "models/pcix/dma_engine.h"

namespace longhaul::nic::e1000 {

/// The parts of the device that the transmit and receive units share.
struct E1000Parts {
  const E1000Params& params;
  RegisterBank& bank;
  pcix::DmaEngine& dma;
  EthMac& mac;
  InterruptModerator& interrupts;
  E1000Stats& stats;
  const Reg32& ctrl;  ///< the units use VME and TFCE
};

/// Largest frame without FCS and VLAN tag: Linux e1000_hw.h, MAX_JUMBO_FRAME_SIZE (0x3f00).
constexpr std::uint32_t kMaxFrameBytes = 0x3f00;
/// Largest received frame without and with RCTL.LPE, in bytes, FCS included (8254x SDM 13.4.22).
constexpr std::uint32_t kShortFrameBytes = 1522;
constexpr std::uint32_t kLongFrameBytes = 16384;

/// The time that `units` in a timer register stand for.
inline sc_core::sc_time delay_of(const E1000Params& params, std::uint32_t units) {
  return from_ps(to_ps(params.delay_unit()) * units);
}

}  // namespace longhaul::nic::e1000
