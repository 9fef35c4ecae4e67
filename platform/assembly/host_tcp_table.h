// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/host/net/stack.h"
#include "platform/observe/tcp_table.h"

namespace longhaul::assembly {

/// The TCP connections of a modelled host in the form of Linux. Handles are slots of the stack,
/// from 1 on; a connection that reuses a slot has other ends.
class HostTcpTable final : public observe::TcpTable {
 public:
  explicit HostTcpTable(const host::Stack& stack) : stack_(stack) {}

  void find(std::vector<std::uint64_t>& sockets) override;
  bool ends(std::uint64_t socket, observe::TcpEnds& ends) const override;
  bool state(std::uint64_t socket, observe::TcpState& state) const override;

 private:
  const host::TcpEndpoint* endpoint(std::uint64_t socket) const;

  const host::Stack& stack_;
};

}  // namespace longhaul::assembly
