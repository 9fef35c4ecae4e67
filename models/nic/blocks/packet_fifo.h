// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/common/packet_fifo.h"

namespace longhaul::nic {

// The packet buffer under the name by which adapters know it.
using longhaul::PacketFifo;

}  // namespace longhaul::nic
