// SPDX-License-Identifier: Apache-2.0
// Offloaded sockets at their limits: queues and tables that are full, ports and interfaces that
// close; costs.
#include <gmock/gmock.h>

#include "tests/unit/models/host/drivers/chelsio/offload_rig.h"

namespace longhaul::host::offload_testing {
namespace {

TEST_F(ToeTest, AFullAcceptQueueRefuses) {
  build();
  std::vector<std::optional<SocketError>> errors;
  run(
      [&](Program& self) {
        std::vector<std::unique_ptr<TcpSocket>> sockets;
        for (int i = 0; i < 4; ++i) {
          sockets.push_back(make_socket(*a, 65536));
          sockets.back()->connect(self, ToeHost::address(2, kPort));
          errors.push_back(sockets.back()->error());
        }
        self.sleep_ps(100 * kMs);
        for (const auto& socket : sockets) socket->close(self);
      },
      [&](Program& self) {
        const auto listener = make_socket(*b, 65536);
        listener->listen(self, kPort, 2);
        self.sleep_ps(50 * kMs);
        listener->accept(self)->close(self);
        listener->accept(self)->close(self);
        listener->close(self);
      });
  EXPECT_THAT(errors, ::testing::ElementsAre(std::nullopt, std::nullopt, SocketError::kRefused,
                                             SocketError::kRefused));
  EXPECT_EQ(b->stack.drop_syn.value(), 2U);
  EXPECT_EQ(b->driver().toe()->refused.value(), 2U);
  expect_no_leak();
}

TEST_F(ToeTest, AClosedListenerResetsWhatWasNotAccepted) {
  build();
  std::optional<SocketError> error;
  run(
      [&](Program& self) {
        const auto socket = make_socket(*a, 65536);
        ASSERT_TRUE(socket->connect(self, ToeHost::address(2, kPort)));
        const std::uint64_t user = a->allocate(4096);
        EXPECT_EQ(socket->receive(self, user, 4096), 0U);
        error = socket->error();
        socket->close(self);
      },
      [&](Program& self) {
        const auto listener = make_socket(*b, 65536);
        listener->listen(self, kPort, 5);
        self.sleep_ps(50 * kMs);
        listener->close(self);
      });
  EXPECT_EQ(error, SocketError::kReset);
  expect_no_leak();
}

TEST_F(ToeTest, WithAFullTableTheHostsTcpOpensTheConnection) {
  HostOptions small = linux_host();
  small.nic["tcam_servers"] = 1;
  small.nic["tcam_routes"] = 1;
  small.nic["tcam_entries"] = 64;
  build(small, linux_host());
  constexpr std::uint32_t kConnections = 70;
  std::uint32_t opened = 0;
  std::uint32_t offloaded = 0;
  run(
      [&](Program& self) {
        std::vector<std::unique_ptr<TcpSocket>> sockets;
        for (std::uint32_t i = 0; i < kConnections; ++i) {
          sockets.push_back(make_socket(*a, 65536));
          if (sockets.back()->connect(self, ToeHost::address(2, kPort))) ++opened;
          if (is_offloaded(*sockets.back())) ++offloaded;
        }
        for (const auto& socket : sockets) socket->close(self);
      },
      [&](Program& self) {
        const auto listener = make_socket(*b, 65536);
        listener->listen(self, kPort, 128);
        const std::uint64_t user = b->allocate(4096);
        for (std::uint32_t i = 0; i < kConnections; ++i) {
          const auto socket = listener->accept(self);
          EXPECT_EQ(socket->receive(self, user, 4096), 0U);
          socket->close(self);
        }
        listener->close(self);
      });
  EXPECT_EQ(opened, kConnections);
  EXPECT_EQ(offloaded, 62U) << "64 entries less a server's and a route's";
  EXPECT_EQ(a->driver().toe()->no_room.value(), kConnections - 62);
  expect_no_leak();
}

TEST_F(ToeTest, ClosingTheInterfaceEndsConnections) {
  build();
  Stream there{100'000'000};
  std::optional<SocketError> error;
  run(client_until_error(*a, 2, there, error), [&](Program& self) {
    const auto listener = make_socket(*b, there.buffer);
    listener->listen(self, kPort, 5);
    const auto socket = listener->accept(self);
    const std::uint64_t user = b->allocate(8192);
    for (int i = 0; i < 50; ++i) socket->receive(self, user, 8192);
    b->machine.device().close();
    EXPECT_EQ(socket->send(self, user, 8192), 0U);
    EXPECT_EQ(socket->error(), SocketError::kUnreachable);
    socket->close(self);
    listener->close(self);
    EXPECT_EQ(b->driver().toe()->flows(), 0U);
    EXPECT_EQ(b->stack.offloaded().size(), 0U);
  });
  EXPECT_EQ(error, SocketError::kReset) << "the peer gets a RST";
  expect_no_leak();
}

TEST_F(ToeTest, ASendCallPaysForItsMessage) {
  constexpr std::uint32_t kCycles = 20'000;
  HostOptions dear = linux_host();
  dear.driver["offload_send_cycles"] = kCycles;
  HostOptions cheap = linux_host();
  cheap.driver["offload_send_cycles"] = 0;
  build(dear, cheap);
  // Both do the same: some calls for the caches, and a call of one message.
  const auto measure = [](Program& self, ToeHost& host, TcpSocket& socket) {
    const std::uint64_t user = host.allocate(4096);
    std::uint64_t took = 0;
    for (int i = 0; i < 20; ++i) {
      self.sleep_ps(100 * kMs);
      const std::uint64_t begin = now_ps();
      EXPECT_EQ(socket.send(self, user, 1000), 1000U);
      took = now_ps() - begin;
    }
    return took;
  };
  std::uint64_t took_a = 0;
  std::uint64_t took_b = 0;
  run(
      [&](Program& self) {
        const auto socket = make_socket(*a, 262144);
        ASSERT_TRUE(socket->connect(self, ToeHost::address(2, kPort)));
        took_a = measure(self, *a, *socket);
        self.sleep_ps(5000 * kMs);
        const std::uint64_t user = a->allocate(32768);
        while (socket->receive(self, user, 32768) != 0) {
        }
        EXPECT_EQ(socket->mismatch(), std::nullopt);
        socket->close(self);
      },
      [&](Program& self) {
        const auto listener = make_socket(*b, 262144);
        listener->listen(self, kPort, 5);
        const auto socket = listener->accept(self);
        self.sleep_ps(2500 * kMs);
        took_b = measure(self, *b, *socket);
        const std::uint64_t user = b->allocate(32768);
        EXPECT_EQ(socket->receive(self, user, 32768), 20'000U);
        socket->shutdown(self);
        EXPECT_EQ(socket->receive(self, user, 32768), 0U);
        socket->close(self);
        listener->close(self);
      });
  const double cycle_ps = 1e12 / static_cast<double>(a->machine.core.params().clock().hz);
  EXPECT_NEAR(static_cast<double>(took_a) - static_cast<double>(took_b), kCycles * cycle_ps,
              200 * cycle_ps);
  expect_no_leak();
}

// The chip takes no message while its payload memory is full. The queue's last descriptor goes to a
// message, so the driver does not stop the queue as it does behind a frame.
TEST_F(ToeTest, FramesFindRoomAgainInAQueueThatMessagesHaveFilled) {
  HostOptions small = linux_host();
  small.driver["tx_descriptors"] = 64;
  small.driver["message_data"] = "1024B";
  small.nic["pm_size"] = "1MiB";
  small.nic["pm_page"] = "4KiB";
  build(small, linux_host());
  Stream there{2'000'000, 65'536, 65'536, 1'000'000};
  bool opened = false;
  a->machine.run([&](Program& self) {
    while (!there.opened) self.sleep_ps(kMs);
    self.sleep_ps(1000 * kMs);
    const auto socket = make_socket(*a, 65536);  // of the host's own TCP
    opened = socket->connect(self, ToeHost::address(2, kPort + 1, true));
    socket->close(self);
  });
  run(client(*a, 2, there), [&](Program& self) {
    const auto listener = make_socket(*b, there.buffer);
    listener->listen(self, kPort, 5);
    const auto beside = make_socket(*b, 65536);
    beside->listen(self, kPort + 1, 5);
    const auto socket = listener->accept(self);
    self.sleep_ps(2000 * kMs);
    EXPECT_GT(a->driver().tx_busy.value(), 0U) << "the frame has found the queue full";
    receive_all(self, *b, *socket, there);
    socket->close(self);
    beside->accept(self)->close(self);
    beside->close(self);
    listener->close(self);
  });
  EXPECT_TRUE(opened);
  EXPECT_EQ(there.received, there.bytes);
  expect_no_leak();
}

TEST(ToeParams, OffloadIsForLinuxSocketCalls) {
  NetParams net;
  EXPECT_FALSE(chelsio::toe_driver_params({}, net, "h").offload());
  EXPECT_TRUE(chelsio::toe_driver_params({{"offload", true}}, net, "h").offload());
  net.walks_chains.value = true;
  EXPECT_THROW(chelsio::toe_driver_params({{"offload", true}}, net, "h"), ConfigError);
}

}  // namespace
}  // namespace longhaul::host::offload_testing
