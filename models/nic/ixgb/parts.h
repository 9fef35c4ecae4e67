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

/// What the transmit and receive units share with the rest of the device.
struct IxgbParts {
  const IxgbParams& params;
  RegisterBank& bank;
  pcix::DmaEngine& dma;
  EthMac& mac;
  InterruptModerator& interrupts;
  IxgbStats& stats;
  const Reg32& ctrl0;  ///< VME, JFE and TPE matter to the units
  const Reg32& mfs;
  const Reg32& pap;
};

/// Largest frame without FCS and VLAN tag: MTU 16114 and the Ethernet header (ixgb_hw.h: 0x3F00).
constexpr std::uint32_t kMaxFrameBytes = 0x3f00;

using intel::kStandardFrameBytes;
using intel::kVlanTagBytes;
using intel::kVlanType;

/// A timer register's value as time.
inline sc_core::sc_time delay_of(const IxgbParams& params, std::uint32_t units) {
  return from_ps(to_ps(params.delay_unit()) * units);
}

}  // namespace longhaul::nic::ixgb
