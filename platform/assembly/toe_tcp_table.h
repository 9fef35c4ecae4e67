// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/toe/offload_engine.h"
#include "platform/observe/tcp_table.h"

namespace longhaul::assembly {

/// The TCP connections of an offload engine in the form of Linux, and what only an engine has.
/// Handles are tids, from 1 on.
class ToeTcpTable final : public observe::TcpTable {
 public:
  explicit ToeTcpTable(const toe::OffloadEngine& engine) : engine_(engine) {}

  void find(std::vector<std::uint64_t>& sockets) override;
  bool ends(std::uint64_t socket, observe::TcpEnds& ends) const override;
  bool state(std::uint64_t socket, observe::TcpState& state) const override;
  std::vector<observe::TcpRow> own_rows() const override;

 private:
  const toe::Tcb* connection(std::uint64_t socket) const;

  const toe::OffloadEngine& engine_;
};

/// The offload engine of an adapter, null without one. `adapter` is a full name ("sender.eth0").
toe::OffloadEngine* offload_engine(const std::string& adapter);

}  // namespace longhaul::assembly
