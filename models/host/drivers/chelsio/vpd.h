// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/host/drivers/chelsio/board.h"
#include "models/host/drivers/pci_function.h"
#include "models/net/frame/ethernet_header.h"

namespace longhaul::host::chelsio {

/// Reads the station address from a Terminator's VPD, through configuration space.
MacAddress mac_in_vpd(const PciFunction& function, RegisterAccess& clock);

}  // namespace longhaul::host::chelsio
