// SPDX-License-Identifier: Apache-2.0
// What stops the receive unit: resets, errors on the bus, bad descriptors, frames without room.
#include <gmock/gmock.h>

#include "tests/unit/models/nic/genesis/genesis_rx_fixture.h"

namespace longhaul::nic::genesis {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST_F(GenesisRxTest, ResetGivesUpTheFrameAndLeavesTheOtherQueueAlone) {
  up();
  send(packet(1500));
  receive(packet(1500));
  while (bus.seen.back().address != kRxData) run_ps(10'000);  // it is on the bus
  const std::size_t writes = bus.seen.size();
  write(0x434, 0x0015'5500);
  run_us(100);
  for (std::size_t i = writes; i < bus.seen.size(); ++i) EXPECT_GE(bus.seen[i].address, kTxRing);
  EXPECT_EQ(word(rx_at(0)), kRxControl | 1536);
  EXPECT_EQ(rx.causes(), 0U);
  EXPECT_EQ(rx.discarded.value(), 1U);
  EXPECT_EQ(rx.ram().fill.value(), 0U);
  EXPECT_EQ(wire.sent.size(), 1U);
  EXPECT_EQ(tx.causes(), regs::kIsrcFields.xa1_f);
  // And up again, at the second descriptor.
  receive(packet(200));
  queue_up(0x400, rx_at(1));
  write8(0x434, 0x10);
  run_us(20);
  EXPECT_EQ(rx.frames.value(), 1U);
  EXPECT_EQ(buffer(1, 200), packet(200));
}

TEST_F(GenesisRxTest, ResetWhileTheRamIsBeingRead) {
  up();
  receive(packet(1500));
  while (!port.busy(RamPort::kRxRead)) run_ps(10'000);
  const std::size_t before = bus.seen.size();
  write(0x434, 0x0015'5500);
  EXPECT_FALSE(port.busy(RamPort::kRxRead));
  run_us(50);
  EXPECT_THAT(seen(before), IsEmpty());
  EXPECT_EQ(rx.discarded.value(), 1U);
  EXPECT_EQ(rx.ram().fill.value(), 0U);
}

TEST_F(GenesisRxTest, ErrorOnTheBusLosesTheFrameAndStopsTheQueue) {
  up();
  bus.hole_begin = kRxData;
  receive(packet(500));
  receive(packet(300));
  run_us(50);
  EXPECT_EQ(rx.causes(), regs::kIsrcFields.r1_c);
  EXPECT_THAT(bus_errors, ElementsAre(pcix::DmaStatus::kMasterAbort));
  EXPECT_EQ(rx.discarded.value(), 1U);
  EXPECT_EQ(word(rx_at(0)), kRxControl | 1536);
  bus.hole_begin = ~0ULL;
  write8(0x434, 0x11);
  run_us(50);
  EXPECT_EQ(rx.frames.value(), 1U);
  EXPECT_EQ(buffer(0, 300), packet(300));
  EXPECT_EQ(rx.causes(), regs::kIsrcFields.r1_f);
}

TEST_F(GenesisRxTest, BadDescriptorLeavesTheFrameInTheRam) {
  up({.rx_given = 0});
  put(rx_at(0), 0xc812'0600);
  receive(packet(500));
  write8(0x434, 0x10);
  run_us(50);
  EXPECT_EQ(rx.causes(), regs::kIsrcFields.r1_c);
  EXPECT_EQ(rx.ram().packets(), 1U);
  give(0);
  write8(0x434, 0x11);
  run_us(50);
  EXPECT_EQ(buffer(0, 500), packet(500));
}

TEST_F(GenesisRxTest, FrameThatNoRamBufferHoldsIsDropped) {
  up({.rx_quadwords = 64});
  receive(packet(600));
  receive(packet(100));
  run_us(50);
  EXPECT_EQ(rx.discarded.value(), 1U);
  EXPECT_EQ(rx.frames.value(), 1U);
  EXPECT_EQ(buffer(0, 100), packet(100));
}

TEST_F(GenesisRxTest, RamResetLosesWhatWaitsThere) {
  up({.rx_given = 0});
  flood(3, 1000);
  run_us(10);
  write(0x828, 5);
  EXPECT_EQ(rx.discarded.value(), 3U);
  receive(packet(64, 9));
  run_us(10);
  EXPECT_TRUE(xmac.rx_waits());  // until the RAM buffer operates
  ram_up(0x800, 0x10000, 0x8000);
  give(0);
  write8(0x434, 0x10);
  run_us(10);
  EXPECT_EQ(buffer(0, 64), packet(64, 9));
}

TEST_F(GenesisRxTest, RamResetWhileAFrameComesInAndOneGoesOut) {
  up();
  receive(packet(1500, 1));
  run_us(4);
  receive(packet(1500, 2));
  run_us(2);
  ASSERT_TRUE(port.busy(RamPort::kRxRead));
  ASSERT_TRUE(port.busy(RamPort::kRxWrite));
  write(0x828, 5);
  run_us(20);
  EXPECT_EQ(rx.frames.value(), 1U);  // the BMU had begun it
  EXPECT_TRUE(xmac.rx_waits());
  ram_up(0x800, 0x10000, 0x8000);
  run_us(20);
  EXPECT_EQ(rx.frames.value(), 2U);
  EXPECT_EQ(buffer(1, 1500), packet(1500, 2));
  EXPECT_EQ(rx.ram().fill.value(), 0U);
}

TEST_F(GenesisRxTest, FlushOfTheXmacsFifoTakesTheFrameOnItsWayOut) {
  up();
  receive(packet(1500, 1));
  run_us(1);
  xm32(xm::kMode, 0x4f81);
  EXPECT_FALSE(port.busy(RamPort::kRxWrite));
  receive(packet(200, 2));
  run_us(20);
  EXPECT_EQ(rx.frames.value(), 1U);
  EXPECT_EQ(buffer(0, 200), packet(200, 2));
}

TEST_F(GenesisRxTest, MacResetUnderALiveQueue) {
  up();
  flood(2, 1500);
  write16(0xd18, 1);
  write16(0xd18, 2);
  mac_up();
  flood(2, 1500);
  run_us(50);
  EXPECT_GE(rx.frames.value(), 3U);
  EXPECT_EQ(rx.bmu().errors.value(), 0U);
}

}  // namespace
}  // namespace longhaul::nic::genesis
