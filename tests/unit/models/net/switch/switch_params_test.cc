// SPDX-License-Identifier: Apache-2.0
#include "models/net/switch/switch_params.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/common/param_json.h"
#include "models/net/switch/switch.h"

namespace longhaul {
namespace {

using ::testing::ElementsAre;

TEST(SwitchParams, ThePresetsAreThoseOfTheTestbeds) {
  EXPECT_THAT(switch_preset_names(),
              ElementsAre("generic", "fujitsu_xg1200", "foundry_mg8", "planex_fxg08te"));
  const SwitchParams xg1200 = switch_preset("fujitsu_xg1200", "t");
  EXPECT_EQ(xg1200.max_ports(), 12U);
  EXPECT_EQ(xg1200.latency(), sc_core::sc_time(450, sc_core::SC_NS));
  EXPECT_EQ(xg1200.buffer_mode(), "shared");
  EXPECT_TRUE(xg1200.pause_send());
}

TEST(SwitchParams, MarksOfEveryPresetLieInItsBufferAndInOrder) {
  for (const std::string& name : switch_preset_names()) {
    const SwitchParams params = switch_preset(name, "t");
    EXPECT_LE(params.pause_low().count, params.pause_high().count) << name;
    EXPECT_LT(params.pause_high().count, params.buffer().count) << name;
  }
}

TEST(SwitchParams, APresetsNumberSaysWhereItIsFromAndAUsersThatItIsSet) {
  SwitchParams params =
      switch_params_from({{"preset", "fujitsu_xg1200"}, {"buffer", "2MiB"}}, "sw");
  EXPECT_EQ(params.buffer(), units::MiB(2));
  EXPECT_TRUE(params.buffer.set_by_user);
  EXPECT_FALSE(params.latency.set_by_user);
  EXPECT_EQ(params.max_frame.source.evidence, Evidence::kMeasured);
}

TEST(SwitchParams, PresetsCarryEvidenceForEveryNumber) {
  for (const std::string& name : switch_preset_names()) {
    SwitchParams params = switch_preset(name, "t");
    EXPECT_EQ(params.preset(), name);
    for (const auto& entry : describe(params))
      EXPECT_NE(entry.at("source").get<std::string>(), "") << entry;
  }
  EXPECT_EQ(switch_preset("fujitsu_xg1200", "t").max_frame(), 9198U + 18);
  EXPECT_EQ(switch_preset("foundry_mg8", "t").max_frame(), 9198U + 18);
  EXPECT_GE(switch_preset("planex_fxg08te", "t").max_frame(), 9014U + 4);
}

TEST(SwitchParams, AConfigurationOverridesItsPreset) {
  const SwitchParams params =
      switch_params_from({{"preset", "foundry_mg8"}, {"latency", "3us"}}, "mg8");
  EXPECT_EQ(params.latency(), sc_core::sc_time(3, sc_core::SC_US));
  EXPECT_EQ(params.buffer_mode(), "per_port");
}

template <class F>
std::string error_of(F&& what) {
  try {
    what();
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "no error";
}

TEST(SwitchParams, WrongConfigurationsSayWhatIsWrong) {
  using ::testing::StartsWith;
  EXPECT_THAT(error_of([] {
                switch_params_from({{"preset", "foundry_mg9"}}, "sw");
              }),
              StartsWith("sw.preset: unknown switch \"foundry_mg9\"; nearest is \"foundry_mg8\""));
  EXPECT_THAT(error_of([] {
                switch_params_from({{"preset", 8}}, "sw");
              }),
              StartsWith("sw.preset: got 8"));
  EXPECT_THAT(error_of([] { Switch dut("a", 13, switch_preset("fujitsu_xg1200", "t")); }),
              StartsWith("a: 13 ports, wants 2 to 12"));
  EXPECT_THAT(error_of([] {
                Switch dut("b", 2, switch_params_from({{"buffer_mode", "both"}}, "b"));
              }),
              StartsWith("b.buffer_mode: got \"both\""));
  EXPECT_THAT(error_of([] {
                Switch dut("c", 2, switch_params_from({{"port_vlans", "1,2,3"}}, "c"));
              }),
              StartsWith("c.port_vlans: 3 numbers for 2 ports"));
  EXPECT_THAT(error_of([] {
                Switch dut("d", 2, switch_params_from({{"port_vlans", "1,x"}}, "d"));
              }),
              StartsWith("d.port_vlans: \"x\""));
  EXPECT_THAT(error_of([] {
                Switch dut("e", 2, switch_params_from({{"pause_high", "1KiB"}}, "e"));
              }),
              StartsWith("e.pause_low: "));
}

}  // namespace
}  // namespace longhaul
