// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/pipeline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/common/param_json.h"
#include "models/cpu/core.h"

namespace longhaul::cpu {
namespace {

using ::testing::HasSubstr;

OpCounts ops(std::initializer_list<std::pair<OpClass, int>> counts) {
  OpCounts out{};
  for (const auto& [kind, n] : counts)
    out[static_cast<std::size_t>(kind)] = static_cast<std::uint8_t>(n);
  return out;
}

/// A K8 that loses nothing to what is not modelled one by one.
PipelineParams ideal() {
  PipelineParams params = pipeline_preset("k8", "cpu");
  params.rest.value = 0;
  params.branch_miss.value = {0};
  params.indirect_miss.value = {0};
  return params;
}

TEST(Pipeline, ThreeSimpleOperationsBeginInACycle) {
  EXPECT_DOUBLE_EQ(ideal().cycles(ops({{OpClass::kSimple, 9}})), 3.0);
}

TEST(Pipeline, LoadsAndStoresAreBoundByTheirPorts) {
  EXPECT_DOUBLE_EQ(ideal().cycles(ops({{OpClass::kLoad, 5}, {OpClass::kStore, 3}})), 4.0);
  EXPECT_DOUBLE_EQ(ideal().cycles(ops({{OpClass::kLoad, 2}, {OpClass::kSimple, 10}})), 4.0);
}

TEST(Pipeline, SlowOperationsAddTheirLatency) {
  const double divide = ideal().cycles(ops({{OpClass::kDivide, 1}}));
  EXPECT_DOUBLE_EQ(divide, 1.0 / 3 + ideal().divide());
  EXPECT_GT(pipeline_preset("netburst", "cpu").locked(), pipeline_preset("k8", "cpu").locked());
}

TEST(Pipeline, MispredictedShareOfBranchesCostsThePenalty) {
  PipelineParams params = ideal();
  params.branch_miss.value = {0.1};
  EXPECT_DOUBLE_EQ(params.cycles(ops({{OpClass::kBranch, 3}})), 1.0 + 0.3 * params.mispredict());
}

TEST(Pipeline, TheRestIsPerLoadAndStore) {
  PipelineParams params = ideal();
  params.rest.value = 0.5;
  EXPECT_DOUBLE_EQ(params.cycles(ops({{OpClass::kSimple, 6}})), 2.0);
  EXPECT_DOUBLE_EQ(
      params.cycles(ops({{OpClass::kLoad, 2}, {OpClass::kStore, 1}, {OpClass::kSimple, 6}})),
      3.0 + 1.5);
}

TEST(Pipeline, EmptyBlockIsFree) {
  EXPECT_EQ(pipeline_preset("p6", "cpu").cycles(OpCounts{}), 0.0);
}

TEST(Pipeline, UnknownNameNamesTheNearest) {
  try {
    pipeline_preset("netbrust", "sender.cpu.preset");
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_THAT(
        error.what(),
        HasSubstr("sender.cpu.preset: unknown pipeline \"netbrust\"; nearest is \"netburst\""));
  }
}

TEST(Pipeline, ConfigurationGoesOverThePreset) {
  const auto params =
      core_params_from({{"preset", "netburst"}, {"mispredict_cycles", 31.0}}, "cpu").pipeline;
  EXPECT_EQ(params.preset(), "netburst");
  EXPECT_EQ(params.mispredict(), 31.0);
  EXPECT_EQ(params.locked(), pipeline_preset("netburst", "cpu").locked());
}

TEST(Pipeline, EveryNumberOfEveryPresetHasASource) {
  for (const std::string& name : pipeline_preset_names()) {
    for (const auto& param : describe(pipeline_preset(name, "cpu"))) {
      EXPECT_TRUE(param["source"].is_string() && param["source"] != "")
          << name << "." << param["name"];
    }
  }
}

}  // namespace
}  // namespace longhaul::cpu
