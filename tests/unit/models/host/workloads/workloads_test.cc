// SPDX-License-Identifier: Apache-2.0
#include "models/host/workloads/workload.h"

#include <map>

#include "platform/observe/probe_walk.h"
#include "tests/unit/models/host/net/net_rig.h"

namespace longhaul::host {
namespace {

struct WorkloadTest : testing::NetTest, WorkloadListener {
  std::map<std::string, nlohmann::json> results;
  std::vector<std::string> phases;
  std::vector<std::string> over;
  std::vector<bool> measured;
  std::vector<Workload> running;

  void phase(const std::string& text) override { phases.push_back(text); }
  void measuring(bool begins) override { measured.push_back(begins); }
  void report(const std::string& name, const nlohmann::json& result) override {
    results[name] = result;
  }
  void ended(const std::string& name) override { over.push_back(name); }

  Workload& start(testing::RigHost& host, const std::string& kind, const std::string& label,
                  const nlohmann::json& json) {
    const WorkloadHost where{host.stack, host.pool, {&host.processor()}, *this};
    return running.emplace_back(make_workload(kind, label, where, json, label));
  }
  WorkloadTest() { running.reserve(8); }
};

TEST_F(WorkloadTest, KnowsItsNumbersWithTheirSources) {
  build();
  const Workload& made = start(*a, "iperf_client", "client", {{"length", "9158B"}});
  EXPECT_EQ(made.label, "client");
  const auto named = [&](const std::string& name) {
    for (const nlohmann::json& param : made.params)
      if (param["name"] == name) return param;
    return nlohmann::json();
  };
  EXPECT_EQ(named("length")["value"], "9158B");
  EXPECT_TRUE(named("length")["set"]);
  EXPECT_EQ(named("port")["evidence"], "datasheet");
}

TEST_F(WorkloadTest, IperfReportsWhatArrivedOfEveryStream) {
  build();
  start(*b, "iperf_server", "server", {{"streams", 2}, {"verify", true}, {"window", "256KiB"}});
  Workload& client = start(*a, "iperf_client", "client",
                           {{"streams", 2},
                            {"duration", "200ms"},
                            {"interval", "50ms"},
                            {"verify", true},
                            {"start", "20ms"}});
  run_until(5000 * kMs);
  EXPECT_TRUE(client.done());
  EXPECT_TRUE(running[0].done());
  std::uint64_t sent = 0;
  std::uint64_t received = 0;
  for (const char* i : {"0", "1"}) {
    const nlohmann::json& out = results.at(std::string("client_") + i);
    const nlohmann::json& in = results.at(std::string("server_") + i);
    sent += out.at("bytes").get<std::uint64_t>();
    received += in.at("bytes").get<std::uint64_t>();
    EXPECT_FALSE(in.contains("first_wrong_byte"));
    EXPECT_NEAR(out.at("seconds").get<double>(), 0.2, 0.005);
    EXPECT_EQ(out.at("retransmits"), 0);
    EXPECT_GE(out.at("interval_bytes").size(), 3U);
  }
  EXPECT_EQ(sent, received);
  EXPECT_GT(sent, 10'000'000U);
  EXPECT_EQ(a->stack.endpoints() + b->stack.endpoints(), 0U);
  EXPECT_EQ(over.size(), 4U);
  EXPECT_EQ(measured, (std::vector<bool>{true, true, false,
                                         false}));  // two clients begin, the server's streams end
}

TEST_F(WorkloadTest, TheRingSenderGoesRoundInItsMemory) {
  params.memory = units::MiB(128);
  build();
  start(*b, "iperf_server", "server", {{"verify", true}});
  start(*a, "ring_sender", "ring",
        {{"ring", "4MiB"}, {"bytes", "10MiB"}, {"duration", "0s"}, {"verify", true}});
  run_until(5000 * kMs);
  ASSERT_EQ(results.count("ring_0"), 1U) << nlohmann::json(phases);
  ASSERT_EQ(results.count("server_0"), 1U) << results["ring_0"];
  EXPECT_EQ(results.at("ring_0").at("bytes"), 10U << 20U);
  EXPECT_EQ(results.at("server_0").at("bytes"), 10U << 20U);
}

TEST_F(WorkloadTest, NetperfsCallsAreAsLongAsTheSocketsBufferAndGoRoundInTwoOfThem) {
  build();
  const std::uint64_t before = a->pool.used();
  start(*b, "netserver_stream", "server", {{"window", "20000B"}});
  start(*a, "netperf_stream", "client", {{"window", "20000B"}, {"duration", "20ms"}});
  run_until(5 * kMs);
  EXPECT_GE(a->pool.used(), before + 2 * 40'000);  // getsockopt() says twice what was set
  run_until(2000 * kMs);
  const auto bytes = results.at("client_0").at("bytes").get<std::uint64_t>();
  EXPECT_GT(bytes, 0U);
  EXPECT_EQ(bytes % 40'000, 0U);
  EXPECT_EQ(results.at("server_0").at("bytes"), bytes);
}

TEST_F(WorkloadTest, RequestsAndResponsesTakeARoundTripEach) {
  build();
  start(*b, "netserver_rr", "server",
        {{"request", "100B"}, {"response", "200B"}, {"verify", true}});
  start(*a, "netperf_rr", "client",
        {{"request", "100B"}, {"response", "200B"}, {"duration", "100ms"}, {"verify", true}});
  run_until(3000 * kMs);
  const nlohmann::json& result = results.at("client");
  EXPECT_EQ(result.at("transactions"), results.at("server").at("transactions"));
  EXPECT_FALSE(result.contains("first_wrong_byte"));
  // 20 us on the wires, and at most as much again in both hosts.
  EXPECT_LT(result.at("transactions_per_s").get<double>(), 50'000);
  EXPECT_GT(result.at("transactions_per_s").get<double>(), 25'000);
}

TEST_F(WorkloadTest, MoreRequestsAtOnceReadAFileFaster) {
  params.device.delay_ps = 500 * kUs;
  build();
  start(*b, "smb_server", "one_server", {{"port", 445}, {"response", "4096B"}});
  start(*b, "smb_server", "eight_server",
        {{"port", 446}, {"window", "256KiB"}, {"response", "4096B"}});
  start(*a, "smb_client", "one", {{"file", "4MiB"}, {"response", "4096B"}});
  start(*a, "smb_client", "eight",
        {{"file", "4MiB"},
         {"response", "4096B"},
         {"port", 446},
         {"window", "256KiB"},
         {"outstanding", 8},
         {"start", "2s"}});
  run_until(10'000 * kMs);
  EXPECT_EQ(results.at("one").at("transactions"), 1024);
  EXPECT_EQ(results.at("eight").at("transactions"), 1024);
  const double one = results.at("one").at("goodput_gbps");
  const double eight = results.at("eight").at("goodput_gbps");
  EXPECT_LT(one, 4096 * 8e-9 / 0.001);  // one block a round trip
  EXPECT_GT(eight, 4 * one);
}

TEST_F(WorkloadTest, PingReportsRoundTrips) {
  build();
  start(*a, "ping", "ping", {{"count", 3}, {"interval", "10ms"}, {"peer", "fd00::2"}});
  run_until(200 * kMs);
  const nlohmann::json& result = results.at("ping");
  EXPECT_EQ(result.at("received"), 3);
  EXPECT_GT(result.at("rtt_min_us").get<double>(), 20.0);
  EXPECT_LT(result.at("rtt_max_us").get<double>(), 80.0);
}

TEST_F(WorkloadTest, ConnectionsAreSetUpOneAfterTheOther) {
  build();
  start(*b, "connect_server", "server", nlohmann::json::object());
  start(*a, "connect_client", "client", {{"duration", "50ms"}, {"programs", 2}});
  run_until(3000 * kMs);
  std::uint64_t opened = 0;
  for (const char* i : {"0", "1"}) {
    opened += results.at(std::string("client_") + i).at("connections").get<std::uint64_t>();
    EXPECT_EQ(results.at(std::string("client_") + i).at("failed"), 0);
  }
  EXPECT_GT(opened, 1000U);
  EXPECT_EQ(a->stack.connections.value(), opened);
  EXPECT_EQ(a->stack.endpoints(), 0U);
}

TEST_F(WorkloadTest, AnswersOnSeveralConnectionsAtOnceAreCountedOfEach) {
  build();
  start(*b, "netserver_rr", "server", {{"streams", 3}, {"verify", true}});
  start(*a, "netperf_rr", "client", {{"streams", 3}, {"duration", "20ms"}, {"verify", true}});
  run_until(3000 * kMs);
  for (const char* i : {"0", "1", "2"}) {
    const nlohmann::json& asked = results.at(std::string("client_") + i);
    EXPECT_GT(asked.at("transactions"), 100);
    EXPECT_FALSE(asked.contains("error"));
  }
  EXPECT_EQ(measured, (std::vector<bool>{true, true, true, false, false, false}));
  EXPECT_EQ(b->stack.endpoints(), 0U);
}

TEST_F(WorkloadTest, WhatWasToBeMeasuredHasBeenEndsClientsToo) {
  bool over_now = false;
  build();
  const auto begin = [&](testing::RigHost& host, const char* kind, const nlohmann::json& json) {
    const WorkloadHost where{host.stack, host.pool, {&host.processor()}, *this, &over_now};
    running.push_back(make_workload(kind, kind, where, json, kind));
  };
  begin(*b, "netserver_rr", {{"port", 7}});
  begin(*b, "iperf_server", nlohmann::json::object());
  begin(*a, "netperf_rr", {{"port", 7}, {"duration", "0s"}});
  // One after the other: what waits for the neighbour's address is little.
  begin(*a, "iperf_client", {{"duration", "0s"}, {"start", "10ms"}});
  begin(*a, "ping", {{"count", 1000}, {"interval", "1ms"}, {"start", "20ms"}});
  run_until(50 * kMs);
  EXPECT_TRUE(results.empty());
  over_now = true;
  run_until(500 * kMs);
  EXPECT_EQ(over.size(), running.size()) << nlohmann::json(over);
  EXPECT_LT(results.at("ping").at("sent"), 60);
  for (const auto& [name, result] : results)
    EXPECT_FALSE(result.contains("error")) << name << result;
}

TEST_F(WorkloadTest, AConnectionsProbesSayWhatItsTcpDoes) {
  build();
  start(*b, "iperf_server", "server", nlohmann::json::object());
  start(*a, "iperf_client", "client", {{"bytes", "1MiB"}, {"duration", "0s"}});
  const auto gauge = [](const std::string& leaf) {
    for (const observe::Gauge* each : observe::ProbeWalk().gauges) {
      const std::string name = each->name();
      if (name.find("client_0_tcp." + leaf) != std::string::npos) return each->value();
    }
    ADD_FAILURE() << "no probe " << leaf;
    return std::uint64_t{0};
  };
  EXPECT_EQ(gauge("cwnd"), 0U);
  run_until(2 * kMs);
  EXPECT_GT(gauge("cwnd"), 1000U);
  EXPECT_GT(gauge("in_flight"), 0U);
  EXPECT_GT(gauge("srtt"), 20 * kUs);
  run_until(3000 * kMs);
  EXPECT_EQ(gauge("cwnd"), 0U);  // it is closed
}

TEST_F(WorkloadTest, WrongConfigurationsAreExplained) {
  build();
  const auto message = [&](const std::string& kind, const nlohmann::json& json) -> std::string {
    try {
      start(*a, kind, "x", json);
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(message("iperf_clint", {}), ::testing::HasSubstr("iperf_client"));
  EXPECT_THAT(message("iperf_client", {{"lengths", "8KiB"}}), ::testing::HasSubstr("length"));
  EXPECT_THAT(message("iperf_client", {{"peer", "nowhere"}}), ::testing::HasSubstr("nowhere"));
  EXPECT_THAT(message("ping", {{"cpu", 7}}), ::testing::HasSubstr("processor 7"));
}

}  // namespace
}  // namespace longhaul::host
