// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/host_tcp_table.h"

#include "platform/assembly/linux_tcp_state.h"

namespace longhaul::assembly {

const host::TcpEndpoint* HostTcpTable::endpoint(std::uint64_t socket) const {
  const host::TcpEndpoint* const found =
      socket <= stack_.endpoint_slots() ? stack_.endpoint(socket - 1) : nullptr;
  return found != nullptr && linux_number(found->connection().state()) != 0 ? found : nullptr;
}

void HostTcpTable::find(std::vector<std::uint64_t>& sockets) {
  sockets.clear();
  for (std::uint64_t handle = 1; handle <= stack_.endpoint_slots(); ++handle) {
    if (endpoint(handle) != nullptr) sockets.push_back(handle);
  }
}

bool HostTcpTable::ends(std::uint64_t socket, observe::TcpEnds& ends) const {
  const host::TcpEndpoint* const found = endpoint(socket);
  if (found == nullptr) return false;
  const tcp::Endpoints& own = found->ends();
  ends = {own.ipv6, own.source, own.destination, own.source_port, own.destination_port};
  return true;
}

bool HostTcpTable::state(std::uint64_t socket, observe::TcpState& state) const {
  const host::TcpEndpoint* const found = endpoint(socket);
  if (found == nullptr) return false;
  state = linux_state(found->connection(), found->iss());
  return true;
}

}  // namespace longhaul::assembly
