// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "models/common/register_bank.h"
#include "models/nic/genesis/params.h"
#include "models/nic/genesis/ram_port.h"
#include "models/nic/genesis/xmac.h"
#include "models/pcix/dma_engine.h"

namespace longhaul::nic::genesis {

/// The parts of the device that the transmit and receive units share.
struct GenesisParts {
  const GenesisParams& params;  ///< read at each use: the device may change the speeds
  RegisterBank& bank;
  pcix::DmaEngine& dma;
  RamPort& ram;  ///< the device makes it before the units
  Xmac& xmac;
  /// Called when a unit's causes() may have changed.
  std::function<void()> causes_changed;
  /// Called when a transfer of a queue met an abort, or bus mastering is disabled (HWE_ISRC); the
  /// queue has stopped. May be empty.
  std::function<void(pcix::DmaStatus)> bus_error;
};

}  // namespace longhaul::nic::genesis
