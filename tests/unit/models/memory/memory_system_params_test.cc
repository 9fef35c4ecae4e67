// SPDX-License-Identifier: Apache-2.0
#include "models/memory/memory_system_params.h"

#include <gtest/gtest.h>

#include <string>

#include "models/common/param_json.h"
#include "models/memory/memory_system.h"

namespace longhaul::memory {
namespace {

std::string error_of(const nlohmann::json& json) {
  try {
    memory_params_from(json, "pc.memory");
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

TEST(MemorySystemParams, TheHdamaHasTwoNodesOfTwoChannelsOfDdr400Cl2) {
  const MemorySystemParams params = memory_params_from({}, "pc.memory");
  EXPECT_EQ(params.preset(), "opteron_hdama");
  EXPECT_EQ(params.nodes(), 2U);
  EXPECT_EQ(params.dram.channels(), 2U);
  EXPECT_EQ(params.dram.transfer_rate(), (Frequency{400'000'000}));
  EXPECT_EQ(params.dram.cas_latency(), sc_core::sc_time(10, sc_core::SC_NS));
  EXPECT_EQ(params.dram.cas_latency.source.evidence, Evidence::kMeasured);
}

TEST(MemorySystemParams, TheXeonAndThePentiumHaveOneNodeBehindABus) {
  for (const char* name : {"xeon_533", "piii_933", "dl380_g2"}) {
    const MemorySystemParams params = memory_params_from({{"preset", name}}, "pc.memory");
    EXPECT_EQ(params.nodes(), 1U) << name;
    EXPECT_EQ(params.interconnect.interconnect(), "front_side_bus") << name;
  }
  EXPECT_EQ(memory_preset("xeon_533", "").dram.transfer_rate(), (Frequency{266'666'667}));
  EXPECT_EQ(memory_preset("piii_933", "").dram.transfers_per_clock(), 1U);
  EXPECT_EQ(memory_preset("piii_933", "").dram.line(), (Bytes{32}));
  EXPECT_EQ(memory_preset("dl380_g2", "").dram.channels(), 2U);
}

TEST(MemorySystemParams, ASpeedGradeSetsEveryTimeAndOwnValuesGoOverIt) {
  const MemorySystemParams params =
      memory_params_from({{"dram", "ddr333"}, {"cas_latency", "12ns"}}, "pc.memory");
  EXPECT_EQ(params.dram.transfer_rate(), (Frequency{333'333'333}));
  EXPECT_EQ(params.dram.row_cycle(), sc_core::sc_time(60, sc_core::SC_NS));
  EXPECT_EQ(params.dram.cas_latency(), sc_core::sc_time(12, sc_core::SC_NS));
  EXPECT_TRUE(params.dram.cas_latency.set_by_user);
}

TEST(MemorySystemParams, EveryNumberOfEveryPresetHasASource) {
  for (const std::string& name : memory_preset_names()) {
    for (const auto& param : describe(memory_preset(name, ""))) {
      EXPECT_FALSE(param.at("source").get<std::string>().empty()) << name << " " << param;
    }
  }
}

TEST(MemorySystemParams, WhatCannotBeIsRefusedWithTheCure) {
  EXPECT_EQ(error_of({{"preset", "xeon_532"}}),
            "pc.memory.preset: unknown machine \"xeon_532\"; nearest is \"xeon_533\" of "
            "opteron_hdama, xeon_533, "
            "piii_933, dl380_g2");
  EXPECT_EQ(error_of({{"preset", 3}}), "pc.memory.preset: got 3, wants a text");
  EXPECT_EQ(error_of({{"dram", "ddr500"}}),
            "pc.memory.dram: unknown memory \"ddr500\"; nearest is \"ddr400\" of ddr400, ddr333, "
            "ddr266, pc133");
  EXPECT_EQ(error_of({{"interconnect", "qpi"}}),
            "pc.memory.interconnect: 'qpi' is unknown; nearest is 'hypertransport', of "
            "hypertransport, front_side_bus");
  EXPECT_EQ(error_of({{"interconnect", "front_side_bus"}}),
            "pc.memory.nodes: 2 behind a front_side_bus, wants 1");
  EXPECT_EQ(error_of({{"io_node", 2}}), "pc.memory.io_node: 2 of 2 nodes, wants 0 to 1");
  EXPECT_EQ(error_of({{"page", "1056B"}}),
            "pc.memory.page: 1056B is not a multiple of the line of 64B");
  EXPECT_EQ(error_of({{"refresh_time", "2us"}, {"refresh_interval", "1us"}}),
            "pc.memory.refresh_time: 2us leaves nothing of the refresh_interval of 1us");
  EXPECT_NE(error_of({{"channel", 2}}).find("channels"), std::string::npos);
}

TEST(MemorySystemParams, NumbersThatDidNotComeFromAConfigurationAreCheckedToo) {
  MemorySystemParams params = memory_preset("opteron_hdama", "");
  params.nodes.value = 9;
  try {
    const MemorySystem system("system", params, Bytes{4096});
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_STREQ(error.what(), "system: 9 nodes and 1 cores, wants 1 to 8 and at least 1");
  }
}

}  // namespace
}  // namespace longhaul::memory
