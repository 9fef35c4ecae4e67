// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <numeric>

#include "tests/unit/models/nic/genesis/genesis_tx_fixture.h"

namespace longhaul::nic::genesis {
namespace {

using longhaul::testing::ByteVector;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST_F(GenesisTxTest, FrameGoesOutAndItsDescriptorComesBack) {
  up();
  const std::size_t before = bus.seen.size();
  const ByteVector bytes = packet(60);
  const std::uint32_t address = place(bytes);
  describe(kTxControl | 60, address);
  const std::uint64_t start = now_ps();
  doorbell();
  // The descriptor, four clocks for it and eight for the frame, the data (in the RAM by then), the
  // control word.
  constexpr std::uint64_t kInRamPs = 340'000 + 75'294 + 150'588 + 340'000;
  run_ps(kInRamPs + 40'000 - 1);
  EXPECT_EQ(tx.causes(), 0U);
  EXPECT_EQ(word(tx_at(0)), kTxControl | 60);
  run_ps(1);
  EXPECT_EQ(tx.causes(), regs::kIsrcFields.xa1_f);
  EXPECT_THAT(cause_ps, ElementsAre(start + kInRamPs + 40'000));
  EXPECT_EQ(word(tx_at(0)), kDone | 60);
  run_us(10);
  ASSERT_EQ(wire.sent.size(), 1U);
  EXPECT_EQ(wire.sent[0].bytes, bytes);
  EXPECT_EQ(sent_at(0),
            start + kInRamPs + 150'588 + 500'000);  // eight clocks out of the RAM, and tx_latency
  EXPECT_THAT(seen(before), ElementsAre("r 40000 32", "r 100000 60", "w 40000 4", "r 40020 32"));
  EXPECT_EQ(tx.ram().fill.value(), 0U);
  EXPECT_EQ(tx.engine().state.state(), Engine::kIdleState);
  write8(0x6b4, 2);
  EXPECT_EQ(tx.causes(), 0U);
}

TEST_F(GenesisTxTest, FrameThatTheRamGetsLaterThanTheBusBrings) {
  up();
  bus.read_delay = [] { return sc_core::sc_time(10, sc_core::SC_NS); };
  describe(kTxControl | 1514, place(packet(1514)));
  const std::uint64_t start = now_ps();
  doorbell();
  run_us(20);
  // 190 clocks into the RAM outlast the bus.
  EXPECT_THAT(cause_ps, ElementsAre(start + 50'000 + 75'294 + 150'588 + 3'576'471 + 40'000));
}

TEST_F(GenesisTxTest, FrameOfSeveralPiecesAtAnyAddress) {
  up();
  const ByteVector bytes = packet(1000);
  const ByteVector pieces[] = {{bytes.begin(), bytes.begin() + 14},
                               {bytes.begin() + 14, bytes.begin() + 601},
                               {bytes.begin() + 601, bytes.end()}};
  describe(0xd855'0000 | 14, place(pieces[0]));  // OWN, STF, IRQ_EOB and IRQ_EOF
  describe(0x8055'0000 | 0, 0);
  describe(0x8055'0000 | 587, place(pieces[1]));
  describe(0xa855'0000 | 399, place(pieces[2]));
  doorbell();
  run_us(20);
  ASSERT_EQ(wire.sent.size(), 1U);
  EXPECT_EQ(wire.sent[0].bytes, bytes);
  EXPECT_EQ(tx.causes(), regs::kIsrcFields.xa1_f | regs::kIsrcFields.xa1_b);
  for (std::uint32_t i = 0; i < 4; ++i) EXPECT_EQ(word(tx_at(i)) >> 31, 0U);
  EXPECT_EQ(tx.ram().fill.value(), 0U);
}

TEST_F(GenesisTxTest, ShortFramesArePadded) {
  up();
  send(packet(43));
  run_us(10);
  ASSERT_EQ(wire.sent.size(), 1U);
  ByteVector wanted = packet(43);
  wanted.resize(60);
  EXPECT_EQ(wire.sent[0].bytes, wanted);
}

TEST_F(GenesisTxTest, LineRateIsKept) {
  up();
  for (std::uint32_t i = 0; i < 100; ++i) send(packet(1514, i));
  run_us(1300);
  ASSERT_EQ(wire.sent.size(), 100U);
  for (std::size_t i = 1; i < 100; ++i) EXPECT_EQ(sent_at(i) - sent_at(i - 1), 1538U * 8'000) << i;
  for (std::uint32_t i = 0; i < 100; ++i) EXPECT_EQ(wire.sent[i].bytes, packet(1514, i)) << i;
  EXPECT_LE(tx.fifo_fill.highest(), 4096U);
}

TEST_F(GenesisTxTest, LongFrameStartsWhenTheThresholdIsInTheFifo) {
  up();
  const std::uint64_t start = now_ps();
  for (std::uint32_t i = 0; i < 3; ++i) describe(kTxControl | 9014, place(packet(9014, i)));
  doorbell();
  run_us(400);
  ASSERT_EQ(wire.sent.size(), 3U);
  // Into the RAM whole (1127 clocks, longer than the bus takes), the first 2048 bytes out again
  // (256 clocks). By then the next descriptor has come, and its data have not begun to go into the
  // RAM for twelve clocks yet.
  const std::uint64_t in_ram = start + 340'000 + 75'294 + 150'588 + 21'214'118;
  // The next frame's data come 40 + 340 ns and 12 clocks later, and share the RAM with what is
  // left.
  const std::uint64_t alone = 380'000 + 75'294 + 150'588;
  EXPECT_EQ(sent_at(0), in_ram + alone + 2 * (4'818'824 - alone) + 500'000);
  for (std::size_t i = 1; i < 3; ++i) {
    EXPECT_EQ(sent_at(i) - sent_at(i - 1), (9014U + 24) * 8'000) << i;
    EXPECT_EQ(wire.sent[i].bytes, packet(9014, static_cast<std::uint32_t>(i)));
  }
  EXPECT_LE(tx.fifo_fill.highest(), 4096U);
  EXPECT_EQ(tx.ram().fill.value(), 0U);
}

struct WithoutLatency : GenesisParams {
  WithoutLatency() { tx_latency.value = rx_latency.value = sc_core::SC_ZERO_TIME; }
};

TEST(GenesisTxWithoutLatency, FramesOfAllLengthsGoOutOnce) {
  DataPathFixture fixture{WithoutLatency{}};
  fixture.up();
  const std::size_t sizes[] = {60, 9014, 1514, 2048, 2049, 4096, 61, 60, 60, 16'000, 4097, 60};
  for (const std::size_t size : sizes) fixture.send(DataPathFixture::packet(size));
  fixture.run_us(500);
  ASSERT_EQ(fixture.wire.sent.size(), std::size(sizes));
  for (std::size_t i = 0; i < std::size(sizes); ++i) {
    EXPECT_EQ(fixture.wire.sent[i].bytes, DataPathFixture::packet(sizes[i])) << i;
  }
  EXPECT_EQ(fixture.tx.ram().fill.value(), 0U);
  EXPECT_EQ(fixture.port.moved.value(),
            2 * std::accumulate(std::begin(sizes), std::end(sizes), std::size_t{0}));
  EXPECT_LE(fixture.tx.fifo_fill.highest(), 4096U);
}

TEST_F(GenesisTxTest, HeldFramesFillTheFifoThenTheRamThenTheQueueWaits) {
  up({.tx_quadwords = 1024});
  transmitter(false);
  for (std::uint32_t i = 0; i < 20; ++i) send(packet(1000, i));
  run_us(200);
  // Four frames of 1000 bytes in 4096; eight of 125 quadwords in 1024.
  EXPECT_EQ(tx.fifo_fill.value(), 4000U);
  EXPECT_EQ(tx.ram().fill.value(), 1000U);
  EXPECT_EQ(read(0xaa0), 8U);
  EXPECT_EQ(tx.bmu().descriptors.value(), 12U);
  EXPECT_EQ(tx.engine().state.state(), Engine::kBlockedState);
  transmitter(true);
  run_us(300);
  ASSERT_EQ(wire.sent.size(), 20U);
  for (std::uint32_t i = 0; i < 20; ++i) EXPECT_EQ(wire.sent[i].bytes, packet(1000, i)) << i;
  EXPECT_EQ(tx.bmu().descriptors.value(), 20U);
}

TEST_F(GenesisTxTest, DoorbellsWhileItWorksAreNotLost) {
  up();
  for (std::uint32_t i = 0; i < 300; ++i) {
    send(packet(60, i));
    run_ps(300'000 + 37'000 * (i % 61));  // at all times of the cycle
  }
  run_us(20);
  ASSERT_EQ(wire.sent.size(), 300U);
  for (std::uint32_t i = 0; i < 300; ++i) EXPECT_EQ(wire.sent[i].bytes, packet(60, i)) << i;
}

TEST_F(GenesisTxTest, BothDirectionsAtLineRateDoNotFitTheRam) {
  up();
  constexpr std::uint32_t kFrames = 400;
  for (std::uint32_t i = 0; i < kTxEntries; ++i) describe(0, place(packet(1514, i)));
  for (std::uint32_t i = 0; i < kFrames; ++i) {
    for (std::uint32_t at = 0; at < kTxEntries; ++at)
      put(tx_at(at), kTxControl | 1514);  // all of it, always
    doorbell();
    receive(packet(1514, i));
    run_ps(1538 * 8'000);
    for (std::uint32_t at = 0; at < s.rx_entries; ++at) give(at);
    write8(0x434, 0x10);
  }
  const std::uint64_t taken = kFrames * 1538ULL * 8'000;
  // Each direction alone takes 2 x 190 or so of 654 clocks a frame: together 762.
  const double wire_share = static_cast<double>(wire.sent.size() + rx.frames.value()) / kFrames;
  const double port_share =
      static_cast<double>(port.state.spent_ps(1)) / static_cast<double>(taken);
  EXPECT_GT(port_share, 0.97);
  EXPECT_LT(wire_share, 2 * 654.0 / 762.0 + 0.03);
  EXPECT_GT(wire_share, 2 * 654.0 / 762.0 - 0.08);
}

TEST_F(GenesisTxTest, ZerosAtTheEndOfAFrameAreNotStored) {
  up();
  ByteVector bytes = packet(1514);
  std::fill(bytes.begin() + 300, bytes.end(), std::uint8_t{0});
  send(bytes);
  run_us(20);
  ASSERT_EQ(wire.sent.size(), 1U);
  EXPECT_EQ(wire.sent[0].stored, 300U);
  EXPECT_EQ(wire.sent[0].bytes, bytes);
}

TEST_F(GenesisTxTest, DataMayLieAboveFourGigabytes) {
  up();
  bus.hole_response = tlm::TLM_OK_RESPONSE;
  describe(kTxControl | 500, 0x1235, 0x7);
  doorbell();
  run_us(20);
  EXPECT_EQ(bus.seen[bus.seen.size() - 3].address, 0x7'0000'1235ULL);
  EXPECT_EQ(wire.sent.size(), 1U);
}

TEST_F(GenesisTxTest, SynchronousQueueIsThereAndIdle) {
  write(0x634, 0x002a'aa00);
  write(0x634, 0x10);
  write(0x620, 0x1000);
  EXPECT_EQ(read(0x634), 1U << 24);
  EXPECT_EQ(read(0x068), 1U << 24);
  EXPECT_EQ(read(0x620), 0x1000U);
  run_us(10);
  EXPECT_THAT(seen(), IsEmpty());
}

TEST_F(GenesisTxTest, MirrorOfTheControlRegister) {
  up();
  describe(kTxControl | 100, place(packet(100)));
  write8(0x06c, 0x10);
  run_us(10);
  EXPECT_EQ(wire.sent.size(), 1U);
  write8(0x06c, 2);
  EXPECT_EQ(tx.causes(), 0U);
}

TEST_F(GenesisTxTest, ChipResetForgetsEverything) {
  up();
  for (std::uint32_t i = 0; i < 6; ++i) send(packet(1514, i));
  run_us(15);
  dma.abandon_all();
  bank.reset();
  rx.reset();
  tx.reset();
  const std::size_t frames = wire.sent.size();
  const std::size_t before = bus.seen.size();
  run_us(100);
  EXPECT_EQ(wire.sent.size(), frames);
  EXPECT_THAT(seen(before), IsEmpty());
  EXPECT_EQ(tx.fifo_fill.value(), 0U);
  EXPECT_EQ(read(0xd18) & 1, 1U);
  tx_next = 0;
  up();
  send(packet(300));
  run_us(20);
  EXPECT_EQ(wire.sent.size(), frames + 1);
  EXPECT_EQ(wire.sent.back().bytes, packet(300));
}

}  // namespace
}  // namespace longhaul::nic::genesis
