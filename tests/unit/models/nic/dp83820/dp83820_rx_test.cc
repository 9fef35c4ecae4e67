// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "tests/unit/models/nic/dp83820/dp83820_fixture.h"

namespace longhaul::nic::dp83820 {
namespace {

using namespace regs;  // NOLINT: names of the registers
using longhaul::testing::make_packet;
using longhaul::testing::PacketSpec;
using longhaul::testing::plain_checksum;
using ::testing::ElementsAre;

constexpr std::uint32_t kUnicast = 1U << cmdsts::kDestinationShift;

TEST(Dp83820Rx, AFrameIsWrittenAndItsDescriptorTellsIt) {
  Dp83820Fixture b;
  b.open();
  const std::size_t before = b.bus.seen.size();
  const ByteVector packet = b.to_me(600);
  b.receive(packet);
  b.run_us(20);
  EXPECT_EQ(b.rx_status(0), cmdsts::kOwn | cmdsts::kOk | cmdsts::kIntr | kUnicast | 600U);
  EXPECT_EQ(b.received(0), packet);
  EXPECT_TRUE(b.inta());
  EXPECT_EQ(b.read(kIsr), kIsrFields.rx_ok | kIsrFields.rx_desc);
  // Two bursts of at most 512 B, both status words, and the next descriptor.
  std::vector<std::uint32_t> lengths;
  for (std::size_t i = before; i < b.bus.seen.size(); ++i) lengths.push_back(b.bus.seen[i].bytes);
  EXPECT_THAT(lengths, ElementsAre(512U, 88U, 8U, 24U));
  EXPECT_EQ(b.nic->rx().fifo_fill.value(), 0U);
}

TEST(Dp83820Rx, TheFcsIsWrittenUnlessItIsStripped) {
  Dp83820Fixture b;
  b.open();
  b.write(kRxcfg, b.read(kRxcfg) & ~kRxcfgFields.strip_crc);
  const ByteVector packet = b.to_me(60);
  b.receive(packet);
  b.run_us(20);
  EXPECT_EQ(b.rx_status(0) & cmdsts::kLength, 64U);
  const std::uint32_t fcs = Dp83820Fixture::frame_of(packet)->fcs();
  EXPECT_EQ(b.word(b.kRxData + 60), fcs);
}

TEST(Dp83820Rx, AFrameLargerThanItsBufferGoesOnInTheNext) {
  Dp83820Fixture b;
  b.open();
  b.write(kCr, kCrFields.rxr);
  for (std::uint32_t i = 0; i < 3; ++i) b.give(i, i < 2, 256);
  b.write(kRxdp, b.kRxList);
  b.write(kCr, kCrFields.rxe);
  b.receive(b.to_me(600, 3));
  b.run_us(20);
  EXPECT_EQ(b.rx_status(0), cmdsts::kOwn | cmdsts::kMore | cmdsts::kIntr | 256U);
  EXPECT_EQ(b.rx_status(1), cmdsts::kOwn | cmdsts::kMore | cmdsts::kIntr | 256U);
  EXPECT_EQ(b.rx_status(2), cmdsts::kOwn | cmdsts::kOk | cmdsts::kIntr | kUnicast | 88U);
  ByteVector whole;
  for (std::uint32_t i = 0; i < 3; ++i) {
    const ByteVector part = b.received(i);
    whole.insert(whole.end(), part.begin(), part.end());
  }
  EXPECT_EQ(whole, b.to_me(600, 3));
}

TEST(Dp83820Rx, WithoutDescriptorsFramesWaitAndTheDriverIsTold) {
  Dp83820Fixture b;
  b.open(2);
  for (int i = 0; i < 4; ++i) b.receive(b.to_me(100, static_cast<std::uint8_t>(i)));
  b.run_us(20);
  EXPECT_NE(b.read(kIsr) & kIsrFields.rx_idle, 0U);
  EXPECT_EQ(b.read(kCr) & kCrFields.rxe, 0U);
  EXPECT_GT(b.nic->rx().fifo_fill.value(), 0U);
  for (std::uint32_t i = 2; i < 6; ++i) b.give(i, i < 5);
  b.write(kRxdp, b.rx_at(2));
  b.write(kCr, kCrFields.rxe);
  b.run_us(20);
  EXPECT_EQ(b.received(2), b.to_me(100, 2));
  EXPECT_EQ(b.received(3), b.to_me(100, 3));
}

TEST(Dp83820Rx, AFullFifoMissesFrames) {
  Dp83820Fixture b;
  b.open(1);
  b.write(kMibc, 0);  // the counters run
  for (int i = 0; i < 30; ++i) b.receive(b.to_me(1514));
  b.run_us(50);
  const std::uint64_t missed = b.nic->rx().missed.value();
  EXPECT_EQ(missed, 30U - 32768 / 1520);
  EXPECT_NE(b.read(kIsr) & kIsrFields.rx_orn, 0U);
  EXPECT_EQ(b.read(0x68), missed);
  EXPECT_EQ(b.read(0x68), 0U) << "cleared by reading";
}

TEST(Dp83820Rx, CountersAreFrozenAfterAReset) {
  Dp83820Fixture b;
  b.open(1);
  EXPECT_EQ(b.read(kMibc), kMibcFields.frz);
  for (int i = 0; i < 30; ++i) b.receive(b.to_me(1514));
  b.run_us(50);
  EXPECT_EQ(b.read(0x68), 0U);
}

TEST(Dp83820Rx, TheFilterTakesWhatItIsToldTo) {
  Dp83820Fixture b;
  b.open();
  ByteVector other = b.to_me(60);
  other[5] ^= 1;
  ByteVector group = b.to_me(60);
  const MacAddress address{0x01, 0x00, 0x5e, 0x01, 0x02, 0x03};
  std::copy(address.begin(), address.end(), group.begin());
  ByteVector all = b.to_me(60);
  std::fill_n(all.begin(), 6, std::uint8_t{0xff});
  const auto taken = [&](std::uint32_t rfcr) {
    b.write(kRfcr, rfcr);
    std::string text;
    for (const ByteVector* packet : {&other, &group, &all}) {
      const std::uint64_t before = b.nic->rx().frames.value();
      b.receive(*packet);
      b.run_us(10);
      text += b.nic->rx().frames.value() != before ? 'y' : 'n';
    }
    return text;
  };
  EXPECT_EQ(taken(kRfcrFields.rfen), "nnn");
  EXPECT_EQ(taken(kRfcrFields.rfen | kRfcrFields.aab), "nny");
  EXPECT_EQ(taken(kRfcrFields.rfen | kRfcrFields.aam), "nyn");
  EXPECT_EQ(taken(kRfcrFields.rfen | kRfcrFields.aau), "ynn");
  EXPECT_EQ(taken(kRfcrFields.aau | kRfcrFields.aam | kRfcrFields.aab), "nnn") << "off";
  EXPECT_EQ(taken(kRfcrFields.rfen | kRfcrFields.mhen), "nnn");
  const std::uint32_t bit = RxFilter::hash_of(address);
  b.write(kRfcr, 0x100 + bit / 16 * 2);
  b.write(kRfdr, 1U << bit % 16);
  EXPECT_EQ(taken(kRfcrFields.rfen | kRfcrFields.mhen), "nyn");
}

TEST(Dp83820Rx, TheHashIsTheUpperBitsOfTheCrc) {
  // By the definition: the shift register of IEEE 802.3, 3.2.9, with the bits as they are sent.
  for (std::uint8_t last : {0x01, 0x02, 0x7f, 0xfb}) {
    const MacAddress address{0x01, 0x00, 0x5e, 0x00, 0x00, last};
    std::uint32_t crc = 0xffff'ffff;
    for (const std::uint32_t byte : address) {
      for (std::uint32_t bit = 0; bit < 8; ++bit) {
        const bool feed = ((crc >> 31 ^ byte >> bit) & 1U) != 0;
        crc = crc << 1 ^ (feed ? 0x04c1'1db7U : 0U);
      }
    }
    EXPECT_EQ(RxFilter::hash_of(address), crc >> 21);
  }
}

TEST(Dp83820Rx, SumsAreVerified) {
  Dp83820Fixture b;
  b.open();
  PacketSpec spec;
  std::copy(b.nic->mac_address().begin(), b.nic->mac_address().end(), spec.to.begin());
  ByteVector packet = make_packet(spec);
  longhaul::testing::write_be16(packet, 24, plain_checksum(packet, 14, 34));
  b.receive(packet);
  b.run_us(10);
  EXPECT_EQ(b.rx_extended(0), extsts::kIp | extsts::kTcp | extsts::kTcpError);
  packet[30] ^= 1;
  b.receive(packet);
  b.run_us(10);
  EXPECT_NE(b.rx_extended(1) & extsts::kIpError, 0U);
  EXPECT_NE(b.rx_status(1) & cmdsts::kOk, 0U) << "it is accepted all the same";
  b.write(kVrcr, kVrcrFields.ipen | kVrcrFields.ripe);
  b.receive(packet);
  b.run_us(10);
  EXPECT_EQ(b.nic->rx().refused.value(), 1U);
}

TEST(Dp83820Rx, ATagIsStrippedAndAShortFrameIsThenARunt) {
  Dp83820Fixture b;
  b.open();
  ByteVector packet = b.to_me(100);
  packet[12] = 0x81;
  packet[13] = 0x00;
  packet[14] = 0x20;
  packet[15] = 0x05;
  b.receive(packet);
  packet.resize(60);
  b.receive(packet);
  b.run_us(20);
  EXPECT_EQ(b.rx_status(0) & cmdsts::kLength, 96U);
  EXPECT_EQ(b.rx_extended(0), extsts::kTagged | 0x0520U);
  EXPECT_EQ(b.received(0)[12], packet[16]);
  EXPECT_EQ(b.rx_status(1) & (cmdsts::kOk | cmdsts::kRunt), cmdsts::kRunt);
  EXPECT_EQ(b.rx_status(1) & cmdsts::kLength, 56U);
}

TEST(Dp83820Rx, DamagedFramesComeOnlyWhereTheyAreAccepted) {
  Dp83820Fixture b;
  b.open();
  const auto damaged = [&] {
    FrameRef frame = Dp83820Fixture::frame_of(b.to_me(100));
    frame.writable().flip_bit(300);
    b.nic->port().eth_rx->receive(frame);
    b.run_us(10);
  };
  damaged();
  EXPECT_EQ(b.rx_status(0) & (cmdsts::kOk | cmdsts::kError | cmdsts::kCrcError),
            cmdsts::kError | cmdsts::kCrcError);
  b.write(kRxcfg, b.read(kRxcfg) & ~kRxcfgFields.aep);
  damaged();
  EXPECT_EQ(b.rx_status(1) & cmdsts::kOwn, 0U);
  EXPECT_EQ(b.nic->rx().refused.value(), 1U);
}

TEST(Dp83820Rx, LongFramesNeedAlp) {
  Dp83820Fixture b;
  b.open();
  b.receive(b.to_me(1600));
  b.run_us(20);
  EXPECT_EQ(b.nic->rx().refused.value(), 1U);
  b.write(kRxcfg, b.read(kRxcfg) | kRxcfgFields.alp);
  b.receive(b.to_me(1600));
  b.run_us(20);
  EXPECT_EQ(b.nic->rx().frames.value(), 1U);
}

TEST(Dp83820Rx, PauseGoesOutAboveTheMarkAndComesBackBelow) {
  Dp83820Fixture b;
  b.open(1);
  b.write(kPcr, kPcrFields.psen | kPcrFields.ffhi.put(2) | kPcrFields.fflo.put(1) | 0xfffe);
  for (int i = 0; i < 5; ++i) b.receive(b.to_me(1514));
  b.run_us(50);
  EXPECT_EQ(b.nic->mac().tx_xoff.value(), 1U);
  EXPECT_EQ(b.nic->mac().tx_xon.value(), 0U);
  for (std::uint32_t i = 1; i < 8; ++i) b.give(i, i < 7);
  b.write(kRxdp, b.rx_at(1));
  b.write(kCr, kCrFields.rxe);
  b.run_us(50);
  EXPECT_EQ(b.nic->mac().tx_xon.value(), 1U);
  b.write(kPcr, 0);
  for (int i = 0; i < 10; ++i) b.receive(b.to_me(1514));
  b.run_us(50);
  EXPECT_EQ(b.nic->mac().tx_xoff.value(), 1U);
}

TEST(Dp83820Rx, DisabledItTakesNothingAndStopsBehindTheFrameInHand) {
  Dp83820Fixture b;
  b.open();
  b.receive(b.to_me(1000));
  b.run_us(1);
  b.write(kCr, kCrFields.rxd);
  b.receive(b.to_me(1000));
  b.run_us(50);
  EXPECT_EQ(b.nic->rx().frames.value(), 1U);
  EXPECT_EQ(b.read(kCr) & kCrFields.rxe, 0U);
  b.write(kCr, kCrFields.rxe);
  b.receive(b.to_me(500));
  b.run_us(50);
  EXPECT_EQ(b.rx_status(1) & cmdsts::kLength, 500U);
}

TEST(Dp83820Rx, AnAbortOnTheBusIsTold) {
  Dp83820Fixture b;
  b.open(1);
  b.bus.hole_begin = b.kRxData;
  b.receive(b.to_me(1000));
  b.run_us(50);
  EXPECT_NE(b.read(kIsr) & kIsrFields.rmabt, 0U);
  EXPECT_EQ(b.rx_status(0) & (cmdsts::kOk | cmdsts::kError), cmdsts::kError);
  EXPECT_EQ(b.nic->rx().fifo_fill.value(), 0U);
}

}  // namespace
}  // namespace longhaul::nic::dp83820
