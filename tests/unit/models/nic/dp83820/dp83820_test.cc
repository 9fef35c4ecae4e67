// SPDX-License-Identifier: Apache-2.0
// The device: what a driver's probe finds, resets, self tests, interrupts and the link.
#include <gmock/gmock.h>

#include "models/nic/adapter_type.h"
#include "tests/unit/models/nic/dp83820/dp83820_fixture.h"

namespace longhaul::nic::dp83820 {
namespace {

using namespace regs;  // NOLINT: names of the registers
using ::testing::ElementsAre;

TEST(Dp83820Type, IsInTheCatalogueAndHasOneFunction) {
  const AdapterType& type = adapter_types().find("dp83820", "eth0");
  EXPECT_EQ(std::string(type.slot), "pci-66");
  AdapterRequest request{"eth0", nullptr, "eth0", 0, 1};
  const auto first = type.make(request);
  EXPECT_EQ(first->function()->config().read(0, 4), 0x0022'100bU);
  request.module_name = "eth1";
  request.function0 = first.get();
  EXPECT_THROW(type.make(request), ConfigError);
}

TEST(Dp83820Type, AParameterThatCannotBeIsRefused) {
  EXPECT_THROW(make_dp83820("a", {{"board", "ga622"}}, 0), ConfigError);
  EXPECT_THROW(make_dp83820("b", {{"link_partner", "loud"}}, 0), ConfigError);
  EXPECT_THROW(make_dp83820("c", {{"mac", "01:00:00:00:00:01"}}, 0), ConfigError);
}

TEST(Dp83820Probe, ItIsAConventionalFunctionWithPortsBeforeMemory) {
  Dp83820Fixture b;
  EXPECT_EQ(b.config_read(0x2c, 4), 0x621a'1385U);
  EXPECT_EQ(b.config_read(0x08, 4) >> 8, 0x020000U);
  b.config_write(0x10, 4, 0xffff'ffff);
  b.config_write(0x14, 4, 0xffff'ffff);
  EXPECT_EQ(b.config_read(0x10, 4), 0xffff'ff01U);
  EXPECT_EQ(b.config_read(0x14, 4), 0xffff'f000U);
  EXPECT_EQ(b.config_read(0x34, 1), 0U) << "no capability";
  EXPECT_EQ(b.read(0x22c), 0x621a'1385U) << "a copy of the configuration space";
}

TEST(Dp83820Probe, PortsReachTheRegisters) {
  Dp83820Fixture b;
  b.host.access_io(false, kGpior, 4, 0x3e8);
  EXPECT_EQ(b.read(kGpior), 0x3e8U);
  EXPECT_EQ(b.host.access_io(true, kSrr, 4, 0), 0x0103U);
}

TEST(Dp83820Probe, SelfTestsEndWellAndTheEepromLoadsTheAddress) {
  Dp83820Fixture b;
  b.write(kRfcr, 2);
  b.write(kRfdr, 0x5555);
  EXPECT_EQ(b.read(kRfdr), 0x5555U);
  b.write(kPtscr, kPtscrFields.rbist_rst);
  b.write(kPtscr, kPtscrFields.rbist_en);
  EXPECT_EQ(b.read(kPtscr) & kPtscrFields.rbist_done, 0U);
  b.run_us(1000);
  EXPECT_EQ(b.read(kPtscr), kPtscrFields.rbist_done);
  b.write(kPtscr, kPtscrFields.eeload_en);
  EXPECT_NE(b.read(kPtscr) & kPtscrFields.eeload_en, 0U);
  b.run_us(1000);
  EXPECT_EQ(b.read(kPtscr) & kPtscrFields.eeload_en, 0U);
  std::vector<std::uint32_t> words;
  for (std::uint32_t at = 0; at < 6; at += 2) {
    b.write(kRfcr, at);
    words.push_back(b.read(kRfdr));
  }
  EXPECT_THAT(words, ElementsAre(0x4000U, 0x20f4U, 0x0100U)) << "00:40:f4:20:00:01";
}

TEST(Dp83820Probe, TheEepromIsReadByItsPins) {
  Dp83820Fixture b;
  const auto clock = [&](bool in) {
    const std::uint32_t pins = kMearFields.eesel | (in ? kMearFields.eedi : 0U);
    b.write(kMear, pins);
    b.write(kMear, pins | kMearFields.eeclk);
    return (b.read(kMear) & kMearFields.eedo) != 0;
  };
  const auto word = [&](std::uint32_t address) {
    b.write(kMear, kMearFields.eesel);
    for (std::uint32_t command = 0x180 | address, i = 9; i-- > 0;) clock((command >> i & 1) != 0);
    std::uint32_t data = 0;
    for (int i = 0; i < 16; ++i) data = data << 1 | (clock(false) ? 1U : 0U);
    b.write(kMear, 0);
    return data;
  };
  EXPECT_EQ(word(0x0a), 0x0100U);
  EXPECT_EQ(word(0x0b), 0x20f4U);
  EXPECT_EQ(word(0x0c), 0x4000U);
}

TEST(Dp83820Probe, ASlotOf32BitsIsSeen) {
  Dp83820Fixture b(nlohmann::json({{"width_bits", 32}}));
  EXPECT_EQ(b.read(kCfg) & (kCfgFields.pci64_det | kCfgFields.data64_en), 0U);
}

TEST(Dp83820Reset, ClearsRegistersAndItselfAndKeepsTheLink) {
  Dp83820Fixture b;
  b.open();
  EXPECT_NE(b.read(kCfg) & kCfgFields.pci64_det, 0U);
  b.write(kCr, kCrFields.rst);
  EXPECT_NE(b.read(kCr) & kCrFields.rst, 0U);
  EXPECT_EQ(b.read(kImr), 0U);
  EXPECT_EQ(b.read(kTxcfg), 0x120U);
  EXPECT_EQ(b.read(kRxdp), 0U);
  b.run_us(10);
  EXPECT_EQ(b.read(kCr), 0U) << "no list runs";
  EXPECT_EQ(b.read(kIsr), kIsrFields.tx_rcmp | kIsrFields.rx_rcmp | kIsrFields.hibint);
  EXPECT_EQ(b.read(kIsr), 0U) << "cleared by reading";
  EXPECT_EQ(b.read(kCfg) & (kCfgFields.tbi_en | kCfgFields.mode_1000),
            kCfgFields.tbi_en | kCfgFields.mode_1000);
  EXPECT_TRUE(b.wire.lit);
}

TEST(Dp83820Link, ComesWithNegotiationAndTellsIt) {
  Dp83820Fixture b;
  b.open();
  EXPECT_NE(b.read(kCfg) & kCfgFields.lnksts, 0U);
  EXPECT_EQ(b.read(kTbisr), kTbisrFields.mr_an_complete | kTbisrFields.mr_link_status);
  EXPECT_EQ(b.read(kTanlpar), b.read(kTanar) & kTanarFields.abilities);
  b.write(kImr, kIsrFields.phy);
  b.write(kCfg, b.read(kCfg) | kCfgFields.pint_lnksts);
  b.set_carrier(false);
  EXPECT_TRUE(b.inta());
  EXPECT_EQ(b.read(kCfg) & kCfgFields.lnksts, 0U);
  EXPECT_EQ(b.read(kIsr), kIsrFields.phy);
  EXPECT_FALSE(b.inta());
  b.set_carrier(true);
  b.run_us(29'999);
  EXPECT_EQ(b.read(kCfg) & kCfgFields.lnksts, 0U);
  b.run_us(1);
  EXPECT_NE(b.read(kCfg) & kCfgFields.lnksts, 0U);
  EXPECT_TRUE(b.inta());
}

TEST(Dp83820Link, APartnerThatIsSilentNeedsNoNegotiation) {
  Dp83820Fixture b(nlohmann::json({{"link_partner", "silent"}}));
  b.open();
  EXPECT_EQ(b.read(kCfg) & kCfgFields.lnksts, 0U);
  b.write(kTbicr, 0);
  EXPECT_NE(b.read(kCfg) & kCfgFields.lnksts, 0U);
}

TEST(Dp83820Link, APartnerWithoutPauseSaysSo) {
  Dp83820Fixture b(nlohmann::json({{"link_partner", "no-pause"}}));
  b.open();
  EXPECT_EQ(b.read(kTanlpar), kTanarFields.full_dup);
}

TEST(Dp83820Interrupts, NeedTheirMaskAndTheirEnable) {
  Dp83820Fixture b;
  b.read(kIsr);
  b.write(kCr, kCrFields.swi);
  EXPECT_FALSE(b.inta());
  b.write(kImr, kIsrFields.swi);
  EXPECT_FALSE(b.inta());
  b.write(kIer, 1);
  EXPECT_TRUE(b.inta());
  b.write(kImr, 0);
  EXPECT_FALSE(b.inta()) << "masked, but still latched";
  EXPECT_EQ(b.read(kIsr), kIsrFields.swi);
  b.write(kImr, kIsrFields.swi);
  EXPECT_FALSE(b.inta());
}

TEST(Dp83820Interrupts, ReadingIsrHoldsTheNextOneOff) {
  Dp83820Fixture b;
  b.write(kImr, kIsrFields.swi);
  b.write(kIer, 1);
  b.write(kIhr, 2);
  b.read(kIsr);
  b.write(kCr, kCrFields.swi);
  b.run_us(199);
  EXPECT_FALSE(b.inta());
  b.run_us(1);
  EXPECT_TRUE(b.inta());
}

TEST(Dp83820Interrupts, WithIhctlTheHoldOffBeginsWithTheCause) {
  Dp83820Fixture b;
  b.write(kImr, kIsrFields.swi);
  b.write(kIer, 1);
  b.write(kIhr, kIhrFields.ihctl | 1);
  b.read(kIsr);
  b.run_us(500);
  b.write(kCr, kCrFields.swi);
  b.run_us(99);
  EXPECT_FALSE(b.inta());
  b.run_us(1);
  EXPECT_TRUE(b.inta());
}

TEST(Dp83820Interrupts, WritingZeroToIhrEndsAHoldOff) {
  Dp83820Fixture b;
  b.write(kImr, kIsrFields.swi);
  b.write(kIer, 1);
  b.write(kIhr, 100);
  b.read(kIsr);
  b.write(kCr, kCrFields.swi);
  EXPECT_FALSE(b.inta());
  b.write(kIhr, 0);
  EXPECT_TRUE(b.inta());
}

TEST(Dp83820Bank, EveryOffsetCanBeReadAndWritten) {
  Dp83820Fixture b;
  b.open();
  for (std::uint32_t at = 0; at < kMemoryBytes; at += 4) {
    b.read(at);
    if (at != kCr) b.write(at, 0);
  }
  b.write(kCr, kCrFields.rst);
  b.run_us(10);
  EXPECT_EQ(b.read(kCr), 0U);
}

}  // namespace
}  // namespace longhaul::nic::dp83820
