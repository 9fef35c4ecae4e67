// SPDX-License-Identifier: Apache-2.0
#include "models/nic/adapter_type.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace longhaul::nic {
namespace {

std::string refusal_of(const std::string& name) {
  try {
    adapter_types().find(name, "sender.eth0");
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

TEST(AdapterTypes, AreThoseOfTheFolder) {
  EXPECT_THAT(adapter_types().names(), testing::IsSupersetOf({"e1000", "genesis", "ixgb"}));
  for (const AdapterType& type : adapter_types().all()) {
    EXPECT_THAT(type.origin.file, testing::MatchesRegex("models/nic/.*_type.cc")) << type.name;
    EXPECT_FALSE(type.ids.empty()) << type.name;
    EXPECT_FALSE(type.describe_defaults().empty()) << type.name;
    EXPECT_THAT(type.phy, testing::MatchesRegex("(10g|1000)base-[a-z]")) << type.name;
    EXPECT_THAT(type.slot, testing::MatchesRegex("pcix-133|pcix-100|pcix-66|pci-66|pci-33"))
        << type.name;
    // NEC-TOE's adapters are for modelled hosts only.
    const bool modelled = std::string(type.name).rfind("nec-", 0) == 0;
    ASSERT_EQ(type.linux_driver.has_value(), !modelled) << type.name;
    if (modelled) continue;
    EXPECT_EQ(type.linux_driver->folder == nullptr, type.linux_driver->option == nullptr)
        << type.name;
    EXPECT_LT(type.linux_driver->least_mtu, type.linux_driver->largest_mtu) << type.name;
  }
}

TEST(AdapterTypes, OneThatIsNotThereIsRefusedWithTheNearest) {
  EXPECT_EQ(refusal_of("e100"), "sender.eth0: no adapter of type 'e100'; nearest is 'e1000'");
}

TEST(AdapterTypes, EachHasItsOwnPowerOnValuesAndSources) {
  EXPECT_EQ(adapter_types().look("ixgb")->firmware.outstanding(), 3U);
  const pcix::FirmwareParams e1000 = adapter_types().look("e1000")->firmware;
  EXPECT_EQ(e1000.mmrbc(), 512U);
  EXPECT_EQ(e1000.outstanding(), 1U);
  for (const auto* param : {&e1000.mmrbc, &e1000.outstanding})
    EXPECT_EQ(std::string(param->source.where).find("ixgb"), std::string::npos) << param->name;
}

TEST(AdapterTypes, AGenesisHasOneFunction) {
  const AdapterType& type = adapter_types().find("genesis", "eth0");
  AdapterRequest request{"eth0", {{"board", "sk-9843"}}, "eth0", 0, 1};
  const auto first = type.make(request);
  EXPECT_EQ(first->function()->config().read(0, 4), 0x4300'1148U);
  request.module_name = "eth1";
  request.function0 = first.get();
  EXPECT_THROW(type.make(request), ConfigError);
}

}  // namespace
}  // namespace longhaul::nic
