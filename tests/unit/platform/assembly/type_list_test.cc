// SPDX-License-Identifier: Apache-2.0
// What the simulator tells of its types, and the sentence that every parameter of every model has.
#include "platform/assembly/type_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "models/common/param_json.h"
#include "models/common/plugin.h"
#include "models/cpu/core.h"
#include "models/host/kernel/router_params.h"
#include "models/memory/memory_system_params.h"
#include "models/net/link/link.h"
#include "models/net/switch/switch_params.h"
#include "platform/assembly/machine.h"

namespace longhaul::assembly {
namespace {

constexpr std::size_t kLongestSentence = 90;

nlohmann::json all_types() {
  add_built_in_types();
  return type_list()["types"];
}

/// The parameters of each part, by its name: of all types, and of parts with one type only.
std::map<std::string, nlohmann::json> every_list() {
  std::map<std::string, nlohmann::json> lists{
      {"core", describe_defaults(cpu::CoreParams{})},
      {"link", describe_defaults(LinkParams{})},
      {"machine", describe_defaults(MachineParams{})},
      {"memory", describe_defaults(memory::MemorySystemParams{})},
      {"router", describe_defaults(host::RouterParams{})},
      {"switch", describe_defaults(SwitchParams{})}};
  for (const nlohmann::json& type : all_types()) {
    for (const auto& [group, list] : type["parameters"].items()) {
      lists[fmt::format("{} {} {}", type["kind"].get<std::string>(),
                        type["name"].get<std::string>(), group)] = list;
    }
  }
  return lists;
}

/// Without the port that it is for.
std::string stem_of(std::string name) {
  for (const char* suffix : {"_p0", "_p1", "_p2", "_p3", "_west", "_east"}) {
    const std::size_t at = name.rfind(suffix);
    if (at != std::string::npos && at + std::string(suffix).size() == name.size()) name.erase(at);
  }
  return name;
}

TEST(TypeList, EveryKindHasTypesWithTheirSource) {
  std::set<std::string> kinds;
  for (const nlohmann::json& type : all_types()) {
    kinds.insert(type["kind"].get<std::string>());
    EXPECT_THAT(type["file"].get<std::string>(), testing::MatchesRegex("(models|rtl)/.*\\.cc"))
        << type["name"];
    EXPECT_FALSE(type["title"].get<std::string>().empty()) << type["name"];
    EXPECT_TRUE(type["plugin"].is_null()) << type["name"];
  }
  EXPECT_EQ(kinds,
            (std::set<std::string>{"adapter", "box", "bridge", "congestion control", "driver",
                                   "management device", "switch", "system", "workload"}));
}

TEST(EveryParam, HasASentenceOfItsOwn) {
  std::size_t count = 0;
  for (const auto& [part, list] : every_list()) {
    std::map<std::string, std::string> said;
    for (const nlohmann::json& param : list) {
      ++count;
      const std::string where = part + ": " + param["name"].get<std::string>();
      ASSERT_TRUE(param["description"].is_string()) << where;
      const auto text = param["description"].get<std::string>();
      EXPECT_GT(text.size(), 4U) << where;
      EXPECT_LE(text.size(), kLongestSentence) << where;
      EXPECT_NE(text, param["name"]) << where;
      EXPECT_NE(text.empty() ? '.' : text.back(), '.') << where << ": ends with a full stop";
      const std::string stem = stem_of(param["name"]);
      const auto [other, is_new] = said.emplace(text, stem);
      EXPECT_TRUE(is_new || other->second == stem)
          << where << " says what " << other->second << " does";
    }
  }
  EXPECT_GT(count, 1000U);
}

TEST(EveryParam, HasADefaultThatAUserCouldSet) {
  for (const auto& [part, list] : every_list()) {
    for (const nlohmann::json& param : list) {
      if (!param.contains("choices")) continue;
      EXPECT_THAT(param["choices"].get<std::set<std::string>>(),
                  testing::Contains(param["default"].get<std::string>()))
          << part << ": " << param["name"];
    }
  }
}

TEST(TypeList, TellsChoicesRangesAndUnits) {
  for (const nlohmann::json& type : all_types()) {
    if (type["name"] != "ixgb" || type["kind"] != "adapter") continue;
    EXPECT_THAT(type["pci_ids"].get<std::set<std::string>>(), testing::Contains("8086:1a48"));
    EXPECT_EQ(type["linux_driver"]["largest_mtu"], 16114);
    for (const nlohmann::json& param : type["parameters"]["params"]) {
      if (param["name"] == "optics") {
        EXPECT_EQ(param["choices"], (nlohmann::json{"sr", "lr", "xenpak-lr", "cx4"}));
      }
      if (param["name"] == "tx_fifo") {
        EXPECT_EQ(param["range"], (nlohmann::json{"32KiB", "4MiB"}));
        EXPECT_EQ(param["type"], "size");
      }
    }
  }
}

}  // namespace
}  // namespace longhaul::assembly
