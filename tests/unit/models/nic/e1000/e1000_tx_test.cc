// SPDX-License-Identifier: Apache-2.0
#include "models/nic/e1000/e1000_tx.h"

#include <gtest/gtest.h>

#include "tests/unit/models/nic/e1000/e1000_fixture.h"

namespace longhaul::nic::e1000 {
namespace {

using namespace longhaul::testing;  // NOLINT: packets

// What DmaTestBus and the parameters make of one packet, in ns: descriptor fetch 40 + 300, engine 4
// + 8 clocks of 16, data 40 + 300, latency 500; the write-back then takes 40.
constexpr std::uint64_t kOnChipNs = 340 + 12 * 16 + 340;
constexpr std::uint64_t kLatencyNs = 500;

TEST(E1000Tx, AFrameTakesFetchEngineReadAndLatency) {
  E1000Fixture b;
  b.up({});
  const ByteVector packet = make_packet({});
  const std::uint64_t start = now_ps();
  b.send(packet);
  b.run_us(5);
  ASSERT_EQ(b.wire.sent.size(), 1U);
  EXPECT_EQ(b.wire.sent[0].at_ps - start, (kOnChipNs + kLatencyNs) * 1000);
  EXPECT_EQ(b.wire.sent[0].bytes, packet);
  EXPECT_EQ(b.clean_tx(), 1U);
  EXPECT_EQ(b.read(regs::kTdh), 1U);
}

TEST(E1000Tx, ALegacyDescriptorSendsItsBytesAndInsertsOneChecksum) {
  E1000Fixture b;
  b.up({});
  const PacketSpec spec;
  ByteVector packet = make_packet(spec);
  write_be16(packet, ip_at(spec) + 10, plain_checksum(packet, ip_at(spec), ip_at(spec) + 20));
  write_be16(packet, l4_field(spec), pseudo_sum(spec, packet, true));
  const auto size = static_cast<std::uint32_t>(packet.size());
  const auto start = static_cast<std::uint32_t>(l4_at(spec));
  const auto field = static_cast<std::uint32_t>(l4_field(spec));
  b.descriptor(b.place(packet), 0,
               size | field << 16 | regs::tx::kLegacyChecksum | regs::tx::kEop | regs::tx::kRs,
               start << 8);
  b.ring();
  b.run_us(5);
  ASSERT_EQ(b.wire.sent.size(), 1U);
  EXPECT_TRUE(checksums_right(spec, b.wire.sent[0].bytes));
  EXPECT_EQ(b.clean_tx(), 1U);
}

TEST(E1000Tx, ALegacyDescriptorMayTagAndHasNoContext) {
  E1000Fixture b;
  b.up({});
  const ByteVector packet = make_packet({});
  const auto size = static_cast<std::uint32_t>(packet.size());
  b.descriptor(b.place(packet), 0, size | regs::tx::kEop | regs::tx::kRs | regs::tx::kVle,
               0x2005U << 16);
  b.ring();
  b.run_us(5);
  ASSERT_EQ(b.wire.sent.size(), 1U);
  EXPECT_EQ(be32(b.wire.sent[0].bytes, 12), 0x81002005U);
  EXPECT_EQ(b.wire.sent[0].bytes.size(), packet.size() + 4);
}

TEST(E1000Tx, ChecksumsGoWhereTheContextSays) {
  E1000Fixture b;
  for (const bool v6 : {false, true}) {
    b.up({});
    b.wire.sent.clear();
    PacketSpec spec;
    spec.v6 = v6;
    ByteVector packet = make_packet(spec);
    if (!v6)
      write_be16(packet, ip_at(spec) + 10, plain_checksum(packet, ip_at(spec), ip_at(spec) + 20));
    write_be16(packet, l4_field(spec), pseudo_sum(spec, packet, true));
    b.descriptor(0, static_cast<std::uint32_t>(l4_at(spec) | l4_field(spec) << 8),
                 regs::tx::kExtended, 0);
    b.send(packet, 0, 2U << 8);
    b.run_us(10);
    ASSERT_EQ(b.wire.sent.size(), 1U);
    EXPECT_TRUE(checksums_right(spec, b.wire.sent[0].bytes)) << v6;
    b.reset();
  }
}

TEST(E1000Tx, ASuperFrameBecomesFramesThatAStackWouldHaveSent) {
  E1000Fixture b;
  for (const bool v6 : {false, true}) {
    b.up({});
    b.wire.sent.clear();
    PacketSpec spec;
    spec.v6 = v6;
    spec.payload = 5 * 1448 + 300;
    spec.flags = 0x19;  // FIN, PSH, ACK
    b.send_super_frame(spec, 1448);
    b.run_us(200);
    ASSERT_EQ(b.wire.sent.size(), 6U);
    const ByteVector whole = make_packet(spec);
    const std::size_t header = l4_at(spec) + 20 + spec.options;
    for (std::uint32_t i = 0; i < 6; ++i) {
      PacketSpec piece = spec;
      piece.payload = i < 5 ? 1448 : 300;
      piece.sequence = spec.sequence + i * 1448;
      piece.id = spec.id + i;
      piece.flags = i < 5 ? 0x10 : 0x19;
      ByteVector expected = make_packet(piece);
      std::copy_n(whole.begin() + static_cast<std::ptrdiff_t>(header + i * 1448), piece.payload,
                  expected.begin() + static_cast<std::ptrdiff_t>(header));
      set_checksums(piece, expected);
      EXPECT_EQ(b.wire.sent[i].bytes, expected) << i;
    }
    EXPECT_EQ(b.clean_tx(), 1U);
    EXPECT_EQ(b.read(0x40f8), 1U) << "TSCTC";
    b.reset();
  }
}

TEST(E1000Tx, AContextThatCannotBeCarriedOutIsCountedAndTheRingGoesOn) {
  E1000Fixture b;
  b.up({});
  PacketSpec spec;
  spec.payload = 4000;
  b.send_super_frame(spec, 0);
  b.send(make_packet({}));
  b.run_us(10);
  EXPECT_EQ(b.wire.sent.size(), 1U);
  EXPECT_EQ(b.read(0x40fc), 1U) << "TSCTFC";
  EXPECT_EQ(b.clean_tx(), 2U);
}

TEST(E1000Tx, FramesLeaveAtLineRateOnceTheyAreOnChip) {
  E1000Fixture b;
  b.up({});
  PacketSpec spec;
  spec.payload = 1448;
  const ByteVector packet = make_packet(spec);
  for (int i = 0; i < 100; ++i) b.send(packet);
  b.run_us(1300);
  ASSERT_EQ(b.wire.sent.size(), 100U);
  for (std::size_t i = 1; i < 100; ++i) {
    EXPECT_EQ(b.wire.sent[i].at_ps - b.wire.sent[i - 1].at_ps, (packet.size() + 24) * 8000) << i;
  }
}

TEST(E1000Tx, TheLargestFrameGoesThroughABufferOfSixteenKib) {
  E1000Fixture b;
  b.up({16110});
  PacketSpec spec;
  spec.payload = 16110 - 20 - 32;
  for (int i = 0; i < 3; ++i) b.send(make_packet(spec));
  b.run_us(600);
  EXPECT_EQ(b.wire.sent.size(), 3U);
  EXPECT_EQ(b.clean_tx(), 3U);
}

TEST(E1000Tx, PacketTimerRestartsAndAbsoluteTimerDoesNot) {
  E1000Fixture b;
  E1000Fixture::Settings settings;
  settings.tidv = 8;   // 8.192 us after the last
  settings.tadv = 20;  // 20.48 us after the first
  b.up(settings);
  const std::uint64_t start = now_ps();
  for (int i = 0; i < 5; ++i) {
    b.send(make_packet({}));
    b.run_until(start + (i + 1) * 5'000'000ULL);
  }
  // Descriptors are reported when their data are on chip and they have left on the bus.
  const std::uint64_t due = start + (kOnChipNs + 40) * 1000 + 20 * 1'024'000;
  EXPECT_LT(now_ps() - 5'000'000, due);
  EXPECT_EQ(b.nic->interrupt_moderator().raised.value(), 1U)
      << "so early that only the absolute timer can have done it";
  b.read(regs::kIcr);
  b.run_us(100);
}

TEST(E1000Tx, TheDelayIsExactAndWithoutIdeThereIsNone) {
  E1000Fixture b;
  b.up({});
  const std::uint64_t start = now_ps();
  b.send(make_packet({}));
  const std::uint64_t due = start + (kOnChipNs + 40) * 1000 + 8 * 1'024'000;
  b.run_until(due - 1);
  EXPECT_FALSE(b.nic->interrupt_moderator().level());
  b.run_ps(1);
  EXPECT_TRUE(b.nic->interrupt_moderator().level());
  EXPECT_EQ(b.read(regs::kIcr), regs::kCauseFields.txdw | regs::kCauseFields.txqe);
  const std::uint64_t second = now_ps();
  b.send(make_packet({}), 0);
  b.run_until(second + (kOnChipNs + 40) * 1000);
  EXPECT_EQ(b.read(regs::kIcr) & regs::kCauseFields.txdw, regs::kCauseFields.txdw);
}

TEST(E1000Tx, WriteBackThresholdHoldsDescriptorsInEitherUnit) {
  E1000Fixture b;
  E1000Fixture::Settings settings;
  settings.tidv = 100;  // the timers write them back, too
  settings.tadv = 0;
  b.up(settings);
  b.write(regs::kTxdctl, 4U << 16 | regs::kDescriptorControlFields.gran);
  for (int i = 0; i < 3; ++i) b.send(make_packet({}));
  b.run_us(20);
  EXPECT_EQ(b.clean_tx(), 0U);
  b.send(make_packet({}));
  b.run_us(20);
  EXPECT_EQ(b.clean_tx(), 4U);
  b.write(regs::kTxdctl, 2U << 16);  // two cache lines: four descriptors
  for (int i = 0; i < 3; ++i) b.send(make_packet({}));
  b.run_us(20);
  EXPECT_EQ(b.clean_tx(), 0U);
  b.send(make_packet({}));
  b.run_us(20);
  EXPECT_EQ(b.clean_tx(), 4U);
}

TEST(E1000Tx, PauseHoldsFramesAndShowsInStatus) {
  E1000Fixture b;
  b.up({});
  b.receive(ByteVector{0x01, 0x80, 0xc2, 0, 0, 1, 2, 0, 0, 0, 0, 9, 0x88, 0x08, 0, 1, 0, 100});
  EXPECT_NE(b.read(regs::kStatus) & regs::kStatusFields.txoff, 0U);
  const std::uint64_t paused = now_ps();
  b.send(make_packet({}));
  b.run_us(100);
  ASSERT_EQ(b.wire.sent.size(), 1U);
  EXPECT_EQ(b.wire.sent[0].at_ps - paused, 100U * 512 * 1000);
  EXPECT_EQ(b.read(0x4050), 1U) << "XOFFRXC";
}

TEST(E1000Tx, ResetInMidTrafficForgetsEverythingAndTheNextRingWorks) {
  E1000Fixture b;
  b.up({});
  for (int i = 0; i < 20; ++i) b.send(make_packet({}));
  b.run_us(3);
  b.reset();
  const std::size_t sent = b.wire.sent.size();
  b.run_us(200);
  EXPECT_EQ(b.wire.sent.size(), sent);
  b.up({});
  b.send(make_packet({}));
  b.run_us(10);
  EXPECT_EQ(b.wire.sent.size(), sent + 1);
  EXPECT_EQ(b.clean_tx(), 1U);
}

}  // namespace
}  // namespace longhaul::nic::e1000
