// SPDX-License-Identifier: Apache-2.0
#include "models/nic/ixgb/ixgb_rx.h"

#include <gtest/gtest.h>

#include "tests/unit/models/nic/ixgb/ixgb_fixture.h"

namespace longhaul::nic::ixgb {
namespace {

using namespace longhaul::testing;  // NOLINT: packets

constexpr std::uint32_t kGprcl = 0x2008;
constexpr std::uint32_t kRnbc = 0x2048;
constexpr std::uint32_t kMpc = 0x2080;

// What DmaTestBus and the parameters make of one small frame, in ps: latency 200 ns, engine 8
// clocks of 6.4 ns, data 40 ns, descriptor 40 ns.
constexpr std::uint64_t kPacketPs = 8 * 6400;
constexpr std::uint64_t kFrameWrittenPs = 280'000 + kPacketPs;

TEST(IxgbRx, AFrameIsInMemoryWithItsDescriptorBehindIt) {
  IxgbFixture b;
  b.up({});
  const ByteVector packet = good_packet();
  b.bus.seen.clear();
  b.receive(packet);
  b.run_ps(kFrameWrittenPs - 1);
  EXPECT_EQ(b.clean_rx().size(), 0U);
  b.run_ps(1);
  const auto got = b.clean_rx();
  ASSERT_EQ(got.size(), 1U);
  EXPECT_EQ(got[0].bytes, packet);
  EXPECT_EQ(got[0].status, 0x01 | 0x02 | 0x20 | 0x40) << "DD, EOP, TCPCS, IPCS";
  EXPECT_EQ(got[0].errors, 0);
  ASSERT_GE(b.bus.seen.size(), 2U);
  EXPECT_EQ(b.bus.seen[0].address, IxgbFixture::kRxData);
  EXPECT_EQ(b.bus.seen[1].address, IxgbFixture::kRxRing);
}

TEST(IxgbRx, TheEngineIsBusyForPacketAndDescriptorsAndBlockedWithoutAny) {
  IxgbFixture b;
  IxgbFixture::Settings settings;
  settings.fill_ring = false;
  b.up(settings);
  const observe::StateClock& state = b.nic->rx().engine().state;
  const std::uint64_t start = now_ps();
  const ByteVector packet = good_packet();
  b.receive(packet);
  b.run_us(2);
  EXPECT_EQ(state.state(), Engine::kBlockedState);
  b.give_buffers(4);
  b.run_us(2);
  EXPECT_EQ(state.state(), Engine::kIdleState);
  EXPECT_EQ(state.spent_ps(Engine::kBusyState), 2 * kPacketPs + packet.size() * 400)
      << "a packet, a descriptor, and bytes at 16 a clock";
  // From the end of the packet's own clocks, 200 ns after its last bit, until the fetch has brought
  // descriptors.
  EXPECT_EQ(state.spent_ps(Engine::kBlockedState), 2'000'000U - 200'000U - kPacketPs + 340'000U);
  EXPECT_EQ(start + 4'000'000, now_ps());
}

TEST(IxgbRx, ANarrowPathThroughTheEngineSetsThePaceOfABacklog) {
  IxgbFixture b(nlohmann::json{{"rx_kib_clocks", 200}});
  b.up({9000});
  PacketSpec spec;
  spec.payload = 8948;
  const ByteVector packet = good_packet(spec);
  for (int i = 0; i < 10; ++i) b.receive(packet);
  // 16 clocks and 9014 B at 5.12 B a clock; the tenth is under way when nine are through and its
  // own 8 clocks are over.
  const std::uint64_t frame_ps = 11'369'900;
  b.run_ps(200'000 + 9 * frame_ps + kPacketPs - 1);
  EXPECT_EQ(b.nic->rx().frames.value(), 9U);
  b.run_ps(1);
  EXPECT_EQ(b.nic->rx().frames.value(), 10U);
}

TEST(IxgbRx, ChecksumsAreComputedForBothFamiliesAndProtocols) {
  IxgbFixture b;
  b.up({});
  for (bool v6 : {false, true}) {
    for (bool tcp : {false, true}) {
      PacketSpec spec;
      spec.v6 = v6;
      spec.tcp = tcp;
      ByteVector packet = good_packet(spec);
      b.receive(packet);
      packet.back() ^= 1;
      b.receive(packet);
      b.run_us(5);
      const auto got = b.clean_rx();
      ASSERT_EQ(got.size(), 2U);
      const int checked = regs::rx_status::kTcpcs | (v6 ? 0 : regs::rx_status::kIpcs);
      EXPECT_EQ(got[0].status & 0x64, checked);
      EXPECT_EQ(got[0].errors, 0);
      EXPECT_EQ(got[1].status & 0x64, checked);
      EXPECT_EQ(got[1].errors, regs::rx_error::kTcpe);
    }
  }
  ByteVector bad_ip = good_packet();
  bad_ip[22] ^= 0x80;
  b.receive(bad_ip);
  ByteVector arp = good_packet();
  arp[13] = 0x06;
  b.receive(arp);
  b.run_us(5);
  const auto got = b.clean_rx();
  ASSERT_EQ(got.size(), 2U);
  EXPECT_EQ(got[0].errors, regs::rx_error::kIpe);
  EXPECT_EQ(got[1].status & 0x64, regs::rx_status::kIxsm) << "nothing to check";
}

TEST(IxgbRx, WithoutTheOffloadTheDriverIsToldToIgnoreTheBits) {
  IxgbFixture b;
  IxgbFixture::Settings settings;
  settings.rx_checksum = false;
  b.up(settings);
  b.receive(good_packet());
  b.run_us(5);
  const auto got = b.clean_rx();
  ASSERT_EQ(got.size(), 1U);
  EXPECT_EQ(got[0].status & 0x64, regs::rx_status::kIxsm);
}

TEST(IxgbRx, FilterTakesOwnGroupAndBroadcastAddresses) {
  IxgbFixture b;
  b.up({});
  const auto arrives = [&](std::array<std::uint8_t, 6> to) -> int {
    PacketSpec spec;
    spec.to = to;
    b.receive(good_packet(spec));
    b.run_us(5);
    const auto got = b.clean_rx();
    return got.empty() ? -1 : got[0].status & regs::rx_status::kPif;
  };
  const std::array<std::uint8_t, 6> own = {0, 7, 0xe9, 0, 0, 1};
  const std::array<std::uint8_t, 6> other = {0, 7, 0xe9, 0, 0, 2};
  const std::array<std::uint8_t, 6> group = {0x01, 0, 0x5e, 0, 0, 0xfb};
  const std::array<std::uint8_t, 6> all = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
  EXPECT_EQ(arrives(own), 0);
  EXPECT_EQ(arrives(all), 0);
  EXPECT_EQ(arrives(other), -1);
  EXPECT_EQ(arrives(group), -1);
  // Hash of the group address, bits 47 to 36: 0xfb0.
  b.write(regs::kMta + 4 * (0xfb0 >> 5), 1U << (0xfb0 & 31));
  EXPECT_EQ(arrives(group), regs::rx_status::kPif);
  b.write(regs::kRctl, b.read(regs::kRctl) | regs::kRctlFields.upe);
  EXPECT_EQ(arrives(other), regs::rx_status::kPif);
  EXPECT_EQ(b.nic->rx().filtered.value(), 2U);
  // The driver changes the address: entry 0.
  b.write(regs::kRctl, b.read(regs::kRctl) & ~regs::kRctlFields.upe);
  b.write(regs::kRal, 0x00e90700);
  b.write(regs::kRal + 4, 0x80000200);
  EXPECT_EQ(arrives(own), -1);
  EXPECT_EQ(arrives(other), 0);
}

TEST(IxgbRx, VlanIsFilteredAndStripped) {
  IxgbFixture b;
  IxgbFixture::Settings settings;
  settings.rctl = regs::kRctlFields.vfe;
  b.up(settings);
  PacketSpec spec;
  spec.vlan = 0x6064;
  const ByteVector packet = good_packet(spec);
  b.receive(packet);
  b.run_us(5);
  EXPECT_EQ(b.clean_rx().size(), 0U);
  b.write(regs::kVfta + 4 * (0x64 >> 5), 1U << (0x64 & 31));
  const FrameRef frame = IxgbFixture::frame_of(packet);
  b.receive(frame);
  b.run_us(5);
  auto got = b.clean_rx();
  ASSERT_EQ(got.size(), 1U);
  ByteVector stripped = packet;
  stripped.erase(stripped.begin() + 12, stripped.begin() + 16);
  EXPECT_EQ(got[0].bytes, stripped);
  EXPECT_EQ(got[0].special, 0x6064);
  EXPECT_NE(got[0].status & regs::rx_status::kVp, 0);
  EXPECT_EQ(got[0].status & regs::rx_status::kTcpcs, regs::rx_status::kTcpcs);
  EXPECT_EQ(std::memcmp(frame->data(), packet.data(), packet.size()), 0)
      << "others may hold the frame: it stays as it was";
  b.write(regs::kCtrl0, b.read(regs::kCtrl0) & ~regs::kCtrl0Fields.vme);
  b.receive(packet);
  b.run_us(5);
  got = b.clean_rx();
  ASSERT_EQ(got.size(), 1U);
  EXPECT_EQ(got[0].bytes, packet) << "kept without VME";
  EXPECT_EQ(got[0].status & regs::rx_status::kVp, 0);
  EXPECT_EQ(b.statistic(0x2028), 2U) << "VPRC";
}

TEST(IxgbRx, LargestFrameFillsOneBufferOrSeveral) {
  IxgbFixture b;
  PacketSpec spec;
  spec.payload = 16114 - 52;
  const ByteVector packet = good_packet(spec);
  IxgbFixture::Settings settings;
  settings.mtu = 16114;
  b.up(settings);
  b.receive(packet);
  b.run_us(50);
  auto got = b.clean_rx();
  ASSERT_EQ(got.size(), 1U);
  EXPECT_EQ(got[0].descriptors, 1U);
  EXPECT_EQ(got[0].bytes, packet);

  b.reset();
  settings.buffer_bytes = 2048;
  b.up(settings);
  b.receive(packet);
  b.run_us(50);
  got = b.clean_rx();
  ASSERT_EQ(got.size(), 1U);
  EXPECT_EQ(got[0].descriptors, 8U);
  EXPECT_EQ(got[0].bytes, packet);
  EXPECT_EQ(got[0].errors, 0);
  EXPECT_EQ(b.statistic(0x2030), 1U) << "JPRC";
}

TEST(IxgbRx, FramesBeyondTheLimitAreCountedAsOversize) {
  IxgbFixture b;
  b.up({});
  PacketSpec spec;
  spec.payload = 1449;  // 1515 B and FCS
  b.receive(good_packet(spec));
  spec.payload = 1448;
  b.receive(good_packet(spec));
  spec.vlan = 0;
  b.receive(good_packet(spec));  // four more for the tag
  b.run_us(10);
  EXPECT_EQ(b.clean_rx().size(), 2U);
  EXPECT_EQ(b.read(0x2058), 1U) << "ROC";
  b.reset();
  b.up({9000});
  spec.vlan = -1;
  spec.payload = 8948;
  b.receive(good_packet(spec));
  spec.payload = 8949;
  b.receive(good_packet(spec));
  b.run_us(20);
  EXPECT_EQ(b.clean_rx().size(), 1U);
  EXPECT_EQ(b.read(0x2058), 1U);
}

TEST(IxgbRx, DamagedFramesAreCountedAndKeptOnlyOnRequest) {
  IxgbFixture b;
  b.up({});
  const auto damaged = [] {
    FrameRef frame = IxgbFixture::frame_of(good_packet());
    frame.writable().flip_bit(999);
    return frame;
  };
  b.receive(damaged());
  b.run_us(5);
  EXPECT_EQ(b.clean_rx().size(), 0U);
  EXPECT_EQ(b.read(0x2068), 1U) << "CRCERRS";
  EXPECT_EQ(b.statistic(kGprcl), 0U);
  EXPECT_EQ(b.statistic(0x2000), 1U) << "TPR";
  b.write(regs::kRctl, b.read(regs::kRctl) | regs::kRctlFields.sbp);
  b.receive(damaged());
  b.run_us(5);
  const auto got = b.clean_rx();
  ASSERT_EQ(got.size(), 1U);
  EXPECT_EQ(got[0].errors, regs::rx_error::kCe | regs::rx_error::kRxe);
}

TEST(IxgbRx, FcsIsKeptWhenNotStripped) {
  IxgbFixture b;
  b.up({});
  b.write(regs::kRctl, b.read(regs::kRctl) & ~regs::kRctlFields.secrc);
  const FrameRef frame = IxgbFixture::frame_of(good_packet());
  const std::uint32_t fcs = frame->fcs();
  b.receive(frame);
  b.run_us(5);
  const auto got = b.clean_rx();
  ASSERT_EQ(got.size(), 1U);
  ASSERT_EQ(got[0].bytes.size(), frame->size() + 4);
  EXPECT_EQ(read_le32(&got[0].bytes[frame->size()]), fcs);
}

TEST(IxgbRx, RingWrapsManyTimesInOrder) {
  IxgbFixture b;
  IxgbFixture::Settings settings;
  settings.rx_entries = 64;
  b.up(settings);
  std::uint32_t seen = 0;
  for (std::uint32_t i = 0; i < 1000; ++i) {
    PacketSpec spec;
    spec.sequence = i;
    spec.payload = 20 + i % 1400;
    b.receive(good_packet(spec));
    b.run_ns(1500);
    for (const auto& got : b.clean_rx()) {
      ASSERT_EQ(be32(got.bytes, 38), seen);
      ASSERT_EQ(got.bytes.size(), 86U + seen % 1400);
      ++seen;
    }
  }
  b.run_us(20);
  EXPECT_EQ(seen + b.clean_rx().size(), 1000U);
}

TEST(IxgbRx, WithoutDescriptorsTheBufferFillsAndThenLoses) {
  IxgbFixture b;
  IxgbFixture::Settings settings;
  settings.fill_ring = false;
  b.up(settings);
  PacketSpec spec;
  spec.payload = 1448;  // 1514 B, 1518 with FCS, 1520 in the buffer
  const std::uint32_t fit = 256 * 1024 / 1520;
  for (std::uint32_t i = 0; i < fit; ++i) b.receive(good_packet(spec));
  EXPECT_EQ(b.read(kMpc), 0U);
  EXPECT_EQ(b.read(regs::kIcr) & regs::kCauseFields.rxo, 0U);
  for (int i = 0; i < 7; ++i) b.receive(good_packet(spec));
  EXPECT_EQ(b.read(kMpc), 7U);
  EXPECT_EQ(b.read(regs::kIcr) & regs::kCauseFields.rxo, regs::kCauseFields.rxo);
  EXPECT_EQ(b.read(kRnbc), fit);
  EXPECT_EQ(b.statistic(kGprcl), fit);
  EXPECT_EQ(b.nic->rx().missed.value(), 7U);
  b.give_buffers(508);
  b.run_us(500);
  EXPECT_EQ(b.clean_rx().size(), fit) << "what was in the buffer arrives late but whole";
}

TEST(IxgbRx, FillOfTheBufferSendsXoffAndXon) {
  IxgbFixture b;
  IxgbFixture::Settings settings;
  settings.fill_ring = false;
  settings.flow_control = true;
  settings.mtu = 9000;
  b.up(settings);
  PacketSpec spec;
  spec.payload = 8948;  // 9018 B with FCS, 9024 in the buffer
  const ByteVector packet = good_packet(spec);
  for (int i = 0; i < 21; ++i) b.receive(packet);  // 189504 B
  b.run_us(5);
  EXPECT_EQ(b.wire.sent.size(), 0U);
  b.receive(packet);  // 198528 B, above 0x30000
  b.run_us(5);
  ASSERT_EQ(b.wire.sent.size(), 1U);
  EXPECT_EQ(be16(b.wire.sent[0].bytes, 12), 0x8808U);
  EXPECT_EQ(be16(b.wire.sent[0].bytes, 16), 0xffffU);
  const ByteVector own = {0, 7, 0xe9, 0, 0, 1};
  EXPECT_TRUE(std::equal(own.begin(), own.end(), b.wire.sent[0].bytes.begin() + 6));
  b.give_buffers(4);  // down to 162432 B, below 0x28000
  b.run_us(50);
  ASSERT_EQ(b.wire.sent.size(), 2U);
  EXPECT_EQ(be16(b.wire.sent[1].bytes, 16), 0U);
  EXPECT_EQ(b.read(0x21d0), 1U) << "XOFFTXC";
  EXPECT_EQ(b.read(0x21c0), 1U) << "XONTXC";
  EXPECT_EQ(b.read(0x21a0), 2U) << "PFTC";
}

TEST(IxgbRx, ABufferThatCannotBeWrittenStopsNothing) {
  IxgbFixture b;
  b.up({});
  b.bus.hole_begin = 0x1000000 - 16;
  b.put_word(IxgbFixture::kRxRing, 0x0ffffff8);
  // The descriptor was fetched before: start over with the bad address in place.
  b.reset();
  IxgbFixture::Settings settings;
  settings.fill_ring = false;
  b.up(settings);
  for (std::uint32_t i = 0; i < 4; ++i)
    b.put_word(IxgbFixture::kRxRing + 16 * i, 0x400000 + i * 16384);
  b.put_word(IxgbFixture::kRxRing + 16, 0x0ffffff8);
  b.write(regs::kRdt, 4);
  for (int i = 0; i < 3; ++i) b.receive(good_packet());
  b.run_us(10);
  EXPECT_EQ(b.nic->rx().dma_errors.value(), 1U);
  EXPECT_EQ(b.nic->rx().frames.value(), 3U);
  EXPECT_NE(b.word(IxgbFixture::kRxRing + 2 * 16 + 12) & 1, 0U);
}

}  // namespace
}  // namespace longhaul::nic::ixgb
