// SPDX-License-Identifier: Apache-2.0
#include "models/net/switch/switch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/net/link/link.h"
#include "tests/unit/models/net/switch/known_switch.h"
#include "tests/unit/support/ethernet.h"
#include "tests/unit/times.h"

namespace longhaul {
namespace {

using observe::FrameFate;
using test::kBroadcast;
using test::make_frame;
using test::run_until;
using test::Station;
using test::station;

constexpr std::uint64_t kOctet = 800;

/// Stations s0, s1, ... on the ports of one switch; station n has address n.
struct SwitchFixture {
  explicit SwitchFixture(std::uint32_t ports = 3, SwitchParams params = {},
                         const LinkParams& link = test::cable_of_no_length())
      : dut("switch", ports, std::move(params)) {
    for (std::uint32_t i = 0; i < ports; ++i) {
      stations.push_back(std::make_unique<Station>(("s" + std::to_string(i)).c_str()));
      links.push_back(std::make_unique<Link>(("l" + std::to_string(i)).c_str(), link));
      links[i]->connect(stations[i]->port(), dut.port(i));
      stations[i]->mac.set_address(station(static_cast<std::uint8_t>(i)));
      stations[i]->mac.set_flow_control(true, true);
    }
  }
  FrameRef frame(std::uint8_t from, std::uint8_t to, std::uint32_t octets = 64,
                 std::uint32_t number = 0) {
    return make_frame(octets, station(to), station(from), number);
  }
  Station& s(std::size_t i) { return *stations[i]; }
  Switch dut;
  std::vector<std::unique_ptr<Station>> stations;
  std::vector<std::unique_ptr<Link>> links;
  test::At at{"at"};
};

TEST(Switch, StoresThenForwardsAfterItsLatency) {
  SwitchParams params;
  params.latency.value = sc_core::sc_time(450, sc_core::SC_NS);
  SwitchFixture fixture(2, params);
  fixture.s(0).send(fixture.frame(0, 1, 1518));
  run_until(kMs);
  ASSERT_EQ(fixture.s(1).received, 1U);
  EXPECT_EQ(fixture.s(1).arrivals[0].at_ps, 1526 * kOctet + 450 * kNs + 1526 * kOctet);
}

TEST(Switch, FloodsUnknownAddressesAndForwardsLearnedOnes) {
  SwitchFixture fixture(4);
  fixture.s(0).send(fixture.frame(0, 1));            // unknown: to 1, 2, 3
  fixture.s(1).send(fixture.frame(1, 0), 10 * kUs);  // learned: to 0 only
  fixture.s(0).send(fixture.frame(0, 1), 20 * kUs);  // learned now: to 1 only
  run_until(kMs);
  EXPECT_EQ(fixture.s(0).received, 1U);
  EXPECT_EQ(fixture.s(1).received, 2U);
  EXPECT_EQ(fixture.s(2).received, 1U);
  EXPECT_EQ(fixture.s(3).received, 1U);
  EXPECT_EQ(fixture.dut.flooded.value(), 1U);
  EXPECT_EQ(fixture.dut.table().size(), 2U);
}

TEST(Switch, FloodsBroadcastAndMulticastButNotBack) {
  SwitchFixture fixture(3);
  fixture.s(0).send(make_frame(64, kBroadcast, station(0)));
  fixture.s(0).send(make_frame(64, {0x01, 0, 0x5e, 0, 0, 1}, station(0)));
  run_until(kMs);
  EXPECT_EQ(fixture.s(0).received, 0U);
  EXPECT_EQ(fixture.s(1).received, 2U);
  EXPECT_EQ(fixture.s(2).received, 2U);
}

TEST(Switch, FiltersFramesForTheirOwnPortAndReservedAddresses) {
  SwitchFixture fixture(3);
  fixture.s(0).send(fixture.frame(9, 8));           // station 9 is behind port 0
  fixture.s(0).send(fixture.frame(8, 9), 5 * kUs);  // ... and so is 8: 9 is on the same port
  fixture.s(0).send(make_frame(64, {0x01, 0x80, 0xc2, 0, 0, 0x0e}, station(0)), 10 * kUs);
  run_until(kMs);
  EXPECT_EQ(fixture.s(1).received, 1U);
  EXPECT_EQ(fixture.dut.filtered.value(), 2U);
}

TEST(Switch, ForgetsAStationAfterTheAgeingTime) {
  SwitchParams params;
  params.ageing.value = sc_core::sc_time(100, sc_core::SC_US);
  SwitchFixture fixture(3, params);
  fixture.s(1).send(fixture.frame(1, 9));
  fixture.s(0).send(fixture.frame(0, 1), 50 * kUs);
  fixture.s(0).send(fixture.frame(0, 1), 150 * kUs);
  run_until(kMs);
  EXPECT_EQ(fixture.s(2).received, 2U);  // the first and the last were flooded
  EXPECT_EQ(fixture.s(1).received, 2U);
}

TEST(Switch, PortVlansDoNotMix) {
  SwitchParams params;
  params.port_vlans.value = "1,1,2,2";
  SwitchFixture fixture(4, params);
  fixture.s(0).send(make_frame(64, kBroadcast, station(0)));
  fixture.s(2).send(fixture.frame(2, 0),
                    10 * kUs);  // 0 was learned in the other VLAN: flooded within VLAN 2
  run_until(kMs);
  EXPECT_EQ(fixture.s(0).received, 0U);
  EXPECT_EQ(fixture.s(1).received, 1U);
  EXPECT_EQ(fixture.s(2).received, 0U);
  EXPECT_EQ(fixture.s(3).received, 1U);
}

TEST(Switch, DropsOversizeFramesWithAReason) {
  SwitchFixture fixture(2, known_switch("foundry_mg8"));
  test::TapRecord record;
  fixture.dut.at(0).mac.drops.listen(&record);
  fixture.s(0).send(fixture.frame(0, 1, 9198 + 18));
  fixture.s(0).send(fixture.frame(0, 1, 9199 + 18));
  run_until(kMs);
  EXPECT_EQ(fixture.s(1).received, 1U);
  EXPECT_EQ(fixture.dut.at(0).mac.rx_oversize.value(), 1U);
  EXPECT_EQ(record.count(FrameFate::kDropped, "oversize"), 1U);
}

TEST(Switch, DropsFramesWithABadFcs) {
  SwitchFixture fixture(2);
  FrameRef bad = fixture.frame(0, 1);
  bad.writable().flip_bit(333);
  fixture.s(0).send(std::move(bad));
  run_until(kMs);
  EXPECT_EQ(fixture.s(1).received, 0U);
  EXPECT_EQ(fixture.dut.at(0).mac.rx_bad_fcs.value(), 1U);
}

TEST(Switch, AFullSharedBufferDropsExactlyWhatDoesNotFit) {
  SwitchParams params;
  params.buffer.value = {15'180};  // ten frames of 1518 B
  params.pause_send.value = false;
  params.latency.value = sc_core::sc_time(100, sc_core::SC_NS);
  SwitchFixture fixture(3, params);
  test::TapRecord record;
  fixture.dut.at(1).drops.listen(&record);
  fixture.dut.at(0).drops.listen(&record);
  fixture.s(2).send(fixture.frame(2, 9));
  for (std::uint32_t i = 0; i < 100; ++i) {
    fixture.s(0).send(fixture.frame(0, 2, 1518, i), 10 * kUs);
    fixture.s(1).send(fixture.frame(1, 2, 1518, i), 10 * kUs);
  }
  run_until(kMs);
  // Two arrive in each of 100 slots, and one leaves 100 ns later. The ninth slot fills the buffer
  // with ten; from then on nine are left when two arrive, and one of them is lost. So 100 leave in
  // their slots and the nine that are left follow.
  const std::uint64_t got = fixture.s(2).received;
  EXPECT_EQ(got, 109U);
  EXPECT_EQ(fixture.dut.at(0).dropped.value() + fixture.dut.at(1).dropped.value(), 200 - got);
  EXPECT_EQ(record.count(FrameFate::kDropped, "shared buffer full"), 200 - got);
  EXPECT_EQ(fixture.dut.buffer_fill.highest(), 15'180U);
  EXPECT_EQ(fixture.dut.buffer_fill.value(), 0U);
  EXPECT_EQ(fixture.dut.at(0).input_fill.value(), 0U);
}

TEST(Switch, PerPortBuffersLeaveOtherOutputsAlone) {
  SwitchParams params;
  params.buffer_mode.value = "per_port";
  params.buffer.value = {15'180};
  params.pause_send.value = false;
  SwitchFixture fixture(4, params);
  fixture.s(2).send(fixture.frame(2, 9));
  fixture.s(3).send(fixture.frame(3, 9));
  for (std::uint32_t i = 0; i < 100; ++i) {
    fixture.s(0).send(fixture.frame(0, 2, 1518, i), 10 * kUs);
    fixture.s(1).send(fixture.frame(1, i % 2 != 0 ? 2 : 3, 1518, i), 10 * kUs);
  }
  run_until(kMs);
  EXPECT_LT(fixture.s(2).received - 1, 150U);
  EXPECT_EQ(fixture.s(3).received - 1, 50U) << "its queue never fills";
  EXPECT_EQ(fixture.dut.at(2).dropped.value(), 150 - (fixture.s(2).received - 1));
  EXPECT_EQ(fixture.dut.at(2).queue_fill.highest(), 15'180U);
  EXPECT_EQ(fixture.dut.buffer_fill.value(), 0U);
}

TEST(Switch, AFloodedFrameIsStoredOnce) {
  SwitchFixture fixture(4);
  fixture.s(0).send(make_frame(1518, kBroadcast, station(0)));
  run_until(kMs);
  EXPECT_EQ(fixture.dut.buffer_fill.highest(), 1518U);
  EXPECT_EQ(fixture.dut.buffer_fill.value(), 0U);
}

/// Two senders at full rate to one receiver, jumbo frames, 2 km of fibre each.
void congest(SwitchFixture& fixture) {
  fixture.s(2).send(fixture.frame(2, 9));
  for (auto i : {0U, 1U}) {
    fixture.s(i).keep_frames = false;
    auto left = std::make_shared<std::uint32_t>(2000);
    fixture.at(20 * kUs, [&fixture, i, left] {
      fixture.s(i).generate([&fixture, i, left]() -> FrameRef {
        if (*left == 0) return {};
        return fixture.frame(static_cast<std::uint8_t>(i), 2, 9216, (*left)--);
      });
    });
  }
  fixture.s(2).keep_frames = false;
  run_until(100 * kMs);
}

LinkParams two_km() {
  LinkParams params;
  params.length_m.value = 2000;
  return params;
}

TEST(Switch, PauseLosesNothingUnderCongestion) {
  SwitchParams params = known_switch("fujitsu_xg1200");
  SwitchFixture fixture(3, params, two_km());
  congest(fixture);
  EXPECT_EQ(fixture.s(2).received, 4000U);
  EXPECT_EQ(fixture.dut.at(0).dropped.value() + fixture.dut.at(1).dropped.value(), 0U);
  EXPECT_GT(fixture.dut.at(0).mac.tx_xoff.value(), 10U);
  EXPECT_EQ(fixture.s(0).mac.rx_xon.value(), fixture.dut.at(0).mac.tx_xon.value());
  EXPECT_GT(fixture.s(0).mac.tx_paused_ps.value(), 0U);
  // Headroom: two delays, and a frame at either end, at line rate.
  EXPECT_LE(fixture.dut.at(0).input_fill.highest(), 65'536U + 3 * 9216 + 20'000 * kNs / kOctet);
}

TEST(Switch, WithoutPauseTheSameTrafficIsLost) {
  SwitchParams params = known_switch("fujitsu_xg1200");
  params.pause_send.value = false;
  SwitchFixture fixture(3, params, two_km());
  congest(fixture);
  EXPECT_LT(fixture.s(2).received, 4000U);
  EXPECT_EQ(
      fixture.s(2).received + fixture.dut.at(0).dropped.value() + fixture.dut.at(1).dropped.value(),
      4000U);
}

TEST(Switch, PauseKeepsTheOutputBusy) {
  SwitchFixture fixture(3, known_switch("fujitsu_xg1200"), two_km());
  std::uint64_t last = 0;
  fixture.s(2).on_receive = [&](const FrameRef&) { last = now_ps(); };
  congest(fixture);
  const std::uint64_t first =
      20 * kUs + 10 * kUs + 9224 * kOctet + 450 * kNs + 10 * kUs + 9224 * kOctet;
  EXPECT_EQ(last, first + 3999 * 9236 * kOctet);
}

TEST(Switch, HonoursPauseFromAStation) {
  SwitchFixture fixture(2);
  fixture.at(0, [&] { fixture.s(1).mac.send_pause(1000); });
  fixture.s(0).send(fixture.frame(0, 1), kUs);
  run_until(kMs);
  EXPECT_EQ(fixture.s(1).arrivals.at(0).at_ps, 72 * kOctet + 1000 * 51'200 + 72 * kOctet);
}

TEST(Switch, RespondsToPauseAfterItsResponseTime) {
  SwitchParams params;
  params.latency.value = sc_core::SC_ZERO_TIME;
  params.pause_response.value = sc_core::sc_time(2, sc_core::SC_US);
  SwitchFixture fixture(2, params);
  fixture.at(0, [&] { fixture.s(1).mac.send_pause(1000); });
  fixture.s(0).send(fixture.frame(0, 1), kUs);      // passes in the response time
  fixture.s(0).send(fixture.frame(0, 1), 3 * kUs);  // held
  run_until(kMs);
  EXPECT_EQ(fixture.s(1).arrivals.at(0).at_ps, kUs + 2 * 72 * kOctet);
  EXPECT_EQ(fixture.s(1).arrivals.at(1).at_ps, 72 * kOctet + 2 * kUs + 1000 * 51'200 + 72 * kOctet);
}

TEST(Switch, CanBeToldToIgnorePause) {
  SwitchParams params;
  params.pause_honour.value = false;
  SwitchFixture fixture(2, params);
  fixture.at(0, [&] { fixture.s(1).mac.send_pause(1000); });
  fixture.s(0).send(fixture.frame(0, 1), kUs);
  run_until(kMs);
  EXPECT_EQ(fixture.s(1).arrivals.at(0).at_ps, kUs + 72 * kOctet + kUs + 72 * kOctet);
}

TEST(Switch, APortThatGoesDownLosesItsQueueAndItsStations) {
  SwitchFixture fixture(3);
  test::TapRecord record;
  fixture.dut.at(1).drops.listen(&record);
  fixture.s(1).send(fixture.frame(1, 9));
  fixture.at(2 * kUs, [&] { fixture.s(1).mac.send_pause(0xffff); });
  for (std::uint32_t i = 0; i < 5; ++i) fixture.s(0).send(fixture.frame(0, 1, 64, i), 5 * kUs);
  fixture.at(20 * kUs, [&] { fixture.links[1]->set_up(false); });
  fixture.s(0).send(fixture.frame(0, 1), 30 * kUs);  // unknown again: flooded, to 2 only
  run_until(kMs);
  EXPECT_EQ(fixture.s(1).received, 0U);
  EXPECT_EQ(record.count(FrameFate::kDropped, "port down"), 5U);
  EXPECT_EQ(fixture.dut.buffer_fill.value(), 0U);
  EXPECT_EQ(fixture.s(2).received, 2U);
}

TEST(Switch, PausesAnewAfterItsPortWasDown) {
  SwitchFixture fixture(3, known_switch("fujitsu_xg1200"));
  fixture.s(2).send(fixture.frame(2, 9));
  fixture.at(2 * kUs,
             [&] { fixture.s(2).mac.send_pause(0xffff); });  // 3.36 ms: what is stored stays
  for (std::uint32_t i = 0; i < 8; ++i) fixture.s(0).send(fixture.frame(0, 2, 9216, i), 5 * kUs);
  run_until(200 * kUs);
  EXPECT_TRUE(fixture.dut.at(0).watermark.holding());
  EXPECT_EQ(fixture.s(0).mac.rx_xoff.value(), 1U);
  fixture.at(300 * kUs, [&] { fixture.links[0]->set_up(false); });
  fixture.at(310 * kUs, [&] { fixture.links[0]->set_up(true); });
  fixture.at(320 * kUs, [&] {
    fixture.s(0).send(fixture.frame(0, 2, 64));
  });  // the pause ended with the carrier
  run_until(330 * kUs);
  EXPECT_EQ(fixture.s(0).mac.rx_xoff.value(), 2U);
}

TEST(Switch, KeepsTheOrderOfAFlow) {
  SwitchFixture fixture(2);
  for (std::uint32_t i = 0; i < 500; ++i)
    fixture.s(0).send(fixture.frame(0, 1, 64 + i % 7 * 200, i));
  run_until(kMs);
  ASSERT_EQ(fixture.s(1).received, 500U);
  for (std::uint32_t i = 0; i < 500; ++i)
    ASSERT_EQ(test::number_of(*fixture.s(1).arrivals[i].frame), i);
}

TEST(Switch, ForwardsSmallestFramesAtFullRate) {
  SwitchFixture fixture(2);
  fixture.s(0).keep_frames = fixture.s(1).keep_frames = false;
  fixture.s(1).send(fixture.frame(1, 0));
  fixture.s(0).generate([&] { return fixture.frame(0, 1); });
  run_until(kUs + 72 * kOctet + 84 * kOctet * 10'000ULL);
  EXPECT_EQ(fixture.s(1).received, 10'000U);
  EXPECT_EQ(fixture.dut.at(0).dropped.value(), 0U);
}

}  // namespace
}  // namespace longhaul
