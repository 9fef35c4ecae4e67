// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "models/common/register_bank.h"
#include "models/nic/genesis/params.h"
#include "models/nic/genesis/ram_port.h"
#include "models/nic/genesis/xmac.h"
#include "models/pcix/dma_engine.h"

namespace longhaul::nic::genesis {

/// What the transmit and receive units share with the rest of the device.
struct GenesisParts {
  const GenesisParams& params;  ///< read whenever they are needed: the device may change the speeds
  RegisterBank& bank;
  pcix::DmaEngine& dma;
  RamPort& ram;  ///< made by the device, before the units
  Xmac& xmac;
  /// A unit's causes() may have changed.
  std::function<void()> causes_changed;
  /// A transfer of a queue met an abort, or found bus mastering disabled (HWE_ISRC); the queue has
  /// stopped. May be empty.
  std::function<void(pcix::DmaStatus)> bus_error;
};

}  // namespace longhaul::nic::genesis
