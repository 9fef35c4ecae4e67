// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/common/observe/probe.h"
#include "models/common/register_bank.h"
#include "models/net/frame/frame_tap.h"
#include "models/net/mac/eth_mac.h"
#include "models/nic/terminator/mac_params.h"
#include "models/nic/terminator/pm3393_interrupts.h"
#include "models/nic/terminator/pm3393_mstat.h"

namespace longhaul::nic::terminator {

/// Counters and the tap of frames that the PM3393 does not pass on.
struct MacLosses {
  observe::Counter& rx_overflows;
  observe::Counter& rx_filtered;
  observe::Counter& rx_refused;
  observe::Counter& tx_refused;
  observe::FrameTap& drops;
};

/// The parts of the PM3393 that its two halves share.
struct Pm3393Parts {
  const MacPartParams& params;
  RegisterBank& bank;
  EthMac& mac;
  Pm3393Mstat& mstat;
  Pm3393Interrupts& interrupts;
  MacLosses losses;
};

}  // namespace longhaul::nic::terminator
