// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/common/plugin.h"
#include "models/wan/box_type.h"
#include "models/wan/gnet1/gnet1_twin.h"
#include "rtl/gnet1/box/gnet1_rtl.h"

namespace longhaul::cosim {
namespace {

std::unique_ptr<wan::WanBox> gnet1(nlohmann::json params, const char* module_name = "box") {
  add_built_in_types();
  const wan::BoxType& type = wan::box_types().find("gnet1", "gnet");
  return type.make({module_name, std::move(params), "gnet", 1});
}

std::string refusal_of(const nlohmann::json& params) {
  try {
    gnet1(params);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

TEST(Gnet1Type, TheModelOfAGnet1IsTheOnlyDifference) {
  const auto rtl = gnet1({{"model", "rtl"}, {"delay_p0", "5ms"}});
  EXPECT_NE(dynamic_cast<Gnet1Rtl*>(rtl.get()), nullptr);
  const auto tlm = gnet1({{"model", "tlm"}, {"delay_p0", "5ms"}}, "second");
  EXPECT_NE(dynamic_cast<wan::Gnet1Twin*>(tlm.get()), nullptr);
  EXPECT_EQ(rtl->describe_params(), tlm->describe_params());
  ASSERT_EQ(rtl->ports().size(), 4U);
  ASSERT_EQ(tlm->ports().size(), 4U);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(rtl->ports()[i].name, tlm->ports()[i].name);
  EXPECT_NE(rtl->control(), nullptr);
  EXPECT_NE(tlm->control(), nullptr);
}

TEST(Gnet1Type, WithoutAModelItIsTheRtl) {
  const auto box = gnet1(nlohmann::json::object());
  EXPECT_NE(dynamic_cast<Gnet1Rtl*>(box.get()), nullptr);
}

TEST(Gnet1Type, AModelThatIsNotThereIsAConfigErrorWithItsPlace) {
  EXPECT_THAT(refusal_of({{"model", "tlms"}}),
              testing::StartsWith("gnet.model: 'tlms' is unknown; nearest is 'tlm', of rtl, tlm"));
  EXPECT_THAT(refusal_of({{"modelt", "rtl"}}), testing::HasSubstr("modelt"));
}

}  // namespace
}  // namespace longhaul::cosim
