// SPDX-License-Identifier: Apache-2.0
#include "models/nic/e1000/e1000.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/models/nic/e1000/e1000_fixture.h"

namespace longhaul::nic::e1000 {
namespace {

using namespace longhaul::testing;  // NOLINT: packets

TEST(E1000, EepromReadsThroughItsPinsOnceGranted) {
  E1000Fixture b;
  EXPECT_EQ(b.eeprom_read(0), 0x0400U);
  EXPECT_EQ(b.eeprom_read(2), 0x0100U);
  EXPECT_EQ(b.eeprom_read(0x0d), 0x1011U);
  std::uint32_t sum = 0;
  for (std::uint32_t i = 0; i < 64; ++i) sum += b.eeprom_read(i);
  EXPECT_EQ(sum & 0xffff, 0xbabaU);
  b.write(regs::kEecd, regs::kEecdFields.cs);
  EXPECT_EQ(b.read(regs::kEecd) & regs::kEecdFields.gnt, 0U) << "no request, no grant";
}

TEST(E1000, EerdBringsAWordAfterItsTime) {
  E1000Fixture b;
  b.write(regs::kEerd, 0x0dU << 8 | regs::kEerdFields.start);
  b.run_us(49);
  EXPECT_EQ(b.read(regs::kEerd) & regs::kEerdFields.done, 0U);
  b.run_us(1);
  EXPECT_EQ(b.read(regs::kEerd), 0x1011'0d10U);
}

TEST(E1000, StatusTellsMediumBusAndSpeed) {
  E1000Fixture fiber;
  EXPECT_EQ(fiber.read(regs::kStatus), 0xb0a1U);  // PCI-X 133, 64 bit, 1000 Mb/s, TBI, full duplex
}

TEST(E1000, ACopperBoardOnPciSaysSo) {
  E1000Fixture b(nlohmann::json{{"board", "82546gb-copper"}, {"bus", "pci-66"}});
  EXPECT_EQ(b.read(regs::kStatus), 0x1881U);
  EXPECT_EQ(b.config_read(0x02, 2), 0x1079U);
}

TEST(E1000, FiberNegotiationTakesItsTimeAndSetsPause) {
  E1000Fixture b;
  EXPECT_FALSE(b.wire.lit) << "a link in reset is dark";
  EXPECT_EQ(b.link_up(), 30'000U);
  EXPECT_TRUE(b.wire.lit);
  EXPECT_EQ(b.read(regs::kCtrl) & (regs::kCtrlFields.tfce | regs::kCtrlFields.rfce),
            regs::kCtrlFields.tfce | regs::kCtrlFields.rfce);
  EXPECT_NE(b.read(regs::kCtrl) & regs::kCtrlFields.swdpin1, 0U) << "signal";
  EXPECT_EQ(b.read(regs::kRxcw),
            regs::kRxcwFields.anc | regs::kRxcwFields.synch | regs::kRxcwFields.cc | 0x41a0U);
  EXPECT_EQ(b.read(regs::kRxcw) & regs::kRxcwFields.cc, 0U) << "cleared by reading";
  EXPECT_EQ(b.read(regs::kIcr), regs::kCauseFields.lsc);
}

TEST(E1000, APartnerWithoutPauseTurnsItOff) {
  E1000Fixture b(nlohmann::json{{"link_partner", "no-pause"}});
  b.link_up();
  EXPECT_EQ(b.read(regs::kCtrl) & (regs::kCtrlFields.tfce | regs::kCtrlFields.rfce), 0U);
}

TEST(E1000, ASilentPartnersLinkIsUpOnlyWhenForced) {
  E1000Fixture b(nlohmann::json{{"link_partner", "silent"}});
  EXPECT_EQ(b.link_up(), 600'000U) << "gave up";
  EXPECT_EQ(b.read(regs::kRxcw), regs::kRxcwFields.synch) << "no /C/ comes in";
  b.write(regs::kTxcw, regs::kTxcwFields.fd);
  EXPECT_EQ(b.read(regs::kStatus) & regs::kStatusFields.lu, 0U);
  b.write(regs::kCtrl, b.read(regs::kCtrl) | regs::kCtrlFields.slu);
  EXPECT_NE(b.read(regs::kStatus) & regs::kStatusFields.lu, 0U);
}

TEST(E1000, LossOfLightIsASequenceErrorAndALinkChange) {
  E1000Fixture b;
  b.link_up();
  b.read(regs::kIcr);
  b.set_carrier(false);
  EXPECT_EQ(b.read(regs::kIcr), regs::kCauseFields.lsc | regs::kCauseFields.rxseq);
  EXPECT_EQ(b.read(regs::kStatus) & regs::kStatusFields.lu, 0U);
  EXPECT_EQ(b.read(regs::kRxcw), regs::kRxcwFields.nc);
  EXPECT_EQ(b.read(0x4038), 1U) << "SEC";
  b.set_carrier(true);
  b.run_us(29'999);
  EXPECT_EQ(b.read(regs::kStatus) & regs::kStatusFields.lu, 0U);
  b.run_us(1);
  EXPECT_NE(b.read(regs::kStatus) & regs::kStatusFields.lu, 0U);
}

TEST(E1000, CopperLinkFollowsThePhyAndSlu) {
  E1000Fixture b(nlohmann::json{{"board", "82545gm-copper"}, {"copper_negotiation", "10ms"}});
  b.write(regs::kCtrl, regs::kCtrlFields.fd | regs::kCtrlFields.slu);
  EXPECT_EQ(b.phy_read(2) << 16 | (b.phy_read(3) & 0xfff0), 0x01410c20U);
  b.phy_write(0, 0x1340);  // restart
  b.run_us(10'000);
  b.phy_read(1);
  EXPECT_EQ(b.phy_read(1) & 0x24U, 0x24U) << "link, negotiation complete";
  EXPECT_EQ(b.phy_read(5) & 0x0c00U, 0x0c00U);
  EXPECT_EQ(b.phy_read(17) & 0xac00U, 0xac00U);
  EXPECT_NE(b.read(regs::kStatus) & regs::kStatusFields.lu, 0U);
  b.write(regs::kCtrl, regs::kCtrlFields.fd);
  EXPECT_EQ(b.read(regs::kStatus) & regs::kStatusFields.lu, 0U) << "without SLU";
}

TEST(E1000, PhyLinkIsLatchedLowUntilRead) {
  E1000Fixture b(nlohmann::json{{"board", "82545gm-copper"}, {"copper_negotiation", "10ms"}});
  b.run_us(11'000);
  b.phy_read(1);
  EXPECT_NE(b.phy_read(1) & 4U, 0U);
  b.set_carrier(false);
  b.set_carrier(true);
  b.run_us(11'000);
  EXPECT_EQ(b.phy_read(1) & 4U, 0U) << "it was lost in between";
  EXPECT_NE(b.phy_read(1) & 4U, 0U);
}

TEST(E1000, ThePhysPagedRegisterIsOneForEachPage) {
  E1000Fixture b;
  b.phy_write(29, 5);
  b.phy_write(30, 0x1234);
  b.phy_write(29, 4);
  b.phy_write(30, 0x0800);
  b.phy_write(29, 5);
  EXPECT_EQ(b.phy_read(30), 0x1234U);
  EXPECT_EQ(b.mdic(regs::kMdicFields.phy.put(2U) | regs::kMdicFields.reg.put(2U) |
                   regs::kMdicFields.read),
            0xffffU)
      << "nobody at address 2";
}

TEST(E1000, MdicInterruptsWhenItIsDoneIfAsked) {
  E1000Fixture b;
  b.write(regs::kMdic, regs::kMdicFields.reg.put(2U) | regs::kMdicFields.phy.put(1U) |
                           regs::kMdicFields.read | regs::kMdicFields.int_en);
  b.run_ps(25'599'999);
  EXPECT_EQ(b.read(regs::kIcr) & regs::kCauseFields.mdac, 0U);
  b.run_ps(1);
  EXPECT_EQ(b.read(regs::kIcr) & regs::kCauseFields.mdac, regs::kCauseFields.mdac);
}

TEST(E1000, PbaSplitsThePacketBufferAndSurvivesReset) {
  E1000Fixture b;
  EXPECT_EQ(b.read(regs::kPba), 48U | 16U << 16);
  b.write(regs::kPba, 32);
  EXPECT_EQ(b.read(regs::kPba), 32U | 32U << 16);
  b.reset();
  EXPECT_EQ(b.read(regs::kPba), 32U | 32U << 16);
  b.write(regs::kPba, 0xffff);
  EXPECT_EQ(b.read(regs::kPba), 63U | 1U << 16) << "something is left of both";
}

TEST(E1000, ResetForgetsRegistersAndTakesItsTime) {
  E1000Fixture b;
  b.link_up();
  b.write(regs::kRctl, regs::kRctlFields.upe);
  b.write(regs::kFct, 0x8808);
  b.write(regs::kRal, 0x01020304);
  b.write(regs::kCtrl, b.read(regs::kCtrl) | regs::kCtrlFields.rst);
  EXPECT_NE(b.read(regs::kCtrl) & regs::kCtrlFields.rst, 0U);
  b.run_us(1);
  EXPECT_EQ(b.read(regs::kCtrl) & regs::kCtrlFields.rst, 0U);
  EXPECT_EQ(b.read(regs::kRctl), 0U);
  EXPECT_EQ(b.read(regs::kFct), 0U);
  EXPECT_EQ(b.read(regs::kRal), 0x00230400U) << "the EEPROM's address again";
  EXPECT_EQ(b.read(regs::kStatus) & regs::kStatusFields.lu, 0U);
  EXPECT_EQ(b.nic->resets.value(), 1U);
}

TEST(E1000, CtrlDupIsTheSameRegister) {
  E1000Fixture b;
  b.write(regs::kCtrlDup, regs::kCtrlFields.fd | regs::kCtrlFields.vme);
  EXPECT_EQ(b.read(regs::kCtrl) & ~regs::kCtrlFields.swdpin1,
            regs::kCtrlFields.fd | regs::kCtrlFields.vme);
  b.reset();
  EXPECT_EQ(b.nic->resets.value(), 1U);
}

TEST(E1000, PortsReachEveryRegister) {
  E1000Fixture b(nlohmann::json{{"board", "82545em-fiber"}});
  EXPECT_EQ(b.config_read(0x18, 4), 1U) << "BAR 2 is I/O";
  b.port_write(0, regs::kStatus);
  EXPECT_EQ(b.port_read(4), b.read(regs::kStatus));
  b.port_write(0, regs::kRdlen);
  b.port_write(4, 0x4000);
  EXPECT_EQ(b.read(regs::kRdlen), 0x4000U);
  EXPECT_EQ(b.port_read(0), regs::kRdlen);
  EXPECT_EQ(b.port_read(5, 2), 0x40U) << "a read of less is a part of the register";
}

TEST(E1000, PortsTakeWholeDwordsAndTwentyAddressBits) {
  E1000Fixture b;
  b.port_write(0, regs::kRdlen);
  b.port_write(4, 0x4000);
  b.port_write(4, 0x80, 1);
  EXPECT_EQ(b.read(regs::kRdlen), 0x4000U);
  b.port_write(0, 0x10, 2);
  EXPECT_EQ(b.port_read(0), regs::kRdlen);
  b.port_write(0, 0xfff8'0000);
  EXPECT_EQ(b.port_read(0), 0x8'0000U);
  EXPECT_EQ(b.port_read(4), 0U) << "no flash";
  b.port_write(4, 0xffff'ffff);
  EXPECT_EQ(b.read(regs::kRdlen), 0x4000U);
}

TEST(E1000, ResetThroughThePortsIsTheSameAsByMemoryAndLeavesIoaddr) {
  E1000Fixture b(nlohmann::json{{"board", "82546eb-copper"}});
  b.write(regs::kRdlen, 0x4000);
  b.write(regs::kIms, regs::kCauseFields.lsc);
  b.port_write(0, regs::kCtrl);
  b.port_write(4, b.read(regs::kCtrl) | regs::kCtrlFields.rst);
  EXPECT_NE(b.read(regs::kCtrl) & regs::kCtrlFields.rst, 0U);
  b.run_us(2);
  EXPECT_EQ(b.read(regs::kCtrl) & regs::kCtrlFields.rst, 0U);
  EXPECT_EQ(b.read(regs::kRdlen), 0U);
  EXPECT_EQ(b.read(regs::kIms), 0U);
  EXPECT_EQ(b.nic->resets.value(), 1U);
  b.write(regs::kRdlen, 0x80);
  b.port_write(0, regs::kRdlen);
  EXPECT_EQ(b.port_read(4), 0x80U);
}

TEST(E1000, EachBoardIsItsPart) {
  struct Board {
    const char* name;
    std::uint32_t device;
    std::uint32_t revision;
    bool fiber;
  };
  // Linux e1000_hw.h, pci.ids.
  for (const Board& board :
       {Board{"82545em-fiber", 0x1011, 1, true}, Board{"82545em-copper", 0x100f, 1, false},
        Board{"82546eb-fiber", 0x1012, 1, true}, Board{"82546eb-copper", 0x1010, 1, false},
        Board{"82545gm-fiber", 0x1027, 4, true}, Board{"82545gm-copper", 0x1026, 4, false},
        Board{"82546gb-fiber", 0x107a, 3, true}, Board{"82546gb-copper", 0x1079, 3, false}}) {
    SCOPED_TRACE(board.name);
    const auto nic =
        make_e1000(sc_core::sc_gen_unique_name("nic"), nlohmann::json{{"board", board.name}}, 0);
    EXPECT_EQ(nic->config().read(0x00, 4), board.device << 16 | 0x8086U);
    EXPECT_EQ(nic->config().read(0x08, 1), board.revision);
    const bool tbi = (nic->bank().read(regs::kStatus) & regs::kStatusFields.tbimode) != 0;
    EXPECT_EQ(tbi, board.fiber);
  }
}

TEST(E1000, RegistersHoldWhatEthtoolsTestWrites) {
  E1000Fixture b;
  struct Pattern {
    std::uint32_t reg, mask, write;
  };
  // Linux e1000_ethtool.c, e1000_reg_test().
  const Pattern patterns[] = {{regs::kFcal, 0xffffffff, 0xffffffff},
                              {regs::kFcah, 0xffff, 0xffffffff},
                              {regs::kFct, 0xffff, 0xffffffff},
                              {regs::kVet, 0xffff, 0xffffffff},
                              {regs::kRdtr, 0xffff, 0xffffffff},
                              {regs::kRdbah, 0xffffffff, 0xffffffff},
                              {regs::kRdlen, 0xfff80, 0xfffff},
                              {regs::kRdh, 0xffff, 0xffff},
                              {regs::kRdt, 0xffff, 0xffff},
                              {regs::kFcrth, 0xfff8, 0xfff8},
                              {regs::kFcttv, 0xffff, 0xffff},
                              {regs::kTipg, 0x3fffffff, 0x3fffffff},
                              {regs::kTdbah, 0xffffffff, 0xffffffff},
                              {regs::kTdlen, 0xfff80, 0xfffff},
                              {regs::kRdbal, 0xfffffff0, 0xffffffff},
                              {regs::kTxcw, 0xc000ffff, 0xffff},
                              {regs::kTdbal, 0xfffffff0, 0xffffffff},
                              {regs::kTidv, 0xffff, 0xffff},
                              {regs::kRal + 4, 0x8003ffff, 0xffffffff},
                              {regs::kMta + 4, 0xffffffff, 0xffffffff}};
  for (const Pattern& p : patterns) {
    for (const std::uint32_t test : {0x5a5a5a5aU, 0xa5a5a5a5U, 0U, 0xffffffffU}) {
      b.write(p.reg, p.write & test);
      EXPECT_EQ(b.read(p.reg), p.write & test & p.mask) << std::hex << p.reg;
    }
  }
  for (const std::uint32_t write : {0x003ffffbU, 0xffffffffU}) {
    b.write(regs::kRctl, write & 0x06dfb3fe);
    EXPECT_EQ(b.read(regs::kRctl) & 0x06dfb3fe, write & 0x06dfb3fe);
  }
  const std::uint32_t before = b.read(regs::kStatus);
  b.write(regs::kStatus, 0xfffff833);
  EXPECT_EQ(b.read(regs::kStatus), before) << "read only";
}

TEST(E1000, InterruptPinIsHighUntilIcrIsRead) {
  E1000Fixture b;
  b.write(regs::kIms, regs::kCauseFields.rxt0);
  b.write(regs::kIcs, regs::kCauseFields.txdw);
  b.run_us(1);
  EXPECT_FALSE(b.host.inta.read()) << "masked";
  b.write(regs::kIcs, regs::kCauseFields.rxt0);
  b.run_us(1);
  EXPECT_TRUE(b.host.inta.read());
  EXPECT_EQ(b.read(regs::kIcr), regs::kCauseFields.rxt0 | regs::kCauseFields.txdw);
  b.run_us(1);
  EXPECT_FALSE(b.host.inta.read());
}

TEST(E1000, MsiIsOneWriteARise) {
  E1000Fixture b;
  b.config_write(0xf4, 4, 0x8000);
  b.config_write(0xfc, 2, 0x77);
  b.config_write(0xf2, 2, 1);
  b.write(regs::kIms, regs::kCauseFields.lsc);
  b.write(regs::kIcs, regs::kCauseFields.lsc);
  b.run_us(1);
  EXPECT_EQ(b.word(0x8000), 0x77U);
  EXPECT_FALSE(b.host.inta.read());
}

TEST(E1000, TheIdentificationLedIsPinZeroOnFiber) {
  E1000Fixture b;
  b.write(regs::kCtrl, regs::kCtrlFields.swdpio0);
  EXPECT_EQ(b.nic->led.value(), 1);
  b.write(regs::kCtrl, regs::kCtrlFields.swdpio0 | regs::kCtrlFields.swdpin0);
  EXPECT_EQ(b.nic->led.value(), 0);
}

TEST(E1000, WhatCannotBeBuiltIsRefusedWithItsPlace) {
  const auto error_of = [](const nlohmann::json& params) -> std::string {
    try {
      make_e1000("eth0", params, 0);
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_THAT(
      error_of({{"board", "82545gm-fibre"}}),
      ::testing::StartsWith("eth0.board: '82545gm-fibre' is unknown; nearest is '82545gm-fiber'"));
  EXPECT_THAT(error_of({{"rx_buffer_kib", 64}}),
              ::testing::StartsWith("eth0.rx_buffer_kib: 64 KiB leave nothing"));
  EXPECT_THAT(error_of({{"link_partner", "loud"}}),
              ::testing::HasSubstr("link_partner: 'loud' is unknown"));
}

}  // namespace
}  // namespace longhaul::nic::e1000
