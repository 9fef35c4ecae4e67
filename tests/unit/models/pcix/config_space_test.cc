// SPDX-License-Identifier: Apache-2.0
#include "models/pcix/config_space.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <utility>
#include <vector>

#include "models/common/units.h"

namespace longhaul::pcix {
namespace {

constexpr ConfigIdentity kIdentity{0x8086, 0x1a48, 0x02, 0x020000,  0x8086,
                                   0xa01f, 0xe4,   0xf0, 128U << 10};

TEST(ConfigSpace, IdentityReadsBackInEverySize) {
  const ConfigSpace config(kIdentity);
  EXPECT_EQ(config.read(0x00, 4), 0x1a48'8086U);
  EXPECT_EQ(config.read(0x02, 2), 0x1a48U);
  EXPECT_EQ(config.read(0x01, 1), 0x80U);
  EXPECT_EQ(config.read(0x08, 4), 0x0200'0002U);
  EXPECT_EQ(config.read(0x2c, 4), 0xa01f'8086U);
  EXPECT_EQ(config.read(0x3d, 1), 1U);
  EXPECT_EQ(config.read(0x0e, 1), 0U);
}

TEST(ConfigSpace, IdentityCannotBeWritten) {
  ConfigSpace config(kIdentity);
  for (std::uint32_t offset : {0x00U, 0x08U, 0x2cU, 0x34U}) {
    const std::uint32_t before = config.read(offset, 4);
    config.write(offset, 4, ~before);
    EXPECT_EQ(config.read(offset, 4), before) << std::hex << offset;
  }
}

TEST(ConfigSpace, OnlyTheWritableBitsOfTheCommandRegisterChange) {
  ConfigSpace config(kIdentity);
  config.write(0x04, 2, 0xffff);
  EXPECT_EQ(config.read(0x04, 2), 0x0556U);
  EXPECT_TRUE(config.memory_enabled());
  EXPECT_TRUE(config.master_enabled());
  EXPECT_TRUE(config.intx_disabled());
  config.write(0x04, 2, 0);
  EXPECT_EQ(config.read(0x04, 2), 0U);
  EXPECT_FALSE(config.memory_enabled());
}

TEST(ConfigSpace, BarSizesAsSoftwareProbesIt) {
  ConfigSpace config(kIdentity);
  config.write(0x10, 4, 0xffff'ffff);
  EXPECT_EQ(config.read(0x10, 4), 0xfffe'0000U);
  config.write(0x10, 4, 0xf012'3456);
  EXPECT_EQ(config.memory_bar(), 0xf012'0000U);
  config.write(0x14, 4, 0xffff'ffff);
  EXPECT_EQ(config.read(0x14, 4), 0U);
}

TEST(ConfigSpace, AnIoBarSizesAsPortsAndClaimsThemOnceEnabledAndMapped) {
  ConfigIdentity identity = kIdentity;
  identity.io_bar = 2;
  identity.io_size = 8;
  ConfigSpace config(identity);
  EXPECT_EQ(config.read(0x18, 4), 1U);
  config.write(0x18, 4, 0xffff'ffff);
  EXPECT_EQ(config.read(0x18, 4), 0xffff'fff9U);
  config.write(0x04, 2, 0xffff);
  EXPECT_EQ(config.read(0x04, 2), 0x0557U);
  config.write(0x18, 4, 0);
  EXPECT_FALSE(config.claims_io(0)) << "port 0 stands for: not mapped";
  config.write(0x18, 4, 0x2008);
  EXPECT_EQ(config.io_bar(), 0x2008U);
  EXPECT_FALSE(config.claims_io(0x2007));
  EXPECT_TRUE(config.claims_io(0x2008));
  EXPECT_TRUE(config.claims_io(0x200f));
  EXPECT_FALSE(config.claims_io(0x2010));
  config.write(0x04, 2, 0x0006);
  EXPECT_FALSE(config.claims_io(0x2008));
}

TEST(ConfigSpace, CapabilitiesFormAChain) {
  const ConfigSpace config(kIdentity);
  EXPECT_EQ(config.read(0x06, 2) & 0x10U, 0x10U);
  EXPECT_EQ(config.read(0x34, 1), 0xe4U);
  EXPECT_EQ(config.read(0xe4, 2), 0xf007U);
  EXPECT_EQ(config.read(0xf0, 2), 0x0005U);
}

TEST(ConfigSpace, ADeviceWithoutCapabilitiesSaysSo) {
  ConfigIdentity plain = kIdentity;
  plain.pcix_capability_offset = 0;
  plain.msi_capability_offset = 0;
  const ConfigSpace config(plain);
  EXPECT_EQ(config.read(0x06, 2) & 0x10U, 0U);
  EXPECT_EQ(config.read(0x34, 1), 0U);
  EXPECT_FALSE(config.msi_enabled());
  EXPECT_EQ(config.max_outstanding_splits(), 1U);
  EXPECT_EQ(config.latency_timer(), 0U);
}

TEST(ConfigSpace, PcixCommandGivesReadByteCountAndOutstandingSplits) {
  ConfigSpace config(kIdentity);
  EXPECT_EQ(config.read(0xe6, 2), 0x0002U);
  EXPECT_EQ(config.max_memory_read_bytes(), 512U);
  EXPECT_EQ(config.max_outstanding_splits(), 1U);
  constexpr std::uint32_t kBytes[] = {512, 1024, 2048, 4096};
  constexpr std::uint32_t kSplits[] = {1, 2, 3, 4, 8, 12, 16, 32};
  for (std::uint32_t i = 0; i < 4; ++i) {
    config.write(0xe6, 2, i << 2);
    EXPECT_EQ(config.max_memory_read_bytes(), kBytes[i]);
  }
  for (std::uint32_t i = 0; i < 8; ++i) {
    config.write(0xe6, 2, i << 4);
    EXPECT_EQ(config.max_outstanding_splits(), kSplits[i]);
  }
  config.write(0xe6, 2, 0xffff);
  EXPECT_EQ(config.read(0xe6, 2), 0x007fU);
}

TEST(ConfigSpace, PcixStatusIsReadOnlyButItsErrorsClearByOnes) {
  ConfigSpace config(kIdentity);
  config.set_pcix_status(0x0003'0008);
  config.write(0xe8, 4, 0xffff'ffff);
  EXPECT_EQ(config.read(0xe8, 4), 0x0003'0008U);
}

TEST(ConfigSpace, ReceivedAbortsStayUntilWrittenAsOne) {
  ConfigSpace config(kIdentity);
  const std::uint32_t clean = config.read(0x06, 2);
  config.note_status(status::kReceivedMasterAbort);
  config.note_status(status::kReceivedTargetAbort);
  EXPECT_EQ(config.read(0x06, 2), clean | 0x3000U);
  config.write(0x06, 2, 0);
  EXPECT_EQ(config.read(0x06, 2), clean | 0x3000U);
  config.write(0x06, 2, 0x1000);
  EXPECT_EQ(config.read(0x06, 2), clean | 0x2000U);
  config.write(0x04, 4, 0x2000'0000);
  EXPECT_EQ(config.read(0x06, 2), clean);
}

TEST(ConfigSpace, InterruptStatusFollowsTheDeviceNotTheBus) {
  ConfigSpace config(kIdentity);
  config.set_interrupt_status(true);
  config.write(0x06, 2, 0xffff);
  EXPECT_EQ(config.read(0x06, 2) & 8U, 8U);
  config.set_interrupt_status(false);
  EXPECT_EQ(config.read(0x06, 2) & 8U, 0U);
}

TEST(ConfigSpace, MsiAddressIsAlignedAndEnableIsItsOwnBit) {
  ConfigSpace config(kIdentity);
  config.write(0xf4, 4, 0xfee0'1003);
  config.write(0xf8, 4, 0x0000'0001);
  config.write(0xfc, 2, 0x4123);
  EXPECT_FALSE(config.msi_enabled());
  config.write(0xf2, 2, 0xffff);
  EXPECT_EQ(config.read(0xf2, 2), 0x00f1U);
  EXPECT_TRUE(config.msi_enabled());
  EXPECT_EQ(config.msi_address(), 0x1'fee0'1000ULL);
  EXPECT_EQ(config.msi_data(), 0x4123U);
}

TEST(ConfigSpace, LatencyTimerStartsAtSixtyFourClocksAndIsWritable) {
  ConfigSpace config(kIdentity);
  EXPECT_EQ(config.latency_timer(), 64U);
  config.write(0x0d, 1, 0xf8);
  EXPECT_EQ(config.latency_timer(), 0xf8U);
}

TEST(ConfigSpace, AByteWriteTouchesOneByte) {
  ConfigSpace config(kIdentity);
  config.write(0x3c, 1, 0x0b);
  EXPECT_EQ(config.read(0x3c, 2), 0x010bU);
  config.write(0x05, 1, 0x04);
  EXPECT_TRUE(config.intx_disabled());
  EXPECT_FALSE(config.master_enabled());
}

TEST(ConfigSpace, OutsideItsBytesReadsAreAllOnesAndWritesDoNothing) {
  ConfigSpace config(kIdentity);
  EXPECT_EQ(config.read(256, 4), 0xffff'ffffU);
  EXPECT_EQ(config.read(254, 4), 0xffff'ffffU);
  EXPECT_EQ(config.read(0xffff'ffff, 4), 0xffff'ffffU);
  config.write(0xffff'fffe, 4, 1);
  config.write(254, 4, 0);
}

ConfigIdentity with_power_and_vpd() {
  ConfigIdentity identity = kIdentity;
  identity.power_capability_offset = 0x48;
  identity.vpd_capability_offset = 0x50;
  return identity;
}

TEST(ConfigSpace, PowerAndVpdStandBeforeTheOtherCapabilities) {
  const ConfigSpace all(with_power_and_vpd());
  EXPECT_EQ(all.read(0x34, 1), 0x48U);
  EXPECT_EQ(all.read(0x48, 2), 0x5001U);
  EXPECT_EQ(all.read(0x4a, 2), 0x0002U) << "version 2, no D1, no D2, no PME";
  EXPECT_EQ(all.read(0x50, 2), 0xe403U);
  EXPECT_EQ(all.read(0xe4, 2), 0xf007U);
  EXPECT_EQ(all.read(0xf0, 2), 0x0005U);
  ConfigIdentity alone = with_power_and_vpd();
  alone.pcix_capability_offset = 0;
  alone.msi_capability_offset = 0;
  const ConfigSpace conventional(alone);
  EXPECT_NE(conventional.read(0x06, 2) & 0x10U, 0U);
  EXPECT_EQ(conventional.read(0x50, 2), 0x0003U) << "the last one";
}

TEST(ConfigSpace, AConventionalDevicesReadsAreAsLongAsItSays) {
  ConfigIdentity identity = kIdentity;
  identity.max_read_bytes = 4096;
  EXPECT_EQ(ConfigSpace(identity).max_memory_read_bytes(), 512U) << "the PCI-X capability decides";
  identity.pcix_capability_offset = 0;
  EXPECT_EQ(ConfigSpace(identity).max_memory_read_bytes(), 4096U);
}

TEST(ConfigSpace, OutsideD0ADeviceClaimsAndMastersNothing) {
  ConfigIdentity identity = with_power_and_vpd();
  identity.io_bar = 1;
  identity.io_size = 256;
  ConfigSpace config(identity);
  config.write(0x10, 4, 0xf000'0000);
  config.write(0x14, 4, 0x2000);
  config.write(0x04, 2, 0x0007);
  EXPECT_EQ(config.power_state(), power::kD0);
  EXPECT_TRUE(config.claims_memory(0xf000'0000) && config.claims_io(0x2000) &&
              config.master_enabled());
  EXPECT_FALSE(config.intx_disabled());
  config.write(0x4c, 2, 3);
  EXPECT_EQ(config.power_state(), power::kD3hot);
  EXPECT_FALSE(config.claims_memory(0xf000'0000));
  EXPECT_FALSE(config.claims_io(0x2000));
  EXPECT_FALSE(config.master_enabled());
  EXPECT_TRUE(config.intx_disabled());
  EXPECT_EQ(config.read(0x04, 2), 0x0007U) << "the registers still read as they were set";
}

TEST(ConfigSpace, LeavingD3hotResetsTheDevice) {
  ConfigSpace config(with_power_and_vpd());
  config.set_pcix_status(0x0003'0008);
  config.set_multifunction();
  int woken = 0;
  config.set_listeners({}, [&] { ++woken; });
  config.write(0x10, 4, 0xf000'0000);
  config.write(0x04, 2, 0x0006);
  config.write(0x3c, 1, 11);
  config.note_status(status::kReceivedMasterAbort);
  config.write(0x4c, 2, 3);
  EXPECT_EQ(woken, 0);
  config.write(0x4c, 2, 0);
  EXPECT_EQ(woken, 1);
  EXPECT_EQ(config.power_state(), power::kD0);
  EXPECT_EQ(config.read(0x04, 4) & 0xf900'ffffU, 0U);
  EXPECT_EQ(config.memory_bar(), 0U);
  EXPECT_EQ(config.read(0x3c, 1), 0U);
  EXPECT_EQ(config.read(0xe8, 4), 0x0003'0008U) << "what the device itself says stays";
  EXPECT_EQ(config.read(0x0e, 1), 0x80U);
  config.write(0x4c, 2, 0);
  EXPECT_EQ(woken, 1) << "from D0 to D0";
}

TEST(ConfigSpace, PowerStatesThatADeviceLacksAreNotEntered) {
  ConfigIdentity identity = with_power_and_vpd();
  ConfigSpace without(identity);
  for (const std::uint32_t state : {1U, 2U}) {
    without.write(0x4c, 2, state);
    EXPECT_EQ(without.power_state(), power::kD0);
  }
  without.write(0x4c, 2, 0xffff);
  EXPECT_EQ(without.read(0x4c, 2), 0x0003U) << "no PME";
  without.write(0x4c, 2, 1);
  EXPECT_EQ(without.power_state(), power::kD3hot);

  identity.power_capabilities = 0xfe02;
  ConfigSpace with(identity);
  with.write(0x4c, 2, 2);
  EXPECT_EQ(with.power_state(), power::kD2);
  EXPECT_FALSE(with.master_enabled());
  with.write(0x4c, 2, 0x0101);
  EXPECT_EQ(with.read(0x4c, 2), 0x0101U);
}

TEST(ConfigSpace, VpdIsReadFourBytesAtATimeAndTheFlagTells) {
  ConfigSpace config(with_power_and_vpd());
  config.set_vpd({{0x82, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77},
                  sc_core::SC_ZERO_TIME,
                  sc_core::SC_ZERO_TIME});
  config.write(0x52, 2, 0);
  EXPECT_EQ(config.read(0x52, 2), 0x8000U);
  EXPECT_EQ(config.read(0x54, 4), 0x3322'1182U);
  config.write(0x52, 2, 4);
  EXPECT_EQ(config.read(0x52, 2), 0x8004U);
  EXPECT_EQ(config.read(0x54, 4), 0x7766'5544U);
  config.write(0x52, 2, 8);
  EXPECT_EQ(config.read(0x54, 4), 0xffff'ffffU) << "beyond its end";
}

TEST(ConfigSpace, VpdIsWrittenByTheFlagAndOutlivesAReset) {
  ConfigSpace config(with_power_and_vpd());
  config.set_vpd({std::vector<std::uint8_t>(8, 0), sc_core::SC_ZERO_TIME, sc_core::SC_ZERO_TIME});
  config.write(0x54, 4, 0xdead'beef);
  config.write(0x52, 2, 0x8004);
  EXPECT_EQ(config.read(0x52, 2), 0x0004U);
  EXPECT_EQ(config.vpd(), (std::vector<std::uint8_t>{0, 0, 0, 0, 0xef, 0xbe, 0xad, 0xde}));
  config.write(0x52, 2, 0xfffc);
  EXPECT_EQ(config.vpd().size(), 8U) << "beyond its end";
  config.write(0x4c, 2, 3);
  config.write(0x4c, 2, 0);
  config.write(0x52, 2, 4);
  EXPECT_EQ(config.read(0x54, 4), 0xdead'beefU);
}

TEST(ConfigSpace, TheVpdFlagTurnsWhenTheTimeHasPassed) {
  ConfigSpace config(with_power_and_vpd());
  config.set_vpd({std::vector<std::uint8_t>(8, 0x5a), {1, sc_core::SC_MS}, {3, sc_core::SC_MS}});
  const auto pass = [](std::uint64_t ps) { sc_core::sc_start(from_ps(ps)); };
  config.write(0x50, 4, 0x0004'0000);  // as a whole DWORD
  pass(999'999'999);
  EXPECT_EQ(config.read(0x52, 2), 0x0004U);
  EXPECT_EQ(config.read(0x53, 1), 0x00U);
  pass(1);
  EXPECT_EQ(config.read(0x52, 2), 0x8004U);
  EXPECT_EQ(config.read(0x50, 4), 0x8004'e403U);
  config.write(0x54, 4, 7);
  config.write(0x52, 2, 0x8000);
  pass(2'999'999'999);
  EXPECT_EQ(config.read(0x52, 2), 0x8000U);
  pass(1);
  EXPECT_EQ(config.read(0x52, 2), 0x0000U);
}

TEST(ConfigSpace, PortsMayComeBeforeMemory) {
  ConfigIdentity identity = kIdentity;
  identity.io_bar = 0;
  identity.io_size = 256;
  identity.memory_bar = 1;
  ConfigSpace config(identity);
  config.write(0x10, 4, 0xffff'ffff);
  config.write(0x14, 4, 0xffff'ffff);
  EXPECT_EQ(config.read(0x10, 4), 0xffff'ff01U);
  EXPECT_EQ(config.read(0x14, 4), ~(kIdentity.memory_size - 1));
  config.write(0x10, 4, 0x2000);
  config.write(0x14, 4, 0xf012'0000);
  config.write(0x04, 2, 3);
  EXPECT_EQ(config.io_bar(), 0x2000U);
  EXPECT_EQ(config.memory_bar(), 0xf012'0000U);
  EXPECT_TRUE(config.claims_io(0x20ff));
  EXPECT_TRUE(config.claims_memory(0xf012'0000));
}

TEST(ConfigSpace, AnImpossibleIdentityIsRefused) {
  ConfigIdentity identity = kIdentity;
  identity.memory_size = 3000;
  EXPECT_THROW(ConfigSpace{identity}, std::logic_error);
  identity = kIdentity;
  identity.io_bar = 6;
  identity.io_size = 8;
  EXPECT_THROW(ConfigSpace{identity}, std::logic_error);
  identity.io_bar = 2;
  identity.io_size = 24;
  EXPECT_THROW(ConfigSpace{identity}, std::logic_error);
  identity.io_size = 8;
  identity.memory_bar = 2;
  EXPECT_THROW(ConfigSpace{identity}, std::logic_error);
  identity = kIdentity;
  identity.memory_bar = 6;
  EXPECT_THROW(ConfigSpace{identity}, std::logic_error);
  for (const auto& [place, at] : {std::pair{&ConfigIdentity::msi_capability_offset, 0x20},
                                  std::pair{&ConfigIdentity::power_capability_offset, 0x4a},
                                  std::pair{&ConfigIdentity::vpd_capability_offset, 0xfc}}) {
    identity = kIdentity;
    identity.*place = static_cast<std::uint8_t>(at);
    EXPECT_THROW(ConfigSpace{identity}, std::logic_error);
  }
}

}  // namespace
}  // namespace longhaul::pcix
