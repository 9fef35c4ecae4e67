// SPDX-License-Identifier: Apache-2.0
// What stops the transmit unit: resets, STOP, bad descriptors, frames that cannot be.
#include <gmock/gmock.h>

#include "tests/unit/models/nic/genesis/genesis_tx_fixture.h"

namespace longhaul::nic::genesis {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST_F(GenesisTxTest, ResetDuringDmaSendsNothingAndLeavesTheOtherQueueAlone) {
  up();
  send(packet(1500));
  while (!bus.seen.back().is_read || bus.seen.back().bytes != 1500) run_ps(10'000);
  receive(packet(700));
  write(0x6b4, 0x0015'5500);
  EXPECT_FALSE(port.busy(RamPort::kTxWrite));
  write(0xaa8, 5);
  std::fill_n(bus.memory.begin() + kTxRing, 32, std::uint8_t{0});
  const std::size_t before = bus.seen.size();
  run_us(50);
  EXPECT_THAT(wire.sent, IsEmpty());
  EXPECT_EQ(tx.causes(), 0U);
  EXPECT_EQ(word(tx_at(0)), 0U);
  for (std::size_t i = before; i < bus.seen.size(); ++i)
    EXPECT_TRUE(bus.seen[i].address < kTxRing || bus.seen[i].address >= kRxData);
  EXPECT_EQ(rx.frames.value(), 1U);
  EXPECT_EQ(tx.discarded.value(), 1U);
  // And up again.
  ram_up(0xa80, 0x18000, 0x8000);
  queue_up(0x680, tx_at(tx_next));
  send(packet(200));
  run_us(20);
  ASSERT_EQ(wire.sent.size(), 1U);
  EXPECT_EQ(wire.sent[0].bytes, packet(200));
}

TEST_F(GenesisTxTest, StopSendsWhatItHasBegun) {
  up();
  for (std::uint32_t i = 0; i < 3; ++i) describe(kTxControl | 500, place(packet(500, i)));
  doorbell();
  run_ps(700'000);
  write8(0x6b4, 0x20);
  run_us(50);
  EXPECT_EQ(wire.sent.size(), 1U);
  EXPECT_NE(read(0x6b4) & 1U << 24, 0U);
  doorbell();
  run_us(50);
  EXPECT_EQ(wire.sent.size(), 3U);
}

TEST_F(GenesisTxTest, BadDescriptorsEndInTheCheckCause) {
  up();
  const auto refused = [this](const char* what) {
    doorbell();
    run_us(50);
    EXPECT_EQ(tx.causes() & regs::kIsrcFields.xa1_c, regs::kIsrcFields.xa1_c) << what;
    EXPECT_NE(read(0x6b4) & 1U << 24, 0U) << what;
    EXPECT_THAT(wire.sent, IsEmpty()) << what;
    EXPECT_EQ(tx.ram().fill.value(), 0U) << what;
    write8(0x6b4, 3);
    EXPECT_EQ(tx.causes(), 0U) << what;
    queue_up(0x680, tx_at(tx_next));
  };
  describe(0xe900'0000 | 100, kTxData);
  refused("another encoding");
  describe(0xa955'0000 | 100, kTxData);
  refused("the end of no frame");
  describe(0xc955'0000 | 100, kTxData);
  describe(0xc955'0000 | 100, kTxData);
  refused("a frame within a frame");
  bus.hole_begin = kTxData;
  describe(kTxControl | 100, kTxData);
  refused("data that are nowhere");
  EXPECT_THAT(bus_errors, ElementsAre(pcix::DmaStatus::kMasterAbort));
  bus.hole_begin = ~0ULL;
  write(0xa84, 0x18000 + 31);
  describe(kTxControl | 257, kTxData);
  refused("larger than the RAM buffer");
  write(0xa84, 0x1ffff);
  send(packet(300));
  run_us(20);
  EXPECT_EQ(wire.sent.size(), 1U);
}

TEST_F(GenesisTxTest, FramesThatCannotBeAreDroppedAndTheirDescriptorsComeBack) {
  up();
  describe(kTxControl | 0, kTxData);
  describe(kTxControl | 65'535, kTxData);
  describe(0xc055'0000 | 10'000, kTxData);
  describe(0xa855'0000 | 10'000, kTxData);
  send(packet(300));
  run_us(200);
  ASSERT_EQ(wire.sent.size(), 1U);
  EXPECT_EQ(wire.sent[0].bytes, packet(300));
  EXPECT_EQ(tx.discarded.value(), 3U);
  EXPECT_EQ(tx.causes(), regs::kIsrcFields.xa1_f);
  EXPECT_EQ(word(tx_at(1)), kDone | 65'535);
  EXPECT_EQ(tx.ram().fill.value(), 0U);
}

TEST_F(GenesisTxTest, MacResetLosesWhatIsInTheFifoAndTheQueueGoesOn) {
  up({.tx_quadwords = 1024});
  transmitter(false);
  for (std::uint32_t i = 0; i < 20; ++i) send(packet(1000, i));
  run_us(200);
  mac_up();
  run_us(300);
  EXPECT_EQ(tx.discarded.value(), 4U);
  ASSERT_EQ(wire.sent.size(), 16U);
  for (std::uint32_t i = 0; i < 16; ++i) EXPECT_EQ(wire.sent[i].bytes, packet(1000, i + 4)) << i;
  EXPECT_EQ(tx.fifo_fill.value() - 1000, 0U);  // the last one leaves with the next, or never
}

TEST_F(GenesisTxTest, FlushTakesALongFrameThatIsInPartInTheFifo) {
  up();
  transmitter(false);
  send(packet(9014, 1));
  send(packet(9014, 2));
  run_us(100);
  EXPECT_EQ(tx.fifo_fill.value(), 4096U);
  EXPECT_EQ(tx.ram().packets(), 2U);
  xm32(xm::kMode, 0x4f82);
  EXPECT_EQ(tx.discarded.value(), 1U);
  transmitter(true);
  run_us(200);
  ASSERT_EQ(wire.sent.size(), 1U);
  EXPECT_EQ(wire.sent[0].bytes, packet(9014, 2));
  EXPECT_EQ(tx.ram().fill.value(), 0U);
  EXPECT_EQ(read(0xaa0), 0U);
}

TEST_F(GenesisTxTest, RamResetAtAnyTimeLeavesAQueueThatWorks) {
  up();
  for (std::uint32_t at_ns = 100; at_ns < 45'000; at_ns += 911) {
    const std::size_t before = wire.sent.size();
    describe(kTxControl | 9014, place(packet(9014, 1)));
    send(packet(1514, 2));
    run_ps(at_ns * 1'000ULL);
    ram_up(0xa80, 0x18000, 0x8000);  // out of reset it is already
    write(0xaa8, 1);
    EXPECT_EQ(tx.ram().fill.value(), 0U);
    ram_up(0xa80, 0x18000, 0x8000);
    run_us(200);
    send(packet(100, 3));
    run_us(200);
    ASSERT_GT(wire.sent.size(), before) << at_ns;
    EXPECT_EQ(wire.sent.back().bytes, packet(100, 3)) << at_ns;
    EXPECT_EQ(tx.ram().fill.value(), 0U) << at_ns;
    EXPECT_EQ(read(0xaa0), 0U) << at_ns;
    EXPECT_EQ(tx.bmu().errors.value(), 0U) << at_ns;
  }
}

}  // namespace
}  // namespace longhaul::nic::genesis
