// SPDX-License-Identifier: Apache-2.0
// TCP offload where the chip or its host has too little memory. Acknowledged data are not lost,
// all data arrive when there is memory again, and nothing is left.
#include "tests/unit/models/host/drivers/chelsio/offload_rig.h"

namespace longhaul::host::offload_testing {
namespace {

/// A server that reads nothing for a second.
Program::Body late_server(ToeHost& host, Stream& in) {
  return [&host, &in](Program& self) {
    const auto listener = make_socket(host, in.buffer);
    listener->listen(self, kPort, 5);
    const auto socket = listener->accept(self);
    self.sleep_ps(1000 * kMs);
    receive_all(self, host, *socket, in);
    socket->close(self);
    listener->close(self);
  };
}

/// A client that opens its connection when the server surely listens.
Program::Body patient_client(ToeHost& host, Stream& out) {
  return [&host, &out](Program& self) {
    self.sleep_ps(100 * kMs);
    client(host, 2, out)(self);
  };
}

struct ToeLack : ToeTest {
  void expect_all(const Stream& stream) {
    EXPECT_TRUE(stream.offloaded);
    EXPECT_EQ(stream.received, stream.bytes);
    EXPECT_EQ(stream.mismatch, std::nullopt);
    EXPECT_EQ(stream.error, std::nullopt);
    expect_no_leak();
  }
};

HostOptions little_memory(std::uint64_t mib) {
  HostOptions options = linux_host();
  options.memory_mib = mib;
  options.driver["rx_buffers"] = 64;
  options.driver["rx_jumbo_buffers"] = 64;
  return options;
}

TEST_F(ToeLack, FullPayloadMemoryHoldsTheSender) {
  HostOptions small = linux_host();
  small.nic["pm_size"] = "1MiB";
  small.nic["pm_page"] = "4KiB";
  build(small, linux_host());
  Stream there{3'000'000};
  there.buffer = 1'000'000;
  run(patient_client(*a, there), late_server(*b, there));
  EXPECT_GT(a->engine().lanes().front()->payload_stalls.value(), 0U);
  expect_all(there);
}

TEST_F(ToeLack, ASendCallWithoutMemoryWaitsForIt) {
  build(little_memory(4), linux_host());
  Stream there{6'000'000};
  there.buffer = 4'000'000;
  run(patient_client(*a, there), late_server(*b, there));
  EXPECT_GT(a->stack.drop_no_memory.value(), 0U);
  expect_all(there);
}

TEST_F(ToeLack, AFullTableOfTheServersChipDelaysTheConnection) {
  HostOptions small = linux_host();
  small.nic["tcam_servers"] = 1;
  small.nic["tcam_routes"] = 1;
  small.nic["tcam_entries"] = 64;
  build(linux_host(), small);
  constexpr std::uint32_t kConnections = 64;  // two more than there are entries
  std::uint32_t opened = 0;
  run(
      [&](Program& self) {
        std::vector<std::unique_ptr<TcpSocket>> sockets;
        for (std::uint32_t i = 0; i < kConnections; ++i) {
          sockets.push_back(make_socket(*a, 65536));
          if (sockets.back()->connect(self, ToeHost::address(2, kPort))) ++opened;
        }
        for (const auto& socket : sockets) socket->close(self);
      },
      [&](Program& self) {
        const auto listener = make_socket(*b, 65536);
        listener->listen(self, kPort, 128);
        std::vector<std::unique_ptr<TcpSocket>> sockets;
        for (std::uint32_t i = 0; i < 62; ++i) sockets.push_back(listener->accept(self));
        self.sleep_ps(1000 * kMs);
        for (std::uint32_t i = 0; i < 10; ++i) sockets[i].reset();  // aborted: no TIME-WAIT
        for (std::uint32_t i = 62; i < kConnections; ++i) sockets.push_back(listener->accept(self));
        for (const auto& socket : sockets) {
          if (socket != nullptr) socket->close(self);
        }
        listener->close(self);
      });
  EXPECT_EQ(opened, kConnections);
  EXPECT_GT(b->engine().probes.table_full.value(), 0U);
  expect_no_leak();
}

}  // namespace
}  // namespace longhaul::host::offload_testing
