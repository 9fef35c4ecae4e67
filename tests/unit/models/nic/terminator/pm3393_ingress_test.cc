// SPDX-License-Identifier: Apache-2.0
#include "models/nic/terminator/pm3393_ingress.h"

#include <gtest/gtest.h>

#include "tests/unit/models/nic/terminator/mac_part_fixture.h"

namespace longhaul::nic::terminator {
namespace {

using observe::FrameFate;
using testing::MacPartFixture;

// Ten frames of 1514 B, in blocks of 16 B, and 1312 B of the next one fill ESPI's FIFO to its
// watermark of 16 KiB and one burst. 208 B of that frame and 42 frames fill the ingress FIFO.
constexpr std::size_t kInEspi = 10;
constexpr std::size_t kHeld = kInEspi + 1 + 42;
// 208 + 33 * 1520 is the first fill of at least 0xC00 blocks.
constexpr std::size_t kUntilXoff = kInEspi + 1 + 33;

TEST(Pm3393Ingress, AFrameIsThereABurstAfterItsLastBit) {
  MacPartFixture b;
  b.up();
  const std::uint64_t first_bit = now_ps();
  b.link.b_to_a.transmit(b.frame(1518));
  b.run(3 * kUs);
  ASSERT_EQ(b.taken.size(), 1U);
  EXPECT_EQ(b.taken[0].began_ps, first_bit);
  // 1526 octets at 10 Gb/s, the latency, and the last 106 B with a control word at 11.2 Gb/s.
  EXPECT_EQ(b.taken[0].at_ps, first_bit + 1526 * 800 + 300 * kNs + 77'143);
}

TEST(Pm3393Ingress, WithoutCutThroughAFrameGoesWhenItIsWhole) {
  MacPartFixture b;
  b.up();
  b.pm_write(0x2049, 0);
  const std::uint64_t first_bit = now_ps();
  b.link.b_to_a.transmit(b.frame(1518));
  b.run(4 * kUs);
  ASSERT_EQ(b.taken.size(), 1U);
  // 1514 B and twelve control words: 1538 B at 11.2 Gb/s.
  EXPECT_EQ(b.taken[0].at_ps, first_bit + 1526 * 800 + 300 * kNs + 1'098'572);
}

TEST(Pm3393Ingress, Spi4KeepsUpWithTheWire) {
  MacPartFixture b;
  b.up();
  b.set_mtu(9000);
  for (const std::uint32_t octets : {64U, 1518U, 9018U}) {
    b.taken.clear();
    for (int i = 0; i < 100; ++i) b.far.send(MacPartFixture::frame(octets));
    b.far.mac.kick();
    b.run(kMs);
    ASSERT_EQ(b.taken.size(), 100U);
    EXPECT_EQ(b.taken[99].at_ps - b.taken[10].at_ps, 89 * (std::uint64_t{octets} + 20) * 800)
        << "the wire's pace with " << octets;
    EXPECT_EQ(b.pm_read(0x2211) & 0x8000U, 0x8000U) << "the FIFO is empty";
  }
}

TEST(Pm3393Ingress, WithoutCrcStripTheFcsStays) {
  MacPartFixture b;
  b.up();
  b.pm_write(0x2040, 0x8494);
  const FrameRef sent = b.frame(100);
  b.arrive(sent);
  b.run(kUs);
  ASSERT_EQ(b.taken.size(), 1U);
  EXPECT_EQ(b.taken[0].frame->size(), 100U);
}

TEST(Pm3393Ingress, OnlyTheStationAndBroadcastPass) {
  MacPartFixture b;
  b.up();
  b.arrive(b.frame(100));
  b.arrive(b.frame(100, test::kBroadcast));
  b.arrive(b.frame(100, test::station(3)));
  b.arrive(b.frame(100, {0x01, 0, 0x5e, 0, 0, 1}));
  b.run(kUs);
  EXPECT_EQ(b.taken.size(), 2U);
  EXPECT_EQ(b.part.rx_filtered.value(), 2U);
  EXPECT_EQ(b.drops.count(FrameFate::kDropped, "address"), 2U);
  b.set_rx_mode(false, false, {{0x01, 0, 0x5e, 0, 0, 1}});
  b.arrive(b.frame(100, {0x01, 0, 0x5e, 0, 0, 1}));
  b.arrive(b.frame(100, {0x01, 0, 0x5e, 0, 0, 2}));
  b.run(kUs);
  EXPECT_EQ(b.taken.size(), 3U);
  b.set_rx_mode(true, false, {});
  b.arrive(b.frame(100, test::station(3)));
  b.run(kUs);
  EXPECT_EQ(b.taken.size(), 4U);
}

TEST(Pm3393Ingress, TheMtuSetsTheLongestFrameAndATagMakesItLonger) {
  MacPartFixture b;
  b.up();
  b.arrive(b.frame(1518));
  b.arrive(b.frame(1519));
  FrameRef tagged = b.frame(1522);
  write_be16(tagged.writable().data() + 12, 0x8100);
  write_be16(tagged.writable().data() + 16, 0x88b5);
  b.arrive(tagged);
  b.run(kUs);
  EXPECT_EQ(b.taken.size(), 2U);
  b.set_mtu(9000);
  b.arrive(b.frame(9018));
  b.arrive(b.frame(9019));
  b.run(10 * kUs);
  EXPECT_EQ(b.taken.size(), 3U);
  EXPECT_EQ(b.part.rx_refused.value(), 2U);
}

TEST(Pm3393Ingress, ADisabledReceiverTakesNothing) {
  MacPartFixture b;
  b.up();
  b.enable(false);
  b.arrive(b.frame(100));
  b.run(kUs);
  EXPECT_EQ(b.taken.size(), 0U);
  EXPECT_EQ(b.mac.rx_off.value(), 1U);
}

TEST(Pm3393Ingress, ARefusedFrameStaysAndTheFifosFill) {
  MacPartFixture b;
  b.up();
  b.takes = false;
  for (std::uint32_t i = 0; i < kUntilXoff - 1; ++i)
    b.arrive(b.frame(1518, MacPartFixture::kMe, i));
  EXPECT_EQ(b.mac.tx_xoff.value(), 0U);
  b.arrive(b.frame(1518, MacPartFixture::kMe, kUntilXoff - 1));
  b.run(kUs);
  EXPECT_EQ(b.mac.tx_xoff.value(), 1U) << "at the almost-full threshold";
  EXPECT_TRUE(b.far.mac.paused());
  EXPECT_EQ(b.pm_read(0x2210), 0x4c00U) << "almost full";
  b.takes = true;
  b.part.kick_rx();
  b.run(100 * kUs);
  ASSERT_EQ(b.taken.size(), kUntilXoff);
  for (std::uint32_t i = 0; i < kUntilXoff; ++i)
    EXPECT_EQ(test::number_of(*b.taken[i].frame), i) << "in order";
  EXPECT_EQ(b.mac.tx_xon.value(), 1U) << "at the almost-empty threshold";
  EXPECT_FALSE(b.far.mac.paused());
  EXPECT_EQ(b.part.rx_overflows.value(), 0U);
}

TEST(Pm3393Ingress, AFullFifoLosesFramesAndCountsThem) {
  MacPartFixture b;
  b.up();
  b.mac_interrupt_clear();
  b.takes = false;
  for (std::uint32_t i = 0; i < kHeld; ++i) b.arrive(b.frame(1518));
  EXPECT_EQ(b.part.rx_overflows.value(), 0U);
  EXPECT_EQ(b.pm_read(0x220a), 0U);
  b.arrive(b.frame(1518));
  b.arrive(b.frame(1518));
  EXPECT_EQ(b.part.rx_overflows.value(), 2U);
  EXPECT_EQ(b.drops.count(FrameFate::kDropped, "ingress FIFO full"), 2U);
  EXPECT_EQ(b.counter(11), 2U) << "RxFramesLostDueToInternalMACErrors";
  EXPECT_EQ(b.snapped(0), kHeld);
  EXPECT_EQ(b.pm_read(0x220a), 1U) << "IFLX overflow";
  EXPECT_EQ(b.pm_read(0x2043) & 0x0400U, 0x0400U) << "RXXG overrun";
  b.takes = true;
  b.part.kick_rx();
  b.run(200 * kUs);
  EXPECT_EQ(b.taken.size(), kHeld);
}

TEST(Pm3393Ingress, XoffIsRepeatedAfterTheIntervalAndHasThePauseTimer) {
  MacPartFixture b;
  b.up();
  b.takes = false;
  b.pm_write(0x304d, 2000);
  b.pm_write(0x304e, 1000);  // 51.2 us
  for (std::uint32_t i = 0; i < kUntilXoff; ++i) b.arrive(b.frame(1518));
  const std::uint64_t begin = now_ps();
  test::run_until(begin + 500 * kNs);
  EXPECT_EQ(b.mac.tx_xoff.value(), 1U);
  // The XOFF went out at the frame's last bit, a gap of 12 octets before arrive() returned. It has
  // 72 octets with its preamble; 2000 quanta of 51.2 ns run from its end.
  const std::uint64_t last_bit = begin - 12 * 800;
  EXPECT_EQ(b.far.mac.pause_ends_ps(), last_bit + 72 * 800 + 2000 * 51'200);
  test::run_until(last_bit + 3 * 1000 * 51'200 + kUs);
  EXPECT_EQ(b.mac.tx_xoff.value(), 4U);
  EXPECT_TRUE(b.far.mac.paused());
}

TEST(Pm3393Ingress, WithoutFctxNoPauseIsSent) {
  MacPartFixture b;
  b.up();
  b.takes = false;
  b.pm_write(0x3040, 0x8632);
  for (std::uint32_t i = 0; i < kHeld; ++i) b.arrive(b.frame(1518));
  EXPECT_EQ(b.mac.tx_xoff.value(), 0U);
  b.pm_write(0x3040, 0x863a);
  b.run(kUs);
  EXPECT_EQ(b.mac.tx_xoff.value(), 1U) << "once it is allowed";
}

TEST(Pm3393Ingress, HostPauseSendsPause) {
  MacPartFixture b;
  b.up();
  b.pm_write(0x3040, 0xa63e);
  b.run(kUs);
  EXPECT_EQ(b.mac.tx_xoff.value(), 1U);
  b.pm_write(0x3040, 0x863e);
  b.run(kUs);
  EXPECT_EQ(b.mac.tx_xon.value(), 1U);
}

TEST(Pm3393Ingress, ThresholdsActWithTheIndirectUpdateOnly) {
  MacPartFixture b;
  b.up();
  b.takes = false;
  b.pm_write(0x2210, 0x10);
  for (std::uint32_t i = 0; i < kInEspi + 4; ++i) b.arrive(b.frame(1518));
  EXPECT_EQ(b.mac.tx_xoff.value(), 0U);
  b.pm_write(0x220d, 0x4000);
  EXPECT_EQ(b.pm_read(0x2210) & 0x3fffU, 0xc00U) << "a read brings the FIFO's own back";
  b.pm_write(0x2210, 0x10);
  b.pm_write(0x220d, 0);
  b.run(kUs);
  EXPECT_EQ(b.mac.tx_xoff.value(), 1U);
}

TEST(Pm3393Ingress, AFifoThatIsNotProvisionedLosesFrames) {
  MacPartFixture b;
  b.up();
  b.pm_write(0x2201, 0);
  b.arrive(b.frame(100));
  EXPECT_EQ(b.drops.count(FrameFate::kDropped, "ingress FIFO not provisioned"), 1U);
}

}  // namespace
}  // namespace longhaul::nic::terminator
