// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "models/common/big_endian.h"
#include "models/tcp/wire.h"
#include "tests/unit/models/booster/relay_rig.h"

namespace longhaul::booster {

using host::Process;
using host::TcpSocket;
using host::testing::Program;
using testing::FakeDevice;

constexpr std::uint64_t kBuffer = 16384;

struct Relays : testing::RelayTest {
  void expect_all(const Transfer& plan, std::uint64_t total) {
    EXPECT_TRUE(plan.sender_done);
    EXPECT_TRUE(plan.receiver_done);
    EXPECT_EQ(plan.sent, total);
    EXPECT_EQ(plan.received, total);
    EXPECT_FALSE(plan.mismatch.has_value()) << *plan.mismatch;
  }
  /// A server at b, and a client at a; both run in verify mode.
  using Role = std::function<void(Program&, TcpSocket&, std::uint64_t user)>;
  void roles(const Role& server, const Role& client) {
    program(*b, "server", [this, server](Program& self) {
      const std::uint64_t user = allocate(*b, kBuffer);
      const auto listener = b->stack.tcp_socket();
      listener->set_verify(true);
      listener->listen(self, 5001, 5);
      const auto socket = listener->accept(self);
      server(self, *socket, user);
      socket->close(self);
      listener->close(self);
    });
    program(*a, "client", [this, client](Program& self) {
      const std::uint64_t user = allocate(*a, kBuffer);
      const auto socket = a->stack.tcp_socket();
      socket->set_verify(true);
      socket->connect(self, address(2));
      client(self, *socket, user);
      socket->close(self);
    });
  }
  static void send(Program& self, TcpSocket& socket, std::uint64_t user, std::uint64_t total) {
    for (std::uint64_t sent = 0; sent < total;) {
      const std::uint64_t n = socket.send(self, user, std::min(kBuffer, total - sent));
      if (n == 0) return;
      sent += n;
    }
  }
  static std::uint64_t drain(Program& self, TcpSocket& socket, std::uint64_t user) {
    std::uint64_t all = 0;
    while (const std::uint64_t n = socket.receive(self, user, kBuffer)) all += n;
    return all;
  }
  static void pause(Program& self, std::uint64_t ps) {
    const Process::Syscall call(self);
    self.sleep(ps);
  }
};

inline tcp::Packet parsed(const FakeDevice::Bytes& frame) {
  tcp::Packet packet;
  EXPECT_EQ(tcp::read_packet(frame.data() + 14, static_cast<std::uint32_t>(frame.size()) - 14,
                             false, packet),
            tcp::Refusal::kNone);
  return packet;
}

inline bool is_tcp(const FakeDevice::Bytes& frame) {
  return read_be16(frame.data() + 12) == 0x0800 && frame[14 + 9] == 6;
}

}  // namespace longhaul::booster
