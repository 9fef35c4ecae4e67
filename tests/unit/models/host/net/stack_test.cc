// SPDX-License-Identifier: Apache-2.0
// Address resolution, echo, queues, and what a packet of each kind is charged.
#include "models/host/net/icmp.h"
#include "models/net/frame/checksum.h"
#include "models/tcp/wire.h"
#include "tests/unit/models/host/net/net_rig.h"

namespace longhaul::host {
namespace {

using cpu::CoreState;
using ::testing::ElementsAreArray;
using testing::Program;
using Frame = testing::FakeDevice::Bytes;

struct StackTest : testing::NetTest {
  std::vector<std::optional<std::uint64_t>> ping(const Address& to, std::uint32_t count,
                                                 std::uint32_t bytes) {
    std::vector<std::optional<std::uint64_t>> rtts;
    program(*a, "ping", [&, to, count, bytes](Program& self) {
      Echo echo(a->stack, 77);
      for (std::uint16_t i = 1; i <= count; ++i) {
        EXPECT_TRUE(echo.send(self, to, i, bytes));
        rtts.push_back(echo.wait(self, i, 100 * kMs));
      }
    });
    run_until(2000 * kMs);
    return rtts;
  }
};

TEST_F(StackTest, ArpAsksEverybodyAndAnswersTheOneWhoAsked) {
  build();
  a->device.capture = b->device.capture = true;
  ping(address(2, 0), 1, 56);
  ASSERT_EQ(a->device.captured.size(), 2U);  // the request waited for the answer
  ASSERT_EQ(b->device.captured.size(), 2U);
  const Frame request{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2, 0, 0, 0, 0,  1, 0x08, 0x06,
                      0,    1,    0x08, 0,    6,    4,    0, 1, 2, 0, 0,  0, 0,    1,
                      10,   0,    0,    1,    0,    0,    0, 0, 0, 0, 10, 0, 0,    2};
  const Frame reply{2, 0, 0, 0, 0, 1, 2, 0,  0, 0, 0, 2, 0x08, 0x06, 0, 1, 0x08, 0,  6, 4, 0,
                    2, 2, 0, 0, 0, 0, 2, 10, 0, 0, 2, 2, 0,    0,    0, 0, 1,    10, 0, 0, 1};
  EXPECT_THAT(a->device.captured[0], ElementsAreArray(request));
  EXPECT_THAT(b->device.captured[0], ElementsAreArray(reply));
  expect_no_leak();
}

TEST_F(StackTest, NeighbourDiscoveryAsksTheSolicitedNodeGroup) {
  build();
  a->device.capture = b->device.capture = true;
  const auto rtts = ping(address(2, 0, true), 1, 56);
  EXPECT_TRUE(rtts[0].has_value());
  ASSERT_EQ(a->device.captured.size(), 2U);
  const Frame& asked = a->device.captured[0];
  ASSERT_EQ(asked.size(), 14U + 40 + 32);
  const Frame head{0x33, 0x33, 0xff, 0,    0, 2, 2, 0, 0,  0,  0,
                   1,    0x86, 0xdd, 0x60, 0, 0, 0, 0, 32, 58, 255};
  EXPECT_THAT(Frame(asked.begin(), asked.begin() + 22), ElementsAreArray(head));
  const Frame target{0xfd, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 1, 1, 2, 0, 0, 0, 0, 1};
  EXPECT_EQ(asked[54], 135);
  EXPECT_THAT(Frame(asked.begin() + 62, asked.end()), ElementsAreArray(target));
  EXPECT_TRUE(icmp::intact(asked.data(), true, asked.data() + 54, 32));
  const Frame& told = b->device.captured[0];
  EXPECT_EQ(told[54], 136);
  EXPECT_EQ(told[58], 0x60);  // solicited, override
  EXPECT_TRUE(icmp::intact(told.data(), true, told.data() + 54, 32));
  expect_no_leak();
}

TEST_F(StackTest, PingsComeBackWithTheirBytes) {
  build();
  b->device.capture = true;
  const auto rtts = ping(address(2, 0), 3, 1400);
  ASSERT_EQ(rtts.size(), 3U);
  for (const auto& rtt : rtts) {
    ASSERT_TRUE(rtt.has_value());
    EXPECT_GT(*rtt, 2 * params.device.delay_ps);
    EXPECT_LT(*rtt, 4 * params.device.delay_ps + 20 * kUs);
  }
  EXPECT_LT(*rtts[1], *rtts[0]);  // the first one waited for ARP
  EXPECT_EQ(*rtts[1], *rtts[2]);
  const Frame& answer = b->device.captured[1];
  for (std::uint32_t i = 0; i < 1400; ++i) ASSERT_EQ(answer[42 + i], static_cast<std::uint8_t>(i));
  EXPECT_EQ(b->stack.echo_requests.value(), 3U);
  expect_no_leak();
}

TEST_F(StackTest, ADamagedEchoIsNotAnswered) {
  build();
  a->device.fate = [](std::uint64_t n, Frame& frame) -> std::vector<std::uint64_t> {
    if (n > 0) frame[50] ^= 1U;
    return {0};
  };
  EXPECT_FALSE(ping(address(2, 0), 1, 56)[0].has_value());
  EXPECT_EQ(b->stack.drop_checksum.value(), 1U);
  expect_no_leak();
}

TEST_F(StackTest, AFullQueueRefusesAndTellsOfRoom) {
  params.net.qdisc_packets.value = 3;
  params.device.ring = 2;
  params.device.bits_per_s = 100'000'000;
  params.net.send_buffer.value = {200'000};
  build();
  Transfer plan;
  transfer(plan, 500'000, 100'000, 65536);
  run_until(3000 * kMs);
  EXPECT_EQ(plan.received, 500'000U);
  EXPECT_FALSE(plan.mismatch);
  EXPECT_GT(a->stack.drop_qdisc.value(), 0U);
  EXPECT_GT(a->device.refusals, 0U);
  EXPECT_EQ(a->stack.qdisc.highest(), 3U);
  EXPECT_EQ(a->stack.retransmits.value(), 0U);  // what was refused was not lost
  expect_no_leak();
}

TEST_F(StackTest, AFullQueueTakesNoTimeUntilTheDeviceHasRoomAndThenFillsAtOnce) {
  params.net.qdisc_packets.value = 1;
  params.net.send_buffer.value = {200'000};
  params.net.truesize.value = false;
  params.tcp.initial_window.value = 64;
  params.tcp.window_start.value = 0;
  params.device.ring = 1;
  params.device.bits_per_s = 10'000'000;
  params.device.delay_ps = 200 * kMs;  // no acknowledgement asks for the next segment
  build();
  Transfer plan;
  transfer(plan, 60'000, 60'000, 65536);
  while (a->stack.drop_qdisc.value() == 0 && now_ps() < 2000 * kMs) run_until(now_ps() + kMs / 10);
  ASSERT_GT(a->stack.drop_qdisc.value(), 0U);
  const std::uint64_t frames = a->device.frames_sent;
  const std::uint64_t runs = a->processor().softirq_runs.value();
  constexpr std::uint64_t kFrames = 10;
  constexpr std::uint64_t kFramePs = std::uint64_t{1514 + 24} * 8 * 100 * kNs;
  run_until(now_ps() + kFrames * kFramePs);
  EXPECT_EQ(a->device.frames_sent, frames + kFrames);
  EXPECT_LE(a->processor().softirq_runs.value(), runs + 4 * kFrames);
}

TEST_F(StackTest, AFullInputQueueLosesWhatTheInterruptBrings) {
  params.device.napi = false;
  params.net.input_queue_packets.value = 4;
  params.net.tcp_receive_cycles.value = 9000;
  params.net.prequeue.value = false;
  params.net.send_buffer.value = {400'000};
  build();
  Transfer plan;
  transfer(plan, 1'000'000, 65536, 65536);
  run_until(20'000 * kMs);
  EXPECT_EQ(plan.received, 1'000'000U);
  EXPECT_FALSE(plan.mismatch);
  EXPECT_GT(b->stack.drop_input_queue.value(), 0U);
  EXPECT_GT(a->stack.retransmits.value(), 0U);
  EXPECT_EQ(b->stack.input_backlog.highest(), 4U);
  expect_no_leak();
}

TEST_F(StackTest, AnAdapterThatDoesNothingGetsWholePacketsWithChecksums) {
  params.device.features = {false, false, false, 0};
  params.net.send_linear.value = {0};  // the headers would be apart
  build();
  a->device.on_sent = [](const Frame& frame) {
    if (frame[12] != 8 || frame[13] != 0) return;
    tcp::Packet packet;
    EXPECT_EQ(tcp::read_packet(frame.data() + 14, static_cast<std::uint32_t>(frame.size() - 14),
                               false, packet),
              tcp::Refusal::kNone);
  };
  Transfer plan;
  transfer(plan, 200'001, 7777, 8192);
  run_until(3000 * kMs);
  EXPECT_EQ(plan.received, 200'001U);
  EXPECT_FALSE(plan.mismatch);
  EXPECT_EQ(a->device.last.count, 1U);
  EXPECT_FALSE(a->device.last.checksum);
  expect_no_leak();
}

TEST_F(StackTest, SegmentationIsLeftToTheAdapterThatCan) {
  params.device.features.tso_bytes = 65536;
  params.tcp.window_start.value = 0;
  params.net.truesize.value = false;  // a window at once, so that super-segments are long
  params.net.send_buffer.value = {400'000};
  params.net.receive_buffer.value = {400'000};
  build();
  std::uint32_t longest = 0;
  std::uint32_t most_extents = 0;
  a->device.on_sent = [&](const Frame& frame) {
    EXPECT_LE(frame.size(), 1514U);
    longest = std::max(longest, a->device.last.bytes);
    most_extents = std::max(most_extents, a->device.last.count);
    tcp::Packet packet;
    if (frame[12] == 8 && frame[13] == 0) {
      EXPECT_EQ(tcp::read_packet(frame.data() + 14, static_cast<std::uint32_t>(frame.size() - 14),
                                 false, packet),
                tcp::Refusal::kNone);
    }
  };
  Transfer plan;
  transfer(plan, 3'000'000, 131072, 65536);
  run_until(3000 * kMs);
  EXPECT_EQ(plan.received, 3'000'000U);
  EXPECT_FALSE(plan.mismatch);
  EXPECT_GT(longest, 30'000U);
  EXPECT_LE(most_extents, TxPacket::kMostExtents);
  EXPECT_LT(a->device.packets_taken * 3,
            a->device.frames_sent * 2);  // an ACK lets two segments out at least
  expect_no_leak();
}

TEST_F(StackTest, WindowsAndFlightAreThoseOfTheOpenConnections) {
  build();
  Transfer plan;
  transfer(plan, 300'000, 8192, 65536);
  run_until(3000 * kMs);
  EXPECT_EQ(plan.received, 300'000U);
  EXPECT_EQ(a->stack.written_bytes.value(), 300'000U);
  EXPECT_EQ(b->stack.written_bytes.value(), 0U);
  EXPECT_GE(a->stack.flight.highest(), 2U * 1448);
  EXPECT_LE(a->stack.flight.highest(), a->stack.cwnd.highest() + 1448);
  for (testing::RigHost* host : {a.get(), b.get()}) {
    EXPECT_EQ(host->stack.cwnd.value(), 0U);  // both ends are closed
    EXPECT_EQ(host->stack.flight.value(), 0U);
  }
}

/// What of a host's time went where between two looks at it, in cycles of 1 ns.
struct Spent {
  std::uint64_t system = 0;
  std::uint64_t softirq = 0;
  static Spent of(testing::RigHost& host) {
    return {host.cpus[0]->spent(CoreState::kSystem) / kNs,
            host.cpus[0]->spent(CoreState::kSoftirq) / kNs};
  }
  Spent operator-(const Spent& before) const {
    return {system - before.system, softirq - before.softirq};
  }
};

struct ChargeTest : StackTest {
  ChargeTest() {
    params.kernel.softirq_cycles.value = 0;
    params.kernel.wakeup_cycles.value = 7;
    params.net.prequeue.value = false;
    params.net.tcp_send_cycles.value = 1'000;
    params.net.tcp_send_ack_cycles.value = 600;
    params.net.tcp_ack_cycles.value = 20'000;
    params.net.tcp_receive_cycles.value = 300'000;
    params.net.ip_send_cycles.value = 11;
    params.net.ip_receive_cycles.value = 13;
    params.net.allocate_cycles.value = 170;
    params.net.socket_call_cycles.value = 1'900;
  }
  std::uint64_t bytes = 1000;  // of the call
  Spent at_sender_call;
  Spent at_sender_later;
  Spent at_receiver_segment;
  Spent at_receiver_ack;

  /// One call of so many bytes, one segment as a rule, 100 ms after the connection was opened;
  /// nobody reads it.
  void one_segment() {
    build();
    program(*b, "server", [&](Program& self) {
      const auto listener = b->stack.tcp_socket();
      listener->listen(self, 5001, 5);
      const auto socket = listener->accept(self);
      const Process::Syscall call(self);
      self.sleep(1000 * kMs);
    });
    program(*a, "client", [&](Program& self) {
      const std::uint64_t user = allocate(*a, bytes);
      const auto socket = a->stack.tcp_socket();
      ASSERT_TRUE(socket->connect(self, address(2)));
      {
        const Process::Syscall call(self);
        self.sleep(100 * kMs);
      }
      const Spent before = Spent::of(*a);
      const Spent receiver_before = Spent::of(*b);
      socket->send(self, user, bytes);
      at_sender_call = Spent::of(*a) - before;
      const Spent sender_then = Spent::of(*a);
      {
        const Process::Syscall call(self);
        self.sleep(10 * kMs);
      }
      at_receiver_segment = Spent::of(*b) - receiver_before;
      const Spent receiver_then = Spent::of(*b);
      {
        const Process::Syscall call(self);
        self.sleep(100 * kMs);
      }
      at_receiver_ack = Spent::of(*b) - receiver_then;
      at_sender_later = Spent::of(*a) - sender_then;
    });
    run_until(900 * kMs);
  }
};

TEST_F(ChargeTest, ASendCallCostsTheCallTheBufferTheCopyAndTheSegment) {
  one_segment();
  constexpr std::uint64_t kSyscall = 20;
  EXPECT_EQ(at_sender_call.system, kSyscall + 1'900 + 170 + 500 + 1'000 + 11);
  EXPECT_EQ(at_sender_call.softirq, 0U);
}

TEST_F(ChargeTest, AStackThatWalksAlongItsSendMemoryPaysForEachStep) {
  testing::ask_for(params.net, "bsd");
  params.net.send_linear.value = {0};
  params.net.send_page.value = {2048};
  params.tcp.initial_window.value = 64;
  params.tcp.window_start.value = 0;
  bytes = std::uint64_t{5} * 1448;
  one_segment();
  // Pages begin at 0, 2048, 4096 and 6144, segments at 0, 1448, 2896, 4344 and 5792.
  constexpr std::uint64_t kSteps = (0 + 1 + 2 + 3) + (0 + 0 + 1 + 2 + 2);
  constexpr std::uint64_t kListStep = 1000;                 // one_gigahertz()
  constexpr std::uint64_t kSegment = 2 * 170 + 1'000 + 11;  // its headers have memory of their own
  EXPECT_EQ(at_sender_call.system, 20U + 1'900 + 5 * (kSegment + 1448 / 2) + kSteps * kListStep);
}

TEST_F(ChargeTest, AReceivedSegmentCostsIpAndTcpAndItsAckComesLater) {
  one_segment();
  EXPECT_EQ(at_receiver_segment.softirq, 13U + 300'000);
  EXPECT_EQ(at_receiver_segment.system, 0U);
  EXPECT_EQ(at_receiver_ack.softirq, 170U + 600 + 11);  // the delayed one, in memory of its own
}

TEST_F(ChargeTest, AnAckCostsIpAndItsHandling) {
  one_segment();
  EXPECT_EQ(at_sender_later.softirq, 13U + 20'000 + 2 * 7);  // and two timers of the sleeper
}

}  // namespace
}  // namespace longhaul::host
