// SPDX-License-Identifier: Apache-2.0
#include "models/nic/phy/phy22.h"

#include <gtest/gtest.h>

#include "models/nic/blocks/mdio_device_type.h"

namespace longhaul::nic::phy {
namespace {

// Registers and bits of IEEE 802.3, 22.2.4.
constexpr std::uint16_t kControl = 0;
constexpr std::uint16_t kStatus = 1;
constexpr std::uint16_t kLink = 0x0004;
constexpr std::uint16_t kNegotiated = 0x0020;

struct Phy22Test : ::testing::Test {
  bool carrier = true;
  std::uint64_t losses = 0;
  Phy22 phy{{}, {{4, 0x01e1}, {5, 0x41e1}}, [this] { return carrier; }, [this] { return losses; }};
  std::uint16_t read(std::uint16_t address) { return phy.mdio_read(0, kMdioClause22, address); }
  void write(std::uint16_t address, std::uint16_t value) {
    phy.mdio_write(0, kMdioClause22, address, value);
  }
};

TEST_F(Phy22Test, LossOfLinkIsLatchedUntilItWasRead) {
  EXPECT_EQ(read(kStatus) & kLink, 0) << "latched since power-up";
  EXPECT_EQ(read(kStatus) & kLink, kLink);
  ++losses;  // it was away and came back, and nobody looked
  EXPECT_EQ(read(kStatus) & kLink, 0);
  EXPECT_EQ(read(kStatus) & kLink, kLink);
  carrier = false;
  EXPECT_EQ(read(kStatus) & (kLink | kNegotiated), 0);
  EXPECT_EQ(read(kStatus) & kLink, 0) << "however often it is read";
  carrier = true;
  EXPECT_EQ(read(kStatus) & kLink, 0);
  EXPECT_EQ(read(kStatus), 0x0149 | kLink | kNegotiated);
}

TEST_F(Phy22Test, NegotiationEndsOnlyWhereItIsOn) {
  read(kStatus);
  write(kControl, 0x2100);
  EXPECT_EQ(read(kStatus) & (kLink | kNegotiated), kLink);
}

TEST_F(Phy22Test, RegistersAreDataAndSomeAreReadOnly) {
  EXPECT_EQ(read(2), 0x0200);
  EXPECT_EQ(read(3), 0x0001);
  EXPECT_EQ(read(5), 0x41e1);
  EXPECT_EQ(read(8), 0);
  for (const std::uint16_t address : {2, 3, 5, 6, 10, 15}) {
    const std::uint16_t before = read(address);
    write(address, static_cast<std::uint16_t>(~before));
    EXPECT_EQ(read(address), before) << address;
  }
  write(4, 0x0de1);
  EXPECT_EQ(read(4), 0x0de1);
  write(kControl, 0x1340);
  EXPECT_EQ(read(kControl), 0x1140) << "restart clears itself";
}

TEST_F(Phy22Test, AResetGivesAllRegistersTheirFirstValues) {
  write(4, 0);
  write(kControl, 0x2100);
  read(kStatus);
  write(kControl, 0x8000);
  EXPECT_EQ(read(kControl), 0x1140);
  EXPECT_EQ(read(4), 0x01e1);
  EXPECT_EQ(read(kStatus) & kLink, 0) << "the link was lost in the reset";
}

TEST_F(Phy22Test, OtherPortsAndClause45AreNobody) {
  EXPECT_EQ(phy.mdio_read(1, kMdioClause22, 2), 0xffff);
  EXPECT_EQ(phy.mdio_read(0, 1, 2), 0xffff);
  EXPECT_FALSE(phy.mdio_answers(0, 1));
  EXPECT_TRUE(phy.mdio_takes_short_preamble());
}

TEST(MdioDeviceTypes, AreRegisteredWhereTheModelsAre) {
  MdioDeviceRequest request;
  request.params = {{"id", 0x0141'0cc1}};
  request.where = "own.eth0.phy";
  request.has_carrier = [] { return true; };
  request.carrier_losses = [] { return std::uint64_t{0}; };
  const auto phy = mdio_device_types().find("phy22", "").make(request);
  EXPECT_EQ(phy->mdio_read(0, kMdioClause22, 2), 0x0141);
  request.params = nlohmann::json::object();
  const auto optics = mdio_device_types().find("xpak", "").make(request);
  EXPECT_EQ(optics->mdio_read(0, 1, 0x803a), 'I');
  EXPECT_FALSE(optics->mdio_answers(0, kMdioClause22));
}

TEST(MdioDeviceTypes, RegistersThatAreNoDataAreRefused) {
  MdioDeviceRequest request;
  request.params = nlohmann::json::object();
  request.where = "own.eth0.phy";
  request.registers = {{2, 7}};
  try {
    mdio_device_types().find("phy22", "").make(request);
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_STREQ(error.what(),
                 "own.eth0.phy.registers.2: wants a register from 4 to 31; parameters set the "
                 "others");
  }
  EXPECT_THROW(mdio_device_types().find("xpak", "").make(request), ConfigError);
  EXPECT_THROW(mdio_device_types().find("xpack", ""), ConfigError);
}

}  // namespace
}  // namespace longhaul::nic::phy
