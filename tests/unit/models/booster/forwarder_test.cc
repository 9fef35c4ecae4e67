// SPDX-License-Identifier: Apache-2.0
// A router by itself between two ends: a (10.0.0.1) on its edge, b (10.0.0.2) on its line.
#include "models/booster/forwarder.h"

#include "tests/unit/models/booster/relay_rig.h"
#include "tests/unit/models/host/net/raw_frames.h"

namespace longhaul::booster {
namespace {

using host::testing::FakeDevice;
using host::testing::ip;
using host::testing::Program;
using host::testing::RawFrame;
using ::testing::ElementsAreArray;

constexpr std::uint32_t kTtlAt = 14 + 8;

struct ForwarderTest : host::testing::NetTest, host::Passage {
  std::unique_ptr<testing::TwoSidedHost> router;
  std::unique_ptr<Forwarder> forwarder;
  host::testing::RigParams router_params = host::testing::linux_rig();

  void build_router() {
    build();
    router = std::make_unique<testing::TwoSidedHost>("router", router_params, 11);
    forwarder = std::make_unique<Forwarder>(router->stack, 0, 1);
    router->stack.set_passage(*this);
    testing::join(a->device, router->edge);
    testing::join(router->line, b->device);
    for (FakeDevice* const device : {&a->device, &b->device, &router->edge, &router->line})
      device->capture = true;
  }
  void segment(host::Interface& from, const host::RxPacket& packet,
               const tcp::Packet& /*parsed*/) override {
    forwarder->forward(from, packet);
  }
  void other(host::Interface& from, const host::RxPacket& packet) override {
    forwarder->forward(from, packet);
  }
  void arp(host::Interface& from, const std::uint8_t* frame) override {
    forwarder->arp(from, frame);
  }
  host::Interface* side_of(const host::Address& station) override {
    return forwarder->side_of(station);
  }

  /// A packet of a protocol that nobody answers, with so many hops left.
  static RawFrame packet(const char* from, const char* to, std::uint8_t hops,
                         std::uint16_t identification = 7) {
    RawFrame frame =
        host::testing::icmp_frame(3, ip(from), ip(to), 0x1234, 0x5678, {1, 2, 3, 4, 5});
    host::icmp::finish(frame.data(), false, ip(from).host, ip(to).host, 13, hops, identification);
    return frame;
  }
  static std::vector<RawFrame> without_arp(const std::vector<RawFrame>& frames) {
    std::vector<RawFrame> result;
    for (const RawFrame& frame : frames) {
      if (read_be16(frame.data() + 12) != 0x0806) result.push_back(frame);
    }
    return result;
  }
  static std::vector<RawFrame> only_arp(const std::vector<RawFrame>& frames) {
    std::vector<RawFrame> result;
    for (const RawFrame& frame : frames) {
      if (read_be16(frame.data() + 12) == 0x0806) result.push_back(frame);
    }
    return result;
  }
  void expect_nothing_held() const {
    EXPECT_EQ(router->pool.used(), 0U);
    EXPECT_EQ(router->stack.interface(0).slots_in_use() + router->stack.interface(1).slots_in_use(),
              0U);
  }
};

TEST_F(ForwarderTest, APacketLosesAHopAndNothingElse) {
  build_router();
  const RawFrame sent = packet("10.0.0.1", "10.0.0.2", 64);
  host::testing::send_raw(*this, *a, {sent});
  run_until(100 * kMs);
  const auto got = without_arp(router->line.captured);
  ASSERT_EQ(got.size(), 1U);
  RawFrame expected = packet("10.0.0.1", "10.0.0.2", 63);
  std::copy_n(b->device.mac().begin(), 6, expected.begin());
  std::copy_n(router->line.mac().begin(), 6, expected.begin() + 6);
  EXPECT_THAT(got[0], ElementsAreArray(expected));
  EXPECT_EQ(router->line.last.bytes, sent.size());
  EXPECT_EQ(forwarder->forwarded.value(), 1U);
  EXPECT_EQ(forwarder->expired.value(), 0U);
  expect_nothing_held();
}

TEST_F(ForwarderTest, AndSoTheOtherWay) {
  build_router();
  host::testing::send_raw(*this, *b, {packet("10.0.0.2", "10.0.0.1", 64)});
  run_until(100 * kMs);
  const auto got = without_arp(router->edge.captured);
  ASSERT_EQ(got.size(), 1U);
  EXPECT_TRUE(without_arp(router->line.captured).empty());
  EXPECT_THAT(RawFrame(got[0].begin() + 6, got[0].begin() + 12),
              ElementsAreArray(router->edge.mac()));
  EXPECT_EQ(got[0][kTtlAt], 63);
}

TEST_F(ForwarderTest, ItsChecksumIsRightWhereSumsCarry) {
  build_router();
  std::vector<RawFrame> frames;
  for (const std::uint16_t wanted : {0x0000, 0x00ff, 0x0100, 0xfe00, 0xfeff, 0xff00, 0xfffe}) {
    for (std::uint32_t identification = 0; identification < 0x10000; ++identification) {
      RawFrame frame =
          packet("10.0.0.1", "10.0.0.2", 64, static_cast<std::uint16_t>(identification));
      if (read_be16(frame.data() + 14 + 10) != wanted) continue;
      frames.push_back(std::move(frame));
      break;
    }
  }
  ASSERT_EQ(frames.size(), 7U);
  host::testing::send_raw(*this, *a, frames, kMs);
  run_until(100 * kMs);
  const auto got = without_arp(router->line.captured);
  ASSERT_EQ(got.size(), frames.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    EXPECT_TRUE(host::icmp::intact_header(got[i].data())) << i;
    EXPECT_EQ(read_be16(got[i].data() + 18), read_be16(frames[i].data() + 18)) << "in their order";
  }
}

TEST_F(ForwarderTest, WithoutHopsLeftItEndsHere) {
  build_router();
  host::testing::send_raw(*this, *a,
                          {packet("10.0.0.1", "10.0.0.2", 0), packet("10.0.0.1", "10.0.0.2", 1),
                           packet("10.0.0.1", "10.0.0.2", 2)});
  run_until(100 * kMs);
  const auto got = without_arp(router->line.captured);
  ASSERT_EQ(got.size(), 1U);
  EXPECT_EQ(got[0][kTtlAt], 1);
  EXPECT_EQ(forwarder->expired.value(), 2U);
  EXPECT_EQ(forwarder->forwarded.value(), 1U);
  expect_nothing_held();
}

TEST_F(ForwarderTest, EachEndFindsTheOtherAtItsOwnSideOfTheRouter) {
  build_router();
  std::optional<std::uint64_t> rtt;
  program(*a, "ping", [&](Program& self) {
    host::Echo echo(a->stack, 77);
    EXPECT_TRUE(echo.send(self, address(2, 0), 1, 56));
    rtt = echo.wait(self, 1, 100 * kMs);
  });
  run_until(200 * kMs);
  EXPECT_TRUE(rtt.has_value());
  EXPECT_EQ(a->interface().neighbours().find(address(2, 0)).mac(), router->edge.mac());
  EXPECT_EQ(b->interface().neighbours().find(address(1, 0)).mac(), router->line.mac());
  // Asked in a's name, so that the answer to it comes here.
  const auto asked = only_arp(router->line.captured);
  ASSERT_EQ(asked.size(), 1U);
  EXPECT_THAT(RawFrame(asked[0].begin() + 14 + 8, asked[0].begin() + 14 + 14),
              ElementsAreArray(router->line.mac()));
  EXPECT_THAT(RawFrame(asked[0].begin() + 14 + 14, asked[0].begin() + 14 + 18),
              ElementsAreArray({10, 0, 0, 1}));
  const auto told = only_arp(router->edge.captured);
  ASSERT_EQ(told.size(), 1U);
  EXPECT_THAT(RawFrame(told[0].begin(), told[0].begin() + 6), ElementsAreArray(a->device.mac()));
  EXPECT_THAT(RawFrame(told[0].begin() + 14 + 14, told[0].begin() + 14 + 18),
              ElementsAreArray({10, 0, 0, 2}));
  expect_nothing_held();
}

TEST_F(ForwarderTest, AStationIsWhereItWasHeardLast) {
  build_router();
  const host::Interface* const edge = &router->stack.interface(0);
  const host::Interface* const line = &router->stack.interface(1);
  EXPECT_EQ(&forwarder->edge(), edge);
  EXPECT_EQ(&forwarder->line(), line);
  EXPECT_TRUE(forwarder->is_edge(*edge));
  EXPECT_FALSE(forwarder->is_edge(*line));
  EXPECT_EQ(forwarder->side_of(ip("10.0.0.1")), nullptr) << "nothing was heard";
  host::testing::send_raw(*this, *a,
                          {packet("10.0.0.1", "10.0.0.2", 64), packet("10.0.0.7", "10.0.0.2", 64)});
  run_until(50 * kMs);
  EXPECT_EQ(forwarder->side_of(ip("10.0.0.1")), edge);
  EXPECT_EQ(forwarder->side_of(ip("10.0.0.7")), edge);
  EXPECT_EQ(forwarder->side_of(ip("10.0.0.2")), nullptr)
      << "it was asked, but the answer is for the router's own";
  EXPECT_EQ(forwarder->side_of(ip("10.0.0.9")), nullptr);
  EXPECT_EQ(forwarder->side_of(ip("a00:1::")), nullptr) << "IPv6, whatever its first bytes";
}

TEST_F(ForwarderTest, AQuestionIsHeardToo) {
  build_router();
  program(*a, "ping", [&](Program& self) {
    host::Echo echo(a->stack, 77);
    echo.send(self, address(9, 0), 1, 56);  // nobody there
  });
  run_until(50 * kMs);
  EXPECT_EQ(forwarder->side_of(ip("10.0.0.1")), &router->stack.interface(0));
}

TEST_F(ForwarderTest, AStationThatMovesIsFollowed) {
  build_router();
  host::testing::send_raw(*this, *a, {packet("10.0.0.7", "10.0.0.2", 64)});
  program(*b, "later", [&](Program& self) {
    const Program::Syscall call(self);
    self.sleep(10 * kMs);
    const RawFrame frame = packet("10.0.0.7", "10.0.0.1", 64);
    host::TxSlot* const slot = b->interface().take_frame(static_cast<std::uint32_t>(frame.size()));
    std::copy(frame.begin(), frame.end(), b->pool.to_write(slot->header, frame.size()));
    b->interface().send(*slot);
  });
  run_until(5 * kMs);
  EXPECT_EQ(forwarder->side_of(ip("10.0.0.7")), &router->stack.interface(0));
  run_until(50 * kMs);
  EXPECT_EQ(forwarder->side_of(ip("10.0.0.7")), &router->stack.interface(1));
}

TEST_F(ForwarderTest, WhatTheQueueRefusesIsNotForwarded) {
  router_params.net.qdisc_packets.value = 1;
  build_router();
  const std::vector<RawFrame> frames(4, packet("10.0.0.1", "10.0.0.2", 64));
  host::testing::send_raw(*this, *a, frames, 5 * kMs);
  run_until(4 * kMs);
  ASSERT_EQ(forwarder->forwarded.value(), 1U);
  router->line.params.ring = 0;
  run_until(100 * kMs);
  EXPECT_EQ(forwarder->forwarded.value(), 2U) << "the one in the queue";
  EXPECT_EQ(router->stack.drop_qdisc.value(), 2U);
}

TEST_F(ForwarderTest, PassingOnCostsIpBothWays) {
  router_params.kernel.softirq_cycles.value = 0;
  router_params.net.ip_receive_cycles.value = 1'300;
  router_params.net.ip_send_cycles.value = 1'100;
  build_router();
  host::testing::send_raw(*this, *a,
                          {packet("10.0.0.1", "10.0.0.2", 64), packet("10.0.0.1", "10.0.0.2", 1)});
  run_until(100 * kMs);
  EXPECT_EQ(router->cpus[0]->spent(cpu::CoreState::kSoftirq), (2 * 1'300 + 1'100) * kNs);
}

}  // namespace
}  // namespace longhaul::booster
