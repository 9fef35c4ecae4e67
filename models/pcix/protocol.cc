// SPDX-License-Identifier: Apache-2.0
#include "models/pcix/protocol.h"

#include <fmt/format.h>

#include "models/pcix/pcix_bus.h"

namespace longhaul::pcix {

void SlotSocket::bind(base_target_socket_type& function) {
  auto* const socket = dynamic_cast<FunctionSocket*>(&function);
  if (socket == nullptr)
    throw ConfigError(
        fmt::format("{}: wants the bus_socket of a PcixDevice; a TLM-2.0 module goes "
                    "behind a TlmFunction",
                    name()));
  bus_.plug(unit_, socket->device());
  SlotSocketBase::bind(function);
}

}  // namespace longhaul::pcix
