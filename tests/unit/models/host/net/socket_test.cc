// SPDX-License-Identifier: Apache-2.0
// Sockets as programs see them: opening, closing, failing, blocking, and the memory that they
// count.
#include "tests/unit/models/host/net/net_rig.h"

namespace longhaul::host {
namespace {

using testing::Program;

struct SocketTest : testing::NetTest {
  /// Largest window that b offers a sender which is never the limit, for so much memory.
  std::uint64_t largest_window(std::uint64_t memory) {
    params.device.delay_ps = 2 * kMs;
    params.memory = units::MiB(256);
    build();
    Transfer plan;
    plan.verify = false;
    plan.send_buffer = 8'000'000;
    plan.receive_buffer = memory / 2;  // setsockopt() doubles it
    transfer(plan, 60'000'000, 65536, 65536);
    std::uint64_t largest = 0;
    while (!plan.sender_done && now_ps() < 2000 * kMs) {
      run_until(now_ps() + kMs / 4);
      if (plan.sender == nullptr || plan.receiver == nullptr) continue;
      const TcpSnapshot now = plan.sender->snapshot();
      largest = std::max(largest, now.sender->window + now.in_flight);
    }
    EXPECT_TRUE(plan.sender_done);
    EXPECT_EQ(b->stack.drop_socket_memory.value(), 0U);
    return largest;
  }
};

TEST_F(SocketTest, JumboFramesInLargeBuffersGetThreeEighthsOfTheMemoryAsWindow) {
  params.device.mtu = 9198;
  params.device.buffer_bytes = 16384;
  constexpr std::uint64_t kMemory = 2'000'000;
  const std::uint64_t window = largest_window(kMemory);
  // 3/4 of 16384 and overhead is more than a segment, half of that is not: the window grows by 2
  // segments while it is at most 3/8.
  EXPECT_GT(window, kMemory * 3 / 8 - 9146);
  EXPECT_LE(window, kMemory * 3 / 8 + 2 * 9146);
}

TEST_F(SocketTest, WellFilledBuffersGetThreeQuartersOfTheMemoryAsWindow) {
  params.device.buffer_bytes = 1536;
  constexpr std::uint64_t kMemory = 500'000;
  const std::uint64_t window = largest_window(kMemory);
  EXPECT_GT(window, kMemory * 3 / 4 - 3 * 1872);
  EXPECT_LE(window, kMemory * 3 / 4);
}

TEST_F(SocketTest, SystemsThatCountBytesOfferAllOfTheBuffer) {
  params.net.truesize.value = false;
  params.net.receive_buffer.value = {100'000};
  build();
  Transfer plan;
  plan.pause_ps = 1;  // one tick
  transfer(plan, 1'000'000, 20'000, 8192);
  std::uint64_t most = 0;
  while (!plan.receiver_done && now_ps() < 10'000 * kMs) {
    run_until(now_ps() + kMs / 2);
    if (plan.receiver == nullptr) continue;
    most = std::max(
        most, static_cast<StreamSocket*>(plan.receiver)->endpoint()->receive_queue().charged());
  }
  EXPECT_EQ(plan.received, 1'000'000U);
  EXPECT_LE(most, 100'000U);
  EXPECT_GT(most, 100'000U - 2 * 1448U);
}

TEST_F(SocketTest, ASendBufferThatNobodySetGrowsWithTheCongestionWindow) {
  params.net.send_buffer.value = units::KiB(16);
  params.net.send_buffer_most.value = units::KiB(128);
  build();
  Transfer plan;
  transfer(plan, 2'000'000, 20'000, 8192);
  std::uint64_t least = ~std::uint64_t{0};
  std::uint64_t most = 0;
  while (!plan.receiver_done && now_ps() < 10'000 * kMs) {
    run_until(now_ps() + kMs / 100);
    if (plan.sender_done || plan.sender == nullptr) continue;
    const std::uint64_t limit =
        static_cast<StreamSocket*>(plan.sender)->endpoint()->send_queue().limit();
    least = std::min(least, limit);
    most = std::max(most, limit);
  }
  EXPECT_EQ(plan.received, 2'000'000U);
  EXPECT_LT(least, units::KiB(64).count);
  EXPECT_GT(most, units::KiB(64).count);  // a window of 64 KiB, in buffers with their overhead
  EXPECT_LE(most, units::KiB(128).count);
}

TEST_F(SocketTest, AReaderThatSleepsStopsTheSenderAndLosesNothing) {
  build();
  Transfer plan;
  plan.pause_ps = 20 * kMs;
  transfer(plan, 600'000, 50'000, 40'000);
  run_until(60 * kMs);
  ASSERT_NE(plan.sender, nullptr);
  EXPECT_LT(plan.sender->snapshot().sender->window, 1448U);
  run_until(5000 * kMs);
  EXPECT_EQ(plan.received, 600'000U);
  EXPECT_FALSE(plan.mismatch);
  EXPECT_EQ(a->stack.retransmits.value(), 0U);
  EXPECT_GT(b->stack.collapsed.value(),
            0U);  // 1448 bytes in 2384: what was promised fits only when it is copied together
  expect_no_leak();
}

TEST_F(SocketTest, SegmentsWaitInTheBacklogWhileTheReaderOwnsTheSocket) {
  params.net.prequeue.value = false;
  build();
  Transfer plan;
  transfer(plan, 2'000'000, 65536, 65536);
  run_until(3000 * kMs);
  EXPECT_EQ(plan.received, 2'000'000U);
  EXPECT_FALSE(plan.mismatch);
  EXPECT_GT(b->stack.backlogged.value(), 0U);
  EXPECT_EQ(b->stack.prequeued.value(), 0U);
}

TEST_F(SocketTest, AWaitingReaderHandlesItsSegmentsItself) {
  build();
  Transfer plan;
  transfer(plan, 100'000, 1000, 8192);
  run_until(3000 * kMs);
  EXPECT_EQ(plan.received, 100'000U);
  EXPECT_FALSE(plan.mismatch);
  EXPECT_GT(b->stack.prequeued.value(), 0U);
}

TEST_F(SocketTest, AReaderAnswersOnceForWhatItTookStraightIntoItsMemory) {
  params.net.reader_acks.value = true;
  build();
  Transfer plan;
  transfer(plan, 2'000'000, 65536, 65536);
  run_until(3000 * kMs);
  EXPECT_EQ(plan.received, 2'000'000U);
  EXPECT_FALSE(plan.mismatch);
  EXPECT_GT(b->stack.prequeued.value(), 0U);
  // Every second one without.
  EXPECT_LT(b->stack.segments_out.value(), 2'000'000U / 1448 / 3);
}

TEST_F(SocketTest, WithNagleOffSmallWritesDoNotWaitForWhatIsOutstanding) {
  params.tcp.nagle.value = "off";
  build();
  std::uint64_t frames = 0;
  program(*b, "server", [&](Program& self) {
    const std::uint64_t user = allocate(*b, 1000);
    const auto listener = b->stack.tcp_socket();
    listener->listen(self, 5001, 5);
    const auto socket = listener->accept(self);
    while (socket->receive(self, user, 1000) != 0) {
    }
    socket->close(self);
    listener->close(self);
  });
  program(*a, "client", [&](Program& self) {
    const std::uint64_t user = allocate(*a, 100);
    const auto socket = a->stack.tcp_socket();
    ASSERT_TRUE(socket->connect(self, address(2)));
    const std::uint64_t before = a->device.frames_sent;
    for (int i = 0; i < 3; ++i) socket->send(self, user, 100);
    frames = a->device.frames_sent - before;
    EXPECT_EQ(socket->snapshot().sender->una, 1U);
    socket->close(self);
  });
  run_until(1000 * kMs);
  EXPECT_EQ(frames, 3U);
  expect_no_leak();
}

TEST_F(SocketTest, SynsBeyondTheBacklogAreDroppedAndTriedAgain) {
  build();
  int accepted = 0;
  program(*b, "server", [&](Program& self) {
    const auto listener = b->stack.tcp_socket();
    listener->listen(self, 5001, 2);
    {
      const Process::Syscall call(self);
      self.sleep(500 * kMs);
    }
    std::vector<std::unique_ptr<TcpSocket>> open;
    while (accepted < 4) {
      open.push_back(listener->accept(self));
      ++accepted;
    }
    for (const auto& socket : open) socket->close(self);
    listener->close(self);
  });
  int connected = 0;
  for (int i = 0; i < 4; ++i) {
    program(*a, "client" + std::to_string(i), [&, i](Program& self) {
      {  // one after the other: only one packet waits for ARP
        const Process::Syscall call(self);
        self.sleep((i + 1) * 5 * kMs);
      }
      const auto socket = a->stack.tcp_socket();
      if (socket->connect(self, address(2))) ++connected;
      socket->close(self);
    });
  }
  run_until(400 * kMs);
  EXPECT_EQ(connected, 2);
  EXPECT_EQ(b->stack.drop_syn.value(), 2U);
  run_until(6000 * kMs);
  EXPECT_EQ(connected, 4);
  EXPECT_EQ(accepted, 4);
  expect_no_leak();
}

TEST_F(SocketTest, APortWithoutListenerRefuses) {
  build();
  std::optional<SocketError> error;
  program(*a, "client", [&](Program& self) {
    const auto socket = a->stack.tcp_socket();
    EXPECT_FALSE(socket->connect(self, address(2)));
    error = socket->error();
    socket->close(self);
  });
  run_until(10 * kMs);
  EXPECT_EQ(error, SocketError::kRefused);
  EXPECT_EQ(b->stack.resets_out.value(), 1U);
  expect_no_leak();
}

TEST_F(SocketTest, AStationThatDoesNotAnswerIsUnreachableAfterThreeRequests) {
  build();
  std::optional<SocketError> error;
  std::uint64_t at = 0;
  program(*a, "client", [&](Program& self) {
    const auto socket = a->stack.tcp_socket();
    EXPECT_FALSE(socket->connect(self, address(9)));
    at = now_ps();
    error = socket->error();
    socket->close(self);
  });
  run_until(20'000 * kMs);
  EXPECT_EQ(error, SocketError::kUnreachable);
  EXPECT_GE(at, 3000 * kMs);  // a second each, and the ticks behind them
  EXPECT_LE(at, 3003 * kMs);
  EXPECT_EQ(a->device.frames_sent, 3U);
  EXPECT_GE(a->stack.drop_neighbour.value(), 2U);  // the SYN, and the one that was sent again
  expect_no_leak();
}

TEST_F(SocketTest, ClosingWithUnreadDataResets) {
  build();
  std::optional<SocketError> error;
  std::uint64_t sent = 0;
  program(*b, "server", [&](Program& self) {
    const std::uint64_t user = allocate(*b, 1000);
    const auto listener = b->stack.tcp_socket();
    listener->listen(self, 5001, 5);
    const auto socket = listener->accept(self);
    socket->receive(self, user, 1000);
    {
      const Process::Syscall call(self);
      self.sleep(20 * kMs);
    }
    socket->close(self);
    listener->close(self);
  });
  program(*a, "client", [&](Program& self) {
    const std::uint64_t user = allocate(*a, 100'000);
    const auto socket = a->stack.tcp_socket();
    ASSERT_TRUE(socket->connect(self, address(2)));
    while (const std::uint64_t n = socket->send(self, user, 100'000)) {
      sent += n;
      if (n < 100'000) break;
    }
    error = socket->error();
    socket->close(self);
  });
  run_until(1000 * kMs);
  EXPECT_EQ(error, SocketError::kReset);
  EXPECT_GT(sent, 0U);
  expect_no_leak();
}

TEST_F(SocketTest, TheOtherDirectionGoesOnAfterAHalfClose) {
  build();
  std::uint64_t got = 0;
  bool end_seen = false;
  program(*b, "server", [&](Program& self) {
    const std::uint64_t user = allocate(*b, 10'000);
    const auto listener = b->stack.tcp_socket();
    listener->listen(self, 5001, 5);
    const auto socket = listener->accept(self);
    while (socket->receive(self, user, 10'000) != 0) {
    }
    end_seen = true;
    for (int i = 0; i < 10; ++i) EXPECT_EQ(socket->send(self, user, 10'000), 10'000U);
    socket->close(self);
    listener->close(self);
  });
  program(*a, "client", [&](Program& self) {
    const std::uint64_t user = allocate(*a, 10'000);
    const auto socket = a->stack.tcp_socket();
    ASSERT_TRUE(socket->connect(self, address(2)));
    socket->send(self, user, 500);
    socket->shutdown(self);
    EXPECT_EQ(socket->send(self, user, 500), 0U);
    while (const std::uint64_t n = socket->receive(self, user, 10'000)) got += n;
    EXPECT_FALSE(socket->error());
    socket->close(self);
  });
  run_until(3000 * kMs);
  EXPECT_TRUE(end_seen);
  EXPECT_EQ(got, 100'000U);
  expect_no_leak();
}

TEST_F(SocketTest, TimeWaitKeepsNoSocketAndAnswersALostAck) {
  build();
  Transfer plan;
  transfer(plan, 1000, 1000, 8192);
  // The writer closes first; its last frame acknowledges the reader's FIN. It is lost once.
  bool fin_seen = false;
  bool lost = false;
  b->device.on_sent = [&](const testing::FakeDevice::Bytes& frame) {
    if (frame.size() > 47 && frame[23] == 6) fin_seen = fin_seen || (frame[47] & 1U) != 0;
  };
  a->device.fate = [&](std::uint64_t, testing::FakeDevice::Bytes&) -> std::vector<std::uint64_t> {
    if (!fin_seen || lost) return {0};
    lost = true;
    return {};
  };
  run_until(100 * kMs);
  EXPECT_TRUE(lost);
  EXPECT_EQ(a->stack.time_wait(), 1U);
  EXPECT_EQ(a->stack.endpoints(), 0U);
  EXPECT_EQ(a->pool.used(), user_a);
  EXPECT_EQ(b->stack.endpoints(), 1U);  // in LAST-ACK
  run_until(900 * kMs);
  EXPECT_EQ(b->stack.endpoints(), 0U);
  EXPECT_EQ(a->stack.time_wait(), 1U);
  run_until(2500 * kMs);
  EXPECT_EQ(a->stack.time_wait(), 0U);
  expect_no_leak();
}

TEST_F(SocketTest, DataForAClosedReaderAreAnsweredWithAReset) {
  build();
  std::optional<SocketError> error;
  program(*b, "server", [&](Program& self) {
    const std::uint64_t user = allocate(*b, 10'000);
    const auto listener = b->stack.tcp_socket();
    listener->listen(self, 5001, 5);
    const auto socket = listener->accept(self);
    {
      const Process::Syscall call(self);
      self.sleep(10 * kMs);
    }
    while (socket->send(self, user, 10'000) == 10'000) {
    }
    error = socket->error();
    socket->close(self);
    listener->close(self);
  });
  program(*a, "client", [&](Program& self) {
    const auto socket = a->stack.tcp_socket();
    ASSERT_TRUE(socket->connect(self, address(2)));
    socket->close(self);
  });
  run_until(1000 * kMs);
  EXPECT_EQ(error, SocketError::kReset);
  expect_no_leak();
}

TEST_F(SocketTest, TwoProcessorsShareASocket) {
  params.processors = 2;  // interrupts come to the second
  build();
  Transfer plan;
  plan.sender_cpu = 0;
  plan.receiver_cpu = 0;
  transfer(plan, 3'000'000, 65536, 8192);
  run_until(3000 * kMs);
  EXPECT_EQ(plan.received, 3'000'000U);
  EXPECT_FALSE(plan.mismatch);
  EXPECT_EQ(a->stack.retransmits.value(), 0U);
  expect_no_leak();
}

}  // namespace
}  // namespace longhaul::host
