// SPDX-License-Identifier: Apache-2.0
// What Intel's drivers share: opening and closing, sending, the link, filters.
#include "models/host/drivers/intel_driver.h"

#include <gmock/gmock.h>

#include "tests/unit/models/host/drivers/fake_adapter.h"

namespace longhaul::host::driver_testing {
namespace {

using ::testing::ElementsAre;
using testing::FakeDriver;
using ::testing::IsEmpty;

struct IntelDriverTest : testing::FakeAdapterTest {};

TEST_F(IntelDriverTest, OpeningSetsTheAdapterUpAndThenLetsItInterrupt) {
  run([&](Program&) {
    EXPECT_EQ(driver->mac(), (MacAddress{0x02, 0x00, 0x12, 0x34, 0x56, 0x78}));
    EXPECT_TRUE(driver->link_up());
    EXPECT_EQ(user.links, std::vector<bool>{true});
    EXPECT_EQ(registers[kIms], kCauses);
    EXPECT_EQ(registers[kRdt], 63U) << "a buffer in every slot";
    EXPECT_THAT(driver->calls, ElementsAre("reset", "start", "watch"));
    driver->open();
    EXPECT_THAT(driver->calls, ElementsAre("reset", "start", "watch")) << "is open already";
  });
}

TEST_F(IntelDriverTest, RingsThatMemoryHasNoRoomForAreRefused) {
  while (pool.allocate(1024) != 0) {
  }
  std::string refusal;
  driver = std::make_unique<FakeDriver>(
      DriverSetup{pci, kSlot, 0, router, {&net_rx}, pool, timers, net, 0}, params);
  driver->attach(user);
  const Program program("program", processor, [&](Program&) {
    try {
      driver->open();
    } catch (const ConfigError& error) {
      refusal = error.what();
    }
  });
  sc_core::sc_start(from_ps(kMs));
  EXPECT_EQ(refusal, "driver: the machine's memory has no room for its descriptor rings");
  EXPECT_THAT(driver->calls, ElementsAre("reset"));
}

TEST_F(IntelDriverTest, APacketIsToldByItsTail) {
  run([&](Program&) {
    EXPECT_TRUE(driver->transmit(packet(60)));
    TxPacket two = packet(100);
    two.extents[two.count++] = {pool.allocate(200), 200};
    two.bytes = 300;
    EXPECT_TRUE(driver->transmit(two));
  });
  EXPECT_THAT(written(kTdt), ElementsAre(1U, 3U));
  EXPECT_EQ(driver->tx_packets.value(), 2U);
  EXPECT_EQ(driver->sent_bytes(), 360U);
  EXPECT_EQ(user.sent_packets, 0U) << "the adapter has them";
}

TEST_F(IntelDriverTest, WhatCannotGoOutComesBackAtOnce) {
  run(
      [&](Program&) {
        EXPECT_TRUE(driver->transmit(packet(60, 7)));
        EXPECT_THAT(user.cookies, ElementsAre(7U)) << "no link";
        driver->close();
        EXPECT_TRUE(driver->transmit(packet(60, 8)));
        EXPECT_THAT(user.cookies, ElementsAre(7U, 8U)) << "closed";
      },
      false);
  EXPECT_EQ(driver->tx_dropped.value(), 2U);
  EXPECT_THAT(written(kTdt), IsEmpty());
}

TEST_F(IntelDriverTest, PacketsThatContradictThemselvesAreDropped) {
  run([&](Program&) {
    std::uint64_t dropped = 0;
    const auto drops = [&](const std::function<void(TxPacket&)>& change) {
      TxPacket made = packet(1514);
      change(made);
      EXPECT_TRUE(driver->transmit(made));
      const bool is = driver->tx_dropped.value() != dropped;
      dropped = driver->tx_dropped.value();
      return is;
    };
    const auto bytes = [](std::uint32_t size) {
      return [size](TxPacket& made) { made.bytes = made.extents[0].bytes = size; };
    };
    const auto offset = [](std::uint16_t at) {
      return [at](TxPacket& made) {
        made.checksum = true;
        made.l4_offset = at;
      };
    };
    const auto segmented = [](std::uint16_t headers, std::uint32_t first) {
      return [headers, first](TxPacket& made) {
        made.mss = 1448;
        made.l4_offset = 34;
        made.header_bytes = headers;
        made.extents[1] = {made.extents[0].address + first, 1514 - first};
        made.extents[0].bytes = first;
        made.count = 2;
      };
    };
    EXPECT_FALSE(drops([](TxPacket&) {}));
    EXPECT_TRUE(drops([](TxPacket& made) { made.count = 0; }));
    EXPECT_TRUE(drops(bytes(13)));
    EXPECT_FALSE(drops(bytes(14)));
    EXPECT_TRUE(drops(bytes(1515)));
    EXPECT_TRUE(drops(offset(14)));
    EXPECT_FALSE(drops(offset(15)));
    EXPECT_FALSE(drops(offset(1513)));
    EXPECT_TRUE(drops(offset(1514)));
    EXPECT_FALSE(drops(segmented(54, 54)));
    EXPECT_TRUE(drops(segmented(54, 53))) << "headers in two pieces";
    EXPECT_TRUE(drops(segmented(34, 54))) << "no header behind IP's";
  });
}

TEST_F(IntelDriverTest, SuperFramesAreForAdaptersThatSegment) {
  params.tso.value = false;
  run([&](Program&) {
    TxPacket made = packet(4000);
    made.mss = 1448;
    made.l4_offset = 34;
    made.header_bytes = 54;
    driver->transmit(made);
  });
  EXPECT_EQ(driver->features().tso_bytes, 0U);
  EXPECT_EQ(driver->tx_dropped.value(), 1U);
}

TEST_F(IntelDriverTest, SegmentationFindsAPseudoHeadersSumWithoutLengths) {
  run([&](Program&) {
    const auto prepared = [&](bool ipv6, bool udp) {
      TxPacket made = packet(4000);
      made.mss = 1000;
      made.ipv6 = ipv6;
      made.udp = udp;
      made.l4_offset = ipv6 ? 54 : 34;
      made.header_bytes = static_cast<std::uint16_t>(made.l4_offset + (udp ? 8 : 20));
      std::uint8_t* const frame = pool.to_write(made.extents[0].address, 100);
      std::fill_n(frame, 100, std::uint8_t{0});
      for (std::uint32_t i = 0; i < (ipv6 ? 32U : 8U); ++i) frame[14 + (ipv6 ? 8 : 12) + i] = 0xf0;
      write_be16(frame + 14 + (ipv6 ? 4 : 2), 0xdead);
      write_be16(frame + 14 + 10, ipv6 ? 0xf0f0 : 0xbeef);
      EXPECT_TRUE(driver->transmit(made));
      return pool.at(made.extents[0].address);
    };
    const std::uint8_t* const tcp4 = prepared(false, false);
    EXPECT_EQ(read_be16(tcp4 + 16), 0) << "length";
    EXPECT_EQ(read_be16(tcp4 + 24), 0) << "header checksum";
    EXPECT_EQ(read_be16(tcp4 + 34 + 16), 0xc3c3 + 6);  // four times 0xf0f0, folded; TCP
    EXPECT_EQ(read_be16(prepared(false, true) + 34 + 6), 0xc3c3 + 17);
    const std::uint8_t* const tcp6 = prepared(true, false);
    EXPECT_EQ(read_be16(tcp6 + 18), 0) << "payload length";
    EXPECT_EQ(read_be16(tcp6 + 24), 0xf0f0) << "the address's own";
    EXPECT_EQ(read_be16(tcp6 + 54 + 16), 0x0f0f + 6);  // sixteen times
  });
}

TEST_F(IntelDriverTest, AFullRingSaysThatItHasRoomAboveTheMark) {
  params.tx_wake.value = 30;
  std::uint32_t taken = 0;
  run([&](Program& self) {
    while (driver->transmit(packet(60))) ++taken;
    EXPECT_EQ(taken, 63U - 22 + 1) << "room for the largest packet is asked for";
    EXPECT_EQ(driver->tx_busy.value(), 1U);
    EXPECT_EQ(user.rooms, 0U);
    send_out(30 - 21);
    interrupt(self, kRxCause);
    EXPECT_EQ(user.sent_packets, 9U);
    EXPECT_EQ(user.rooms, 0U) << "30 are free";
    send_out(1);
    interrupt(self, kRxCause);
    EXPECT_EQ(user.rooms, 1U);
    send_out(1);
    interrupt(self, kRxCause);
    EXPECT_EQ(user.rooms, 1U) << "once";
  });
}

TEST_F(IntelDriverTest, PacketsOfALinkThatWentComeBackInOrderAndTheAdapterStartsAnew) {
  run([&](Program& self) {
    driver->transmit(packet(60, 5));
    driver->transmit(packet(60, 6));
    driver->link = false;
    interrupt(self, kLinkCause);
    EXPECT_THAT(user.cookies, ElementsAre(5U, 6U));
    EXPECT_THAT(driver->calls, ElementsAre("reset", "start", "watch", "reset", "start", "watch"));
    EXPECT_EQ(driver->tx_ring().used(), 0U);
  });
}

TEST_F(IntelDriverTest, ALinkThatComesBackTellsWhoWasRefused) {
  params.tx_wake.value = 40;
  run([&](Program& self) {
    while (driver->transmit(packet(60))) {
    }
    driver->link = false;
    interrupt(self, kLinkCause);
    EXPECT_EQ(user.rooms, 0U);
    driver->link = true;
    self.sleep_ps(2100 * kMs);  // by the watchdog, without an interrupt
    EXPECT_EQ(user.rooms, 1U);
  });
}

TEST_F(IntelDriverTest, ClosingGivesBackPacketsAndMemory) {
  run([&](Program& self) {
    const TxPacket made = packet(60, 5);
    driver->transmit(made);
    driver->close();
    EXPECT_THAT(user.cookies, ElementsAre(5U));
    EXPECT_EQ(driver->calls.back(), "reset");
    EXPECT_FALSE(driver->link_up());
    pool.free(made.extents[0].address, 60);
    EXPECT_EQ(pool.used(), 0U);
    driver->close();
    self.sleep_ps(5 * kSecond);
  });
  EXPECT_EQ(user.links, (std::vector<bool>{true, false}));
  EXPECT_THAT(written(kIcs), IsEmpty()) << "no watchdog";
  EXPECT_EQ(user.sent_packets, 1U);
}

TEST_F(IntelDriverTest, AnInterfaceThatIsClosedWhileItLooksForTheLinkHasNone) {
  run([&](Program& self) {
    driver->on_find_link = [&] { driver->close(); };  // as another processor may
    interrupt(self, kLinkCause);
    EXPECT_FALSE(driver->link_up());
  });
  EXPECT_EQ(user.links, (std::vector<bool>{true, false}));
}

TEST_F(IntelDriverTest, AGroupIsABitOfTheTable) {
  run([&](Program&) {
    driver->join({0x01, 0xaa, 0x00, 0x12, 0x34, 0x56});  // Linux, e1000_hash_mc_addr(): 0x563
    driver->join({0x01, 0xaa, 0x00, 0x12, 0x94, 0x56});  // 0x569: the same word
    driver->join({0xff, 0xff, 0xff, 0xff, 0xff, 0xff});
  });
  EXPECT_THAT(written(kMta + 4 * 0x2b), ElementsAre(1U << 3, 1U << 3 | 1U << 9));
  EXPECT_THAT(written(kMta + 4 * 127), ElementsAre(1U << 31));
  EXPECT_EQ(writes.size(), 3U);
}

TEST_F(IntelDriverTest, FiltersAreTheStationAndItsGroupsOnly) {
  run([&](Program&) {
    driver->close();
    driver->join({0x01, 0xaa, 0x00, 0x12, 0x34, 0x56});
    EXPECT_THAT(writes, IsEmpty()) << "not while it is closed";
    driver->open();
    registers[kRal + 8 * 15 + 4] = 0x8000'0001;
    writes.clear();
    driver->write_filters(kVfta);
  });
  EXPECT_EQ(registers[kRal], 0x3412'0002U);
  EXPECT_EQ(registers[kRal + 8 * 15 + 4], 0U);
  EXPECT_EQ(registers[kMta + 4 * 0x2b], 1U << 3);
  EXPECT_THAT(written(kVfta + 4 * 127), ElementsAre(0U));
  EXPECT_EQ(writes.size(), 2U * 15 + 128 + 128);
}

TEST_F(IntelDriverTest, AFrameHasHeaderAndFcsBesidesItsMtu) {
  params.mtu.value = 9000;
  run([](Program&) {});
  EXPECT_EQ(driver->mtu(), 9000U);
  EXPECT_EQ(driver->largest_frame(), 9018U);
}

TEST_F(IntelDriverTest, SendingCostsThePacketAndItsDescriptors) {
  net.driver_send_cycles.value = 1000;
  net.driver_descriptor_cycles.value = 70;
  std::uint64_t took_ps = 0;
  run([&](Program&) {
    TxPacket made = packet(5000);
    made.bytes = made.extents[0].bytes = 1000;
    made.extents[made.count++] = {made.extents[0].address + 1000, 100};
    made.bytes = 1100;
    const std::uint64_t before = now_ps();
    driver->transmit(made);
    took_ps = now_ps() - before;
  });
  EXPECT_EQ(took_ps, (1000 + 2 * 70) * kNs);
}

}  // namespace
}  // namespace longhaul::host::driver_testing
