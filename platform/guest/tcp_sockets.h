// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "platform/guest/guest_memory.h"
#include "platform/guest/kernel_layout.h"
#include "platform/observe/tcp_table.h"

namespace longhaul::guest {

using observe::TcpEnds;
using observe::TcpState;

/// Finds the connections of a guest in its kernel's table of established sockets, and reads them.
///
/// The guest is halted in an exchange, and its lists are written so that a reader may come at any
/// time. An inconsistent chain is skipped. The guest runs no code for it and pays nothing.
class TcpSockets final : public observe::TcpTable {
 public:
  /// Throws ConfigError if the layout lacks a field.
  TcpSockets(GuestMemory memory, const KernelLayout& layout);

  /// Kernel addresses of the sockets in the table, without those of TIME_WAIT and of half-open
  /// requests (they are other structures).
  void find(std::vector<std::uint64_t>& sockets) override;
  /// Reads a socket's ends. Returns false if there is no such socket.
  bool ends(std::uint64_t socket, TcpEnds& ends) const override;
  /// Reads a socket's state. Returns false if its memory cannot be read.
  bool state(std::uint64_t socket, TcpState& state) const override;

 private:
  bool locate_table();

  GuestMemory memory_;
  const std::uint64_t physmem_symbol_;
  const std::uint64_t hashinfo_symbol_;
  const KernelLayout::Field ehash_, ehash_mask_, bucket_, node_, family_, sk_state_, daddr_, saddr_,
      v6_daddr_, v6_saddr_, dport_, num_;
  struct Value {
    KernelLayout::Field field;
    std::uint64_t multiply;
    std::uint64_t divide;
  };
  std::array<Value, TcpState::kFields> values_;
  std::uint32_t bytes_ = 0;  // of a socket, up to the last field that is read
  std::uint64_t table_ = 0;
  std::uint32_t buckets_ = 0;
};

}  // namespace longhaul::guest
