// SPDX-License-Identifier: Apache-2.0
// Who is on the bus, where it is put, and who drives it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/pcix/address_map.h"
#include "tests/unit/address_sanitizer.h"
#include "tests/unit/models/host/drivers/rig.h"

namespace longhaul::host::driver_testing {
namespace {

namespace map = pcix::address_map;

TEST(PciBus, GivesEveryFunctionItsOwnAddressesAndLine) {
  RigOptions options;
  options.nic = "82546eb-fiber";
  options.ports = 2;
  RigHost host("host", options, 0);
  host.run([&](Program&) { host.pci.scan(); });
  sc_core::sc_start(from_ps(kMs));
  ASSERT_EQ(host.pci.functions().size(), 2U);
  const PciFunction& a = host.pci.at(RigHost::kSlot, 0);
  const PciFunction& b = host.pci.at(RigHost::kSlot, 1);
  EXPECT_EQ(a.vendor_id(), 0x8086);
  EXPECT_EQ(a.device_id(), 0x1012);
  EXPECT_EQ(a.bar(0).address, map::kMmioBegin);
  EXPECT_EQ(b.bar(0).address, map::kMmioBegin + nic::e1000::regs::kBar0Bytes);
  EXPECT_EQ(a.bar(2).address, map::kIoBegin + PciBus::kFirstPort);
  EXPECT_EQ(b.bar(2).address, a.bar(2).address + a.bar(2).bytes);
  EXPECT_EQ(a.interrupt_line(), RigHost::kSlot);
  EXPECT_EQ(b.interrupt_line(), RigHost::kSlot + 1) << "INTB#";
  for (std::uint32_t port = 0; port < 2; ++port) {
    const pcix::ConfigSpace& config = host.nics[port]->device().config();
    EXPECT_TRUE(config.memory_enabled());
    EXPECT_TRUE(config.io_enabled());
    EXPECT_TRUE(config.master_enabled());
    EXPECT_EQ(config.bar0(), host.pci.at(RigHost::kSlot, port).bar(0).address);
    EXPECT_EQ(config.read(0x3c, 1), RigHost::kSlot + port);
  }
  back_on_the_main_stack();
  EXPECT_THROW(host.pci.at(1, 0), ConfigError) << "an empty slot";
}

TEST(PciBus, ASecondScanAsksNobody) {
  RigHost host("host", {}, 0);
  std::uint64_t accesses = 0;
  host.run([&](Program&) {
    host.pci.scan();
    accesses = host.pcix.config_accesses.value();
    host.pci.scan();
  });
  sc_core::sc_start(from_ps(kMs));
  EXPECT_GT(accesses, 0U);
  EXPECT_EQ(host.pcix.config_accesses.value(), accesses);
}

std::string error_of(RigHost& host, DeviceIds ids, const nlohmann::json& params) {
  const DriverSetup setup{host.pci, 3, 0, host.router, {&host.net_rx}, host.pool, host.timers, host.options_.net, 0};
  try {
    make_driver("driver", setup, ids, params, "host.eth0");
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

TEST(DriverRegistry, SaysWhatItCannotDriveAndWhatItCan) {
  RigHost host("host", {}, 0);
  EXPECT_THAT(error_of(host, {0x1425, 0x0006}, {}),
              ::testing::StartsWith("host.eth0: no driver for 1425:0006 in slot 3, function 0; there are drivers for "
                                    "8086:1048, 8086:1a48"));
  EXPECT_THAT(
      error_of(host, {0x8086, 0x1a48}, {{"version", "1.0.11"}}),
      ::testing::StartsWith("host.eth0.version: unknown version of the driver \"1.0.11\"; nearest is \"1.0.110\""));
  EXPECT_THAT(error_of(host, {0x8086, 0x1011}, {{"mtu", 16114}}), ::testing::HasSubstr("more than the 16110"));
  EXPECT_THAT(error_of(host, {0x8086, 0x1a48}, {{"mtu", 16115}}), ::testing::StartsWith("host.eth0.mtu"));
  EXPECT_THAT(error_of(host, {0x8086, 0x1a48}, {{"rx_descriptors", 100}}),
              ::testing::HasSubstr("100 descriptors are no multiple of 8"));
  EXPECT_THAT(error_of(host, {0x8086, 0x1011}, {{"rx_descriptors", 88}}),
              ::testing::HasSubstr("16 does not divide the 88 descriptors"));
  EXPECT_THAT(error_of(host, {0x8086, 0x1a48}, {{"checksum_tx", false}}), ::testing::HasSubstr("host.eth0.tso"));
}

TEST(DriverRegistry, EveryNumberOfEveryVersionHasASource) {
  const auto check = [](const nlohmann::json& params, const std::string& version) {
    for (const nlohmann::json& param : params) {
      EXPECT_FALSE(param["source"].is_null() || param["source"].get<std::string>().empty())
          << version << ": " << param["name"];
    }
  };
  for (const std::string& version : ixgb_driver_versions())
    check(describe(ixgb_driver_params({{"version", version}}, "ixgb")), version);
  for (const std::string& version : e1000_driver_versions())
    check(describe(e1000_driver_params({{"version", version}}, "e1000")), version);
}

}  // namespace
}  // namespace longhaul::host::driver_testing
