// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "models/booster/relay.h"
#include "models/common/plugin.h"
#include "tests/unit/models/host/net/net_rig.h"

namespace longhaul::booster::testing {

using host::testing::FakeDevice;
using host::testing::RigParams;

/// A host with two devices, each on a processor of its own: 10.0.0.n towards the end, 10.1.0.n on
/// the line.
struct TwoSidedHost {
  std::vector<std::unique_ptr<host::testing::Cpu>> cpus;
  memory::BackingStore store;
  host::MemoryPool pool;
  std::unique_ptr<host::TickTimers> timers;
  host::Stack stack;
  FakeDevice edge;
  FakeDevice line;

  TwoSidedHost(const std::string& name, const RigParams& params, std::uint8_t n)
      : cpus(make_cpus(name, params)),
        store(params.memory, name),
        pool(store.mapping(), 4096, 1),
        timers(std::make_unique<host::TickTimers>((name + "_timers").c_str(), processors())),
        stack((name + "_stack").c_str(), params.net, params.tcp, pool, *timers),
        edge((name + "_edge").c_str(), cpus[0]->processor, pool, params.device, n),
        line((name + "_line").c_str(), cpus[1]->processor, pool, params.device,
             static_cast<std::uint8_t>(n + 100)) {
    add(edge, "10.0.0." + std::to_string(n));
    add(line, "10.1.0." + std::to_string(n));
  }
  std::vector<host::Processor*> processors() {
    std::vector<host::Processor*> all;
    for (const auto& cpu : cpus) all.push_back(&cpu->processor);
    return all;
  }

 private:
  static std::vector<std::unique_ptr<host::testing::Cpu>> make_cpus(const std::string& name,
                                                                    const RigParams& params) {
    std::vector<std::unique_ptr<host::testing::Cpu>> cpus;
    for (int i = 0; i < 2; ++i) {
      cpus.push_back(
          std::make_unique<host::testing::Cpu>(name + "_cpu" + std::to_string(i), params.kernel));
    }
    return cpus;
  }
  void add(FakeDevice& device, const std::string& address) {
    host::InterfaceAddresses addresses;
    addresses.ipv4 = host::address_from(address, 0, "test");
    stack.add_interface(addresses).attach(device);
  }
};

inline void join(FakeDevice& one, FakeDevice& other) {
  one.join(other);
  other.join(one);
}

/// And a relay on it.
struct RelayHost final : TwoSidedHost, host::WorkloadListener {
  std::string error;
  host::Workload relay;

  RelayHost(const std::string& name, const RigParams& params, std::uint8_t n,
            const nlohmann::json& relay_params)
      : TwoSidedHost(name, params, n) {
    add_built_in_types();
    const host::WorkloadHost host{stack, pool, processors(), *this, nullptr};
    relay = make_workload("booster_relay", name + "_relay", host, relay_params, name);
  }

  void phase(const std::string& /*text*/) override {}
  void measuring(bool /*begins*/) override {}
  void report(const std::string& /*name*/, const nlohmann::json& result) override {
    error = result.dump();
  }
  void ended(const std::string& /*name*/) override {}
};

/// Ends a (10.0.0.1) and b (10.0.0.2), and between them the relays west and east.
struct RelayTest : host::testing::NetTest {
  std::unique_ptr<RelayHost> west;
  std::unique_ptr<RelayHost> east;
  RigParams relay_params = host::testing::linux_rig();
  std::uint64_t line_delay_ps = 10 * kMs;
  nlohmann::json options = {{"window", "256KiB"}, {"edge_buffer", "64KiB"}};
  nlohmann::json east_options = nlohmann::json::object();  // over these

  RelayTest() {
    relay_params.net.truesize.value = false;
    relay_params.tcp.window_start.value = 0;
    relay_params.tcp.nagle.value = "minshall";
  }

  void build_relays() { build_relays(params, params); }
  void build_relays(const RigParams& for_a, const RigParams& for_b) {
    build(for_a, for_b);
    const auto with = [this](const char* partner, const nlohmann::json& own) {
      nlohmann::json all = options;
      all.update(own);
      if (!all.contains("partner")) all["partner"] = partner;
      return all;
    };
    west = std::make_unique<RelayHost>("west", relay_params, 11,
                                       with("10.1.0.12", nlohmann::json::object()));
    east = std::make_unique<RelayHost>("east", relay_params, 12, with("10.1.0.11", east_options));
    join(a->device, west->edge);
    join(west->line, east->line);
    join(east->edge, b->device);
    west->line.params.delay_ps = east->line.params.delay_ps = line_delay_ps;
  }
  std::vector<FakeDevice*> devices() {
    return {&a->device, &west->edge, &west->line, &east->line, &east->edge, &b->device};
  }
  static std::uint64_t count(const std::string& counter) {
    const auto* const found =
        dynamic_cast<observe::Counter*>(sc_core::sc_find_object(counter.c_str()));
    if (found == nullptr) ADD_FAILURE() << "no counter " << counter;
    return found == nullptr ? 0 : found->value();
  }
  /// Nothing is left of the connections: in the ends, in the relays.
  void expect_nothing_left() {
    expect_no_leak();
    for (RelayHost* const host : {west.get(), east.get()}) {
      EXPECT_EQ(host->stack.endpoints(), 0U);
      EXPECT_EQ(host->stack.interface(0).slots_in_use(), 0U);
      EXPECT_EQ(host->stack.interface(1).slots_in_use(), 0U);
      EXPECT_EQ(host->pool.used(), 2 * host::MemoryPool::rounded(Greeting::kBytes));
      EXPECT_EQ(host->error, "");
    }
  }
};

}  // namespace longhaul::booster::testing
