// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/recording.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "platform/assembly/simulation.h"
#include "platform/observe/probe_walk.h"
#include "tests/unit/platform/observe/record_reader.h"
#include "tests/unit/platform/observe/scratch_dir.h"

namespace longhaul::assembly {
namespace {

using observe::RecordLine;
using ::testing::Contains;
using ::testing::IsSupersetOf;
using ::testing::Not;

nlohmann::json host(const std::string& name, const std::string& address,
                    const nlohmann::json& programs) {
  return {{"name", name},
          {"memory", {{"size", "256MiB"}}},
          {"host",
           {{"system", "linux-2.6.6"},
            {"interfaces", {{{"device", "eth0"}, {"ipv4", address + "/24"}, {"mtu", 1500}}}},
            {"programs", programs}}},
          {"devices", {{{"type", "ixgb"}, {"name", "eth0"}, {"slot", 3}}}}};
}

/// Two hosts and a cable; one pings the other three times.
nlohmann::json ping(const std::string& out, bool record) {
  const nlohmann::json program = {
      {"type", "ping"}, {"params", {{"peer", "10.10.0.2"}, {"count", 3}, {"interval", "10ms"}}}};
  return {{"name", "test"},
          {"out", out},
          {"limit", "10s"},
          {"machines",
           {host("a", "10.10.0.1", nlohmann::json::array({program})),
            host("b", "10.10.0.2", nlohmann::json::array())}},
          {"links", {{{"name", "l0"}, {"a", "a.eth0"}, {"b", "b.eth0"}}}},
          {"observe", {{"series_period", "0s"}, {"record", record}}}};
}

struct RecordingTest : testing::Test {
  observe::ScratchDir dir;
  observe::Progress progress{-1};

  void run(bool record) {
    Simulation simulation(read_config(ping(dir.path(""), record)), progress);
    ASSERT_EQ(simulation.run(), RunEnd::kDone);
    for (const observe::Counter* counter : observe::ProbeWalk().counters)
      counts[counter->name()] = counter->value();
    simulation.write_results(0);
  }
  std::map<std::string, std::uint64_t> counts;
};

TEST_F(RecordingTest, KeepsFramesDropsAndEventsOfModelledHosts) {
  run(true);
  const observe::RecordReader found(dir.bytes("record.bin"));
  std::map<std::string, std::size_t> number;  // of a stream
  std::map<std::size_t, std::uint64_t> items;
  for (std::size_t i = 0; i + 2 < found.tables.size(); i += 3)
    number.emplace(found.tables[i + 1], i / 3);
  for (const RecordLine& line : found.lines) ++items[line.stream];
  EXPECT_EQ(found.tables[0], "frames");
  EXPECT_EQ(found.tables[1], "l0.a_to_b");
  EXPECT_EQ(found.tables[2], "a.eth0 to b.eth0");
  ASSERT_THAT(found.tables, IsSupersetOf({"drops", "events", "a.pcix.tenures", "b.core.spans",
                                          "a.eth0.rx.taps"}));
  EXPECT_EQ(items[number["l0.a_to_b"]], counts["l0.a_to_b.frames"]);
  EXPECT_EQ(items[number["l0.b_to_a"]], counts["l0.b_to_a.frames"]);
  EXPECT_GE(counts["l0.a_to_b.frames"], 4U);  // ARP, three echoes
  EXPECT_GT(items[number["a.pcix.tenures"]], 100U);
  EXPECT_THAT(found.tables, Not(Contains("a.guest")));
}

TEST_F(RecordingTest, SaysWhereRegistersAreAsTheSystemPlacedThem) {
  run(true);
  const observe::RecordReader found(dir.bytes("record.bin"));
  const auto window = [&](const std::string& name) {
    const auto at =
        std::find_if(found.windows.begin(), found.windows.end(),
                     [&](const observe::RecordFile::Window& each) { return each.name == name; });
    return at == found.windows.end() ? 0 : at->begin;
  };
  EXPECT_GE(window("a.eth0"), 0xf000'0000U);
  EXPECT_EQ(window("b.eth0 configuration"), 0xeff0'3000U);
}

TEST_F(RecordingTest, IsNotMadeUnlessAskedFor) {
  run(false);
  EXPECT_FALSE(dir.exists("record.bin"));
  EXPECT_FALSE(dir.exists("record.bin.part"));
}

}  // namespace
}  // namespace longhaul::assembly
