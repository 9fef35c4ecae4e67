// SPDX-License-Identifier: Apache-2.0
#include "models/common/param.h"

#include <gtest/gtest.h>

#include "models/common/param_json.h"

namespace longhaul {
namespace {

struct Example {
  Param<bool> tso{"tso", true, "the tso of a test", {Evidence::kChosen, "here"}};
  Param<std::uint32_t> rings{"rings",
                             256,
                             "the rings of a test",
                             {Evidence::kDatasheet, "page 7"},
                             Range<std::uint32_t>{64, 4096}};
  Param<std::uint64_t> seed{"seed", 1, "the seed of a test", {Evidence::kChosen, "here"}};
  Param<double> factor{"factor", 1.5, "the factor of a test", {Evidence::kFitted, "table 2"}};
  Param<std::string> mode{"mode", "pcix", "the mode of a test", {Evidence::kChosen, "here"}};
  Param<sc_core::sc_time> rx_delay{
      "rx_delay",
      {120, sc_core::SC_NS},
      "the rx_delay of a test",
      {Evidence::kAssumed, "README.md#open-numbers"},
      Range<sc_core::sc_time>{{0, sc_core::SC_NS}, {1, sc_core::SC_MS}}};
  Param<Bytes> fifo{"fifo", {16384}, "the fifo of a test", {Evidence::kMeasured, "ours"}};
  Param<BitRate> rate{
      "rate", {10'000'000'000}, "the rate of a test", {Evidence::kStandard, "802.3"}};
  Param<Frequency> clock{
      "clock", {133'333'333}, "the clock of a test", {Evidence::kStandard, "PCI-X"}};
  Param<Probability> loss{"loss", {0}, "the loss of a test", {Evidence::kChosen, "here"}};
  auto fields() {
    return std::tie(tso, rings, seed, factor, mode, rx_delay, fifo, rate, clock, loss);
  }
};

std::string complaint(const nlohmann::json& json) {
  Example example;
  try {
    configure(example, json, "sender.eth0");
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "no complaint";
}

TEST(Param, EveryTypeIsReadFromItsJson) {
  Example example;
  configure(
      example,
      nlohmann::json::parse(
          R"({"tso": false, "rings": 512, "seed": 18446744073709551615, "factor": 2, "mode": "pci",
              "rx_delay": "5us", "fifo": "32KiB", "rate": "9.953Gb/s", "clock": "66MHz", "loss": "0.1%"})"),
      "x");
  EXPECT_FALSE(example.tso());
  EXPECT_EQ(example.rings(), 512U);
  EXPECT_EQ(example.seed(), ~0ULL);
  EXPECT_EQ(example.factor(), 2.0);
  EXPECT_EQ(example.mode(), "pci");
  EXPECT_EQ(to_ps(example.rx_delay()), 5'000'000U);
  EXPECT_EQ(example.fifo().count, 32768U);
  EXPECT_EQ(example.rate().bits_per_s, 9'953'000'000U);
  EXPECT_EQ(example.clock().hz, 66'000'000U);
  EXPECT_DOUBLE_EQ(example.loss().share, 0.001);
}

TEST(Param, WhatIsNotMentionedKeepsItsValueAndItsMark) {
  Example example;
  configure(example, {{"rings", 128}}, "x");
  EXPECT_TRUE(example.rings.set_by_user);
  EXPECT_FALSE(example.fifo.set_by_user);
  EXPECT_EQ(example.fifo().count, 16384U);
  configure(example, nullptr, "x");
  EXPECT_EQ(example.rings(), 128U);
}

TEST(Param, AnUnknownKeyIsAnsweredWithTheNearest) {
  EXPECT_EQ(complaint({{"ring", 1}}), "sender.eth0: no parameter 'ring'; nearest is 'rings'");
  EXPECT_EQ(complaint({{"rx_deley", 1}}),
            "sender.eth0: no parameter 'rx_deley'; nearest is 'rx_delay'");
}

TEST(Param, AWrongTypeIsAnsweredWithTheRightForm) {
  EXPECT_EQ(complaint({{"tso", 1}}), "sender.eth0.tso: got 1, wants true or false");
  EXPECT_EQ(complaint({{"rings", -4}}),
            "sender.eth0.rings: got -4, wants a whole number, not negative");
  EXPECT_EQ(complaint({{"rings", 1.5}}),
            "sender.eth0.rings: got 1.5, wants a whole number, not negative");
  EXPECT_EQ(complaint({{"rings", 4294967296ULL}}),
            "sender.eth0.rings: got 4294967296, wants a whole number below 4294967296");
  EXPECT_EQ(complaint({{"seed", "one"}}),
            "sender.eth0.seed: got \"one\", wants a whole number, not negative");
  EXPECT_EQ(complaint({{"factor", "2"}}), "sender.eth0.factor: got \"2\", wants a number");
  EXPECT_EQ(complaint({{"mode", 3}}), "sender.eth0.mode: got 3, wants a text");
  EXPECT_EQ(
      complaint({{"rx_delay", 5}}),
      "sender.eth0.rx_delay: got 5, wants a time with its unit, such as \"345ns\" or \"10ms\"");
  EXPECT_EQ(
      complaint({{"fifo", "16"}}),
      "sender.eth0.fifo: got \"16\", wants a size with its unit, such as \"512B\" or \"16MiB\"");
  EXPECT_EQ(complaint({{"rate", "10Gbps"}}),
            "sender.eth0.rate: got \"10Gbps\", wants a rate with its unit, such as \"9.5Gb/s\"");
  EXPECT_EQ(complaint({{"clock", 133}}),
            "sender.eth0.clock: got 133, wants a frequency with its unit, such as \"133MHz\"");
  EXPECT_EQ(
      complaint({{"loss", 1.5}}),
      "sender.eth0.loss: got 1.5, wants a share from 0 to 1, or a percentage such as \"0.1%\"");
}

TEST(Param, RangesIncludeTheirEndsAndNameThem) {
  Example example;
  configure(example, {{"rings", 64}}, "x");
  configure(example, {{"rings", 4096}}, "x");
  EXPECT_EQ(complaint({{"rings", 63}}), "sender.eth0.rings: 63 is out of range, wants 64 to 4096");
  EXPECT_EQ(complaint({{"rx_delay", "2ms"}}),
            "sender.eth0.rx_delay: \"2ms\" is out of range, wants \"0ps\" to \"1ms\"");
}

TEST(Param, AWrongValueLeavesTheOldOne) {
  Example example;
  EXPECT_THROW(configure(example, {{"rings", 5000}}, "x"), ConfigError);
  EXPECT_EQ(example.rings(), 256U);
  EXPECT_FALSE(example.rings.set_by_user);
}

TEST(Param, ParametersMustBeAnObject) {
  EXPECT_EQ(complaint(nlohmann::json::array({1})),
            "sender.eth0: parameters must be a JSON object, got [1]");
  EXPECT_EQ(complaint("rings=5"), "sender.eth0: parameters must be a JSON object, got \"rings=5\"");
}

TEST(Param, TheManifestShowsValueEvidenceSourceAndWhoSetIt) {
  Example example;
  configure(example, {{"fifo", "1MiB"}}, "x");
  const nlohmann::json list = describe(example);
  ASSERT_EQ(list.size(), 10U);
  EXPECT_EQ(list[1], (nlohmann::json{{"name", "rings"},
                                     {"value", 256},
                                     {"evidence", "datasheet"},
                                     {"source", "page 7"},
                                     {"set", false}}));
  EXPECT_EQ(list[5]["value"], "120ns");
  EXPECT_EQ(list[6], (nlohmann::json{{"name", "fifo"},
                                     {"value", "1MiB"},
                                     {"evidence", "measured"},
                                     {"source", "ours"},
                                     {"set", true}}));
}

TEST(Param, WhatTheManifestShowsConfiguresTheSameAgain) {
  Example example;
  nlohmann::json settings;
  for (const auto& entry : describe(example))
    settings[entry["name"].get<std::string>()] = entry["value"];
  Example again;
  configure(again, settings, "x");
  nlohmann::json before = describe(example);
  for (auto& entry : before) entry["set"] = true;
  EXPECT_EQ(describe(again), before);
}

TEST(Param, NearestCountsEdits) {
  const std::vector<std::string> valid{"mtu", "mmrbc", "latency_timer"};
  EXPECT_EQ(nearest("mmrcb", valid), "mmrbc");
  EXPECT_EQ(nearest("latencytimer", valid), "latency_timer");
  EXPECT_EQ(nearest("", valid), "mtu");
  EXPECT_EQ(nearest("x", {}), "");
}

TEST(Param, AnObjectWithoutParametersSaysSo) {
  struct Empty {
    auto fields() { return std::tie(); }
  } empty;
  try {
    configure(empty, {{"a", 1}}, "box");
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_STREQ(error.what(), "box: no parameter 'a'; it takes none");
  }
}

TEST(Param, TextOfTakesWhatIsThereAndRefusesWhatIsNoText) {
  EXPECT_EQ(text_of({{"preset", "p6"}}, "preset", "k8", "cpu"), "p6");
  EXPECT_EQ(text_of({{"clock", "1GHz"}}, "preset", "k8", "cpu"), "k8");
  EXPECT_EQ(text_of(nullptr, "preset", "k8", "cpu"), "k8");
  try {
    text_of({{"preset", 6}}, "preset", "k8", "cpu");
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_STREQ(error.what(), "cpu.preset: got 6, wants a text");
  }
}

TEST(Param, AnUnknownNameIsToldTheNearestAndAll) {
  try {
    fail_unknown_name("pipeline", "p7", {"k8", "p6"}, "cpu.preset");
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_STREQ(error.what(), "cpu.preset: unknown pipeline \"p7\"; nearest is \"p6\" of k8, p6");
  }
}

}  // namespace
}  // namespace longhaul
