// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/config.h"

#include <gtest/gtest.h>

#include <fstream>

#include "platform/assembly/json_object.h"
#include "tests/unit/platform/observe/scratch_dir.h"

namespace longhaul::assembly {
namespace {

nlohmann::json two_hosts() {
  return nlohmann::json::parse(R"({
    "name": "t", "seed": 7, "layout": 3, "out": "/tmp/x", "limit": "2s", "kernel": "/k", "guest_root": "/r",
    "machines": [
      {"name": "sender", "cpu": {"clock": "2.2GHz"}, "guest": {"files": "/f", "args": ["role=sender"]},
       "devices": [{"type": "ixgb", "name": "eth0", "slot": 1, "params": {"mac": "00:07:e9:00:00:01"}}]},
      {"name": "receiver", "guest": {"files": "/f"}}],
    "switches": [{"name": "mg8", "ports": 4}],
    "boxes": [{"type": "delay_box", "name": "anue"}],
    "links": [{"name": "l0", "a": "sender.eth0", "b": "mg8.p0", "params": {"phy": "10gbase-r"}}],
    "observe": {"series_period": "10ms", "pcap": ["l0"], "timeline": true, "record": true}})");
}

/// A modelled host at a switch.
nlohmann::json modelled_host() {
  return nlohmann::json::parse(R"({
    "name": "t", "out": "/tmp/x", "limit": "2s",
    "machines": [
      {"name": "a", "host": {"system": "linux-2.6.6", "interfaces": [
         {"device": "eth0", "ipv4": "10.10.0.1/24", "ipv6": "fd10::1/64"}]},
       "devices": [{"type": "ixgb", "name": "eth0", "slot": 1}]}],
    "switches": [{"name": "mg8", "ports": 4}],
    "links": [{"name": "l0", "a": "a.eth0", "b": "mg8.p0"}]})");
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

TEST(ReadConfig, OneGuestMayHaveTheConsole) {
  auto json = two_hosts();
  json["machines"][0]["guest"]["console"] = true;
  const SimulationConfig config = read_config(json);
  EXPECT_TRUE(config.machines[0].guest->console);
  EXPECT_FALSE(config.machines[1].guest->console);
  json["machines"][1]["guest"]["console"] = true;
  EXPECT_EQ(error_of(json), "guest.console: wants one guest at most that has it");
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
  EXPECT_EQ(error_of(json),
            "limit: got 2, wants a time with its unit, such as \"345ns\" or \"10ms\"");
}

TEST(ReadConfig, NameTakenTwiceIsRefused) {
  auto json = two_hosts();
  json["boxes"][0]["name"] = "sender";
  EXPECT_EQ(error_of(json), "boxes[0].name: 'sender' is the name of something else already");
}

TEST(ReadConfig, NameThatCannotBeAFileNameIsRefused) {
  auto json = two_hosts();
  json["machines"][0]["name"] = "a/b";
  EXPECT_EQ(error_of(json),
            "machines[0].name: 'a/b' is no name: wants letters, digits, '_' and '-', 64 at most");
  json["machines"][0]["name"] = std::string(65, 'x');
  EXPECT_EQ(error_of(json).substr(0, 25), "machines[0].name: 'xxxxxx");
  json["machines"][0]["name"] = "";
  EXPECT_EQ(error_of(json),
            "machines[0].name: '' is no name: wants letters, digits, '_' and '-', 64 at most");
}

TEST(ReadConfig, TheWholeHasANameToo) {
  EXPECT_EQ(error_of(nlohmann::json::array()), "the configuration: wants a JSON object, got []");
  auto json = two_hosts();
  json["sed"] = 1;
  EXPECT_EQ(error_of(json), "the configuration: no parameter 'sed'; nearest is 'seed'");
}

TEST(ReadConfig, AMessageRepeatsLittleOfAValue) {
  const std::string text(120'000, 'x');
  const nlohmann::json object{{"k", text}};
  const nlohmann::json good = two_hosts();
  for (const nlohmann::json& value :
       {nlohmann::json(text), nlohmann::json::array({text, text}), object}) {
    for (const auto& [member, was] : good.items()) {
      auto json = two_hosts();
      json[member] = value;
      EXPECT_LT(error_of(json).size(), 300U) << member;
    }
    auto json = two_hosts();
    json["machines"][0]["devices"][0]["firmware"] = value;
    EXPECT_LT(error_of(json).size(), 300U);
  }
  auto json = two_hosts();
  json[text] = 1;
  EXPECT_LT(error_of(json).size(), 300U);
}

TEST(ReadConfig, ParametersAreAnObject) {
  auto json = two_hosts();
  json["machines"][0]["devices"][0]["params"] = {1};
  EXPECT_EQ(error_of(json),
            "machines[0].devices[0].params: wants a JSON object of parameters, got [1]");
  json = modelled_host();
  json["machines"][0]["host"]["interfaces"][0]["driver"] = {1};
  EXPECT_EQ(error_of(json),
            "a.host.interfaces[0].driver: wants a JSON object of parameters, got [1]");
}

TEST(ReadConfig, AnAccessThatAPartHasNoBusinessWithIsToldWithItsPlace) {
  const auto careless = [] { return nlohmann::json(1).at("x").get<int>(); };
  try {
    at_place("machines[1]", careless);
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_STREQ(error.what(), "machines[1]: one of its values is of a type that it cannot have");
  }
}

TEST(ReadConfig, OutIsSaid) {
  auto json = two_hosts();
  json["out"] = "";
  EXPECT_EQ(error_of(json), "out: is empty, wants the folder that the run writes into");
}

TEST(ReadConfig, ARunHasALimit) {
  auto json = two_hosts();
  json["limit"] = "0s";
  EXPECT_EQ(error_of(json), "limit: wants more than no time");
  json["limit"] = "18446744073709551615ps";
  EXPECT_EQ(error_of(json), "limit: got \"18446744073709551615ps\", wants 1000000s at most");
}

TEST(ReadConfig, ASeriesHasSoManyRows) {
  auto json = two_hosts();
  json["observe"]["series_period"] = "1ps";
  EXPECT_EQ(error_of(json),
            "observe.series_period: 1ps makes 2000000000000 rows in the limit of 2s, 10000000 are "
            "the most; wants 200ns "
            "or more");
  json["observe"]["series_period"] = "200ns";
  EXPECT_EQ(error_of(json), "");
  json["observe"]["series_period"] = "0s";
  EXPECT_EQ(error_of(json), "");
}

TEST(ReadConfig, TheScenariosOwnAccessesAreSoMany) {
  auto json = two_hosts();
  json["control"] = {{{"at", "1ms"},
                      {"box", "anue"},
                      {"accesses", nlohmann::json::parse("[[0], [4]]")},
                      {"times", 500'000},
                      {"every", "1ns"}}};
  EXPECT_EQ(error_of(json), "");
  json["control"][0]["times"] = 500'001;
  EXPECT_EQ(error_of(json),
            "control[0].times: 500001 times 2 accesses are 1000002, 1000000 are the most");
}

TEST(ReadConfig, AnAddressIsOneInterfaces) {
  auto json = modelled_host();
  json["machines"].push_back(json["machines"][0]);
  json["machines"][1]["name"] = "b";
  json["links"][0]["b"] = "b.eth0";
  EXPECT_EQ(
      error_of(json),
      "b.host.interfaces[0].ipv4: 10.10.0.1 is the address of a.host.interfaces[0].ipv4 already");
  json["machines"][1]["host"]["interfaces"][0]["ipv4"] = "10.10.0.2/24";
  EXPECT_EQ(
      error_of(json),
      "b.host.interfaces[0].ipv6: fd10::1 is the address of a.host.interfaces[0].ipv6 already");
  json["machines"][1]["host"]["interfaces"][0]["ipv6"] = "fd10:0::2/64";
  EXPECT_EQ(error_of(json), "");
}

TEST(ReadConfig, AStationAddressIsOneAdapters) {
  auto json = two_hosts();
  auto& devices = json["machines"][0]["devices"];
  devices[0]["params"] = {{"mac", "00:07:e9:00:00:0a"}};
  devices.push_back({{"type", "ixgb"},
                     {"name", "eth1"},
                     {"slot", 2},
                     {"params", {{"mac", "00:07:E9:00:00:0A"}}}});
  EXPECT_EQ(error_of(json),
            "sender.eth1.mac: 00:07:E9:00:00:0A is the address of sender.eth0 already");
  devices[1]["params"]["mac"] = "00:07:e9:00:00:0b";
  EXPECT_EQ(error_of(json), "");
}

TEST(ReadConfig, WhatIsToTalkHasACable) {
  auto json = modelled_host();
  json["links"] = nlohmann::json::array();
  EXPECT_EQ(error_of(json), "links: none joins a.eth0, an interface of a's host");
  json = two_hosts();
  json["links"] = nlohmann::json::array();
  EXPECT_EQ(error_of(json), "links: none joins an adapter of sender, wants one of sender.eth0");
}

TEST(ReadConfig, NoMachineIsRefused) {
  auto json = two_hosts();
  json["machines"] = nlohmann::json::array();
  EXPECT_EQ(error_of(json), "machines: wants at least one");
}

TEST(ReadConfigFile, MissingFileAndBrokenJsonAreConfigErrors) {
  const observe::ScratchDir dir;
  const auto refusal = [](const std::string& path) -> std::string {
    try {
      read_config_file(path);
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(refusal(dir.path("none.json")),
            dir.path("none.json") + ": cannot be read, wants a configuration file");
  EXPECT_EQ(refusal("/tmp"), "/tmp: cannot be read, wants a configuration file");
  std::ofstream(dir.path("broken.json")) << "{\n  'name': 1}";
  EXPECT_EQ(refusal(dir.path("broken.json")),
            dir.path("broken.json") + ": line 2, column 3: is no JSON at the end of '''");
  std::ofstream(dir.path("good.json")) << two_hosts();
  EXPECT_EQ(refusal(dir.path("good.json")), "accepted");
}

}  // namespace
}  // namespace longhaul::assembly
