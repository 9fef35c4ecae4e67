// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "platform/cosim/bus/block_memory.h"
#include "platform/cosim/bus/register_port.h"
#include "platform/cosim/transactor.h"
#include "platform/portmap/mapped_block.h"

namespace longhaul::portmap {

/// What stands at an interface whose subordinate the block is: `port` makes accesses, `transactor`
/// drives the pins; they are one object.
struct RegisterSide {
  std::unique_ptr<cosim::Transactor> transactor;
  cosim::RegisterPort* port = nullptr;
};

/// Makes it by the interface's kind. `client` outlives it.
RegisterSide make_register_side(MappedBlock& block, const InterfaceEntry& interface,
                                cosim::RegisterClient& client);

/// Makes what stands at an interface whose manager the block is. `memory` outlives it.
std::unique_ptr<cosim::Transactor> make_memory_side(MappedBlock& block,
                                                    const InterfaceEntry& interface,
                                                    cosim::BlockMemory& memory);

}  // namespace longhaul::portmap
