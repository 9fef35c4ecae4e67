// SPDX-License-Identifier: Apache-2.0
// What a simulation refuses of the disk and of parts that cannot be together, and that a check
// leaves no trace.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "platform/assembly/out_folder.h"
#include "platform/assembly/simulation.h"
#include "tests/unit/platform/observe/scratch_dir.h"
#include "tests/unit/support/linux_host.h"

namespace longhaul::assembly {
namespace {

namespace fs = std::filesystem;
using ::testing::StartsWith;

nlohmann::json server(const std::string& type, const nlohmann::json& params) {
  return {{"type", type}, {"params", params}};
}

struct CheckTest : testing::Test {
  observe::ScratchDir dir;
  fs::path out = dir.path("out");
  observe::Progress progress{-1};
  nlohmann::json config;

  CheckTest() {
    fs::create_directory(out);
    config = {{"name", "test"},
              {"out", out.string()},
              {"limit", "1s"},
              {"machines",
               {linux_host("a", "10.10.0.1", nlohmann::json::array()),
                linux_host("b", "10.10.0.2", nlohmann::json::array())}},
              {"links", {{{"name", "l0"}, {"a", "a.eth0"}, {"b", "b.eth0"}}}}};
  }

  /// What a check says, and a run as well: each in its own process, since SystemC begins once.
  std::string refusal(bool writes = false) {
    try {
      SimulationConfig read = read_config(config);
      read.writes = writes;
      const Simulation simulation(std::move(read), progress);
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "accepted";
  }
  std::set<std::string> files() const {
    std::set<std::string> names;
    for (const auto& entry : fs::recursive_directory_iterator(out))
      names.insert(entry.path().lexically_relative(out));
    return names;
  }
};

TEST_F(CheckTest, LeavesNoTraceOfAnythingThatIsAskedFor) {
  config["boxes"] = {{{"type", "gnet1"}, {"name", "gnet1"}, {"params", {{"model", "tlm"}}}}};
  config["observe"] = {{"timeline", true},
                       {"record", true},
                       {"pcap", {"l0"}},
                       {"waves", {"link", "tcp", "core", "box", "nic", "rtl", "pcix"}}};
  std::ofstream(out / "series.csv") << "of a finished run";
  std::ofstream(out / kRunMark) << "";
  const auto before = files();
  EXPECT_EQ(refusal(), "accepted");
  EXPECT_EQ(files(), before);
  EXPECT_EQ(fs::file_size(out / "series.csv"), 17U);
}

TEST_F(CheckTest, ARunMarksItsFolder) {
  EXPECT_EQ(refusal(true), "accepted");
  EXPECT_EQ(files().count(kRunMark), 1U);
  EXPECT_EQ(files().count("series.csv.part"), 1U);
}

TEST_F(CheckTest, WhatNoRunHasWrittenIsNotReplaced) {
  fs::create_directories(out / "guests/a/report");
  std::ofstream(out / "guests/a/report/thesis.tex") << "years of work";
  for (const bool writes : {false, true})
    EXPECT_EQ(refusal(writes), "out: " + out.string() +
                                   " has guests/a/report and no .longhaul-run, so it is not a "
                                   "run's; wants another folder");
  EXPECT_TRUE(fs::exists(out / "guests/a/report/thesis.tex"));
}

TEST_F(CheckTest, NoFileThatARunWritesIsReplacedWhereNoRunHasWrittenIt) {
  config["boxes"] = {{{"type", "gnet1"}, {"name", "gnet1"}, {"params", {{"model", "tlm"}}}}};
  config["observe"] = {{"timeline", true}, {"record", true}, {"pcap", {"l0"}}, {"waves", {"link"}}};
  ASSERT_EQ(refusal(true), "accepted");
  std::set<std::string> written = files();
  written.erase(kRunMark);
  ASSERT_GE(written.size(), 5U);
  for (const std::string& name : written) {
    fs::remove_all(out);
    fs::create_directories((out / name).parent_path());
    std::ofstream(out / name) << "of somebody else";
    EXPECT_THAT(refusal(), testing::HasSubstr(" has " + name + " and no .longhaul-run"));
  }
}

TEST_F(CheckTest, ARunMayReplaceWhatOneHasWritten) {
  fs::create_directories(out / "guests/a/report");
  std::ofstream(out / "sim.json") << "{}";
  std::ofstream(out / kRunMark) << "";
  EXPECT_EQ(refusal(true), "accepted");
  EXPECT_FALSE(fs::exists(out / "guests/a/report"));
}

TEST_F(CheckTest, OutIsAFolder) {
  config["out"] = dir.path("none");
  EXPECT_EQ(refusal(), "out: " + dir.path("none") + " is no folder");
  EXPECT_EQ(refusal(true), "out: " + dir.path("none") + " is no folder");
  EXPECT_FALSE(fs::exists(dir.path("none")));
}

TEST_F(CheckTest, FilesOfAGuestAreThere) {
  config["kernel"] = dir.path("linux");
  config["guest_root"] = dir.path("root");
  config["machines"][0].erase("host");
  config["machines"][0]["guest"] = {{"files", dir.path("files")}};
  EXPECT_EQ(refusal(), "machines[0].guest.files: " + dir.path("files") +
                           " is not there, wants the image of the run's files");
  fs::create_directory(dir.path("files"));
  EXPECT_EQ(refusal(), "machines[0].guest.files: " + dir.path("files") +
                           " is no file, wants the image of the run's files");
  fs::remove(dir.path("files"));
  std::ofstream(dir.path("files")) << "";
  config["machines"][0]["guest"]["root"] = dir.path("own");
  EXPECT_EQ(refusal(), "machines[0].guest.root: " + dir.path("own") +
                           " is not there, wants the image of the guest's root");
  std::ofstream(dir.path("own")) << "";
  EXPECT_EQ(refusal(),
            "kernel: " + dir.path("linux") + " is not there, wants the guests' kernel, a program");
  std::ofstream(dir.path("linux")) << "";
  EXPECT_EQ(refusal(), "kernel: " + dir.path("linux") +
                           " may not be used, wants the guests' kernel, a program");
  ::chmod(dir.path("linux").c_str(), 0755);
  EXPECT_EQ(refusal(), "guest_root: " + dir.path("root") +
                           " is not there, wants the image of the guests' root");
  std::ofstream(dir.path("root")) << "";
  config["kernel_blocks"] = dir.path("blocks");
  EXPECT_EQ(refusal(), "kernel_blocks: " + dir.path("blocks") +
                           " is not there, wants the kernel's table of basic blocks");
  EXPECT_TRUE(files().empty());
}

TEST_F(CheckTest, AnInterfaceHasAnAdapterOfItsOwn) {
  auto& interfaces = config["machines"][0]["host"]["interfaces"];
  interfaces.push_back(interfaces[0]);
  interfaces[1]["ipv4"] = "10.10.0.3/24";
  EXPECT_EQ(refusal(), "a.host.interfaces[1].device: 'eth0' has interfaces[0] already");
}

TEST_F(CheckTest, APortHasOneServer) {
  config["machines"][0]["host"]["programs"] = {server("iperf_server", {{"port", 5002}}),
                                               server("iperf_server", {}),
                                               server("connect_server", {})};
  EXPECT_EQ(refusal(), "a.host.programs[2].port: programs[0] serves port 5002 already");
}

TEST_F(CheckTest, AReportHasNotAnyNumberOfIntervals) {
  config["machines"][0]["host"]["programs"] = {server("iperf_server", {{"interval", "1ps"}})};
  EXPECT_EQ(refusal(),
            "a.host.programs[0].interval: 1ps is out of range, wants 0s or 10us at least");
}

TEST_F(CheckTest, AReportMayHaveManyIntervals) {
  config["machines"][0]["host"]["programs"] = {server("iperf_server", {{"interval", "10us"}})};
  EXPECT_EQ(refusal(), "accepted");
}

TEST_F(CheckTest, NoPartIsCalledAsAnother) {
  config["machines"][0]["devices"][0]["name"] = "memory";
  config["machines"][0]["host"]["interfaces"][0]["device"] = "memory";
  config["links"][0]["a"] = "a.memory";
  EXPECT_EQ(
      refusal(),
      "a.memory: the machine has a part called 'memory' already; give the adapter another name");
}

TEST_F(CheckTest, NoMachineIsCalledAsAPartOfTheSimulation) {
  config["machines"][0]["name"] = "ticker";
  config["links"][0]["a"] = "ticker.eth0";
  EXPECT_EQ(refusal(), "'ticker' is the name of two parts; wants another name");
}

TEST_F(CheckTest, ASocketsPathHasALimit) {
  config["boxes"] = {{{"type", "gnet1"}, {"name", "gnet1"}, {"params", {{"model", "tlm"}}}}};
  const fs::path deep = out / std::string(100, 'd');
  fs::create_directory(deep);
  config["out"] = deep.string();
  EXPECT_THAT(refusal(), StartsWith("out: " + deep.string() + "/control.sock has "));
}

}  // namespace
}  // namespace longhaul::assembly
