// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/toe_tcp_table.h"

#include <algorithm>
#include <systemc>

#include "platform/assembly/linux_tcp_state.h"

namespace longhaul::assembly {
namespace {

enum OwnRow : std::size_t { kWaitsFor, kUnsent, kUnread };

toe::OffloadEngine* find_engine(sc_core::sc_object& object) {
  if (auto* const engine = dynamic_cast<toe::OffloadEngine*>(&object)) return engine;
  for (sc_core::sc_object* const child : object.get_child_objects()) {
    if (toe::OffloadEngine* const engine = find_engine(*child)) return engine;
  }
  return nullptr;
}

}  // namespace

const toe::Tcb* ToeTcpTable::connection(std::uint64_t socket) const {
  const toe::Tcb* const tcb = engine_.tcb(static_cast<toe::Tid>(socket - 1));
  const tcp::Connection* const found = tcb != nullptr ? tcb->connection() : nullptr;
  return found != nullptr && linux_number(found->state()) != 0 ? tcb : nullptr;
}

void ToeTcpTable::find(std::vector<std::uint64_t>& sockets) {
  sockets.clear();
  for (std::uint64_t handle = 1; handle <= engine_.tids(); ++handle) {
    if (connection(handle) != nullptr) sockets.push_back(handle);
  }
}

bool ToeTcpTable::ends(std::uint64_t socket, observe::TcpEnds& ends) const {
  const toe::Tcb* const tcb = connection(socket);
  if (tcb == nullptr) return false;
  const toe::Ends& own = tcb->ends();
  ends = {};
  std::copy(own.local.begin(), own.local.end(), ends.local.begin());
  std::copy(own.peer.begin(), own.peer.end(), ends.remote.begin());
  ends.local_port = own.local_port;
  ends.remote_port = own.peer_port;
  return true;
}

bool ToeTcpTable::state(std::uint64_t socket, observe::TcpState& state) const {
  const toe::Tcb* const tcb = connection(socket);
  if (tcb == nullptr) return false;
  const toe::TcbFields fields = tcb->fields();
  state = linux_state(*tcb->connection(), tcb->iss());
  state.own[kWaitsFor] = static_cast<std::uint32_t>(tcb->send_wait());
  state.own[kUnsent] = static_cast<std::uint32_t>(fields.unsent);
  state.own[kUnread] = static_cast<std::uint32_t>(fields.unread);
  return true;
}

std::vector<observe::TcpRow> ToeTcpTable::own_rows() const {
  return {{"waits_for", 3, {{0, "none"}, {1, "host"}, {2, "turn"}, {3, "cwnd"}, {4, "window"}}},
          {"unsent", 32, {}},
          {"unread", 32, {}}};
}

toe::OffloadEngine* offload_engine(const std::string& adapter) {
  sc_core::sc_object* const object = sc_core::sc_find_object(adapter.c_str());
  return object != nullptr ? find_engine(*object) : nullptr;
}

}  // namespace longhaul::assembly
