// SPDX-License-Identifier: Apache-2.0
#include "models/nic/genesis/interrupts.h"

#include <gtest/gtest.h>

#include "tests/unit/models/nic/genesis/genesis_fixture.h"

namespace longhaul::nic::genesis {
namespace {

constexpr std::uint64_t kModerationPs = 5312ULL * 1'000'000'000'000 / 53'125'000;  // 99.99 us

TEST(GenesisInterrupts, ThePinIsACauseThatImskLetsThrough) {
  GenesisFixture b;
  b.w8(regs::kCtst, regs::kCtstFields.st_sw_irq);
  EXPECT_EQ(b.r32(regs::kIsrc), regs::kIsrcFields.irq_sw);
  EXPECT_FALSE(b.inta());
  b.w32(regs::kImsk, ~regs::kIsrcFields.irq_sw);
  EXPECT_FALSE(b.inta());
  b.w32(regs::kImsk, regs::kIsrcFields.irq_sw);
  EXPECT_TRUE(b.inta());
  b.w8(regs::kCtst, regs::kCtstFields.cl_sw_irq);
  EXPECT_FALSE(b.inta());
  EXPECT_EQ(b.r32(regs::kIsrc), 0U);
}

TEST(GenesisInterrupts, ReadingSpIsrcMasksUntilImskIsWritten) {
  GenesisFixture b;
  b.w8(regs::kCtst, regs::kCtstFields.st_sw_irq);
  b.w32(regs::kImsk, regs::kIsrcFields.irq_sw | regs::kIsrcFields.hw_err);
  EXPECT_TRUE(b.inta());
  EXPECT_EQ(b.r32(regs::kSpIsrc), regs::kIsrcFields.irq_sw);
  EXPECT_FALSE(b.inta());
  EXPECT_EQ(b.r32(regs::kImsk), 0U);
  EXPECT_EQ(b.r32(regs::kSpIsrc), 0U);
  EXPECT_EQ(b.r32(regs::kIsrc), regs::kIsrcFields.irq_sw) << "the cause stays";
  b.w32(regs::kImsk, regs::kIsrcFields.irq_sw);
  EXPECT_TRUE(b.inta());
}

TEST(GenesisInterrupts, SpIsrcShowsOnlyWhatImskLetsThroughAndMasksNothingThen) {
  GenesisFixture b;
  b.w8(regs::kCtst, regs::kCtstFields.st_sw_irq);
  b.w32(regs::kImsk, regs::kIsrcFields.hw_err);
  EXPECT_EQ(b.r32(regs::kSpIsrc), 0U);
  EXPECT_EQ(b.r32(regs::kImsk), regs::kIsrcFields.hw_err)
      << "another device on the line must not silence this one";
}

TEST(GenesisInterrupts, ADumpByteByByteLosesNoInterrupt) {
  GenesisFixture b;
  b.w8(regs::kCtst, regs::kCtstFields.st_sw_irq);
  b.w32(regs::kImsk, regs::kIsrcFields.irq_sw);
  EXPECT_TRUE(b.inta());
  const std::vector<std::uint8_t> bytes = b.dump();
  EXPECT_EQ(bytes.at(regs::kSpIsrc + 3), 0x01) << "the dump shows the cause";
  EXPECT_TRUE(b.inta());
  EXPECT_EQ(b.r32(regs::kImsk), regs::kIsrcFields.irq_sw);
  EXPECT_EQ(b.r32(regs::kSpIsrc), regs::kIsrcFields.irq_sw);
}

TEST(GenesisInterrupts, ATransmitCauseWaitsForTheModerationTimer) {
  GenesisFixture b;
  b.probe();
  const std::uint64_t started = now_ps();
  b.open();
  ASSERT_TRUE(b.wait_for_link());
  b.run_ps(kModerationPs - (now_ps() - started) % kModerationPs);  // the timer is at zero
  b.send(b.to_me(100));
  b.run_us(20);
  EXPECT_EQ(b.r32(regs::kIsrc), regs::kIsrcFields.xa1_f) << "ISRC shows it at once";
  EXPECT_FALSE(b.inta());
  b.run_ps(kModerationPs - 20'000'000 - 1);
  EXPECT_FALSE(b.inta());
  b.run_ps(1);
  EXPECT_TRUE(b.inta());
  EXPECT_EQ(b.nic->interrupt_unit().held_back.value(), 1U);
  EXPECT_TRUE(b.interrupt());
  EXPECT_FALSE(b.inta());
  b.poll();
  EXPECT_EQ(b.sent, 1U);
  EXPECT_FALSE(b.inta());
}

TEST(GenesisInterrupts, OneThatWasClearedWaitsAgainWhenItComesBack) {
  GenesisFixture b;
  b.up();
  for (int i = 0; i < 3; ++i) {
    b.send(b.to_me(100));
    b.run_us(99);
    for (int us = 0; us < 100 && !b.inta(); ++us) b.run_us(1);
    b.interrupt();
    b.poll();
  }
  EXPECT_EQ(b.sent, 3U);
  EXPECT_EQ(b.nic->interrupt_unit().held_back.value(), 3U);
  EXPECT_EQ(b.nic->interrupts.value(), 3U);
}

TEST(GenesisInterrupts, AReceiveCauseIsNotModerated) {
  GenesisFixture b;
  b.up();
  b.receive(b.to_me(100));
  b.run_us(10);
  EXPECT_TRUE(b.inta());
  EXPECT_EQ(b.r32(regs::kIsrc), regs::kIsrcFields.r1_f);
}

TEST(GenesisInterrupts, AReceiveInterruptsPollTakesTheTransmitCauseAlong) {
  GenesisFixture b;
  b.up();
  b.send(b.to_me(100));
  b.run_us(20);
  b.receive(b.to_me(100));
  EXPECT_EQ(b.serve_us(20).size(), 1U);
  EXPECT_EQ(b.sent, 1U);
  b.serve_us(300);
  EXPECT_EQ(b.interrupts, 1U) << "none of its own for the transmit cause";
}

TEST(GenesisInterrupts, AReceiveCauseComesWithItsControlWord) {
  GenesisFixture b;
  b.up();
  b.receive(b.to_me(100));
  const auto returned = [&b] { return (b.word(GenesisFixture::kRxRing) & regs::bmu::kOwn) == 0; };
  const auto caused = [&b] {
    return (b.nic->interrupt_unit().causes() & regs::kIsrcFields.r1_f) != 0;
  };
  for (int ns = 0; ns < 10'000 && !returned(); ++ns) {
    ASSERT_FALSE(caused())
        << "an acknowledge could take it away from a driver that had no chance to see the frame";
    b.run_ps(1000);
  }
  EXPECT_TRUE(returned());
  EXPECT_TRUE(caused()) << "a driver that has just looked would miss it";
}

TEST(GenesisInterrupts, AnAcknowledgeThatArrivesBehindAFrameTakesItsCauseAway) {
  GenesisFixture b;
  b.up();
  // skge_poll() posts the acknowledge, finds nothing in its ring, and then a frame is faster than
  // the posted write.
  ASSERT_NE(b.word(GenesisFixture::kRxRing) & regs::bmu::kOwn, 0U);
  b.receive(b.to_me(100));
  b.run_us(10);
  ASSERT_EQ(b.r32(regs::kIsrc), regs::kIsrcFields.r1_f);
  b.w8(regs::kR1 + regs::q::kCsr, regs::kCsrFields.irq_cl_f);
  EXPECT_EQ(b.word(GenesisFixture::kRxRing) & regs::bmu::kOwn, 0U);
  EXPECT_TRUE(b.serve_us(1000).empty()) << "it lies in memory, and nothing says so";
  b.receive(b.to_me(200));
  EXPECT_EQ(b.serve_us(20).size(), 2U) << "the next interrupt's poll takes it along";
}

TEST(GenesisInterrupts, AnAcknowledgeThatIsReadBackBeforeTheLookTakesNoFrameAway) {
  GenesisFixture b;
  b.up();
  b.receive(b.to_me(100));
  b.run_us(10);
  b.w8(regs::kR1 + regs::q::kCsr, regs::kCsrFields.irq_cl_f);
  b.r8(regs::kR1 + regs::q::kCsr);  // the acknowledge is at the adapter before this returns
  EXPECT_EQ(b.word(GenesisFixture::kRxRing) & regs::bmu::kOwn, 0U)
      << "what it took the cause of is in the ring";
  b.receive(b.to_me(200));
  EXPECT_EQ(b.serve_us(20).size(), 2U) << "what returns later keeps its cause";
}

TEST(GenesisInterrupts, WithoutTheTimerACausePassesAtOnce) {
  GenesisFixture b;
  b.up();
  b.send(b.to_me(100));
  b.run_us(20);
  ASSERT_FALSE(b.inta());
  b.w32(regs::kIrqmCtrl, regs::kTimerCtrlFields.stop);
  EXPECT_TRUE(b.inta()) << "one that waited, too";
  EXPECT_EQ(b.r32(regs::kIrqmCtrl), 0U);
}

TEST(GenesisInterrupts, WithoutItsMaskACausePassesAtOnce) {
  GenesisFixture b;
  b.up();
  b.w32(regs::kIrqmMsk, 0);
  b.send(b.to_me(100));
  b.run_us(20);
  EXPECT_TRUE(b.inta());
}

TEST(GenesisInterrupts, CoalescingReadsBackAndChangesAtTheNextStart) {
  GenesisFixture b;
  b.up();
  EXPECT_EQ(b.r32(regs::kIrqmCtrl), regs::kTimerCtrlFields.start);
  EXPECT_EQ(b.r32(regs::kIrqmIni), 5312U);
  b.w32(regs::kIrqmMsk, 0x82);
  b.w32(regs::kIrqmIni, 1328);  // 25 us
  b.w32(regs::kIrqmCtrl, regs::kTimerCtrlFields.start);
  b.send(b.to_me(100));
  b.run_us(24);
  EXPECT_FALSE(b.inta());
  b.run_us(1);
  EXPECT_TRUE(b.inta());
}

TEST(GenesisInterrupts, AnErrorOfPciIsAHardwareErrorUntilItsBitIsCleared) {
  GenesisFixture b;
  b.probe();
  EXPECT_EQ(b.r32(regs::kHweIsrc), 0U);
  b.nic->config().note_status(pcix::status::kReceivedMasterAbort);
  EXPECT_EQ(b.r32(regs::kHweIsrc), regs::kHweIsrcFields.irq_stat);
  EXPECT_EQ(b.r32(regs::kIsrc), regs::kIsrcFields.hw_err);
  EXPECT_FALSE(b.inta());
  b.w32(regs::kImsk, regs::kIsrcFields.hw_err);
  EXPECT_TRUE(b.inta());
  b.interrupt();
  EXPECT_EQ(b.hw_errors, regs::kHweIsrcFields.irq_stat);
  EXPECT_EQ(b.r32(regs::kHweIsrc), 0U);
  EXPECT_FALSE(b.inta());
  EXPECT_EQ(b.intr_mask, regs::kIsrcFields.hw_err) << "the driver saw that it could be cleared";
}

TEST(GenesisInterrupts, HweImskDecidesWhatIsAnError) {
  GenesisFixture b;
  b.probe();
  b.w32(regs::kHweImsk, 0xc3f & ~regs::kHweIsrcFields.irq_stat);
  b.nic->config().note_status(pcix::status::kReceivedTargetAbort);
  EXPECT_EQ(b.r32(regs::kHweIsrc), regs::kHweIsrcFields.irq_stat);
  EXPECT_EQ(b.r32(regs::kIsrc), 0U);
  b.w32(regs::kHweImsk, 0xc3f);
  EXPECT_EQ(b.r32(regs::kIsrc), regs::kIsrcFields.hw_err);
}

/// A transmit buffer where nobody answers, or somebody refuses; the bus notes that in the status
/// register.
void abort_a_transfer(tlm::tlm_response_status response, std::uint16_t noted) {
  GenesisFixture b;
  b.up();
  b.bus.hole_response = response;
  b.bus.hole_begin = GenesisFixture::kTxData;
  b.send(b.to_me(100));
  b.run_us(5);
  EXPECT_EQ(b.r32(regs::kHweIsrc), regs::kHweIsrcFields.irq_mst_err);
  b.nic->config().note_status(noted);
  b.serve_us(20);
  EXPECT_EQ(b.hw_errors, regs::kHweIsrcFields.irq_mst_err | regs::kHweIsrcFields.irq_stat);
  EXPECT_EQ(b.r32(regs::kHweIsrc), 0U) << "cleared with the status register";
  EXPECT_NE(b.intr_mask & regs::kIsrcFields.hw_err, 0U);
  EXPECT_EQ(b.config_read(0x04, 2) & 0x140U, 0x140U);
}

TEST(GenesisInterrupts, AMasterAbortIsAMasterError) {
  abort_a_transfer(tlm::TLM_ADDRESS_ERROR_RESPONSE, pcix::status::kReceivedMasterAbort);
}

TEST(GenesisInterrupts, ATargetAbortIsAMasterError) {
  abort_a_transfer(tlm::TLM_GENERIC_ERROR_RESPONSE, pcix::status::kReceivedTargetAbort);
}

TEST(GenesisInterrupts, LossOfLightIsTheMacs) {
  GenesisFixture b;
  b.up();
  b.set_carrier(false);
  EXPECT_TRUE(b.inta());
  EXPECT_EQ(b.r32(regs::kIsrc) & regs::kIsrcFields.mac1, regs::kIsrcFields.mac1);
  b.interrupt();
  EXPECT_NE(b.mac_causes & xm::kCauseFields.inp_ass, 0U);
  EXPECT_FALSE(b.carrier);
  EXPECT_FALSE(b.inta()) << "masked in the XMAC until the link is back";
  EXPECT_EQ(b.r16(regs::kXm1Imsk), 0xffffU) << "the register's second place";
}

TEST(GenesisInterrupts, OutsideD0ThePinIsOff) {
  GenesisFixture b;
  b.w8(regs::kCtst, regs::kCtstFields.st_sw_irq);
  b.w32(regs::kImsk, regs::kIsrcFields.irq_sw);
  EXPECT_TRUE(b.inta());
  b.config_write(0x4c, 2, 3);
  EXPECT_FALSE(b.inta());
}

}  // namespace
}  // namespace longhaul::nic::genesis
