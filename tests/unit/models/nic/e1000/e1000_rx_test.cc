// SPDX-License-Identifier: Apache-2.0
#include "models/nic/e1000/e1000_rx.h"

#include <gtest/gtest.h>

#include "tests/unit/models/nic/e1000/e1000_fixture.h"

namespace longhaul::nic::e1000 {
namespace {

using namespace longhaul::testing;  // NOLINT: packets

// What DmaTestBus and the parameters make of one small frame, in ns: latency 500, engine 8 clocks
// of 16, data 40, descriptor 40.
constexpr std::uint64_t kWrittenNs = 500 + 8 * 16 + 40 + 40;

/// The bytes as the driver gets them: it strips the FCS itself.
ByteVector without_fcs(const ByteVector& bytes) { return {bytes.begin(), bytes.end() - 4}; }

TEST(E1000Rx, AFrameIsInMemoryAfterLatencyEngineAndBusWithItsFcs) {
  E1000Fixture b;
  b.up({});
  const ByteVector packet = good_packet(E1000Fixture::to_me());
  b.receive(packet);
  b.run_ps(kWrittenNs * 1000 - 1);
  EXPECT_FALSE(b.nic->interrupt_moderator().level());
  b.run_ps(1);
  EXPECT_TRUE(b.nic->interrupt_moderator().level()) << "RDTR 0: at once";
  b.run_us(1);
  const auto received = b.clean_rx();
  ASSERT_EQ(received.size(), 1U);
  EXPECT_EQ(without_fcs(received[0].bytes), packet);
  const FrameRef frame = E1000Fixture::frame_of(packet);
  const std::uint32_t fcs = frame->fcs();
  for (std::uint32_t i = 0; i < 4; ++i) {
    EXPECT_EQ(received[0].bytes[packet.size() + i], static_cast<std::uint8_t>(fcs >> (8 * i))) << i;
  }
}

TEST(E1000Rx, AnFcsThatNeedsALargerFrameIsStillAppended) {
  E1000Fixture b;
  b.up({});
  for (std::uint32_t payload = 40; payload < 220; ++payload) {
    PacketSpec spec = E1000Fixture::to_me();
    spec.payload = payload;
    const ByteVector packet = good_packet(spec);
    b.receive(packet);
    b.run_us(2);
    const auto received = b.clean_rx();
    ASSERT_EQ(received.size(), 1U) << payload;
    ASSERT_EQ(without_fcs(received[0].bytes), packet) << payload;
  }
}

TEST(E1000Rx, SecrcLeavesTheFcsOut) {
  E1000Fixture b;
  E1000Fixture::Settings settings;
  settings.rctl = regs::kRctlFields.secrc;
  b.up(settings);
  const ByteVector packet = good_packet(E1000Fixture::to_me());
  b.receive(packet);
  b.run_us(2);
  const auto received = b.clean_rx();
  ASSERT_EQ(received.size(), 1U);
  EXPECT_EQ(received[0].bytes, packet);
}

TEST(E1000Rx, ChecksumsAreComputedAndErrorsFlagged) {
  E1000Fixture b;
  b.up({});
  const PacketSpec spec = E1000Fixture::to_me();
  ByteVector bad = good_packet(spec);
  bad[l4_at(spec) + 30] ^= 0x40;
  b.receive(good_packet(spec));
  b.receive(bad);
  b.run_us(5);
  const auto received = b.clean_rx();
  ASSERT_EQ(received.size(), 2U);
  const std::uint8_t good = regs::rx_status::kDd | regs::rx_status::kEop | regs::rx_status::kTcpcs;
  EXPECT_EQ(received[0].status, good) << "IPCS only with IPOFL";
  EXPECT_EQ(received[0].errors, 0);
  EXPECT_EQ(received[1].status, good);
  EXPECT_EQ(received[1].errors, regs::rx_error::kTcpe);
}

TEST(E1000Rx, ThePacketChecksumRunsFromPcssToTheEndAndIpoflChecksHeaders) {
  E1000Fixture b;
  E1000Fixture::Settings settings;
  settings.rctl = regs::kRctlFields.secrc;
  b.up(settings);
  b.write(regs::kRxcsum, regs::kRxcsumFields.ipofl | 14);
  const PacketSpec spec = E1000Fixture::to_me();
  const ByteVector packet = good_packet(spec);
  b.receive(packet);
  b.run_us(2);
  const auto received = b.clean_rx();
  ASSERT_EQ(received.size(), 1U);
  EXPECT_EQ(received[0].checksum,
            static_cast<std::uint16_t>(~plain_checksum(packet, 14, packet.size())));
  EXPECT_EQ(received[0].status & (regs::rx_status::kIpcs | regs::rx_status::kTcpcs),
            regs::rx_status::kIpcs);
}

TEST(E1000Rx, FiltersPassWhatTheDriverAskedFor) {
  E1000Fixture b;
  b.up({});
  PacketSpec spec = E1000Fixture::to_me();
  const auto arrives = [&](std::array<std::uint8_t, 6> to) {
    spec.to = to;
    b.receive(good_packet(spec));
    b.run_us(3);
    return b.clean_rx().size();
  };
  EXPECT_EQ(arrives({0x00, 0x04, 0x23, 0, 0, 2}), 0U);
  EXPECT_EQ(arrives({0xff, 0xff, 0xff, 0xff, 0xff, 0xff}), 1U);
  EXPECT_EQ(arrives({0x01, 0x00, 0x5e, 0x01, 0x02, 0x03}), 0U);
  b.write(regs::kMta + 4 * (0x030 >> 5), 1U << (0x030 & 31));  // bits 47 to 36 of 03:02
  EXPECT_EQ(arrives({0x01, 0x00, 0x5e, 0x01, 0x02, 0x03}), 1U);
  b.write(regs::kRal + 8, 0x11223302);
  b.write(regs::kRal + 12, 0x80005544);
  EXPECT_EQ(arrives({0x02, 0x33, 0x22, 0x11, 0x44, 0x55}), 1U);
  b.write(regs::kRctl, b.read(regs::kRctl) | regs::kRctlFields.upe | regs::kRctlFields.mpe);
  EXPECT_EQ(arrives({0x00, 0x04, 0x23, 0, 0, 2}), 1U);
  EXPECT_EQ(arrives({0x01, 0x00, 0x5e, 0x09, 0x09, 0x09}), 1U);
  EXPECT_EQ(b.nic->rx().filtered.value(), 2U);
}

TEST(E1000Rx, VlanTagsAreStrippedAndFilteredByVftaAndVet) {
  E1000Fixture b;
  E1000Fixture::Settings settings;
  settings.rctl = regs::kRctlFields.vfe;
  b.up(settings);
  b.write(regs::kVfta, 1U << 5);
  PacketSpec spec = E1000Fixture::to_me();
  spec.vlan = 0x2005;
  b.receive(good_packet(spec));
  spec.vlan = 6;
  b.receive(good_packet(spec));
  b.run_us(5);
  const auto received = b.clean_rx();
  ASSERT_EQ(received.size(), 1U);
  EXPECT_EQ(received[0].special, 0x2005);
  EXPECT_NE(received[0].status & regs::rx_status::kVp, 0);
  spec.vlan = -1;
  EXPECT_EQ(without_fcs(received[0].bytes), good_packet(spec));
  b.write(regs::kVet, 0x9100);  // then 0x8100 is a type like any other
  spec.vlan = 6;
  b.receive(good_packet(spec));
  b.run_us(5);
  const auto whole = b.clean_rx();
  ASSERT_EQ(whole.size(), 1U);
  EXPECT_EQ(without_fcs(whole[0].bytes), good_packet(spec));
}

TEST(E1000Rx, LongFramesNeedLpeAndFillSeveralBuffers) {
  E1000Fixture b;
  b.up({});
  PacketSpec spec = E1000Fixture::to_me();
  spec.payload = 5000;
  b.receive(good_packet(spec));
  b.run_us(5);
  EXPECT_TRUE(b.clean_rx().empty());
  EXPECT_EQ(b.read(0x40ac), 1U) << "ROC";
  b.reset();
  E1000Fixture::Settings settings;
  settings.mtu = 9000;
  settings.buffer_code =
      regs::kRctlFields.bsex | regs::kRctlFields.bsize.put(3U);  // 4096, as the driver's pages
  b.up(settings);
  b.receive(good_packet(spec));
  b.run_us(10);
  const auto received = b.clean_rx();
  ASSERT_EQ(received.size(), 1U);
  EXPECT_EQ(received[0].descriptors, 2U);
  EXPECT_EQ(without_fcs(received[0].bytes), good_packet(spec));
}

TEST(E1000Rx, BufferSizesAreWhatTheirCodesSay) {
  const std::uint32_t sizes[] = {2048, 1024, 512, 256};
  E1000Fixture b;
  for (std::uint32_t code = 0; code < 4; ++code) {
    E1000Fixture::Settings settings;
    settings.buffer_code = regs::kRctlFields.bsize.put(code);
    b.up(settings);
    PacketSpec spec = E1000Fixture::to_me();
    spec.payload = 1400;
    b.receive(good_packet(spec));
    b.run_us(20);
    const auto received = b.clean_rx();
    ASSERT_EQ(received.size(), 1U) << code;
    const auto bytes = static_cast<std::uint32_t>(received[0].bytes.size());
    EXPECT_EQ(received[0].descriptors, (bytes + sizes[code] - 1) / sizes[code]) << code;
    b.reset();
  }
}

TEST(E1000Rx, AFullBufferLosesFramesCountsThemAndSendsPause) {
  E1000Fixture b;
  E1000Fixture::Settings settings;
  settings.fill_ring = false;
  b.up(settings);
  b.write(regs::kFcttv, 0xffff);
  b.write(regs::kFcrtl, 0x4000 | regs::kFcrtlFields.xone);
  b.write(regs::kFcrth, 0x6000);
  PacketSpec spec = E1000Fixture::to_me();
  spec.payload = 1448;
  const ByteVector packet = good_packet(spec);
  const auto footprint = static_cast<std::uint32_t>((packet.size() + 4 + 15) / 16 * 16);
  const std::uint32_t fit = 48 * 1024 / footprint;
  for (std::uint32_t i = 0; i < fit + 3; ++i) b.receive(packet);
  b.run_us(10);
  EXPECT_EQ(b.read(0x4010), 3U) << "MPC";
  EXPECT_EQ(b.read(0x40a0), fit) << "RNBC";
  EXPECT_NE(b.read(regs::kIcr) & regs::kCauseFields.rxo, 0U);
  EXPECT_EQ(b.read(0x4054), 1U) << "XOFFTXC";
  b.give_buffers(200);
  b.run_us(200);
  EXPECT_EQ(b.clean_rx().size(), fit);
  EXPECT_EQ(b.read(0x404c), 1U) << "XONTXC";
}

TEST(E1000Rx, DamagedFramesAreCountedAndStoredOnlyWithSbp) {
  E1000Fixture b;
  b.up({});
  const auto damaged = [] {
    FrameRef frame = E1000Fixture::frame_of(good_packet(E1000Fixture::to_me()));
    frame.writable().flip_bit(333);
    return frame;
  };
  b.receive(damaged());
  b.run_us(5);
  EXPECT_TRUE(b.clean_rx().empty());
  EXPECT_EQ(b.read(0x4000), 1U) << "CRCERRS";
  b.write(regs::kRctl, b.read(regs::kRctl) | regs::kRctlFields.sbp);
  b.receive(damaged());
  b.run_us(5);
  const auto received = b.clean_rx();
  ASSERT_EQ(received.size(), 1U);
  EXPECT_NE(received[0].errors & regs::rx_error::kCe, 0);
  EXPECT_EQ(b.read(0x4074), 0U) << "GPRC";
}

TEST(E1000Rx, HeadIsWhereTheUnitStopped) {
  E1000Fixture b;
  b.up({});
  for (int i = 0; i < 3; ++i) b.receive(good_packet(E1000Fixture::to_me()));
  b.run_us(10);
  EXPECT_EQ(b.read(regs::kRdh), 3U);
  b.write(regs::kRctl, 0);
  EXPECT_EQ(b.read(regs::kRdh), 3U);
  b.write(regs::kRdh, 0);
  EXPECT_EQ(b.read(regs::kRdh), 0U);
}

// --- moderation

TEST(E1000RxModeration, PacketTimerRunsFromTheLastPacketAndAbsoluteFromTheFirst) {
  E1000Fixture b;
  E1000Fixture::Settings settings;
  settings.rdtr = 5;
  settings.radv = 0;
  b.up(settings);
  std::uint64_t start = now_ps();
  b.receive(good_packet(E1000Fixture::to_me()));
  b.run_us(3);
  b.receive(good_packet(E1000Fixture::to_me()));
  std::uint64_t due = start + 3'000'000 + kWrittenNs * 1000 + 5 * 1'024'000;
  b.run_until(due - 1);
  EXPECT_FALSE(b.nic->interrupt_moderator().level());
  b.run_ps(1);
  EXPECT_EQ(b.read(regs::kIcr), regs::kCauseFields.rxt0);
  b.write(regs::kRadv, 7);
  start = now_ps();
  b.receive(good_packet(E1000Fixture::to_me()));
  b.run_us(3);
  b.receive(good_packet(E1000Fixture::to_me()));
  due = start + kWrittenNs * 1000 + 7 * 1'024'000;
  b.run_until(due - 1);
  EXPECT_FALSE(b.nic->interrupt_moderator().level());
  b.run_ps(1);
  EXPECT_EQ(b.read(regs::kIcr), regs::kCauseFields.rxt0);
  b.run_us(50);
  EXPECT_EQ(b.read(regs::kIcr), 0U) << "the absolute timer has cancelled the packet timer";
}

TEST(E1000RxModeration, FlushingInterruptsAtOnce) {
  E1000Fixture b;
  E1000Fixture::Settings settings;
  settings.rdtr = 1000;
  b.up(settings);
  b.receive(good_packet(E1000Fixture::to_me()));
  b.run_us(5);
  EXPECT_EQ(b.read(regs::kIcr), 0U);
  b.write(regs::kRdtr, 1000 | regs::kRdtrFields.fpd);
  EXPECT_EQ(b.read(regs::kRdtr), 1000U) << "clears itself";
  EXPECT_EQ(b.read(regs::kIcr), regs::kCauseFields.rxt0);
}

TEST(E1000RxModeration, ThrottleSpacesInterruptsByItsInterval) {
  E1000Fixture b;
  E1000Fixture::Settings settings;
  settings.itr = 200;  // 51.2 us
  b.up(settings);
  std::vector<std::uint64_t> rises;
  const std::uint64_t end = now_ps() + 500'000'000;
  bool level = false;
  while (now_ps() < end) {
    b.receive(good_packet(E1000Fixture::to_me()));
    b.run_us(1);
    const bool now = b.nic->interrupt_moderator().level();
    if (now && !level) rises.push_back(now_ps());
    if (now) b.read(regs::kIcr);
    level = false;
    b.clean_rx();
  }
  ASSERT_GE(rises.size(), 9U);
  for (std::size_t i = 1; i < rises.size(); ++i) {
    // The test looks once a microsecond.
    EXPECT_NEAR(static_cast<double>(rises[i] - rises[i - 1]), 51'200'000, 1'000'000) << i;
  }
  EXPECT_EQ(b.nic->interrupt_moderator().raised.value(), rises.size());
}

TEST(E1000RxModeration, FewDescriptorsLeftInterruptAtTheThreshold) {
  E1000Fixture b;
  E1000Fixture::Settings settings;
  settings.rdtr = 1000;
  settings.radv = 0;
  settings.rx_entries = 64;
  settings.fill_ring = false;
  settings.rctl = regs::kRctlFields.rdmts.put(1U);  // a quarter
  b.up(settings);
  b.give_buffers(20);
  for (int i = 0; i < 3; ++i) b.receive(good_packet(E1000Fixture::to_me()));
  b.run_us(10);
  EXPECT_EQ(b.read(regs::kIcr), 0U);
  b.receive(good_packet(E1000Fixture::to_me()));
  b.run_us(5);
  EXPECT_EQ(b.read(regs::kIcr), regs::kCauseFields.rxdmt0) << "16 of 64 left";
}

}  // namespace
}  // namespace longhaul::nic::e1000
