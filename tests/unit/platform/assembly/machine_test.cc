// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/machine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <vector>

#include "platform/assembly/config.h"
#include "platform/assembly/simulation.h"

namespace longhaul::assembly {
namespace {

/// What the simulator says of a modelled host with adapters of these names; empty if nothing.
std::string refusal_of_adapters(const std::vector<std::string>& adapters) {
  const auto folder =
      std::filesystem::temp_directory_path() / ("machine_" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  nlohmann::json devices = nlohmann::json::array();
  nlohmann::json links = nlohmann::json::array();
  for (const std::string& name : adapters) {
    const std::string number = std::to_string(devices.size());
    links.push_back({{"name", "l" + number}, {"a", "a." + name}, {"b", "lan.p" + number}});
    devices.push_back({{"type", "ixgb"}, {"name", name}, {"slot", devices.size() + 1}});
  }
  const nlohmann::json config = {
      {"name", "test"},
      {"out", folder.string()},
      {"limit", "10s"},
      {"machines",
       {{{"name", "a"},
         {"cpu", {{"clock", "2.2GHz"}}},
         {"memory", {{"size", "256MiB"}}},
         {"host",
          {{"system", "linux-2.6.6"},
           {"interfaces",
            {{{"device", adapters.front()}, {"ipv4", "10.10.0.1/24"}, {"mtu", 1500}}}},
           {"programs", nlohmann::json::array()}}},
         {"devices", devices}}}},
      {"switches", {{{"name", "lan"}, {"ports", 4}}}},
      {"links", links},
      {"observe", {{"series_period", "0s"}}}};
  std::string said;
  try {
    observe::Progress progress{-1};
    const Simulation simulation(read_config(config), progress);
  } catch (const ConfigError& error) {
    said = error.what();
  }
  std::filesystem::remove_all(folder);
  return said;
}

TEST(Machine, AnAdapterMayHaveAnyNameThatNoOtherPartHas) {
  EXPECT_EQ(refusal_of_adapters({"wan-0", "lan_1"}), "");
}

TEST(Machine, AnAdapterWithTheNameOfAnotherPartIsRefused) {
  EXPECT_EQ(
      refusal_of_adapters({"memory"}),
      "a.memory: the machine has a part called 'memory' already; give the adapter another name");
}

TEST(Machine, AnAdapterWithTheNameOfAnothersMeterIsRefused) {
  EXPECT_EQ(refusal_of_adapters({"eth0", "eth0_payload"}),
            "a.eth0_payload: the machine has a part called 'eth0_payload' already; give the "
            "adapter another name");
}

}  // namespace
}  // namespace longhaul::assembly
