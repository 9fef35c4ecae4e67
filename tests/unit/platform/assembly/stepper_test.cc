// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/stepper.h"

#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <vector>

#include "models/common/units.h"
#include "platform/assembly/stop_signal.h"
#include "platform/observe/probe_walk.h"
#include "tests/unit/support/linux_host.h"
#include "tests/unit/times.h"

namespace longhaul::assembly {
namespace {

/// Two hosts and a cable; one pings the other three times.
struct StepperTest : testing::Test {
  std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("stepper_" + std::to_string(::getpid()));
  observe::Progress progress{-1};
  std::unique_ptr<Simulation> simulation;
  std::unique_ptr<Stepper> stepper;

  StepperTest() {
    std::filesystem::create_directories(folder);
    const nlohmann::json ping = {
        {"type", "ping"}, {"params", {{"peer", "10.10.0.2"}, {"count", 3}, {"interval", "10ms"}}}};
    const nlohmann::json config = {{"name", "test"},
                                   {"out", folder.string()},
                                   {"limit", "10s"},
                                   {"machines",
                                    {linux_host("a", "10.10.0.1", nlohmann::json::array({ping})),
                                     linux_host("b", "10.10.0.2", nlohmann::json::array())}},
                                   {"links", {{{"name", "l0"}, {"a", "a.eth0"}, {"b", "b.eth0"}}}},
                                   {"observe", {{"series_period", "0s"}}}};
    simulation = std::make_unique<Simulation>(read_config(config), progress);
    stepper = std::make_unique<Stepper>(*simulation);
  }
  ~StepperTest() override { std::filesystem::remove_all(folder); }

  static std::uint64_t count(const std::string& name) {
    for (const observe::Counter* counter : observe::ProbeWalk().counters) {
      if (name == counter->name()) return counter->value();
    }
    ADD_FAILURE() << "no counter " << name;
    return 0;
  }
  Stepper::Stop run(std::uint64_t ps) {
    return stepper->run(from_ps(ps), [] {});
  }
};

TEST_F(StepperTest, PiecesAddUpToTheRunAndItsEndIsTold) {
  EXPECT_EQ(run(5 * kMs), Stepper::Stop::kTime);
  EXPECT_EQ(now_ps(), 5 * kMs);
  EXPECT_EQ(run(7 * kUs), Stepper::Stop::kTime);
  EXPECT_EQ(now_ps(), 5 * kMs + 7 * kUs);
  EXPECT_EQ(run(9'000 * kMs), Stepper::Stop::kOver);
  EXPECT_TRUE(simulation->over());
  EXPECT_EQ(count("b.stack.echo_requests"), 3U);
  EXPECT_LT(now_ps(), 9'000 * kMs);
}

TEST_F(StepperTest, PeriodsAreCountedFromWhenTheyWereAskedFor) {
  run(3 * kUs);
  std::vector<std::uint64_t> seen;
  Stepper::Watch* watch = nullptr;
  watch = &stepper->every(10 * kUs, [&] {
    seen.push_back(now_ps());
    if (seen.size() == 3) stepper->remove(*watch);
  });
  EXPECT_EQ(run(100 * kUs), Stepper::Stop::kTime);
  EXPECT_EQ(seen, (std::vector<std::uint64_t>{13 * kUs, 23 * kUs, 33 * kUs}));
  EXPECT_EQ(now_ps(), 103 * kUs);
}

TEST_F(StepperTest, AnInstantIsSeenWhenAllOfItIsDone) {
  std::uint64_t last = 0;
  std::uint64_t seen = 0;
  stepper->each_instant([&] {
    EXPECT_FALSE(sc_core::sc_pending_activity_at_current_time());
    EXPECT_GE(now_ps(), last);
    last = now_ps();
    ++seen;
    if (count("b.stack.echo_requests") == 2) stepper->stop();
  });
  EXPECT_EQ(run(9'000 * kMs), Stepper::Stop::kAsked);
  EXPECT_EQ(count("b.stack.echo_requests"), 2U);
  EXPECT_GT(seen, 500U);
  EXPECT_FALSE(simulation->over());
}

TEST_F(StepperTest, AnExceptionOfWhoLooksComesOutAndTheRunGoesOn) {
  bool angry = true;
  stepper->every(10 * kUs, [&] {
    if (angry) throw std::logic_error("enough");
  });
  EXPECT_THROW(run(kMs), std::logic_error);
  EXPECT_EQ(now_ps(), 10 * kUs);
  EXPECT_FALSE(stepper->running());
  angry = false;
  EXPECT_EQ(run(kMs), Stepper::Stop::kTime);
  EXPECT_EQ(now_ps(), kMs + 10 * kUs);
}

TEST_F(StepperTest, SomebodyIsAskedInBetweenOnceASlice) {
  std::uint64_t asked = 0;
  stepper->run(from_ps(kMs), [&] { ++asked; });
  EXPECT_EQ(asked, kMs / to_ps(Stepper::slice()));
  stepper->run(from_ps(kMs), [&] { stepper->stop(); });
  EXPECT_EQ(now_ps(), kMs + to_ps(Stepper::slice()));
}

TEST_F(StepperTest, OnlyWhatMayChangeIsChangedWhileItRuns) {
  const auto refused = [&](const std::string& object, const std::string& name,
                           const nlohmann::json& value) {
    try {
      simulation->change_param(object, name, value);
    } catch (const ConfigError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(refused("a.pcix", "clock", "66MHz"),
            "a.pcix.clock: cannot change while the simulation runs; parameters of these can: "
            "a.eth0, b.eth0");
  EXPECT_EQ(refused("b.eth0", "rx_fifo", "64KiB").substr(0, 100),
            "b.eth0.rx_fifo: cannot change while the simulation runs; of its parameters these can: "
            "tx_descriptor_");
  EXPECT_EQ(refused("b.eth0", "tx_packet_clocks", 9), "");
  for (const nlohmann::json& param : simulation->describe_params()) {
    if (param.at("name") != "tx_packet_clocks") continue;
    EXPECT_EQ(param.at("value"), param.at("object") == "b.eth0" ? 9 : 8) << param;
  }
}

TEST_F(StepperTest, ARunWithoutGuestsHeedsASignalWithinAMillisecond) {
  catch_stop_signals();
  sc_core::sc_spawn([] {
    sc_core::wait(from_ps(5'100 * kUs));
    std::raise(SIGTERM);
  });
  EXPECT_EQ(simulation->run(), RunEnd::kInterrupted);
  EXPECT_EQ(now_ps(), 6'000 * kUs);
}

}  // namespace
}  // namespace longhaul::assembly
