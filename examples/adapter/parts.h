// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

#include "interrupts.h"
#include "models/common/register_bank.h"
#include "models/net/mac/eth_mac.h"
#include "models/pcix/dma_engine.h"
#include "params.h"
#include "statistics.h"

namespace tc9021 {

/// What the units share with the rest of the device.
struct Tc9021Parts {
  const Tc9021Params& params;  ///< read whenever they are needed: the device may change the speeds
  longhaul::RegisterBank& bank;
  longhaul::pcix::DmaEngine& dma;
  longhaul::EthMac& mac;
  Interrupts& interrupts;
  Statistics& statistics;
  /// A transfer ended so: HostError, and the cause in DMACtrl.
  std::function<void(longhaul::pcix::DmaStatus)> host_error;
  const AccessCovers& covers;
};

}  // namespace tc9021
