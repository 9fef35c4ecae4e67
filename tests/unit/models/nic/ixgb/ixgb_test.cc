// SPDX-License-Identifier: Apache-2.0
#include "models/nic/ixgb/ixgb.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/common/param_json.h"
#include "models/nic/ixgb/engines.h"
#include "tests/unit/models/nic/ixgb/ixgb_fixture.h"

namespace longhaul::nic::ixgb {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;
using namespace longhaul::testing;  // NOLINT: packets

TEST(IxgbProbe, EepromHoldsWhatTheDriverWantsAndSumsToBaba) {
  IxgbFixture b;
  std::uint32_t words[64];
  std::uint32_t sum = 0;
  for (std::uint32_t i = 0; i < 64; ++i) sum += words[i] = b.eeprom_read(i);
  EXPECT_EQ(sum & 0xffff, 0xbabaU);
  EXPECT_EQ(words[0x0a] & 0xc000, 0x4000U);
  EXPECT_EQ(words[0x0d], 0x1a48U);
  EXPECT_EQ(words[0], 0x0700U);
  EXPECT_EQ(words[1], 0x00e9U);
  EXPECT_EQ(words[2], 0x0100U);
}

TEST(IxgbProbe, EepromTakesAWordWhenTheDriverWritesIt) {
  IxgbFixture b;
  const auto command = [&](std::uint32_t opcode, int opcode_bits, std::uint32_t address,
                           int address_bits) {
    b.shift_out(opcode, opcode_bits);
    b.shift_out(address, address_bits);
  };
  b.write(regs::kEecd, 0);
  b.write(regs::kEecd, regs::kEecdFields.cs);
  command(0x13, 5, 0, 4);
  b.eeprom_standby();
  command(5, 3, 0x20, 6);
  b.shift_out(0xcafe, 16);
  b.eeprom_standby();
  int polls = 0;
  while ((b.read(regs::kEecd) & regs::kEecdFields.data_out) == 0 && polls < 200) {
    b.run_us(50);
    ++polls;
  }
  EXPECT_GT(polls, 50);
  EXPECT_LT(polls, 200) << "the driver gives up after 200";
  b.eeprom_standby();
  command(0x10, 5, 0, 4);
  b.write(regs::kEecd, 0);
  EXPECT_EQ(b.eeprom_read(0x20), 0xcafeU);
}

TEST(IxgbProbe, MdioNamesTheOpticsVendor) {
  IxgbFixture b;
  std::string vendor;
  for (std::uint32_t i = 0; i < 5; ++i) vendor += static_cast<char>(b.phy_read(1, 0x803a + i));
  EXPECT_EQ(vendor, "INTEL");
  EXPECT_EQ(b.phy_read(4, 24), 0x100fU);
  EXPECT_EQ(b.phy_read(1, 7), 7U) << "10GBASE-SR";
}

TEST(IxgbProbe, StatusSaysBusAndLink) {
  IxgbFixture b;
  const std::uint32_t status = b.read(regs::kStatus);
  EXPECT_EQ(status & 0x0000f800, 0x0000b000U) << "PCI-X, 64 bit, 133 MHz";
  EXPECT_NE(status & regs::kStatusFields.lu, 0U);
  EXPECT_EQ(b.read(regs::kXpcss), 0x100fU);
  EXPECT_EQ(b.config_read(0, 4), 0x1a488086U);
  EXPECT_EQ(b.config_read(0xe4, 1), 0x07U);
  EXPECT_EQ(b.config_read(0xe6, 1), 0x22U) << "512 B reads, three outstanding";
  EXPECT_EQ(b.config_read(0xf0, 1), 0x05U);
}

TEST(IxgbProbe, ResetClearsItselfAndWhatItShould) {
  IxgbFixture b;
  b.write(regs::kRal + 8, 0x12345678);
  b.write(regs::kMta + 4, 5);
  b.write(regs::kRdtr, 7);
  b.write(regs::kIms, 0xff);
  b.write(regs::kCtrl0, regs::kCtrl0Fields.rst);
  EXPECT_NE(b.read(regs::kCtrl0) & regs::kCtrl0Fields.rst, 0U);
  b.run_us(1);
  EXPECT_EQ(b.read(regs::kCtrl0) & regs::kCtrl0Fields.rst, 0U);
  for (const std::uint32_t reg : std::initializer_list<std::uint32_t>{
           regs::kRal + 8, regs::kMta + 4, regs::kRdtr, regs::kIms})
    EXPECT_EQ(b.read(reg), 0U);
  EXPECT_EQ(b.read(regs::kRal), 0x00e90700U) << "entry 0 comes from the EEPROM";
  EXPECT_EQ(b.read(regs::kRal + 4), 0x80000100U);
  EXPECT_EQ(b.config_read(4, 2) & 6, 6U) << "configuration stays";
  EXPECT_EQ(b.nic->resets.value(), 1U);
}

TEST(IxgbProbe, RegisterDumpReadsOnlyRegistersThatExist) {
  IxgbFixture b;
  // Every register that the driver's dump, statistics and set-up read.
  for (std::uint32_t reg :
       {0x00,  0x08,  0x10,  0x18,  0x20,  0x80,  0x88,  0x90,  0x98,  0x100, 0x108,
        0x110, 0x118, 0x11c, 0x120, 0x128, 0x130, 0x138, 0x140, 0x148, 0x158, 0x600,
        0x608, 0x60c, 0x610, 0x618, 0x620, 0x628, 0x630, 0x638, 0x640, 0x700, 0x708,
        0x710, 0x718, 0x720, 0x728, 0x730, 0x738, 0x740, 0x748, 0x750, 0x758, 0x760}) {
    b.read(reg);
  }
  for (std::uint32_t reg = 0x180; reg < 0x600; reg += 4) b.read(reg);
  for (std::uint32_t reg = 0x2000; reg < 0x2048; reg += 4) b.read(reg);
  for (std::uint32_t reg = 0x2048; reg <= 0x2080; reg += 8) b.read(reg);
  for (std::uint32_t reg = 0x2100; reg < 0x2148; reg += 4) b.read(reg);
  for (std::uint32_t reg : {0x2148, 0x2150, 0x2170, 0x2178}) b.read(reg);
  for (std::uint32_t reg = 0x2180; reg <= 0x21d8; reg += 8) b.read(reg);
  EXPECT_EQ(b.nic->bank().stray_accesses(), 0U);
}

TEST(IxgbProbe, LedFollowsSoftwarePinZero) {
  IxgbFixture b;
  b.write(regs::kCtrl0, b.read(regs::kCtrl0) & ~regs::kCtrl0Fields.sdp0);
  EXPECT_EQ(b.nic->led.value(), 1U);
  b.write(regs::kCtrl0, b.read(regs::kCtrl0) | regs::kCtrl0Fields.sdp0);
  EXPECT_EQ(b.nic->led.value(), 0U);
}

TEST(IxgbProbe, DmaMovesNothingWhileBusMasteringIsOff) {
  IxgbFixture b;
  b.up({});
  b.bus.seen.clear();
  b.config_write(4, 2, 2);
  b.send(make_packet({}));
  b.run_us(50);
  EXPECT_TRUE(b.bus.seen.empty());
  b.config_write(4, 2, 6);
  b.write(regs::kTdt, b.tx_next);  // the next doorbell tries again
  b.run_us(50);
  EXPECT_EQ(b.wire.sent.size(), 1U);
}

TEST(IxgbEngines, ANameSetsTheSpeedsAndOthersGoAheadOfIt) {
  EXPECT_EQ(with_engines("adapter").tx_kib_clocks(), IxgbParams{}.tx_kib_clocks());
  const auto nic = make_ixgb("nic", {{"engines", "rtl"}, {"tx_packet_clocks", 7}}, 0);
  EXPECT_EQ(nic->params().rx_descriptor_clocks(), 5U);
  EXPECT_EQ(nic->params().tx_packet_clocks(), 7U);
  EXPECT_THROW(make_ixgb("other", {{"engines", "rlt"}}, 0), ConfigError);
}

TEST(IxgbLink, CarrierChangesRaiseLscAndShowInStatus) {
  IxgbFixture b;
  b.up({});
  b.wire.has_carrier = false;
  b.nic->port().eth_rx->carrier_changed(false);
  EXPECT_EQ(b.read(regs::kIcr), regs::kCauseFields.lsc);
  EXPECT_EQ(b.read(regs::kStatus) & regs::kStatusFields.lu, 0U);
  EXPECT_NE(b.read(regs::kStatus) & regs::kStatusFields.rlf, 0U);
  EXPECT_EQ(b.read(0x2190), 1U) << "LFC";
  b.wire.has_carrier = true;
  b.nic->port().eth_rx->carrier_changed(true);
  EXPECT_EQ(b.read(regs::kIcr), regs::kCauseFields.lsc);
  EXPECT_NE(b.read(regs::kStatus) & regs::kStatusFields.lu, 0U);
}

TEST(IxgbLink, LinkResetRealignsWithinTheTimeThatTheDriverWaits) {
  IxgbFixture b;
  b.write(regs::kCtrl0, b.read(regs::kCtrl0) | regs::kCtrl0Fields.lrst);
  EXPECT_EQ(b.read(regs::kStatus) & regs::kStatusFields.lu, 0U);
  EXPECT_EQ(b.read(regs::kXpcss) & 0x1000, 0U);
  EXPECT_EQ(b.read(regs::kCtrl0) & regs::kCtrl0Fields.lrst, 0U);
  b.run_us(13);
  EXPECT_NE(b.read(regs::kStatus) & regs::kStatusFields.lu, 0U);
  EXPECT_EQ(b.read(regs::kXpcss), 0x100fU);
}

TEST(IxgbLink, QueuedFramesWaitWithoutCarrierAndGoOutAfterwards) {
  IxgbFixture b;
  b.up({9000});
  b.wire.has_carrier = false;
  b.nic->port().eth_rx->carrier_changed(false);
  PacketSpec spec;
  spec.payload = 8000;
  for (int i = 0; i < 20; ++i) b.send(make_packet(spec));
  b.run_us(500);
  EXPECT_EQ(b.wire.sent.size(), 0U);
  EXPECT_EQ(b.clean_tx(), 4U) << "four of 8066 B fit into 32 KB; then the DMA stops";
  b.wire.has_carrier = true;
  b.nic->port().eth_rx->carrier_changed(true);
  b.run_us(500);
  EXPECT_EQ(b.wire.sent.size(), 20U);
  EXPECT_EQ(b.clean_tx(), 16U);
}

TEST(IxgbInterrupt, IntxStaysUntilTheCauseIsReadOrMasked) {
  IxgbFixture b;
  b.write(regs::kIms, regs::kCauseFields.txdw);
  b.write(regs::kIcs, regs::kCauseFields.txdw);
  b.run_us(1);
  EXPECT_TRUE(b.host.inta.read());
  b.write(regs::kImc, 0xffffffff);
  b.run_us(1);
  EXPECT_FALSE(b.host.inta.read());
  b.write(regs::kIms, regs::kCauseFields.txdw);
  b.run_us(1);
  EXPECT_TRUE(b.host.inta.read());
  EXPECT_EQ(b.read(regs::kIcr) & regs::kCauseFields.txdw, regs::kCauseFields.txdw);
  EXPECT_EQ(b.read(regs::kIcr), 0U) << "reading clears";
  b.run_us(1);
  EXPECT_FALSE(b.host.inta.read());
}

TEST(IxgbInterrupt, MsiSendsOneMessageForEachRise) {
  IxgbFixture b;
  b.config_write(0xf4, 4, static_cast<std::uint32_t>(IxgbFixture::kMsi));
  b.config_write(0xfc, 2, 0x41);
  b.config_write(0xf2, 2, 1);
  b.read(regs::kIcr);
  b.write(regs::kIms, IxgbFixture::kDriverCauses);
  b.write(regs::kIcs, regs::kCauseFields.txdw);
  b.write(regs::kIcs, regs::kCauseFields.rxt0);
  b.run_us(1);
  EXPECT_EQ(b.writes_to(IxgbFixture::kMsi), 1U);
  EXPECT_EQ(b.word(IxgbFixture::kMsi), 0x41U);
  EXPECT_FALSE(b.host.inta.read());
  EXPECT_EQ(b.read(regs::kIcr), regs::kCauseFields.txdw | regs::kCauseFields.rxt0);
  b.write(regs::kIcs, regs::kCauseFields.txdw);
  b.run_us(1);
  EXPECT_EQ(b.writes_to(IxgbFixture::kMsi), 2U);
}

TEST(IxgbConfiguration, ErrorsNameTheAdapterAndTheCure) {
  const auto message = [](const nlohmann::json& params) -> std::string {
    try {
      struct Machine : sc_core::sc_module {
        Machine(const sc_core::sc_module_name& name, const nlohmann::json& params)
            : sc_module(name), nic(make_ixgb("eth0", params, 0)) {}
        std::unique_ptr<Ixgb> nic;
      } machine("sender", params);
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_THAT(message({{"optics", "lx"}}), StartsWith("sender.eth0.optics: 'lx' is unknown"));
  EXPECT_THAT(message({{"bus", "pcix-134"}}), HasSubstr("nearest is 'pcix-133'"));
  EXPECT_THAT(message({{"mac", "00:07:e9"}}),
              StartsWith("sender.eth0.mac: '00:07:e9' is no MAC address"));
  EXPECT_THAT(message({{"mac", "01:00:5e:00:00:01"}}), HasSubstr("group address"));
  EXPECT_THAT(message({{"rx_fifo", "1KiB"}}), HasSubstr("out of range"));
  EXPECT_THAT(message({{"rx_fifoo", "1KiB"}}), HasSubstr("nearest is 'rx_fifo'"));
}

TEST(IxgbConfiguration, AddressComesFromTheIndexUnlessGiven) {
  EXPECT_EQ(make_ixgb("a", {}, 6)->mac_address(), (MacAddress{0, 7, 0xe9, 0, 0, 7}));
  EXPECT_EQ(make_ixgb("b", {{"mac", "02:11:22:33:44:55"}}, 6)->mac_address(),
            (MacAddress{2, 0x11, 0x22, 0x33, 0x44, 0x55}));
}

TEST(IxgbConfiguration, SettingsReachThePartsThatTheyAreOf) {
  const auto nic = make_ixgb("c", {{"mmio_read_wait_clocks", 3}, {"dma_read_fifo_bytes", 8192}}, 0);
  EXPECT_EQ(nic->target_params().read_wait_clocks(), 3U);
  EXPECT_EQ(nic->dma().params().read_fifo_bytes(), 8192U);
  EXPECT_EQ(nic->describe_params().size(), describe(IxgbParams{}).size());
}

TEST(IxgbConfiguration, EveryNumberOfTheHardwareHasASource) {
  for (const auto& param : describe(IxgbParams{})) {
    EXPECT_FALSE(param["source"].get<std::string>().empty()) << param["name"];
  }
}

}  // namespace
}  // namespace longhaul::nic::ixgb
