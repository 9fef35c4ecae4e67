// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "platform/assembly/config.h"
#include "platform/assembly/wave_trigger.h"

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

std::string refusal(const nlohmann::json& observe) {
  try {
    with_observe(observe);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(ReadWaves, NothingIsTracedUnlessAskedFor) {
  EXPECT_TRUE(with_observe({{"timeline", true}}).observe.waves.empty());
  const ObserveConfig traced =
      with_observe({{"waves", {"pcix", "tcp"}}, {"waves_from", "20ms"}, {"waves_length", "3us"}})
          .observe;
  EXPECT_TRUE(traced.traces("pcix"));
  EXPECT_TRUE(traced.traces("tcp"));
  EXPECT_FALSE(traced.traces("nic"));
  EXPECT_EQ(traced.waves_from, sc_core::sc_time(20, sc_core::SC_MS));
  EXPECT_EQ(traced.waves_length, sc_core::sc_time(3, sc_core::SC_US));
}

TEST(ReadWaves, WhatCannotBeTracedIsNamed) {
  EXPECT_EQ(refusal({{"waves", {"smoke"}}}),
            "observe.waves: 'smoke' cannot be traced, only link, tcp, core, box, nic, rtl, pcix");
}

TEST(ReadWaves, ATriggerIsARetransmissionADropOrAWrite) {
  using Kind = WaveTrigger::Kind;
  EXPECT_EQ(parse_wave_trigger("", "w").kind, Kind::kNone);
  EXPECT_EQ(parse_wave_trigger("retransmit", "w").kind, Kind::kRetransmit);
  EXPECT_EQ(parse_wave_trigger("drop", "w").count, 1U);
  EXPECT_EQ(parse_wave_trigger("drop:12", "w").count, 12U);
  EXPECT_EQ(parse_wave_trigger("register:0xf0000188", "w").address, 0xf0000188U);
  const WaveTrigger device = parse_wave_trigger("register:sender.eth0+0x188", "w");
  EXPECT_EQ(device.device, "sender.eth0");
  EXPECT_EQ(device.address, 0x188U);
  EXPECT_TRUE(device.by_processor());
  const WaveTrigger box = parse_wave_trigger("register:gnet1+0x11c", "w");
  EXPECT_EQ(box.device, "gnet1");
  EXPECT_EQ(box.address, 0x11cU);
  EXPECT_FALSE(box.by_processor());
  EXPECT_EQ(parse_wave_trigger("violation", "w").kind, WaveTrigger::Kind::kViolation);
}

TEST(ReadWaves, WhatIsNoTriggerIsRefusedWithWhatIs) {
  const std::string wants =
      " is no trigger: wants retransmit, drop:N, violation, register:ADDRESS, "
      "register:MACHINE.DEVICE+OFFSET or register:BOX+OFFSET";
  for (const char* text : {"loss", "register", "register:", "retransmit:2", "violation:1"})
    EXPECT_EQ(refusal({{"waves", {"tcp"}}, {"waves_trigger", text}}),
              std::string("observe.waves_trigger: '") + text + "'" + wants);
  EXPECT_EQ(refusal({{"waves_trigger", "drop:0"}}),
            "observe.waves_trigger: drops are counted from 1");
  EXPECT_EQ(refusal({{"waves_trigger", "drop:few"}}),
            "observe.waves_trigger: 'few' is no whole number");
}

}  // namespace
}  // namespace longhaul::assembly
