// SPDX-License-Identifier: Apache-2.0
// TCP's checksums where the adapter makes none: who sums a segment, when, and at what price.
#include "tests/unit/models/host/net/net_rig.h"

namespace longhaul::host {
namespace {

constexpr std::uint64_t kBytes = 1000;
constexpr std::uint64_t kHeader = 32;                    // TCP's, with timestamps
constexpr std::uint64_t kAfterwards = kHeader / 2 + 20;  // the reader's ACK, and a call that sleeps

/// A sender sends kBytes 100 ms after the connection was opened. Only sums, copies and the system
/// call cost anything: half a nanosecond a byte, and 20 ns.
struct SoftwareSums : testing::NetTest {
  SoftwareSums() {
    NetParams& net = params.net;
    for (auto* const cycles : {&net.tcp_send_cycles, &net.tcp_send_ack_cycles, &net.tcp_ack_cycles,
                               &net.tcp_receive_cycles, &net.ip_send_cycles, &net.ip_receive_cycles,
                               &net.allocate_cycles, &net.socket_call_cycles}) {
      cycles->value = 0;
    }
    params.kernel.softirq_cycles.value = 0;
    params.kernel.wakeup_cycles.value = 0;
    params.kernel.schedule_cycles.value = 0;
    params.device.features.checksum_tx = params.device.features.checksum_rx = false;
    testing::ask_for(net, "linux-2.6");
  }

  std::uint64_t sent_system = 0;
  std::uint64_t received_system = 0;
  std::uint64_t received_softirq = 0;

  static std::uint64_t spent(testing::RigHost& host, cpu::CoreState state) {
    return host.cpus[0]->spent(state);
  }

  /// The receiver's program has a buffer of `room` bytes, and waits in its call from the start or
  /// begins to read 50 ms after the segment.
  void one_segment(std::uint64_t room, bool waits) {
    build();
    program(*b, "server", [&](testing::Program& self) {
      const std::uint64_t user = allocate(*b, kBytes);
      const auto listener = b->stack.tcp_socket();
      listener->listen(self, 5001, 5);
      const auto socket = listener->accept(self);
      if (!waits) {
        const Process::Syscall call(self);
        self.sleep(150 * kMs);
      }
      std::uint64_t done = 0;
      while (done < kBytes) done += socket->receive(self, user, std::min(room, kBytes - done));
      const Process::Syscall call(self);
      self.sleep(1000 * kMs);
    });
    program(*a, "client", [&](testing::Program& self) {
      const std::uint64_t user = allocate(*a, kBytes);
      const auto socket = a->stack.tcp_socket();
      ASSERT_TRUE(socket->connect(self, address(2)));
      {
        const Process::Syscall call(self);
        self.sleep(100 * kMs);
      }
      const std::uint64_t before = spent(*a, cpu::CoreState::kSystem);
      const std::uint64_t system = spent(*b, cpu::CoreState::kSystem);
      const std::uint64_t softirq = spent(*b, cpu::CoreState::kSoftirq);
      socket->send(self, user, kBytes);
      sent_system = (spent(*a, cpu::CoreState::kSystem) - before) / kNs;
      {
        const Process::Syscall call(self);
        self.sleep(100 * kMs);
      }
      received_system = (spent(*b, cpu::CoreState::kSystem) - system) / kNs;
      received_softirq = (spent(*b, cpu::CoreState::kSoftirq) - softirq) / kNs;
    });
    run_until(900 * kMs);
  }
};

TEST_F(SoftwareSums, LinuxSumsWhatItSendsWhileItCopies) {
  one_segment(kBytes, true);
  EXPECT_EQ(sent_system, 20U + kBytes / 2 + kHeader / 2);
}

TEST_F(SoftwareSums, OtherSystemsSumWhatTheySendInAPassOfItsOwn) {
  params.net.sum_with_copy.value = false;
  one_segment(kBytes, true);
  EXPECT_EQ(sent_system, 20U + kBytes / 2 + (kHeader + kBytes) / 2);
}

TEST_F(SoftwareSums, AWaitingReaderSumsWhileItCopies) {
  one_segment(kBytes, true);
  EXPECT_EQ(b->stack.prequeued.value(), 1U);
  EXPECT_EQ(received_softirq, 0U);
  EXPECT_EQ(received_system, kHeader / 2 + kBytes / 2 + kAfterwards);
}

TEST_F(SoftwareSums, AReaderWithoutRoomForTheSegmentSumsItFirst) {
  one_segment(kBytes - 1, true);
  EXPECT_EQ(received_softirq, 0U);
  EXPECT_EQ(received_system, (kHeader + kBytes) / 2 + kBytes / 2 + 20 + kAfterwards);  // two calls
}

TEST_F(SoftwareSums, TheSoftirqSumsWhatFindsNoReader) {
  one_segment(kBytes, false);
  EXPECT_EQ(received_softirq, (kHeader + kBytes) / 2 + kHeader / 2);  // and the delayed ACK
}

TEST_F(SoftwareSums, OtherSystemsSumWhatTheyReceiveInTheSoftirq) {
  testing::ask_for(params.net, "stream");
  params.net.sum_with_copy.value = false;
  one_segment(kBytes, true);
  EXPECT_EQ(received_softirq, (kHeader + kBytes) / 2);
}

TEST_F(SoftwareSums, EveryByteArrives) {
  params.net.prequeue.value = true;
  build();
  Transfer plan;
  transfer(plan, 500'000, 10'000, 8192);
  run_until(3000 * kMs);
  EXPECT_EQ(plan.received, 500'000U);
  EXPECT_FALSE(plan.mismatch);
  expect_no_leak();
}

}  // namespace
}  // namespace longhaul::host
