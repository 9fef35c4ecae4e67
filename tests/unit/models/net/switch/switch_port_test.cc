// SPDX-License-Identifier: Apache-2.0
#include "models/net/switch/switch_port.h"

#include <gtest/gtest.h>

#include "models/net/link/link.h"
#include "models/net/switch/switch.h"
#include "tests/unit/support/ethernet.h"
#include "tests/unit/times.h"

namespace longhaul {
namespace {

using test::make_frame;
using test::run_until;
using test::Station;
using test::station;

/// Stations 0, 1, 2 on the ports of a switch that knows where each of them is.
struct PortFixture {
  explicit PortFixture(const SwitchParams& params = {}) : dut("switch", 3, params) {
    LinkParams link;
    link.length_m.value = 0;
    for (std::uint32_t i = 0; i < 3; ++i) {
      stations.push_back(std::make_unique<Station>(("s" + std::to_string(i)).c_str()));
      links.push_back(std::make_unique<Link>(("l" + std::to_string(i)).c_str(), link));
      links[i]->connect(stations[i]->port(), dut.port(i));
      stations[i]->mac.set_address(station(static_cast<std::uint8_t>(i)));
      stations[i]->mac.set_flow_control(true, true);
      stations[i]->send(make_frame(64, station(9), station(static_cast<std::uint8_t>(i))));
    }
    run_until(100 * kUs);
  }
  void send(std::uint8_t from, std::uint8_t to, std::uint32_t octets) {
    stations[from]->send(make_frame(octets, station(to), station(from)));
  }
  Switch dut;
  std::vector<std::unique_ptr<Station>> stations;
  std::vector<std::unique_ptr<Link>> links;
  test::At at{"at"};
};

TEST(SwitchPort, AFrameFillsItsOutputsQueueAndIsChargedToItsInput) {
  PortFixture fixture;
  SwitchPort& first = fixture.dut.at(0);
  SwitchPort& second = fixture.dut.at(1);
  SwitchPort& out = fixture.dut.at(2);
  const observe::Level::Integral first_before = first.input_fill.integral();
  const observe::Level::Integral second_before = second.input_fill.integral();
  fixture.at(200 * kUs, [&] {
    fixture.send(0, 2, 1518);
    fixture.send(0, 2, 1518);
    fixture.send(1, 2, 1518);
  });
  run_until(kMs);
  EXPECT_EQ(out.queue_fill.highest(), 2 * 1518U) << "both inputs sent at once";
  // Port 0's first frame is stored for the latency of 1 us; port 1's goes out behind it. Port 0's
  // second arrived a frame's time (1538 octets) later, and goes out last.
  const std::uint64_t slot_ps = 1538 * 800;
  EXPECT_TRUE(first.input_fill.integral() - first_before ==
              1518U * (kUs + (kUs + 2 * slot_ps - slot_ps)));
  EXPECT_TRUE(second.input_fill.integral() - second_before == 1518U * (kUs + slot_ps));
  EXPECT_EQ(out.queue_fill.value(), 0U);
  EXPECT_EQ(first.input_fill.value(), 0U);
  EXPECT_EQ(second.input_fill.value(), 0U);
  EXPECT_EQ(out.queued(), 0U);
  EXPECT_EQ(fixture.stations[2]->received, 2U + 3U) << "two floods of the start, and these";
}

TEST(SwitchPort, PauseFramesCarryTheAddressOfThePortThatSendsThem) {
  SwitchParams params;
  params.pause_high.value = Bytes{2000};
  params.pause_low.value = Bytes{1000};
  PortFixture fixture(params);
  std::vector<MacAddress> senders;
  struct Listener final : observe::FrameListener {
    std::vector<MacAddress> from;
    void on_frame(const sc_core::sc_time&, const FrameRef& frame, observe::FrameFate,
                  const char*) override {
      if (ethernet::type(*frame) == 0x8808) from.push_back(ethernet::source(*frame));
    }
  } listener;
  fixture.links[1]->b_to_a.tap.listen(&listener);
  fixture.at(200 * kUs, [&] {
    for (int i = 0; i < 8; ++i) {
      fixture.send(0, 2, 1518);
      fixture.send(1, 2, 1518);
    }
  });
  run_until(kMs);
  ASSERT_FALSE(listener.from.empty());
  for (const MacAddress& from : listener.from)
    EXPECT_EQ(from, (MacAddress{0x02, 0x53, 0x57, 0, 0, 1}));
}

TEST(SwitchPort, AFrameForADarkPortIsDroppedThereWithTheReason) {
  PortFixture fixture;
  test::TapRecord record;
  fixture.dut.at(2).drops.listen(&record);
  fixture.at(200 * kUs, [&] {
    for (int i = 0; i < 4; ++i) fixture.send(0, 2, 1518);
  });
  // The first is on the wire, others wait or are still to come.
  fixture.at(200 * kUs + 4 * 1538 * 800, [&] { fixture.links[2]->set_up(false); });
  run_until(2 * kMs);
  EXPECT_EQ(fixture.dut.at(2).dropped.value(), record.entries.size());
  EXPECT_GE(record.count(observe::FrameFate::kDropped, "port down"), 1U);
  EXPECT_EQ(fixture.dut.at(2).queue_fill.value(), 0U);
  EXPECT_EQ(fixture.dut.at(0).input_fill.value(), 0U) << "what was dropped is charged to nobody";
}

}  // namespace
}  // namespace longhaul
