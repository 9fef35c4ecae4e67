// SPDX-License-Identifier: Apache-2.0
#include "models/net/switch/switch_params.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/net/switch/switch_type.h"
#include "tests/unit/models/net/switch/known_switch.h"

namespace longhaul {
namespace {

using ::testing::ElementsAre;

std::unique_ptr<EthSwitch> make(const std::string& type, nlohmann::json params,
                                std::uint32_t ports = 2) {
  return switch_types().find(type, "sw").make({"dut", ports, std::move(params), "sw"});
}

TEST(SwitchParams, TheKnownOnesAreThoseOfTheTestbeds) {
  EXPECT_THAT(switch_types().names(),
              ElementsAre("foundry_mg8", "fujitsu_xg1200", "generic", "planex_fxg08te"));
  const SwitchParams xg1200 = known_switch("fujitsu_xg1200");
  EXPECT_EQ(xg1200.max_ports(), 12U);
  EXPECT_EQ(xg1200.latency(), sc_core::sc_time(450, sc_core::SC_NS));
  EXPECT_EQ(xg1200.buffer_mode(), "shared");
  EXPECT_TRUE(xg1200.pause_send());
}

TEST(SwitchParams, MarksOfEachLieInItsBufferAndInOrder) {
  for (const KnownSwitch& known : known_switches()) {
    const SwitchParams& params = known.params;
    EXPECT_LE(params.pause_low().count, params.pause_high().count) << known.name;
    EXPECT_LT(params.pause_high().count, params.buffer().count) << known.name;
  }
}

TEST(SwitchParams, AKnownNumberSaysWhereItIsFromAndAUsersThatItIsSet) {
  const auto dut = make("fujitsu_xg1200", {{"buffer", "2MiB"}});
  const nlohmann::json described = dut->describe_params();
  for (const auto& entry : described) {
    EXPECT_NE(entry.at("source").get<std::string>(), "") << entry;
    EXPECT_EQ(entry.at("set").get<bool>(), entry.at("name") == "buffer") << entry;
    if (entry.at("name") == "max_frame") {
      EXPECT_EQ(entry.at("evidence"), "measured");
    }
  }
  EXPECT_EQ(known_switch("fujitsu_xg1200").max_frame(), 9198U + 18);
  EXPECT_EQ(known_switch("foundry_mg8").max_frame(), 9198U + 18);
  EXPECT_GE(known_switch("planex_fxg08te").max_frame(), 9014U + 4);
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
  EXPECT_THAT(error_of([] { make("foundry_mg9", nullptr); }),
              StartsWith("sw: no switch of type 'foundry_mg9'; nearest is"));
  EXPECT_THAT(error_of([] { make("fujitsu_xg1200", nullptr, 13); }),
              StartsWith("dut: 13 ports, wants 2 to 12"));
  EXPECT_THAT(error_of([] {
                make("generic", {{"buffer_mode", "both"}});
              }),
              StartsWith("dut.buffer_mode: got \"both\""));
  EXPECT_THAT(error_of([] {
                make("generic", {{"port_vlans", "1,2,3"}});
              }),
              StartsWith("dut.port_vlans: 3 numbers for 2 ports"));
  EXPECT_THAT(error_of([] {
                make("generic", {{"port_vlans", "1,x"}});
              }),
              StartsWith("dut.port_vlans: \"x\""));
  EXPECT_THAT(error_of([] {
                make("generic", {{"pause_high", "1KiB"}});
              }),
              StartsWith("dut.pause_low: "));
  EXPECT_THAT(error_of([] { make("generic", {{"latenci", "1us"}}); }), StartsWith("sw"));
}

}  // namespace
}  // namespace longhaul
