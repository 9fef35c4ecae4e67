// SPDX-License-Identifier: Apache-2.0
// Who drives what, and what is refused.
#include "models/host/drivers/driver_type.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/common/param_json.h"
#include "models/host/drivers/driver_params.h"
#include "tests/unit/models/host/drivers/rig.h"

namespace longhaul::host::driver_testing {
namespace {

std::string error_of(RigHost& host, pcix::FunctionIds ids, const nlohmann::json& params) {
  const DriverSetup setup{
      host.pci, 3, 0, host.router, {&host.net_rx}, host.pool, host.timers, host.options_.net, 0};
  try {
    make_driver({"driver", setup, ids, params, "host.eth0"});
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

TEST(DriverRegistry, SaysWhatItCannotDriveAndWhatItCan) {
  RigHost host("host", {}, 0);
  const std::string none = error_of(host, {0x1425, 0x0005}, {});
  EXPECT_THAT(none,
              ::testing::StartsWith("host.eth0: no driver for 1425:0005 in slot 3, function 0; "
                                    "there are drivers for "));
  for (const char* ids : {"8086:1048", "8086:1a48", "8086:1011"})
    EXPECT_THAT(none, ::testing::HasSubstr(ids));
  EXPECT_THAT(
      error_of(host, {0x8086, 0x1a48}, {{"version", "1.0.11"}}),
      ::testing::StartsWith(
          "host.eth0.version: unknown version of the driver \"1.0.11\"; nearest is \"1.0.110\""));
  EXPECT_THAT(error_of(host, {0x8086, 0x1011}, {{"mtu", 16114}}),
              ::testing::HasSubstr("more than the 16110"));
  EXPECT_THAT(error_of(host, {0x8086, 0x1a48}, {{"mtu", 16115}}),
              ::testing::StartsWith("host.eth0.mtu"));
  EXPECT_THAT(error_of(host, {0x8086, 0x1a48}, {{"rx_descriptors", 100}}),
              ::testing::HasSubstr("100 descriptors are no multiple of 8"));
  EXPECT_THAT(error_of(host, {0x8086, 0x1011}, {{"rx_descriptors", 88}}),
              ::testing::HasSubstr("16 does not divide the 88 descriptors"));
  EXPECT_THAT(error_of(host, {0x8086, 0x1a48}, {{"checksum_tx", false}}),
              ::testing::HasSubstr("host.eth0.tso"));
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
