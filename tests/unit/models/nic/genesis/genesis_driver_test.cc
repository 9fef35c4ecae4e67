// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "models/nic/genesis/genesis.h"
#include "tests/unit/models/nic/genesis/genesis_fixture.h"

// What skge does from probe to remove, with a wire at the other end.
namespace longhaul::nic::genesis {
namespace {

ByteVector answer_to(ByteVector packet) {
  for (int i = 0; i < 6; ++i) std::swap(packet[i], packet[6 + i]);
  return packet;
}

TEST(GenesisDriver, TheLinkComesAfterNegotiation) {
  GenesisFixture b;
  b.probe();
  b.open();
  EXPECT_TRUE(b.mac_reset_seen);
  EXPECT_FALSE(b.check_link());
  const std::uint64_t start = now_ps();
  EXPECT_TRUE(b.wait_for_link());
  EXPECT_EQ((now_ps() - start) / 1'000'000'000, 30U) << "ms";
  EXPECT_TRUE(b.carrier);
  EXPECT_EQ(b.xm16(xm::kImsk), 0xf7fbU);
  EXPECT_EQ(b.xm16(xm::kMmuCmd) & 3U, 3U);
  EXPECT_FALSE(b.inta());
}

TEST(GenesisDriver, WithoutAPartnerThereIsNoLinkUntilItIsForced) {
  GenesisFixture b(nlohmann::json{{"link_partner", "silent"}});
  b.probe();
  b.open();
  EXPECT_FALSE(b.wait_for_link());
  b.stop();
  GenesisFixture::Settings forced;
  forced.negotiate = false;
  b.open(forced);
  EXPECT_TRUE(b.wait_for_link());
}

TEST(GenesisDriver, APacketIsAnsweredFromMemoryToMemory) {
  GenesisFixture b;
  b.up();
  const ByteVector request = b.to_me(98);
  b.receive(request);
  const auto got = b.serve_us(30);
  ASSERT_EQ(got.size(), 1U);
  EXPECT_EQ(got[0].bytes, request);
  EXPECT_EQ(got[0].status >> 18, 98U);
  EXPECT_NE(got[0].status & xm::frame_status::kUnicast, 0U);
  EXPECT_EQ(got[0].control & (regs::bmu::kStatVal | regs::bmu::kTistVal), regs::bmu::kStatVal);
  b.send(answer_to(request));
  b.serve_us(200);
  ASSERT_EQ(b.wire.sent.size(), 1U);
  EXPECT_EQ(b.wire.sent[0].bytes, answer_to(request));
  EXPECT_EQ(b.sent, 1U);
  EXPECT_EQ(b.refused, 0U);
  EXPECT_EQ(b.seen, regs::kIsrcFields.r1_f | regs::kIsrcFields.xa1_f);
  EXPECT_EQ(b.nic->interrupts.value(), 2U);
}

TEST(GenesisDriver, AShortFrameIsPaddedByTheMac) {
  GenesisFixture b;
  b.up();
  b.send(b.to_me(42));
  b.serve_us(50);
  ASSERT_EQ(b.wire.sent.size(), 1U);
  EXPECT_EQ(b.wire.sent[0].bytes.size(), 60U);
}

TEST(GenesisDriver, BothRingsGoRound) {
  GenesisFixture b;
  b.up();
  std::uint32_t received = 0;
  for (std::uint32_t i = 0; i < 2 * GenesisFixture::kRxEntries + 10; ++i) {
    const ByteVector packet = b.to_me(100 + i % 700, static_cast<std::uint8_t>(i));
    b.receive(packet);
    for (const auto& got : b.serve_us(8)) {
      EXPECT_EQ(got.bytes.size(), 100 + received % 700) << "in order";
      b.send(answer_to(got.bytes));
      ++received;
    }
  }
  b.serve_us(300);
  EXPECT_EQ(received, 2 * GenesisFixture::kRxEntries + 10);
  EXPECT_EQ(b.sent, received);
  ASSERT_EQ(b.wire.sent.size(), received);
  for (std::uint32_t i = 0; i < received; ++i)
    ASSERT_EQ(b.wire.sent[i].bytes, answer_to(b.to_me(100 + i % 700, static_cast<std::uint8_t>(i))))
        << i;
  EXPECT_EQ(b.refused, 0U);
}

TEST(GenesisDriver, ABurstOfSendsFillsTheWire) {
  GenesisFixture b;
  b.up();
  for (int i = 0; i < 100; ++i) b.send(b.to_me(1514, static_cast<std::uint8_t>(i)));
  b.serve_us(2000);
  EXPECT_EQ(b.sent, 100U);
  ASSERT_EQ(b.wire.sent.size(), 100U);
  for (int i = 0; i < 100; ++i)
    ASSERT_EQ(b.wire.sent[i].bytes, b.to_me(1514, static_cast<std::uint8_t>(i)));
}

TEST(GenesisDriver, JumboFramesPassBothWays) {
  GenesisFixture b;
  GenesisFixture::Settings jumbo;
  jumbo.mtu = 9000;
  b.up(jumbo);
  const ByteVector packet = b.to_me(9014);
  b.receive(packet);
  b.send(answer_to(packet));
  const auto got = b.serve_us(500);
  ASSERT_EQ(got.size(), 1U);
  EXPECT_EQ(got[0].bytes, packet);
  ASSERT_EQ(b.sent_frames().size(), 1U);
  EXPECT_EQ(b.sent_frames()[0], answer_to(packet));
}

TEST(GenesisDriver, ForeignAndGroupFramesDependOnTheFilter) {
  GenesisFixture b;
  b.up();
  ByteVector foreign = b.to_me(200);
  foreign[5] ^= 0x10;
  b.receive(foreign);
  EXPECT_TRUE(b.serve_us(30).empty());
  ByteVector broadcast = b.to_me(200);
  std::fill_n(broadcast.begin(), 6, 0xff);
  b.receive(broadcast);
  EXPECT_EQ(b.serve_us(30).size(), 1U);
  b.s.promiscuous = true;
  b.set_multicast();
  b.receive(foreign);
  EXPECT_EQ(b.serve_us(30).size(), 1U);
}

TEST(GenesisDriver, LossOfLightAndItsReturn) {
  GenesisFixture b;
  b.up();
  b.set_carrier(false);
  b.serve_us(10);
  EXPECT_FALSE(b.carrier);
  EXPECT_FALSE(b.check_link());
  b.set_carrier(true);
  EXPECT_FALSE(b.check_link()) << "it is negotiated anew";
  EXPECT_TRUE(b.wait_for_link());
  b.receive(b.to_me(300));
  b.send(b.to_me(300));
  EXPECT_EQ(b.serve_us(200).size(), 1U);
  EXPECT_EQ(b.wire.sent.size(), 1U);
}

TEST(GenesisDriver, StoppedUnderTrafficItTouchesMemoryNoMore) {
  GenesisFixture b;
  b.up();
  for (int i = 0; i < 40; ++i) b.send(b.to_me(1514));
  for (int i = 0; i < 10; ++i) b.receive(b.to_me(1514));
  b.run_us(7);  // frames are on their way in and out
  for (int i = 0; i < 1000 && b.nic->dma().idle(); ++i) b.run_ps(10'000);
  EXPECT_FALSE(b.nic->dma().idle());
  b.stop();
  EXPECT_FALSE(b.wire.lit);
  const std::size_t under_way = b.bus.seen.size();
  b.run_us(2);  // what was on the bus ends
  std::vector<std::uint8_t> memory = b.bus.memory;
  for (int i = 0; i < 10; ++i) b.receive(b.to_me(1514));
  b.run_us(2000);
  EXPECT_EQ(b.bus.seen.size(), under_way) << "no transaction starts after the queues' reset";
  EXPECT_EQ(memory, b.bus.memory);
  EXPECT_FALSE(b.inta());
  EXPECT_TRUE(b.nic->dma().idle());
}

TEST(GenesisDriver, OpenedAgainItWorksAsTheFirstTime) {
  GenesisFixture b;
  b.up();
  for (int round = 0; round < 3; ++round) {
    SCOPED_TRACE(round);
    const std::size_t before = b.wire.sent.size();
    for (int i = 0; i < 20; ++i) {
      b.receive(b.to_me(400, static_cast<std::uint8_t>(i)));
      b.send(b.to_me(500, static_cast<std::uint8_t>(i)));
      b.run_us(5);  // as the wire brings them
    }
    const auto got = b.serve_us(400);
    ASSERT_EQ(got.size(), 20U);
    for (int i = 0; i < 20; ++i)
      EXPECT_EQ(got[i].bytes, b.to_me(400, static_cast<std::uint8_t>(i)));
    ASSERT_EQ(b.wire.sent.size(), before + 20);
    for (int i = 0; i < 20; ++i)
      EXPECT_EQ(b.wire.sent[before + i].bytes, b.to_me(500, static_cast<std::uint8_t>(i)));
    b.receive(b.to_me(1000));  // left over when it stops
    b.send(b.to_me(1000));
    b.run_us(3);
    b.stop();
    b.open();
    ASSERT_TRUE(b.wait_for_link());
  }
  EXPECT_EQ(b.refused, 0U);
}

TEST(GenesisDriver, ARestartedNegotiationLeavesTheQueuesAlone) {
  GenesisFixture b;
  b.up();
  b.mac_reset_registers();  // ethtool -r
  b.mac_init();
  b.set_multicast();
  b.carrier = false;
  ASSERT_TRUE(b.wait_for_link());
  b.receive(b.to_me(300));
  b.send(b.to_me(300));
  EXPECT_EQ(b.serve_us(200).size(), 1U);
  EXPECT_EQ(b.wire.sent.size(), 1U);
}

TEST(GenesisDriver, RemovedAndProbedAgain) {
  GenesisFixture b;
  b.up();
  b.stop();
  b.remove();
  EXPECT_EQ(b.r8(regs::kLed), regs::kCtstFields.led_stat_off >> 16U);
  b.intr_mask = 0;
  b.up();
  b.receive(b.to_me(300));
  EXPECT_EQ(b.serve_us(50).size(), 1U);
}

TEST(GenesisDriver, ADumpUnderTrafficLosesNothing) {
  GenesisFixture b;
  b.up();
  for (int i = 0; i < 10; ++i) {
    b.receive(b.to_me(400));
    b.send(b.to_me(400));
  }
  b.run_us(60);
  b.dump();
  EXPECT_TRUE(b.inta());
  EXPECT_EQ(b.serve_us(200).size(), 10U);
  EXPECT_EQ(b.sent, 10U);
  b.dump();
  b.receive(b.to_me(400));
  b.send(b.to_me(400));
  EXPECT_EQ(b.serve_us(200).size(), 1U);
  EXPECT_EQ(b.sent, 11U);
  EXPECT_TRUE(b.check_link());
}

TEST(GenesisDriver, RingsAreWhereTheDriverPutThem) {
  GenesisFixture b;
  b.up();
  for (std::uint32_t i = 0; i < GenesisFixture::kTxEntries; ++i) {
    b.receive(b.to_me(100));
    b.send(b.to_me(100));
    b.serve_us(10);
  }
  std::vector<std::pair<std::uint64_t, std::uint64_t>> rings;
  b.nic->append_rings(rings);
  ASSERT_EQ(rings.size(), 2U);
  EXPECT_EQ(rings[0].first, GenesisFixture::kRxRing);
  EXPECT_GE(rings[0].second, GenesisFixture::kRxRing + GenesisFixture::kTxEntries * 32U);
  EXPECT_EQ(rings[1].first, GenesisFixture::kTxRing);
  EXPECT_EQ(rings[1].second, GenesisFixture::kTxRing + GenesisFixture::kTxEntries * 32U);
}

TEST(GenesisDriver, StatisticsOfAStoppedInterfaceStillEnd) {
  GenesisFixture b;
  b.up();
  b.receive(b.to_me(100));
  b.serve_us(20);
  const auto snapshot = [&] {
    b.xm16(xm::kStatCmd, xm::kStatCmdFields.snp_txc | xm::kStatCmdFields.snp_rxc);
    for (int i = 0; i < 10 && (b.xm16(xm::kStatCmd) & 0x30U) != 0; ++i) b.run_us(10);
    return b.xm16(xm::kStatCmd) & 0x30U;
  };
  EXPECT_EQ(snapshot(), 0U);
  EXPECT_EQ(b.xm32(0x314), 1U) << "unicast frames";
  b.stop();
  EXPECT_EQ(snapshot(), 0U);
}

}  // namespace
}  // namespace longhaul::nic::genesis
