// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/common/register_bank.h"
#include "models/net/mac/eth_mac.h"
#include "models/nic/blocks/interrupt_moderator.h"
#include "models/nic/intel/descriptors.h"
#include "models/nic/ixgb/ixgb_stats.h"
#include "models/nic/ixgb/params.h"
#include "models/pcix/dma_engine.h"

namespace longhaul::nic::ixgb {

/// The parts of the device that the transmit and receive units share.
struct IxgbParts {
  const IxgbParams& params;
  RegisterBank& bank;
  pcix::DmaEngine& dma;
  EthMac& mac;
  InterruptModerator& interrupts;
  IxgbStats& stats;
  const Reg32& ctrl0;  ///< the units use VME, JFE and TPE
  const Reg32& mfs;
  const Reg32& pap;
};

/// Largest frame without FCS and VLAN tag: MTU 16114 and the Ethernet header (ixgb_hw.h: 0x3F00).
constexpr std::uint32_t kMaxFrameBytes = 0x3f00;

using intel::kStandardFrameBytes;
using intel::kVlanTagBytes;
using intel::kVlanType;

/// The time that `units` in a timer register stand for.
inline sc_core::sc_time delay_of(const IxgbParams& params, std::uint32_t units) {
  return from_ps(to_ps(params.delay_unit()) * units);
}

}  // namespace longhaul::nic::ixgb
