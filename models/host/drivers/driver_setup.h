// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "models/host/drivers/net_rx.h"
#include "models/host/drivers/pci_bus.h"
#include "models/host/kernel/interrupt_router.h"
#include "models/host/kernel/memory_pool.h"
#include "models/host/kernel/timers.h"
#include "models/host/net/net_params.h"

namespace longhaul::host {

/// The environment of a driver: its machine and its place in it.
struct DriverSetup {
  PciBus& bus;
  std::uint32_t slot;
  std::uint32_t function;
  InterruptRouter& router;
  std::vector<NetRx*> receive_softirqs;  ///< one for each processor that the router knows
  MemoryPool& memory;
  Timers& timers;
  const NetParams& net;
  std::uint32_t node = 0;  ///< node of the memory for its rings and buffers
};

}  // namespace longhaul::host
