// SPDX-License-Identifier: Apache-2.0
// An interface on a device that does as it is told: addresses, slots, and the queue in front of the
// ring.
#include "models/host/net/interface.h"

#include "tests/unit/models/host/net/raw_frames.h"

namespace longhaul::host {
namespace {

using ::testing::ElementsAre;
using testing::ip;
using ::testing::IsEmpty;
using testing::Program;

/// Takes as many packets as it is allowed to.
struct ScriptedDevice final : NetDevice {
  DeviceUser* user = nullptr;
  std::vector<MacAddress> groups;
  std::vector<std::uint64_t> taken;  // cookies
  std::uint32_t room = 1000;
  std::uint32_t the_mtu = 1500;
  std::function<void()> on_transmit;  // once

  void attach(DeviceUser& the_user) override { user = &the_user; }
  void join(const MacAddress& group) override { groups.push_back(group); }
  void open() override {}
  void close() override {}
  bool transmit(const TxPacket& packet) override {
    if (const auto once = std::exchange(on_transmit, nullptr)) once();
    if (room == 0) return false;
    --room;
    taken.push_back(packet.cookie);
    return true;
  }
  const DeviceFeatures& features() const override { return features_; }
  MacAddress mac() const override { return {2, 0, 0, 0, 0, 9}; }
  std::uint32_t mtu() const override { return the_mtu; }
  bool link_up() const override { return true; }

 private:
  DeviceFeatures features_;
};

struct InterfaceTest : testing::NetTest {
  InterfaceAddresses addresses;
  ScriptedDevice device;
  std::unique_ptr<Interface> interface;

  InterfaceTest() {
    addresses.ipv4 = ip("192.168.5.9");
    addresses.ipv6 = ip("fd05::ab:cdef");
  }
  Interface& make() {
    build();
    interface = std::make_unique<Interface>(a->stack, addresses);
    interface->attach(device);
    return *interface;
  }
  /// Runs `body` in a system call.
  void run(const std::function<void(Program&)>& body) {
    program(*a, "p", [body](Program& self) {
      const Process::Syscall call(self);
      body(self);
    });
    run_until(10 * kMs);
    ASSERT_TRUE(programs.back()->done());
  }
  /// Its slot's number is the packet's cookie.
  std::uint64_t send_one() {
    TxSlot* const slot = interface->take_frame(100);
    sent_.push_back(interface->send(*slot));
    return slot->index;
  }
  std::vector<bool> sent_;
};

TEST_F(InterfaceTest, OwnsItsAddressOfEachFamily) {
  const Interface& eth = make();
  EXPECT_TRUE(eth.owns(false, ip("192.168.5.9").host));
  EXPECT_FALSE(eth.owns(false, ip("192.168.5.8").host));
  EXPECT_TRUE(eth.owns(true, ip("fd05::ab:cdef").host));
  EXPECT_FALSE(eth.owns(true, ip("fd05::ab:cdee").host));
  EXPECT_FALSE(eth.owns(true, ip("192.168.5.9").host)) << "IPv4's bytes are no IPv6 address";
}

TEST_F(InterfaceTest, TakesWhatGoesToItsGroupsToo) {
  const Interface& eth = make();
  EXPECT_TRUE(eth.takes(false, ip("192.168.5.9").host));
  EXPECT_TRUE(eth.takes(true, ip("fd05::ab:cdef").host));
  EXPECT_TRUE(eth.takes(true, ip("ff02::1").host));
  EXPECT_TRUE(eth.takes(true, ip("ff02::1:ffab:cdef").host));
  EXPECT_FALSE(eth.takes(true, ip("ff02::1:ffab:cdee").host));
  EXPECT_FALSE(eth.takes(true, ip("ff05::1").host));
  EXPECT_FALSE(eth.takes(false, ip("ff02::1").host)) << "255.2.0.0";
  EXPECT_FALSE(eth.takes(false, ip("192.168.5.255").host));
}

TEST_F(InterfaceTest, WithoutAnAddressOfAFamilyItIsInNoneOfItsGroups) {
  addresses.ipv6.reset();
  const Interface& eth = make();
  EXPECT_THAT(device.groups, IsEmpty());
  EXPECT_FALSE(eth.takes(true, ip("ff02::1").host));
  EXPECT_FALSE(eth.reaches(ip("fd05::1")));
}

TEST_F(InterfaceTest, JoinsTheGroupsThatNeighboursAskIn) {
  make();
  EXPECT_EQ(device.user, interface.get());
  EXPECT_THAT(device.groups,
              ::testing::UnorderedElementsAre(MacAddress{0x33, 0x33, 0, 0, 0, 1},
                                              MacAddress{0x33, 0x33, 0xff, 0xab, 0xcd, 0xef}));
}

TEST_F(InterfaceTest, ReachesItsOwnNetworkOnly) {
  addresses.ipv4_prefix = 23;
  const Interface& eth = make();
  EXPECT_TRUE(eth.reaches(ip("192.168.4.1")));
  EXPECT_TRUE(eth.reaches(ip("192.168.5.255")));
  EXPECT_FALSE(eth.reaches(ip("192.168.6.1")));
  EXPECT_TRUE(eth.reaches(ip("fd05::1")));
  EXPECT_FALSE(eth.reaches(ip("fd05:0:0:1::1")));
}

TEST_F(InterfaceTest, AGatewayReachesTheRestOfItsFamily) {
  addresses.gateway = ip("192.168.5.1");
  Interface& eth = make();
  EXPECT_TRUE(eth.reaches(ip("8.8.8.8")));
  EXPECT_FALSE(eth.reaches(ip("fd06::1")));
  EXPECT_EQ(eth.neighbour(ip("8.8.8.8")).address().host, ip("192.168.5.1").host);
  EXPECT_EQ(eth.neighbour(ip("192.168.5.77")).address().host, ip("192.168.5.77").host) << "itself";
}

TEST_F(InterfaceTest, ASegmentFillsTheMtu) {
  device.the_mtu = 9000;
  const Interface& eth = make();
  EXPECT_EQ(eth.mss(false), 8960);
  EXPECT_EQ(eth.mss(true), 8940);
}

TEST_F(InterfaceTest, AFrameHasMemoryOfItsOwnUntilItIsReleased) {
  Interface& eth = make();
  const std::uint64_t used = a->pool.used();
  TxSlot* const slot = eth.take_frame(300);
  ASSERT_NE(slot, nullptr);
  EXPECT_EQ(a->pool.used(), used + 512);
  EXPECT_EQ(eth.slots_in_use(), 1U);
  EXPECT_EQ(slot->packet.count, 1U);
  EXPECT_EQ(slot->packet.bytes, 300U);
  EXPECT_EQ(slot->packet.extents[0].address, slot->header);
  EXPECT_EQ(slot->packet.extents[0].bytes, 300U);
  EXPECT_EQ(slot->packet.mss, 0);
  eth.sent(slot->packet.cookie);
  EXPECT_EQ(a->pool.used(), used);
  EXPECT_EQ(eth.slots_in_use(), 0U);
}

TEST_F(InterfaceTest, SlotsAreUsedAgainAndComeEmpty) {
  Interface& eth = make();
  TxSlot& first = eth.take_slot();
  TxSlot& second = eth.take_slot();
  EXPECT_NE(first.packet.cookie, second.packet.cookie);
  first.packet.count = 5;
  first.header = 77;
  eth.release(first);
  TxSlot& third = eth.take_slot();
  EXPECT_EQ(&third, &first);
  EXPECT_EQ(third.packet.count, 0U);
  EXPECT_EQ(third.header, 0U);
  EXPECT_EQ(third.memory, 0U);
  EXPECT_EQ(eth.slots_in_use(), 2U);
}

TEST_F(InterfaceTest, WithoutMemoryThereIsNoFrame) {
  Interface& eth = make();
  while (a->pool.allocate(4096) != 0) {
  }
  EXPECT_EQ(eth.take_frame(4096), nullptr);
  EXPECT_EQ(eth.slots_in_use(), 0U);
}

TEST_F(InterfaceTest, AFrameToAKnownNeighbourHasItsAddressInFront) {
  Interface& eth = make();
  run([&](Program&) {
    Neighbour& to = eth.neighbour(ip("192.168.5.1"));
    to.learn({2, 3, 4, 5, 6, 7});
    TxSlot* const slot = eth.take_frame(100);
    EXPECT_TRUE(eth.send(*slot, to));
    const std::uint8_t* const frame = a->pool.at(slot->header);
    EXPECT_THAT(std::vector<int>(frame, frame + 6), ElementsAre(2, 3, 4, 5, 6, 7));
    EXPECT_THAT(device.taken, ElementsAre(slot->index));
  });
}

TEST_F(InterfaceTest, AFrameToAnUnknownOneWaitsForTheAnswer) {
  Interface& eth = make();
  run([&](Program&) {
    Neighbour& to = eth.neighbour(ip("192.168.5.1"));
    TxSlot* const slot = eth.take_frame(100);
    EXPECT_TRUE(eth.send(*slot, to));
    EXPECT_EQ(device.taken.size(), 1U);
    EXPECT_NE(device.taken[0], slot->index) << "the question";
    to.learn({2, 3, 4, 5, 6, 7});
    ASSERT_EQ(device.taken.size(), 2U);
    EXPECT_EQ(device.taken[1], slot->index);
  });
}

TEST_F(InterfaceTest, WhatTheRingRefusesGoesOutInOrderWhenItHasRoom) {
  Interface& eth = make();
  std::vector<std::uint64_t> cookies;
  run([&](Program& self) {
    device.room = 1;
    for (int i = 0; i < 3; ++i) cookies.push_back(send_one());
    EXPECT_EQ(device.taken.size(), 1U);
    EXPECT_EQ(eth.queued(), 2U);
    EXPECT_EQ(a->stack.qdisc.value(), 2);
    device.room = 10;
    cookies.push_back(send_one());  // nobody has told of that yet
    EXPECT_EQ(eth.queued(), 3U);
    device.user->has_room();
    cookies.push_back(send_one());
    EXPECT_EQ(eth.queued(), 4U) << "in a softirq, and nobody overtakes them";
    self.processor().pay();
    EXPECT_EQ(eth.queued(), 0U);
    cookies.push_back(send_one());
  });
  EXPECT_EQ(device.taken, cookies);
  EXPECT_EQ(a->stack.qdisc.value(), 0);
  EXPECT_THAT(sent_, ElementsAre(true, true, true, true, true, true));
}

TEST_F(InterfaceTest, RoomThatIsUsedUpStopsItAgain) {
  Interface& eth = make();
  std::vector<std::uint64_t> cookies;
  run([&](Program& self) {
    device.room = 0;
    for (int i = 0; i < 4; ++i) cookies.push_back(send_one());
    device.room = 2;
    device.user->has_room();
    self.processor().pay();
    EXPECT_EQ(eth.queued(), 2U);
    device.room = 1;
    self.processor().pay();
    EXPECT_EQ(eth.queued(), 2U) << "until it is told";
    device.room = 2;
    device.user->has_room();
    self.processor().pay();
  });
  EXPECT_EQ(device.taken, cookies);
}

TEST_F(InterfaceTest, AFullQueueDropsAndReleases) {
  params.net.qdisc_packets.value = 2;
  Interface& eth = make();
  run([&](Program&) {
    device.room = 0;
    for (int i = 0; i < 4; ++i) send_one();
  });
  EXPECT_THAT(sent_, ElementsAre(true, true, false, false));
  EXPECT_EQ(eth.queued(), 2U);
  EXPECT_EQ(eth.slots_in_use(), 2U);
  EXPECT_EQ(a->stack.drop_qdisc.value(), 2U);
}

TEST_F(InterfaceTest, RoomThatComesWhileTheDriverRefusesIsNotMissed) {
  make();
  std::vector<std::uint64_t> cookies;
  run([&](Program&) {
    device.room = 0;
    device.on_transmit = [&] {
      device.on_transmit = [&] { device.room = 5; };
      device.user->has_room();
    };
    cookies.push_back(send_one());
    EXPECT_EQ(device.taken.size(), 1U) << "nobody would tell of it again";
  });
  EXPECT_EQ(device.taken, cookies);
}

TEST_F(InterfaceTest, WhoSendsWhileTheDriverIsAtWorkComesAfter) {
  make();
  std::uint64_t inner = 0;
  std::uint64_t outer = 0;
  run([&](Program&) {
    device.on_transmit = [&] {
      inner = send_one();
      EXPECT_THAT(device.taken, IsEmpty());
    };
    outer = send_one();
  });
  EXPECT_THAT(device.taken, ElementsAre(outer, inner));
}

TEST_F(InterfaceTest, SoftirqsWaitWhileAProcessIsInTheDriver) {
  make();
  testing::Soft softirq([&] {
    log("softirq");
    return false;
  });
  run([&](Program& self) {
    device.on_transmit = [&] {
      self.processor().raise(softirq);
      self.processor().pay();
      log.lines.emplace_back("driver");
    };
    send_one();
  });
  ASSERT_EQ(log.lines.size(), 2U);
  EXPECT_EQ(log.lines[0], "driver");
}

}  // namespace
}  // namespace longhaul::host
