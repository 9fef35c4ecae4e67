// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/registry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/common/param.h"
#include "models/wan/gnet1/gnet1_twin.h"
#include "platform/cosim/gnet1/gnet1_rtl.h"

namespace longhaul::assembly {
namespace {

PartRequest request_of(nlohmann::json params) { return {"box", std::move(params), "gnet", 0, 1}; }

std::string refusal_of(const nlohmann::json& params) {
  try {
    make_box("gnet1", request_of(params));
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

TEST(Registry, TheModelOfAGnet1IsTheOnlyDifference) {
  const auto rtl = make_box("gnet1", request_of({{"model", "rtl"}, {"delay_p0", "5ms"}}));
  EXPECT_NE(dynamic_cast<cosim::Gnet1Rtl*>(rtl.get()), nullptr);
  PartRequest second = request_of({{"model", "tlm"}, {"delay_p0", "5ms"}});
  second.module_name = "second";
  const auto tlm = make_box("gnet1", second);
  EXPECT_NE(dynamic_cast<wan::Gnet1Twin*>(tlm.get()), nullptr);
  EXPECT_EQ(rtl->describe_params(), tlm->describe_params());
  ASSERT_EQ(rtl->ports().size(), 4U);
  ASSERT_EQ(tlm->ports().size(), 4U);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(rtl->ports()[i].name, tlm->ports()[i].name);
  EXPECT_NE(rtl->control(), nullptr);
  EXPECT_NE(tlm->control(), nullptr);
}

TEST(Registry, WithoutAModelItIsTheRtl) {
  const auto box = make_box("gnet1", request_of(nlohmann::json::object()));
  EXPECT_NE(dynamic_cast<cosim::Gnet1Rtl*>(box.get()), nullptr);
}

TEST(Registry, AGenesisHasOneFunction) {
  PartRequest request{"eth0", {{"board", "sk-9843"}}, "eth0", 0, 1};
  const auto first = make_adapter("genesis", request);
  EXPECT_EQ(first->device().config().read(0, 4), 0x4300'1148U);
  request.module_name = "eth1";
  request.function0 = first.get();
  EXPECT_THROW(make_adapter("genesis", request), ConfigError);
}

TEST(Registry, AModelThatIsNotThereIsAConfigErrorWithItsPlace) {
  EXPECT_THAT(
      refusal_of({{"model", "tlms"}}),
      testing::StartsWith("gnet.model: unknown model of gnet1 \"tlms\"; nearest is \"tlm\""));
  EXPECT_THAT(refusal_of({{"modelt", "rtl"}}), testing::HasSubstr("modelt"));
}

}  // namespace
}  // namespace longhaul::assembly
