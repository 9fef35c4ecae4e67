// SPDX-License-Identifier: Apache-2.0
#include "models/nic/genesis/genesis.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/unit/models/nic/genesis/genesis_fixture.h"

namespace longhaul::nic::genesis {
namespace {

TEST(Genesis, ConfigurationSpaceSaysWhatItIs) {
  GenesisFixture b;
  EXPECT_EQ(b.config_read(0x00, 4), 0x4300'1148U);
  EXPECT_EQ(b.config_read(0x08, 4) >> 8, 0x020000U);
  EXPECT_EQ(b.config_read(0x2c, 4), 0x9843'1148U);
  EXPECT_EQ(b.config_read(0x0e, 1), 0U);
  EXPECT_EQ(b.config_read(0x3d, 1), 1U);
  b.config_write(0x10, 4, 0xffff'ffff);
  EXPECT_EQ(b.config_read(0x10, 4), 0xffff'c000U) << "16 KB of memory";
  b.config_write(0x14, 4, 0xffff'ffff);
  EXPECT_EQ(b.config_read(0x14, 4), 0xffff'ff01U) << "256 ports";
  EXPECT_EQ(b.config_read(0x30, 4), 0U) << "no ROM";
}

TEST(Genesis, ItHasPowerManagementAndVpdAndNeitherPcixNorMsi) {
  GenesisFixture b;
  EXPECT_EQ(b.config_read(0x34, 1), 0x48U);
  EXPECT_EQ(b.config_read(0x48, 4), 0x0001'5001U);
  EXPECT_EQ(b.config_read(0x50, 2), 0x0003U);
  EXPECT_EQ(b.nic->config().max_outstanding_splits(), 1U);
  EXPECT_EQ(b.nic->config().max_memory_read_bytes(), 4096U) << "PCI's reads have no length";
  EXPECT_EQ((b.config_read(0x44, 4) >> 14 & 7), 0U) << "256 B of VPD";
  b.config_write(0x40, 4, 0);
  EXPECT_EQ(b.config_read(0x40, 4) & 1U << 23, 0U) << "EN_IO can be cleared";
}

TEST(Genesis, ProbingFindsAGenesisWithOneXmacOnFibre) {
  GenesisFixture b;
  b.probe();
  EXPECT_EQ(b.identity[1], 'S');
  EXPECT_EQ(b.identity[2], 0x01) << "one MAC, chip revision 0";
  EXPECT_EQ(b.identity[3], 0x0a);
  EXPECT_EQ(b.memory_code, 3U)
      << "only that one makes the driver's RAM buffers of more than a kilobyte";
  EXPECT_EQ(b.phy_type, 0U);
  EXPECT_THAT(b.address, ::testing::ElementsAre(0x00, 0x00, 0x5a, 0x98, 0x00, 0x04));
  EXPECT_EQ(b.r8(0x10d), 0x05U) << "MAC_2 is the next address";
  EXPECT_EQ(b.r8(0x115), 0x06U);
  EXPECT_FALSE(b.inta());
  EXPECT_FALSE(b.wire.lit) << "the MAC is in reset until the interface is opened";
}

TEST(Genesis, TheSlotShowsInCtst) {
  for (const auto& [bus, bits] : {std::pair{"pci-66", 0x300U}, std::pair{"pci-33", 0x100U},
                                  std::pair{"pci-66-32", 0x200U}, std::pair{"pci-33-32", 0x000U}}) {
    SCOPED_TRACE(bus);
    const auto nic =
        make_genesis(sc_core::sc_gen_unique_name("nic"), nlohmann::json{{"bus", bus}}, 0);
    EXPECT_EQ(nic->bank().read(regs::kCtst) & 0x300U, bits);
  }
}

TEST(Genesis, WhatCannotBeBuiltIsRefusedWithItsPlace) {
  const auto error_of = [](const nlohmann::json& params) -> std::string {
    try {
      make_genesis("eth0", params, 0);
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_THAT(error_of({{"board", "sk-9844"}}),
              ::testing::StartsWith("eth0.board: 'sk-9844' is unknown; nearest is 'sk-9843'"));
  EXPECT_THAT(error_of({{"bus", "pcix-133"}}),
              ::testing::StartsWith("eth0.bus: 'pcix-133' is unknown"));
  EXPECT_THAT(error_of({{"ram", "768KiB"}}),
              ::testing::StartsWith("eth0.ram: no board has 768KiB"));
  EXPECT_THAT(error_of({{"link_partner", "loud"}}),
              ::testing::HasSubstr("link_partner: 'loud' is unknown"));
  EXPECT_THAT(error_of({{"mac", "01:00:5e:00:00:01"}}), ::testing::StartsWith("eth0.mac"));
}

TEST(Genesis, EveryNumberHasASource) {
  const auto nic = make_genesis("nic", nlohmann::json{{"tx_packet_clocks", 9}}, 0);
  for (const auto& number : nic->describe_params())
    EXPECT_FALSE(number["source"].get<std::string>().empty());
  for (const std::string& name : nic->changeable())
    EXPECT_THAT(name, ::testing::AnyOf(::testing::StartsWith("tx_"), ::testing::StartsWith("rx_")));
  nic->change("tx_packet_clocks", 17, "there");
  EXPECT_EQ(nic->params().tx_packet_clocks(), 17U);
  EXPECT_THROW(nic->change("tx_packet_clocks", 0, "there"), ConfigError);
}

TEST(Genesis, SoftwareResetClearsAllButConfigurationSpace) {
  GenesisFixture b;
  b.up();
  b.config_write(0x3c, 1, 11);
  b.w8(regs::kMac1 + 5, 0x77);
  b.w8(regs::kCtst, regs::kCtstFields.st_sw_irq);
  EXPECT_TRUE(b.wire.lit);
  EXPECT_NE(b.r32(regs::kIsrc), 0U);
  const std::uint64_t resets = b.nic->resets.value();
  b.w8(regs::kCtst, regs::kCtstFields.rst_set);
  EXPECT_EQ(b.nic->resets.value(), resets + 1);
  EXPECT_EQ(b.r16(regs::kCtst) & 0xf, regs::kCtstFields.rst_set | regs::kCtstFields.mrst_clr)
      << "it shows that reset is on";
  b.w8(regs::kCtst, regs::kCtstFields.rst_clr);
  EXPECT_EQ(b.r16(regs::kCtst) & 0xf, regs::kCtstFields.rst_clr | regs::kCtstFields.mrst_clr);
  EXPECT_EQ(b.r32(regs::kImsk), 0U);
  EXPECT_EQ(b.r32(regs::kIsrc), 0U);
  EXPECT_EQ(b.r32(regs::kIrqmIni), 0U);
  EXPECT_EQ(b.r32(regs::kIrqmCtrl), 0U) << "the timer stands";
  EXPECT_EQ(b.r8(regs::kMac1 + 5), 0x04U) << "the EEPROM's address again";
  EXPECT_EQ(b.r32(regs::kR1 + regs::q::kDaL), 0U);
  EXPECT_EQ(b.r32(regs::kRbR1 + regs::rb::kEnd), 0U);
  EXPECT_EQ(b.xm16(xm::kImsk), 0xffffU);
  EXPECT_EQ(b.r16(regs::kTxMff + regs::mff::kCtrl1) & 1U, 1U) << "the MAC is in reset";
  EXPECT_FALSE(b.wire.lit);
  EXPECT_EQ(b.config_read(0x04, 2), 0x0007U);
  EXPECT_EQ(b.config_read(0x3c, 1), 11U);
}

TEST(Genesis, MacResetIsTheXmacsAlone) {
  GenesisFixture b;
  b.up();
  b.xm16(xm::kRxHiWm, 1000);
  b.w16(regs::kTxMff + regs::mff::kCtrl1, regs::kTxMffCtrl1Fields.set_mac_rst);
  EXPECT_EQ(b.r16(regs::kTxMff + regs::mff::kCtrl1) & 1U, 1U);
  EXPECT_FALSE(b.wire.lit);
  EXPECT_EQ(b.xm16(xm::kMmuCmd), 0U);
  EXPECT_EQ(b.xm16(xm::kImsk), 0xffffU);
  EXPECT_EQ(b.xm16(xm::kRxHiWm), b.nic->params().xmac_rx_high_words());
  EXPECT_EQ(b.r32(regs::kImsk), b.intr_mask);
  EXPECT_EQ(b.r32(regs::kRbR1 + regs::rb::kEnd), 0x17fffU);
  EXPECT_EQ(b.r32(regs::kIrqmIni), 5312U);
  b.w16(regs::kTxMff + regs::mff::kCtrl1, regs::kTxMffCtrl1Fields.clr_mac_rst);
  EXPECT_EQ(b.r16(regs::kTxMff + regs::mff::kCtrl1) & 1U, 0U);
  EXPECT_TRUE(b.wire.lit);
}

TEST(Genesis, QueueAndBufferResetsAreTheirOwn) {
  GenesisFixture b;
  b.up();
  b.w32(regs::kXa1 + regs::q::kCsr, regs::kCsrFields.rst);
  b.w8(regs::kRbXa1 + regs::rb::kCtrl, regs::kRbCtrlFields.rst_set);
  b.receive(b.to_me(200));
  EXPECT_EQ(b.serve_us(50).size(), 1U) << "the other direction goes on";
}

TEST(Genesis, CommandsReadAsNothingAndValuesAsWritten) {
  GenesisFixture b;
  for (const std::uint32_t at : {regs::kRiCtrl, regs::kMaToCtrl, regs::kPaCtrl, regs::kTxaCtrl,
                                 regs::kLnkLedReg, regs::kTstCtrl1}) {
    b.w16(at, 0xffff);
    EXPECT_EQ(b.r16(at), 0U) << std::hex << at;
  }
  b.w32(regs::kPaToiniTx1, 0xffff'ffff);
  EXPECT_EQ(b.r32(regs::kPaToiniTx1), 0xffffU);
  for (std::uint32_t i = 0; i < 12; ++i) b.w8(regs::kRiWtoR1 + i, 0x30 + i);
  EXPECT_EQ(b.r32(regs::kRiWtoR1 + 8), 0x3b3a'3938U) << "byte by byte";
  EXPECT_EQ(b.r32(0x180), 0U) << "RAM_ADDR is not there";
  b.w32(regs::kConnTyp, 0);
  EXPECT_EQ(b.r32(regs::kConnTyp), 0x0a01'5346U) << "read only";
}

TEST(Genesis, RegistersOfLaterChipsAreHarmless) {
  GenesisFixture b;
  b.up();
  b.w8(0xf0c, 0xff);
  b.w16(0x2804, b.r16(0x2804) | 0x4000);
  EXPECT_EQ(b.r8(0xf0c), 0U);
  b.receive(b.to_me(200));
  EXPECT_EQ(b.serve_us(50).size(), 1U);
}

TEST(Genesis, PortsShowBlockZeroAndTheBlockThatRapNames) {
  GenesisFixture b;
  b.w32(regs::kImsk, 0x0123'4560);
  EXPECT_EQ(b.port_read(regs::kImsk), 0x0123'4560U);
  b.port_write(regs::kImsk + 1, 0xab, 1);
  EXPECT_EQ(b.r32(regs::kImsk), 0x0123'ab60U);
  EXPECT_EQ(b.port_read(0x80 + regs::kImsk), 0x0123'ab60U) << "RAP is 0";
  b.port_write(0, regs::kMac1 / 128, 1);
  EXPECT_EQ(b.r8(regs::kRap), 2U);
  EXPECT_EQ(b.port_read(0x80 + 0x1b, 1), 0x0aU) << "CHIP_ID";
  b.port_write(0x80 + (regs::kIrqmIni & 0x7f), 5312);
  EXPECT_EQ(b.r32(regs::kIrqmIni), 5312U);
  b.port_write(0, 0xff, 1);
  EXPECT_EQ(b.r8(regs::kRap), 0x7fU) << "128 blocks";
  EXPECT_EQ(b.port_read(0xfc), 0U);
}

TEST(Genesis, Block7ShowsConfigurationSpace) {
  GenesisFixture b;
  for (std::uint32_t at = 0; at < 0x80; at += 4)
    EXPECT_EQ(b.r32(0x380 + at), b.config_read(at, 4)) << at;
  b.config_write(0x3c, 1, 9);
  EXPECT_EQ(b.r8(0x3bc), 9U);
}

TEST(Genesis, VpdNamesTheBoardAndItsSumIsRight) {
  GenesisFixture b;
  std::string vpd;
  for (std::uint32_t at = 0; at < 256; at += 4) {
    const std::uint32_t four = b.vpd_read(at);
    for (int i = 0; i < 4; ++i) vpd.push_back(static_cast<char>(four >> (8 * i)));
  }
  EXPECT_EQ(b.vpd_us, 1300U) << "vpd_read_time";
  EXPECT_EQ(static_cast<std::uint8_t>(vpd[0]), 0x82);
  EXPECT_EQ(vpd.substr(3, static_cast<std::uint8_t>(vpd[1])), "SysKonnect SK-9843 SX");
  const std::size_t fixed = 3U + static_cast<std::uint8_t>(vpd[1]);
  EXPECT_EQ(static_cast<std::uint8_t>(vpd[fixed]), 0x90);
  const std::size_t behind = fixed + 3 + static_cast<std::uint8_t>(vpd[fixed + 1]);
  std::uint8_t sum = 0;
  for (std::size_t i = 0; i < behind; ++i)
    sum = static_cast<std::uint8_t>(sum + static_cast<std::uint8_t>(vpd[i]));
  EXPECT_EQ(sum, 0U);
  EXPECT_EQ(static_cast<std::uint8_t>(vpd[behind]), 0x91);
  EXPECT_EQ(behind + 3 + static_cast<std::uint8_t>(vpd[behind + 1]), 255U) << "then the end tag";
  EXPECT_EQ(static_cast<std::uint8_t>(vpd[255]), 0x78);
}

TEST(Genesis, VpdTakesWritesAndKeepsThemThroughAReset) {
  GenesisFixture b;
  b.vpd_write(0xf0, 0x6f6c'6c65);
  EXPECT_EQ(b.vpd_us, 2500U) << "vpd_write_time";
  b.w8(regs::kCtst, regs::kCtstFields.rst_set);
  b.w8(regs::kCtst, regs::kCtstFields.rst_clr);
  EXPECT_EQ(b.vpd_read(0xf0), 0x6f6c'6c65U);
}

TEST(Genesis, LeavingD3hotIsAResetOfTheChip) {
  GenesisFixture b;
  b.up();
  EXPECT_TRUE(b.wire.lit);
  b.config_write(0x4c, 2, 3);
  EXPECT_FALSE(b.nic->config().memory_enabled());
  const std::uint64_t resets = b.nic->resets.value();
  b.config_write(0x4c, 2, 0);
  EXPECT_EQ(b.nic->resets.value(), resets + 1);
  EXPECT_FALSE(b.wire.lit);
  EXPECT_EQ(b.config_read(0x04, 2), 0U) << "nothing is enabled";
  EXPECT_EQ(b.config_read(0x40, 4), 1U << 23);
  b.config_write(0x04, 2, 0x0007);
  b.up();
  b.receive(b.to_me(200));
  EXPECT_EQ(b.serve_us(50).size(), 1U);
}

TEST(Genesis, TheTimerSetsItsCauseAtZeroAndStartsAgain) {
  GenesisFixture b;
  b.w32(regs::kTiIni, 53'125);  // 1 ms
  b.w8(regs::kTiIni + 8, regs::kTimerCtrlFields.start);
  EXPECT_EQ(b.r32(regs::kTiIni + 4), 53'125U);
  EXPECT_EQ(b.r8(regs::kTiIni + 8), regs::kTimerCtrlFields.start);
  b.run_us(500);
  EXPECT_EQ(b.r32(regs::kTiIni + 4), 26'563U) << "rounded up";
  b.run_ps(499'999'999);
  EXPECT_EQ(b.r32(regs::kIsrc), 0U);
  b.run_ps(1);
  EXPECT_EQ(b.r32(regs::kIsrc), regs::kIsrcFields.timint);
  b.w8(regs::kTiIni + 8, regs::kTimerCtrlFields.clr_irq);
  EXPECT_EQ(b.r32(regs::kIsrc), 0U);
  b.run_us(999);
  EXPECT_EQ(b.r32(regs::kIsrc), 0U);
  b.run_us(1);
  EXPECT_EQ(b.r32(regs::kIsrc), regs::kIsrcFields.timint);
  b.w8(regs::kTiIni + 8, regs::kTimerCtrlFields.stop | regs::kTimerCtrlFields.clr_irq);
  b.run_us(5000);
  EXPECT_EQ(b.r32(regs::kIsrc), 0U);
  EXPECT_EQ(b.r32(regs::kTiIni + 8), 0U);
}

TEST(Genesis, ANewInitialValueCountsFromTheNextZeroOn) {
  GenesisFixture b;
  b.w32(regs::kTiIni, 53'125);
  b.w8(regs::kTiIni + 8, regs::kTimerCtrlFields.start);
  b.run_us(400);
  b.w32(regs::kTiIni, 5'312'500);  // 100 ms
  EXPECT_EQ(b.r32(regs::kTiIni + 4), 31'875U) << "600 us are left";
  b.run_us(600);
  EXPECT_EQ(b.r32(regs::kIsrc), regs::kIsrcFields.timint);
  b.w8(regs::kTiIni + 8, regs::kTimerCtrlFields.clr_irq);
  b.run_us(99'999);
  EXPECT_EQ(b.r32(regs::kIsrc), 0U);
  b.run_us(1);
  EXPECT_EQ(b.r32(regs::kIsrc), regs::kIsrcFields.timint);
}

TEST(Genesis, TheBlinkSourceChangesEachHalfSecond) {
  GenesisFixture b;
  b.probe();
  EXPECT_EQ(b.r8(regs::kBscIni + 9), 0U);
  b.run_us(500'001);
  EXPECT_EQ(b.r8(regs::kBscIni + 9), 1U);
  b.run_us(500'000);
  EXPECT_EQ(b.r8(regs::kBscIni + 9), 0U);
  EXPECT_EQ(b.r8(regs::kBscIni + 8), regs::kBscCtrlFields.start);
}

TEST(Genesis, IdentificationLightsTheReceiveLed) {
  GenesisFixture b;
  b.up();
  EXPECT_EQ(b.nic->led.value(), 0);
  b.w8(regs::kRxLedCtrl + 1, 4);
  b.w32(regs::kRxLedVal, 100);
  b.w8(regs::kRxLedCtrl, regs::kFrameLedFields.start);
  EXPECT_EQ(b.nic->led.value(), 1);
  b.w32(regs::kRxLedVal, 0);
  b.w8(regs::kRxLedCtrl, regs::kFrameLedFields.stop);
  EXPECT_EQ(b.nic->led.value(), 0);
}

TEST(Genesis, TheStatusLedAndPowerByteShareCtstsWord) {
  GenesisFixture b;
  b.w8(regs::kLed, regs::kCtstFields.led_stat_on >> 16U);
  EXPECT_EQ(b.r8(regs::kLed), regs::kCtstFields.led_stat_on >> 16U);
  EXPECT_EQ(b.r16(regs::kCtst) & 0xf, regs::kCtstFields.rst_clr | regs::kCtstFields.mrst_clr)
      << "no command of CTST was given";
  b.w8(regs::kCtst, regs::kCtstFields.st_sw_irq);
  EXPECT_EQ(b.r8(regs::kLed), regs::kCtstFields.led_stat_on >> 16U);
  b.w16(regs::kLed, regs::kCtstFields.led_stat_off >> 16U);
  EXPECT_EQ(b.r8(regs::kLed), regs::kCtstFields.led_stat_off >> 16U);
}

}  // namespace
}  // namespace longhaul::nic::genesis
