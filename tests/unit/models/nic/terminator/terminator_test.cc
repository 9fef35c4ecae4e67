// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "tests/unit/models/nic/terminator/terminator_fixture.h"

namespace longhaul::nic::terminator {
namespace {

using namespace regs;  // NOLINT: names of the registers
using ::testing::SizeIs;

TEST(Terminator, TheDriverFindsItsBoardAndRevision) {
  TerminatorFixture b;
  EXPECT_EQ(b.config_read(0x00, 4), 0x0007'1425U);
  EXPECT_EQ(b.config_read(0x2e, 2), 0U) << "CH_DEVICE(7, 0)";
  EXPECT_EQ(b.read(kTpPcConfig) >> 30, 2U) << "T1B";
  b.write(kTpPcConfig, 0);
  EXPECT_EQ(b.read(kTpPcConfig) >> 30, 2U) << "the revision is fixed";
}

TEST(Terminator, ItsBoardIsAParameter) {
  TerminatorFixture b(nlohmann::json{{"board", "t110-cx4"}});
  EXPECT_EQ(b.config_read(0x02, 2), 0x0008U);
}

TEST(Terminator, ABoardThatDoesNotExistIsRefused) {
  try {
    make_terminator("nic", {{"board", "n111"}}, 0);
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("board"));
    EXPECT_THAT(error.what(), ::testing::HasSubstr("n110"));
  }
}

/// t1_seeprom_read(): the flag is set when four bytes have come, within 200 us.
TEST(Terminator, TheAddressIsInTheVpd) {
  TerminatorFixture b;
  ByteVector bytes;
  for (std::uint32_t at = 0; at < 28; at += 4) {
    b.config_write(0x4a, 2, at);
    EXPECT_EQ(b.config_read(0x4a, 2) & 0x8000U, 0U);
    b.run_us(50);
    ASSERT_NE(b.config_read(0x4a, 2) & 0x8000U, 0U);
    const std::uint32_t word = b.config_read(0x4c, 4);
    for (std::uint32_t i = 0; i < 4; ++i) bytes.push_back(static_cast<std::uint8_t>(word >> 8 * i));
  }
  EXPECT_EQ(ByteVector(bytes.begin() + 20, bytes.begin() + 26),
            ByteVector(b.nic->mac_address().begin(), b.nic->mac_address().end()));
  EXPECT_EQ(bytes[20], 0x00);
  EXPECT_EQ(bytes[21], 0x07);
  EXPECT_EQ(bytes[22], 0x43);
}

TEST(Terminator, TheModeRegisterTellsOfTheBus) {
  TerminatorFixture b;
  EXPECT_EQ(b.config_read(0xfc, 4), 0xe3U) << "64 bits, PCI-X, 133 MHz";
}

TEST(Terminator, LeavingD3hotResetsTheChip) {
  TerminatorFixture b;
  b.open();
  b.queue_pieces({b.with_cpl(b.packet(100))});
  ASSERT_TRUE(b.receive(b.packet(100)));
  b.ring();
  b.config_write(0x44, 4, 3);  // t1_sw_reset()
  b.config_write(0x44, 4, 0);
  b.run_us(20);
  b.config_write(0x04, 2, 0x0006);
  EXPECT_EQ(b.read(kSgControl), 0U);
  EXPECT_EQ(b.read(kSgCmd0size), 0U);
  EXPECT_EQ(b.nic->resets.value(), 1U);
  EXPECT_EQ(b.nic->rx().fill.value(), 0U);
  EXPECT_EQ(b.nic->tx().fill.value(), 0U);
  EXPECT_THAT(b.responses(), SizeIs(0));
  b.sent = b.given = {};
  std::fill(b.bus.memory.begin(), b.bus.memory.begin() + b.kTxData, std::uint8_t{0});
  b.open();
  b.queue_pieces({b.with_cpl(b.packet(100))});
  b.ring();
  ASSERT_TRUE(b.receive(b.packet(100)));
  b.run_us(20);
  EXPECT_THAT(b.sent_frames(), SizeIs(1));
  EXPECT_GE(b.responses().size(), 1U);
}

TEST(Terminator, AnAbortIsAPciInterrupt) {
  TerminatorFixture b;
  b.open();
  b.config_write(0xf4, 4, 0xffff'ffff);
  b.write(kPlEnable, b.read(kPlEnable) | kPlIntrFields.pl_intr_pcix);
  b.bus.hole_begin = b.kTxData;
  b.queue_pieces({b.with_cpl(b.packet(100))});
  b.ring();
  b.run_us(20);
  EXPECT_EQ(b.config_read(0xf8, 4), 8U) << "received a master abort";
  EXPECT_NE(b.read(kPlCause) & kPlIntrFields.pl_intr_pcix, 0U);
  EXPECT_TRUE(b.inta());
  EXPECT_THAT(b.sent_frames(), SizeIs(0));
  b.config_write(0xf8, 4, 8);
  EXPECT_EQ(b.config_read(0xf8, 4), 0U);
  EXPECT_EQ(b.read(kPlCause) & kPlIntrFields.pl_intr_pcix, 0U);
}

/// illumos chxge/com/mc3.c and mc4.c: t1_mc3_init(), t1_mc4_init().
TEST(Terminator, MemoryControllersLockAndTest) {
  TerminatorFixture b(nlohmann::json{{"memory_test_time", "10ms"}});
  for (const std::uint32_t strobe : {kMc3Strobe.offset, kMc4Strobe.offset}) {
    EXPECT_EQ(b.read(strobe) & kMc3StrobeFields.master_dll_locked, 0U);
    b.write(strobe, b.read(strobe) & ~kMc3StrobeFields.master_dll_reset);
    EXPECT_NE(b.read(strobe) & kMc3StrobeFields.master_dll_locked, 0U);
  }
  for (const std::uint32_t op : {kMc3BistOp.offset, kMc4BistOp.offset}) {
    b.write(op, 0x1f1);
    EXPECT_NE(b.read(op) & 1U << 31, 0U);
  }
  b.run_us(9'999);
  EXPECT_NE(b.read(kMc3BistOp) & 1U << 31, 0U);
  b.run_us(2);
  EXPECT_EQ(b.read(kMc3BistOp), 0x1f1U);
  EXPECT_EQ(b.read(kMc4BistOp), 0x1f1U);
  for (const std::uint32_t at : {kMc3Mode.offset, kMc3ExtMode.offset, kMc3Precharg.offset,
                                 kMc3Refresh.offset, kMc4Mode.offset, kMc4ExtMode.offset}) {
    b.write(at, 0xffff'ffff);
    EXPECT_EQ(b.read(at) & 1U << 31, 0U) << "never busy: " << at;
  }
}

/// illumos chxge/com/mc5.c: t1_mc5_init(), t1_read_mc5_range().
TEST(Terminator, TheTcamHoldsWordsByItsDebugInterface) {
  TerminatorFixture b;
  EXPECT_EQ(b.read(kMc5Config) & kMc5ConfigFields.tcam_ready, 0U);
  b.write(kMc5Config, kMc5ConfigFields.tcam_reset);
  EXPECT_EQ(b.read(kMc5Config), kMc5ConfigFields.tcam_ready.mask());
  b.write(kMc5Config, kMc5ConfigFields.dbgi_enable);
  b.write(kMc5DbgiReqData0, 0x1234'5678);
  b.write(kMc5DbgiReqData1, 0x9abc'def0);
  b.write(kMc5DbgiReqData2, 0x55);
  b.write(kMc5DbgiReqAddr0, 0x80007);
  b.write(kMc5DbgiReqCmd, 0x10001);
  EXPECT_EQ(b.read(kMc5DbgiRspStatus), kMc5DbgiRspStatusFields.dbgi_rsp_valid.mask());
  b.write(kMc5DbgiReqCmd, 0);
  EXPECT_EQ(b.read(kMc5DbgiRspData0), 0x1234'5678U);
  EXPECT_EQ(b.read(kMc5DbgiRspData1), 0x9abc'def0U);
  EXPECT_EQ(b.read(kMc5DbgiRspData2), 0x55U);
  b.write(kMc5DbgiReqAddr0, 0x80008);
  b.write(kMc5DbgiReqCmd, 0);
  EXPECT_EQ(b.read(kMc5DbgiRspData0), 0U);
}

}  // namespace
}  // namespace longhaul::nic::terminator
