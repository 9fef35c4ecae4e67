// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "platform/assembly/config.h"

namespace longhaul::assembly {
namespace {

SimulationConfig with_observe(const nlohmann::json& observe) {
  return read_config({{"name", "t"},
                      {"out", "/tmp/x"},
                      {"limit", "2s"},
                      {"kernel", "/k"},
                      {"guest_root", "/r"},
                      {"machines", {{{"name", "a"}, {"guest", {{"files", "/f"}}}}}},
                      {"observe", observe}});
}

TEST(ReadWaves, NothingIsDrawnUnlessAskedFor) {
  EXPECT_FALSE(with_observe({{"timeline", true}}).observe.waves_pcix);
  const ObserveConfig drawn =
      with_observe({{"waves", {"pcix"}}, {"waves_from", "20ms"}, {"waves_length", "3us"}}).observe;
  EXPECT_TRUE(drawn.waves_pcix);
  EXPECT_EQ(drawn.waves_from, sc_core::sc_time(20, sc_core::SC_MS));
  EXPECT_EQ(drawn.waves_length, sc_core::sc_time(3, sc_core::SC_US));
}

TEST(ReadWaves, WhatCannotBeDrawnIsNamed) {
  try {
    with_observe({{"waves", {"rtl"}}});
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_STREQ(error.what(), "observe.waves: 'rtl' cannot be drawn, only pcix");
  }
}

}  // namespace
}  // namespace longhaul::assembly
