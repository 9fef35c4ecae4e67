// SPDX-License-Identifier: Apache-2.0
#include "platform/observe/connection_sink.h"

#include <gtest/gtest.h>

#include "tests/unit/platform/observe/scratch_dir.h"
#include "tests/unit/support/ip_frames.h"

namespace longhaul::observe {
namespace {

using test::ip_frame;
using test::Segment;

struct TwoConnections : ::testing::Test {
  FrameTap received{"received", "frames taken in"};
  FrameTap sent{"sent", "frames sent"};
  PayloadMeter meter{"meter", received, sent};
  ConnectionSink sink{{{"host.eth0", &meter}}};

  void arrive(std::uint16_t port, std::uint32_t sequence, std::uint32_t bytes) {
    Segment s;
    s.from_port = port;
    s.sequence = sequence;
    s.payload = bytes;
    received.report(sc_core::SC_ZERO_TIME, ip_frame(s), FrameFate::kReceived);
  }
};

TEST_F(TwoConnections, TheLargestComesFirst) {
  arrive(40000, 1, 100);
  sink.begin_window();
  arrive(40000, 101, 200);
  arrive(40001, 1, 900);
  sink.end_window();
  const nlohmann::json at = sink.json().at(0);
  EXPECT_EQ(at.at("at"), "host.eth0");
  EXPECT_EQ(at.at("received_others"), 0);
  const nlohmann::json& flows = at.at("received");
  ASSERT_EQ(flows.size(), 2U);
  EXPECT_EQ(flows[0], (nlohmann::json{{"protocol", "tcp"},
                                      {"from", "10.0.0.1:40001"},
                                      {"to", "10.0.0.2:5001"},
                                      {"bytes", 900}}));
  EXPECT_EQ(flows[1].at("bytes"), 200);
}

TEST_F(TwoConnections, OthersThanTheLargestAreCounted) {
  for (std::uint16_t i = 0; i < ConnectionSink::kMostListed + 3; ++i)
    arrive(static_cast<std::uint16_t>(1000 + i), 1, 10);
  const nlohmann::json at = sink.json().at(0);
  EXPECT_EQ(at.at("received").size(), ConnectionSink::kMostListed);
  EXPECT_EQ(at.at("received_others"), 3);
  EXPECT_EQ(meter.drawn(), PayloadMeter::kMostDrawn);
}

TEST_F(TwoConnections, AreDrawnWhereTheyBroughtData) {
  const ScratchDir dir;
  Ticker ticker("ticker");
  sink.draw(dir.path("connections.csv"), sc_core::sc_time(1, sc_core::SC_MS), ticker);
  sc_core::sc_event keeps_alive("keeps_alive");  // a ticker stops where nothing else is to come
  keeps_alive.notify(sc_core::sc_time(4, sc_core::SC_MS));
  sc_core::sc_start(sc_core::sc_time(500, sc_core::SC_US));
  arrive(40000, 1, 100);
  sc_core::sc_start(sc_core::sc_time(2, sc_core::SC_MS));
  arrive(40001, 1, 30);
  arrive(40000, 101, 20);
  sink.close();
  EXPECT_EQ(dir.text("connections.csv"),
            "time_ps,at,from,to,bytes\n"
            "1000000000,host.eth0,10.0.0.1:40000,10.0.0.2:5001,100\n"
            "2500000000,host.eth0,10.0.0.1:40000,10.0.0.2:5001,20\n"
            "2500000000,host.eth0,10.0.0.1:40001,10.0.0.2:5001,30\n");
}

}  // namespace
}  // namespace longhaul::observe
