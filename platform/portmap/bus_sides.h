// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <tuple>

#include "models/common/param.h"
#include "platform/cosim/bus/block_memory.h"
#include "platform/cosim/bus/pcix_host.h"
#include "platform/cosim/bus/register_port.h"
#include "platform/cosim/transactor.h"
#include "platform/portmap/mapped_block.h"

namespace longhaul::portmap {

/// The manager at an interface whose subordinate is the block: `port` makes accesses, `transactor`
/// drives the pins. They are one object.
struct RegisterSide {
  std::unique_ptr<cosim::Transactor> transactor;
  cosim::RegisterPort* port = nullptr;
};

inline constexpr Source kMemoryStress{Evidence::kChosen,
                                      "docs/port_maps.md#memory-that-is-hard-to-a-block"};

/// Stress by memory, within the rules of the bus.
struct MemoryStress {
  Param<std::uint32_t> stalls{
      "memory_stalls", 0,
      "of 100 clocks so many in which memory holds back a READY or VALID, at random", kMemoryStress,
      Range<std::uint32_t>{0, 99}};
  Param<std::uint32_t> delay{
      "memory_delay", 0,
      "most clocks for which memory keeps a burst of AXI, at random; those of different IDs "
      "overtake each other",
      kMemoryStress, Range<std::uint32_t>{0, 100'000}};
  Param<std::uint64_t> seed{"memory_seed", 1, "seed of both", kMemoryStress};
  auto fields() { return std::tie(stalls, delay, seed); }
};

/// Makes the manager for the interface's kind. `client` must outlive it.
RegisterSide make_register_side(MappedBlock& block, const InterfaceEntry& interface,
                                cosim::RegisterClient& client);

/// Makes the bus at the pins of a PCI-X device: `params` without the rules of the interface.
/// `client` and `memory` must outlive it.
std::unique_ptr<cosim::PcixHost> make_pcix_side(MappedBlock& block, const InterfaceEntry& interface,
                                                cosim::PcixAccessClient& client,
                                                cosim::BlockMemory& memory,
                                                cosim::PcixHostParams params);

/// Makes the memory at an interface whose manager is the block. `memory` must outlive it.
std::unique_ptr<cosim::Transactor> make_memory_side(MappedBlock& block,
                                                    const InterfaceEntry& interface,
                                                    const MemoryStress& stress,
                                                    cosim::BlockMemory& memory);

}  // namespace longhaul::portmap
