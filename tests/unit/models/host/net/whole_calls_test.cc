// SPDX-License-Identifier: Apache-2.0
// Sockets of a system whose sends are whole calls and whose receives wait as buffers (Windows: AFD,
// TDI).
#include "tests/unit/models/host/net/net_rig.h"

namespace longhaul::host {
namespace {

using testing::Program;

constexpr std::uint64_t kCall = 8192;

struct WholeCallsTest : testing::NetTest {
  std::vector<std::uint64_t> returned;  // when each send call came back, from the first one on
  std::vector<std::uint64_t> reads;     // what each receive call returned

  WholeCallsTest() {
    params.net.truesize.value = false;
    params.net.prequeue.value = false;
    params.net.send_linear.value = {0};
    params.net.send_buffer.value = {kCall};
    params.net.send_buffer_most.value = {0};
    params.net.receive_buffer.value = {17520};
    params.net.send_by_call.value = true;
    params.net.posted_reads.value = true;
    params.net.receive_ahead.value = {kCall};
    params.net.window_segments.value = 4;
    params.tcp.timestamps.value = false;
    params.tcp.window_start.value = 0;
    params.tcp.initial_window.value = 64;
    params.tcp.window_scaling.value = false;
    params.tcp.window_in_segments.value = true;
    params.tcp.nagle.value = "off";
  }

  /// The server reads in calls of `read` bytes, after `pause` ms, forever.
  void serve(std::uint64_t read, std::uint64_t pause = 0) {
    program(*b, "server", [this, read, pause](Program& self) {
      const std::uint64_t user = allocate(*b, read);
      const auto listener = b->stack.tcp_socket();
      listener->listen(self, 5001, 5);
      const auto socket = listener->accept(self);
      if (pause != 0) {
        const Process::Syscall call(self);
        self.sleep(pause * kMs);
      }
      while (const std::uint64_t n = socket->receive(self, user, read)) reads.push_back(n);
      socket->close(self);
      listener->close(self);
    });
  }

  /// The client makes `calls` calls of `bytes` with a send buffer of `buffer` (0: the system's
  /// own).
  void send(std::size_t calls, std::uint64_t bytes, std::uint64_t buffer = 0) {
    program(*a, "client", [this, calls, bytes, buffer](Program& self) {
      const std::uint64_t user = allocate(*a, bytes);
      const auto socket = a->stack.tcp_socket();
      if (buffer != 0) socket->set_buffers(buffer, 17520);
      ASSERT_TRUE(socket->connect(self, address(2)));
      const std::uint64_t begin = now_ps();
      for (std::size_t i = 0; i < calls; ++i) {
        EXPECT_EQ(socket->send(self, user, bytes), bytes);
        returned.push_back(now_ps() - begin);
      }
      socket->close(self);
    });
  }
};

TEST_F(WholeCallsTest, ACallReturnsAtOnceWhileOnlyOneOtherIsOutstanding) {
  params.device.delay_ps = 10 * kMs;
  build();
  serve(kCall);
  send(4, kCall);
  run_until(500 * kMs);
  ASSERT_EQ(returned.size(), 4U);
  EXPECT_LT(returned[1], kMs);
  EXPECT_GE(returned[2], 20 * kMs);  // one of two before it is acknowledged
  EXPECT_LT(returned[2], 22 * kMs);
  EXPECT_GE(returned[3], returned[2]);
}

TEST_F(WholeCallsTest, CallsReturnAtOnceAsLongAsLessThanTheSendBufferIsBeforeThem) {
  params.device.delay_ps = 10 * kMs;
  build();
  serve(kCall);
  send(10, kCall, 4 * kCall);
  run_until(1000 * kMs);
  ASSERT_EQ(returned.size(), 10U);
  EXPECT_LT(returned[3], kMs);       // before the fourth are three
  EXPECT_GE(returned[4], 20 * kMs);  // before the fifth are four, which fill the buffer
}

TEST_F(WholeCallsTest, ACallLargerThanTheSendBufferIsTakenWhole) {
  params.device.delay_ps = 10 * kMs;
  build();
  serve(65536);
  send(1, 100'000);
  run_until(1000 * kMs);
  ASSERT_EQ(returned.size(), 1U);
  EXPECT_LT(returned[0], kMs);
}

TEST_F(WholeCallsTest, AWaitingReadReturnsWhenItIsFullOrWhenASegmentIsPushed) {
  params.device.delay_ps = 100 * kUs;
  build();
  serve(25'000);
  send(1, 60'000);
  run_until(1000 * kMs);
  std::uint64_t sum = 0;
  for (const std::uint64_t n : reads) sum += n;
  EXPECT_EQ(sum, 60'000U);
  ASSERT_GE(reads.size(), 3U);
  EXPECT_EQ(reads[0], 25'000U);  // 18 segments, one return
  EXPECT_LE(reads.size(), 5U);   // what came while no call waited returns by itself
}

struct WindowCase {
  std::uint64_t buffer;
  std::uint32_t segments;  // window_segments
  std::uint64_t window;
};

struct WholeWindowTest : WholeCallsTest, ::testing::WithParamInterface<WindowCase> {};

TEST_P(WholeWindowTest, TheWindowIsWholeSegmentsAndSomeAtLeastUnlessItIsLessThanOne) {
  params.net.receive_buffer.value = {GetParam().buffer};
  params.net.window_segments.value = GetParam().segments;
  build();
  serve(kCall);
  std::uint64_t largest = 0;
  program(*a, "client", [&](Program& self) {
    const std::uint64_t user = allocate(*a, 100'000);
    const auto socket = a->stack.tcp_socket();
    ASSERT_TRUE(socket->connect(self, address(2)));
    socket->send(self, user, 100'000);
    {
      const Process::Syscall call(self);
      self.sleep(50 * kMs);
    }
    largest = socket->snapshot().sender->largest_window;
    socket->close(self);
  });
  run_until(500 * kMs);
  EXPECT_EQ(largest, GetParam().window);
}

INSTANTIATE_TEST_SUITE_P(Buffers, WholeWindowTest,
                         ::testing::Values(WindowCase{16384, 4, 17520}, WindowCase{17520, 4, 17520},
                                           WindowCase{2000, 4, 5840}, WindowCase{1000, 4, 1000},
                                           WindowCase{65536, 1, 64240}, WindowCase{2000, 0, 1460}));

TEST_F(WholeCallsTest, WhatNobodyWaitsForIsTakenAheadUntilTheWindowCloses) {
  params.device.delay_ps = 100 * kUs;
  build();
  serve(kCall, 300);
  send(1, 100'000);
  run_until(200 * kMs);
  const std::uint64_t held = b->stack.data_bytes_in.value();
  EXPECT_GE(held, 12U * 1460);                 // a window
  EXPECT_LE(held, 12U * 1460 + kCall + 1460);  // and what the socket took ahead of it
  EXPECT_GT(held, 12U * 1460 + kCall - 2 * 1460);
  run_until(3000 * kMs);
  std::uint64_t sum = 0;
  for (const std::uint64_t n : reads) sum += n;
  EXPECT_EQ(sum, 100'000U);
}

TEST_F(WholeCallsTest, NothingIsLostOrLeakedWithLosses) {
  params.device.delay_ps = 200 * kUs;
  params.tcp.window_scaling.value = true;
  build();
  a->device.fate = [](std::uint64_t n, testing::FakeDevice::Bytes&) {
    return n % 37 == 11 ? std::vector<std::uint64_t>{}
                        : std::vector<std::uint64_t>{n % 5 == 0 ? 300 * kUs : 0};
  };
  Transfer plan;
  plan.send_buffer = 20'000;
  plan.receive_buffer = 100'000;
  transfer(plan, 1'000'000, 30'000, 23'456);
  run_until(60'000 * kMs);
  EXPECT_TRUE(plan.receiver_done);
  EXPECT_EQ(plan.received, 1'000'000U);
  EXPECT_FALSE(plan.mismatch);
  EXPECT_GT(a->stack.retransmits.value(), 0U);
  expect_no_leak();
}

}  // namespace
}  // namespace longhaul::host
