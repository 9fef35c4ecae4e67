// SPDX-License-Identifier: Apache-2.0
#include "models/pcix/config_space.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace longhaul::pcix {
namespace {

constexpr ConfigIdentity kIdentity{0x8086, 0x1a48, 0x02, 0x020000, 0x8086, 0xa01f, 0xe4, 0xf0, 128U << 10};

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
  EXPECT_EQ(config.bar0(), 0xf012'0000U);
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

TEST(ConfigSpace, AnImpossibleIdentityIsRefused) {
  ConfigIdentity identity = kIdentity;
  identity.bar0_size = 3000;
  EXPECT_THROW(ConfigSpace{identity}, std::logic_error);
  identity = kIdentity;
  identity.io_bar = 6;
  identity.io_size = 8;
  EXPECT_THROW(ConfigSpace{identity}, std::logic_error);
  identity.io_bar = 2;
  identity.io_size = 24;
  EXPECT_THROW(ConfigSpace{identity}, std::logic_error);
  identity = kIdentity;
  identity.msi_capability_offset = 0x20;
  EXPECT_THROW(ConfigSpace{identity}, std::logic_error);
}

}  // namespace
}  // namespace longhaul::pcix
