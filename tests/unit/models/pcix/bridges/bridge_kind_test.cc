// SPDX-License-Identifier: Apache-2.0
#include "models/pcix/bridges/bridge_kind.h"

#include <nlohmann/json.hpp>

#include "tests/unit/models/pcix/pc_fixture.h"

namespace longhaul::pcix {
namespace {

using ::testing::ElementsAre;

class BridgeKindTest : public testing::PcTest {
 protected:
  void choose(const char* name) {
    const BridgeKind kind = bridge_kind(name, "here");
    bus_params = kind.bus;
    bridge_params = kind.host;
  }
  void build_kind(const char* name) {
    choose(name);
    build();
  }
  static std::string error_of(const nlohmann::json& bridge, const nlohmann::json& bus) {
    try {
      configured_bridge(bridge, bus, "pc");
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "";
  }
};

TEST_F(BridgeKindTest, AllAreKnownByName) {
  EXPECT_THAT(bridge_kind_names(),
              ElementsAre("amd8131", "amd8132", "ciobx", "p64h2", "root_port"));
  EXPECT_EQ(configured_bridge({}, {}, "pc").host.type(), "amd8131");
  const BridgeKind kind =
      configured_bridge({{"type", "p64h2"}, {"active_reads", 2}}, {{"retry_clocks", 8}}, "pc");
  EXPECT_EQ(kind.host.type(), "p64h2");
  EXPECT_EQ(kind.host.active_reads(), 2U);
  EXPECT_EQ(kind.host.split_reads(), 8U);
  EXPECT_EQ(kind.bus.retry_clocks(), 8U);
  EXPECT_TRUE(kind.bus.parks_on_last_master());
}

TEST_F(BridgeKindTest, WhatABridgeCannotBeIsRefusedWithTheCure) {
  EXPECT_EQ(error_of({{"type", "p64h"}}, {}),
            "pc.bridge.type: no bridge of type 'p64h'; nearest is 'p64h2'");
  EXPECT_EQ(error_of({{"type", 8131}}, {}), "pc.bridge.type: wants the name of a bridge");
  EXPECT_EQ(error_of({{"type", "ciobx"}}, {{"clock", "133.333333MHz"}}),
            "pc.pcix.clock: ciobx drives a bus at 100MHz at most, not 133333333Hz");
  EXPECT_EQ(error_of({}, {{"data_subphases", 2}}),
            "pc.pcix.data_subphases: amd8131 drives 1 a data phase at most, not 2; amd8132 knows "
            "PCI-X 2.0");
  EXPECT_EQ(error_of({{"type", "amd8132"}}, {{"data_subphases", 4}}), "");
  EXPECT_THAT(error_of({{"type", "ciobx"}, {"split_reeds", 3}}, {}),
              ::testing::StartsWith("pc.bridge: no parameter"));
}

TEST_F(BridgeKindTest, TheErratumLimitsReadsAt133MegahertzOnly) {
  bridge_params.split_completion_workaround.value = true;
  build();
  EXPECT_EQ(bridge->read_limits(bus->timing()).max_read_bytes, 1024U);
  EXPECT_EQ(bridge->read_limits(bus->timing()).max_outstanding, 2U);
  BusParams slower;
  slower.clock.value = {100'000'000};
  PcixBus slow_bus("slow_bus", slower, 1);
  HostBridge slow("slow", bridge_params);
  slow.bus_socket.bind(slow_bus.host_socket);
  EXPECT_EQ(slow.read_limits(slow_bus.timing()).max_read_bytes, 4096U);
  slow.memory_initiator.bind(memory->dma_target);
}

TEST_F(BridgeKindTest, AP64h2FetchesFourOfTheEightReadsThatItTakes) {
  build_kind("p64h2");
  limit_reads(0, 0, 6);
  at(0, [&] { device().dma().read(0x1000, buffer.data(), 16384, &device(), 1); });
  sc_core::sc_start();
  EXPECT_EQ(bridge->waiting_reads.highest(), 4U);
  EXPECT_GT(bus->retries.value(), 0U);  // the ninth
  EXPECT_EQ(bus->outstanding_reads.highest(), 8U);
  EXPECT_EQ(std::memcmp(buffer.data(), ram + 0x1000, 16384), 0);
}

std::vector<std::uint64_t> completions_of(const testing::SpanLog& log) {
  std::vector<std::uint64_t> addresses;
  for (const auto& span : log.spans) {
    if (span.label == "split completion") addresses.push_back(span.address);
  }
  return addresses;
}

TEST_F(BridgeKindTest, AP64h2sCompletionsTakeTurnsByItsLatencyTimer) {
  choose("p64h2");
  bridge_params.link_rate.value = {25'600'000'000};  // so that both reads' data are there
  build();
  limit_reads(0, 3, 0);
  limit_reads(1, 3, 0);
  at(0, [&] {
    device(0).dma().read(0x1'0000, buffer.data(), 1024, &device(0), 1);
    device(1).dma().read(0x2'0000, buffer.data() + 8192, 1024, &device(1), 1);
  });
  sc_core::sc_start();
  // The second read's data come while the first's completion is on the bus; 64 clocks bring 512 B.
  EXPECT_THAT(completions_of(log), ElementsAre(0x1'0000, 0x2'0000, 0x1'0200, 0x2'0200));
}

// What its latencies are fitted to: mmio_test.c of 2005, 1700 cycles of 2.4 GHz. A read starts at
// some point of a bus clock.
TEST_F(BridgeKindTest, ARegisterReadThroughAP64h2TakesWhatWasMeasured) {
  build_kind("p64h2");
  at(0, [&] {
    const std::uint64_t begin_ps = now_ps();
    core->read32(bar(0) + 0x20);
    EXPECT_NEAR(static_cast<double>(now_ps() - begin_ps), 1700 / 2.4e-3, kClock);
  });
  sc_core::sc_start();
}

TEST_F(BridgeKindTest, AnAmd8131sCompletionsGoOneAfterTheOther) {
  build_kind("amd8131");
  limit_reads(0, 3, 0);
  limit_reads(1, 3, 0);
  at(0, [&] {
    device(0).dma().read(0x1'0000, buffer.data(), 1024, &device(0), 1);
    device(1).dma().read(0x2'0000, buffer.data() + 8192, 1024, &device(1), 1);
  });
  sc_core::sc_start();
  EXPECT_THAT(completions_of(log), ElementsAre(0x1'0000, 0x2'0000));
}

TEST_F(BridgeKindTest, ANarrowLinkLimitsReadsToItsRateLessItsHeaders) {
  build_kind("ciobx");
  bus->account.tenures.ignore(&log);
  limit_reads(0, 3, 3);
  device().then = [&](std::uint64_t tag) {
    device().done.clear();
    device().dma().read(0x1000, &buffer[0x4000 * tag], 16384, &device(), tag);
  };
  at(0, [&] {
    for (std::uint64_t tag = 0; tag < 4; ++tag) device().then(tag);
  });
  sc_core::sc_start(sc_core::sc_time(100, sc_core::SC_US));
  const std::uint64_t before = bus->completed_bytes.value();
  sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_MS));
  const double gbps = static_cast<double>(bus->completed_bytes.value() - before) * 8e-6;
  // 6.4 Gb/s of link, 8 bytes of header to 64 of data; the bus itself could bring 6.4 * 512 / 522.
  EXPECT_NEAR(gbps, 6.4 * 64 / 72, 0.04);
}

TEST_F(BridgeKindTest, ASharedLinkCarriesBothDirectionsTogether) {
  bridge_params.link_rate.value = {8'528'000'000};
  bridge_params.link_is_shared.value = true;
  build();
  bus->account.tenures.ignore(&log);
  limit_reads(0, 3, 3);
  device(0).then = [&](std::uint64_t tag) {
    device(0).done.clear();
    device(0).dma().read(0x1000, &buffer[0x4000 * tag], 16384, &device(0), tag);
  };
  device(1).then = [&](std::uint64_t tag) {
    device(1).done.clear();
    device(1).dma().write(0x20'0000, &buffer[0x4000 * tag], 16384, &device(1), tag);
  };
  at(0, [&] {
    for (std::uint64_t tag = 0; tag < 4; ++tag) {
      device(0).then(tag);
      device(1).then(4 + tag);
    }
  });
  sc_core::sc_start(sc_core::sc_time(100, sc_core::SC_US));
  const std::uint64_t before = memory->moved();
  sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_MS));
  const double gbps = static_cast<double>(memory->moved() - before) * 8e-6;
  EXPECT_LE(gbps, 8.528 * 64 / 72 + 0.05);
  EXPECT_GT(gbps, 6.5);
}

}  // namespace
}  // namespace longhaul::pcix
