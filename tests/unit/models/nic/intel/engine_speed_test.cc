// SPDX-License-Identifier: Apache-2.0
#include "models/nic/intel/engine_speed.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/models/nic/e1000/e1000_fixture.h"
#include "tests/unit/models/nic/ixgb/ixgb_fixture.h"

namespace longhaul::nic::intel {
namespace {

using namespace longhaul::testing;  // NOLINT: packets
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

nlohmann::json shown(const Tunable& part, const std::string& name) {
  for (const nlohmann::json& param : part.describe_params()) {
    if (param.at("name") == name) return param.at("value");
  }
  return nullptr;
}

ByteVector jumbo_packet() {
  PacketSpec spec;
  spec.payload = 8948;
  return good_packet(spec);
}

// 16 clocks and 9014 B at 5.12 B a clock of 6.4 ns; at 16 B a clock the wire of 10 Gb/s is slower.
constexpr std::uint64_t kNarrowPs = 11'369'900;
constexpr std::uint64_t kWirePs = (8 + 9014 + 4 + 12) * 800;

TEST(EngineSpeed, TheTransmitEngineGoesAtItsNewPaceFromTheNextThingOn) {
  ixgb::IxgbFixture b;
  b.config_write(0xe6, 2, 0x2e);  // 4 KB reads
  b.up({9000});
  b.bus.request_delay = sc_core::sc_time(20, sc_core::SC_NS);
  for (int i = 0; i < 30; ++i) b.send(jumbo_packet());
  b.run_us(60);
  const std::size_t before = b.wire.sent.size();
  ASSERT_GT(before, 4U);
  EXPECT_EQ(b.wire.sent[3].at_ps - b.wire.sent[2].at_ps, kWirePs);
  b.nic->change("tx_kib_clocks", 200, "nic");
  b.run_us(120);
  ASSERT_GT(b.wire.sent.size(), before + 6);
  EXPECT_EQ(b.wire.sent.back().at_ps - b.wire.sent[b.wire.sent.size() - 2].at_ps, kNarrowPs);
  EXPECT_EQ(shown(*b.nic, "tx_kib_clocks"), 200);
}

TEST(EngineSpeed, TheReceiveEngineToo) {
  ixgb::IxgbFixture b;
  b.up({9000});
  b.nic->change("rx_kib_clocks", 200, "nic");
  for (int i = 0; i < 3; ++i) b.receive(jumbo_packet());
  b.nic->change("rx_latency", "1us", "nic");
  b.receive(jumbo_packet());
  const std::uint64_t packet_ps = 8 * 6400;
  b.run_ps(200'000 + 2 * kNarrowPs + packet_ps - 1);
  EXPECT_EQ(b.nic->rx().frames.value(), 2U);
  b.run_ps(1);
  EXPECT_EQ(b.nic->rx().frames.value(), 3U);
  b.run_ps(kNarrowPs);
  EXPECT_EQ(b.nic->rx().frames.value(), 4U)
      << "it waited behind the others for longer than its latency";
  b.receive(jumbo_packet());
  b.run_ps(1'000'000 + packet_ps - 1);
  EXPECT_EQ(b.nic->rx().frames.value(), 4U);
}

TEST(EngineSpeed, SoManyReadsAreUnderWayAsItIsToldAtLast) {
  e1000::E1000Fixture b(nlohmann::json{{"tx_reads_ahead", 1}});
  b.config_write(0xe6, 2, 0x2e);  // three split transactions at once
  b.up({});
  b.bus.read_delay = [] { return sc_core::sc_time(20, sc_core::SC_US); };
  for (int i = 0; i < 40; ++i) b.send(good_packet());
  b.run_us(200);
  EXPECT_EQ(b.bus.most_outstanding, 2U) << "one of data, one of descriptors";
  const std::size_t before = b.wire.sent.size();
  EXPECT_GT(before, 2U);
  b.nic->change("tx_reads_ahead", 3, "nic");
  b.run_us(200);
  EXPECT_EQ(b.bus.most_outstanding, 3U);
  EXPECT_GT(b.wire.sent.size() - before, 2 * before);
}

TEST(EngineSpeed, WhatMayNotChangeIsNotOfferedAndAWrongValueChangesNothing) {
  ixgb::IxgbFixture b;
  EXPECT_THAT(b.nic->changeable(), Contains("tx_packet_clocks"));
  EXPECT_THAT(b.nic->changeable(), Contains("rx_writes_ahead"));
  EXPECT_THAT(b.nic->changeable(), Not(Contains("rx_fifo")));
  EXPECT_EQ(b.nic->changeable(), speed_names(e1000::E1000Params{}))
      << "all adapters call them alike";
  const auto refused = [&](const nlohmann::json& value) -> std::string {
    try {
      b.nic->change("tx_kib_clocks", value, "sender.eth0");
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(refused(100'000), HasSubstr("sender.eth0.tx_kib_clocks"));
  EXPECT_THAT(refused("fast"), HasSubstr("sender.eth0.tx_kib_clocks"));
  EXPECT_EQ(shown(*b.nic, "tx_kib_clocks"), 64);
  EXPECT_THROW(b.nic->change("tx_latency", "100s", "nic"), ConfigError);
}

}  // namespace
}  // namespace longhaul::nic::intel
