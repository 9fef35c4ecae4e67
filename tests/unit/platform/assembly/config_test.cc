// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/config.h"

#include <gtest/gtest.h>

namespace longhaul::assembly {
namespace {

nlohmann::json two_hosts() {
  return nlohmann::json::parse(R"({
    "name": "t", "seed": 7, "layout": 3, "out": "/tmp/x", "limit": "2s", "kernel": "/k", "guest_root": "/r",
    "machines": [
      {"name": "sender", "cpu": {"clock": "2.2GHz"}, "guest": {"files": "/f", "args": ["role=sender"]},
       "devices": [{"type": "ixgb", "name": "eth0", "slot": 1, "params": {"mac": "x"}}]},
      {"name": "receiver", "guest": {"files": "/f"}}],
    "switches": [{"name": "mg8", "ports": 4}],
    "boxes": [{"type": "delay_box", "name": "anue"}],
    "links": [{"name": "l0", "a": "sender.eth0", "b": "mg8.p0", "params": {"phy": "10gbase-r"}}],
    "observe": {"series_period": "10ms", "pcap": ["l0"], "timeline": true, "record": true}})");
}

std::string error_of(const nlohmann::json& json) {
  try {
    read_config(json);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

TEST(ReadConfig, KeepsEveryMember) {
  const SimulationConfig config = read_config(two_hosts());
  EXPECT_EQ(config.seed, 7U);
  EXPECT_EQ(config.layout, 3U);
  EXPECT_EQ(config.limit, sc_core::sc_time(2, sc_core::SC_SEC));
  ASSERT_EQ(config.machines.size(), 2U);
  EXPECT_EQ(config.machines[0].guest->arguments, std::vector<std::string>{"role=sender"});
  EXPECT_EQ(config.machines[0].cpu["clock"], "2.2GHz");
  EXPECT_EQ(config.machines[0].devices[0].slot, 1U);
  EXPECT_EQ(config.switches[0].ports, 4U);
  EXPECT_EQ(config.boxes[0].type, "delay_box");
  EXPECT_EQ(config.links[0].b, "mg8.p0");
  EXPECT_EQ(config.observe.series_period, sc_core::sc_time(10, sc_core::SC_MS));
  EXPECT_TRUE(config.observe.timeline);
  EXPECT_TRUE(config.observe.record);
}

TEST(ReadConfig, AWindowIsOptionalAndWholeWhenGiven) {
  auto json = two_hosts();
  EXPECT_FALSE(read_config(json).window);
  json["window"] = {{"opens_at", "receiver.eth0"}, {"greeting", "2KiB"}, {"length", "100ms"}};
  const auto window = read_config(json).window;
  ASSERT_TRUE(window);
  EXPECT_EQ(window->opens_at, "receiver.eth0");
  EXPECT_EQ(window->greeting.count, 2048U);
  EXPECT_EQ(window->warmup, sc_core::SC_ZERO_TIME);
  EXPECT_EQ(window->length, sc_core::sc_time(100, sc_core::SC_MS));
  json["window"]["length"] = "0s";
  EXPECT_EQ(error_of(json), "window.length: wants more than no time");
  json["window"].erase("length");
  EXPECT_EQ(error_of(json), "window.length: is missing");
}

TEST(ReadConfig, MissingMemberIsNamedWithItsPlace) {
  auto json = two_hosts();
  json["machines"][1]["guest"].erase("files");
  EXPECT_EQ(error_of(json), "machines[1].guest.files: is missing");
}

TEST(ReadConfig, MachineRunsAGuestOrAModelledHostAndNotBoth) {
  auto json = two_hosts();
  json["machines"][1]["host"] = {{"system", "linux-2.6.6"}};
  EXPECT_EQ(error_of(json), "machines[1]: wants a guest or a host, and not both: what runs on it");
  json["machines"][1].erase("guest");
  EXPECT_EQ(read_config(json).machines[1].host["system"], "linux-2.6.6");
  json["machines"][1]["host"] = nullptr;
  EXPECT_EQ(error_of(json), "machines[1]: wants a guest or a host, and not both: what runs on it");
}

TEST(ReadConfig, KernelAndRootAreForGuestsOnly) {
  auto json = two_hosts();
  json.erase("kernel");
  EXPECT_EQ(error_of(json), "kernel: missing, and a machine has a guest");
  for (auto& machine : json["machines"]) {
    machine.erase("guest");
    machine["host"] = {{"system", "linux-2.6.6"}};
  }
  json.erase("guest_root");
  EXPECT_EQ(error_of(json), "");
}

TEST(ReadConfig, UnknownMemberGetsTheNearestName) {
  auto json = two_hosts();
  json["machines"][0]["memry"] = 1;
  EXPECT_EQ(error_of(json), "machines[0]: no parameter 'memry'; nearest is 'memory'");
}

TEST(ReadConfig, BareNumberForATimeIsRefused) {
  auto json = two_hosts();
  json["limit"] = 2;
  EXPECT_EQ(error_of(json), "limit: got 2, wants a time with its unit, such as \"345ns\" or \"10ms\"");
}

TEST(ReadConfig, NameTakenTwiceIsRefused) {
  auto json = two_hosts();
  json["boxes"][0]["name"] = "sender";
  EXPECT_EQ(error_of(json), "boxes[0].name: 'sender' is the name of something else already");
}

TEST(ReadConfig, NameThatCannotBeAFileNameIsRefused) {
  auto json = two_hosts();
  json["machines"][0]["name"] = "a/b";
  EXPECT_EQ(error_of(json), "machines[0].name: 'a/b' is no name: wants letters, digits, '_' and '-'");
}

TEST(ReadConfig, NoMachineIsRefused) {
  auto json = two_hosts();
  json["machines"] = nlohmann::json::array();
  EXPECT_EQ(error_of(json), "machines: wants at least one");
}

TEST(ReadConfigFile, MissingFileAndBrokenJsonAreConfigErrors) {
  EXPECT_THROW(read_config_file("/nonexistent.json"), ConfigError);
}

}  // namespace
}  // namespace longhaul::assembly
