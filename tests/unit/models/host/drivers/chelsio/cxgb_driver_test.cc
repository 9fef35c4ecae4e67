// SPDX-License-Identifier: Apache-2.0
// cxgb on two N110, from driver to driver over a cable.
#include <gtest/gtest.h>

#include "models/host/drivers/chelsio/cxgb_driver.h"
#include "tests/unit/models/host/drivers/rig.h"

namespace longhaul::host::driver_testing {
namespace {

RigOptions options_for(std::uint32_t mtu, bool polling = false) {
  RigOptions options;
  options.nic = "n110";
  options.driver = {{"mtu", mtu}, {"polling", polling}};
  return options;
}
Bytes8 plain(Rig& rig, std::uint32_t bytes, std::uint32_t seed) {
  return plain_frame(rig.b.device().mac(), rig.a.device().mac(), bytes, seed);
}
void send(Program& program, RigHost& host, const TxPacket& packet) {
  while (!host.device().transmit(packet)) program.sleep_ps(kMs);
}
void settle(Program& program, Rig& rig, std::uint64_t frames) {
  for (int i = 0; i < 200 && rig.b.user().received_frames < frames; ++i) program.sleep_ps(kMs);
  program.sleep_ps(300 * kMs);  // the reclaim timer takes back the last packets
}

class CxgbPolling : public ::testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(Polling, CxgbPolling, ::testing::Bool());

TEST_P(CxgbPolling, FramesOfEverySizeArriveAsTheyWere) {
  Rig rig(options_for(9582, GetParam()));
  std::vector<Bytes8> sent;
  rig.when_up([&](Program& program) {
    for (std::uint32_t bytes = 60; bytes <= 9596; bytes += bytes < 260 ? 1 : 211) {
      sent.push_back(plain(rig, bytes, bytes));
      const std::vector<std::uint32_t> cuts[] = {{}, {14}, {1, 2, 3, 37}};
      send(program, rig.a, rig.a.packet(sent.back(), cuts[bytes % 3]));
    }
    settle(program, rig, sent.size());
    sc_core::sc_stop();
  });
  sc_core::sc_start();
  EXPECT_EQ(rig.b.user().frames, sent);
  ASSERT_EQ(rig.a.user().cookies.size(), sent.size());
  for (std::size_t i = 0; i < sent.size(); ++i)
    EXPECT_EQ(rig.a.user().cookies[i], i + 1) << "in their order";
  EXPECT_EQ(rig.b.user().in_hardirq, GetParam() ? 0U : sent.size());
  EXPECT_EQ(rig.b.driver().polls.value() != 0, GetParam());
}

TEST(CxgbDriverTest, TheChipSumsIpv4Only) {
  Rig rig(options_for(1500));
  std::vector<Bytes8> expected;
  rig.when_up([&](Program& program) {
    EXPECT_FALSE(rig.a.device().features().checksum_tx_ipv6);
    for (bool ipv6 : {false, true}) {
      const auto frame = [&](tcp::TcpChecksum checksum) {
        return tcp_frame(rig.b.device().mac(), rig.a.device().mac(), 700, ipv6, checksum);
      };
      expected.push_back(frame(tcp::TcpChecksum::kComplete));
      TxPacket packet = rig.a.packet(
          frame(ipv6 ? tcp::TcpChecksum::kComplete : tcp::TcpChecksum::kPseudoHeader), {66});
      packet.ipv6 = ipv6;
      packet.checksum = !ipv6;
      packet.l4_offset = ipv6 ? 54 : 34;
      send(program, rig.a, packet);
    }
    Bytes8 wrong = expected.front();
    wrong[14 + 60] ^= 1;
    expected.push_back(wrong);
    send(program, rig.a, rig.a.packet(wrong));
    settle(program, rig, expected.size());
    sc_core::sc_stop();
  });
  sc_core::sc_start();
  EXPECT_EQ(rig.b.user().frames, expected);
  EXPECT_EQ(rig.b.user().good, (std::vector<bool>{true, false, false}));
}

TEST(CxgbDriverTest, AFullQueueStopsAndWakesWhenHalfOfItIsFree) {
  Rig rig(options_for(1500));
  std::uint32_t before_refusal = 0;
  rig.when_up([&](Program& program) {
    const TxPacket packet = rig.a.packet(plain(rig, 1514, 1), {66, 100, 200});
    while (rig.a.device().transmit(packet)) ++before_refusal;
    EXPECT_EQ(rig.a.driver().tx_busy.value(), 1U);
    EXPECT_EQ(rig.a.user().rooms, 0U);
    settle(program, rig, before_refusal);
    EXPECT_EQ(rig.a.user().rooms, 1U);
    EXPECT_TRUE(rig.a.device().transmit(packet));
    settle(program, rig, before_refusal + 1);
    sc_core::sc_stop();
  });
  sc_core::sc_start();
  // Four descriptors a packet; fewer than 19 of the 1024 are free then.
  EXPECT_GE(before_refusal, (1024U - 19) / 4);
  EXPECT_EQ(rig.b.user().received_frames, before_refusal + 1);
  EXPECT_EQ(rig.a.user().sent_packets, before_refusal + 1) << "none twice, none lost";
}

TEST(CxgbDriverTest, InterruptsKeepTheHoldOffTimersDistance) {
  Rig rig(options_for(1500));
  std::uint64_t begin = 0;
  std::uint64_t interrupts = 0;
  std::uint64_t end = 0;
  rig.when_up([&](Program& program) {
    begin = now_ps();
    interrupts = rig.b.driver().interrupts.value();
    for (std::uint32_t i = 0; i < 2000; ++i)
      send(program, rig.a, rig.a.packet(plain(rig, 1000, i)));
    while (rig.b.user().received_frames < 2000) program.sleep_ps(kMs);
    end = now_ps();
    sc_core::sc_stop();
  });
  sc_core::sc_start();
  const std::uint64_t taken = rig.b.driver().interrupts.value() - interrupts;
  EXPECT_LE(taken, (end - begin) / (50 * kMs / 1000) + 1);
  EXPECT_GE(taken, 5U);
}

TEST(CxgbDriverTest, ClosingGivesEverythingBack) {
  Rig rig(options_for(9198));
  rig.b.run([&](Program&) { rig.b.device().open(); });
  rig.a.run([&](Program& program) {
    const std::uint64_t used = rig.a.pool.used();
    std::uint64_t taken = 0;
    rig.a.device().open();
    EXPECT_GT(rig.a.pool.used(), used);
    while (!(rig.a.device().link_up() && rig.b.device().link_up())) program.sleep_ps(kMs);
    const TxPacket packet = rig.a.packet(plain(rig, 9000, 1));
    while (rig.a.device().transmit(packet)) ++taken;
    rig.a.device().close();  // with most of them still in the queue
    EXPECT_EQ(rig.a.user().sent_packets, taken);
    EXPECT_FALSE(rig.a.device().link_up());
    rig.a.free_sent();
    EXPECT_EQ(rig.a.pool.used(), used);
    rig.a.device().open();
    for (int i = 0; i < 1000 && !rig.a.device().link_up(); ++i) program.sleep_ps(kMs);
    EXPECT_TRUE(rig.a.device().link_up()) << "a second time";
    sc_core::sc_stop();
  });
  sc_core::sc_start();
}

TEST(CxgbDriverTest, TheLinkGoesAndComesByInterrupt) {
  Rig rig(options_for(1500));
  rig.when_up([&](Program& program) {
    program.sleep_ps(kMs);
    rig.link.set_up(false);
    program.sleep_ps(20 * kMs);
    EXPECT_FALSE(rig.a.device().link_up());
    EXPECT_FALSE(rig.b.device().link_up());
    EXPECT_TRUE(rig.a.device().transmit(rig.a.packet(plain(rig, 100, 1)))) << "taken";
    EXPECT_EQ(rig.a.driver().tx_dropped.value(), 1U) << "and dropped";
    rig.link.set_up(true);
    program.sleep_ps(20 * kMs);
    EXPECT_TRUE(rig.a.device().link_up());
    EXPECT_TRUE(rig.a.device().transmit(rig.a.packet(plain(rig, 100, 2))));
    settle(program, rig, 1);
    sc_core::sc_stop();
  });
  sc_core::sc_start();
  EXPECT_EQ(rig.a.user().links, (std::vector<bool>{true, false, true}));
  EXPECT_EQ(rig.b.user().frames.size(), 1U);
}

TEST(CxgbDriverTest, GroupsArriveOnceTheyAreJoined) {
  Rig rig(options_for(1500));
  const MacAddress group{0x33, 0x33, 0xff, 0x00, 0xab, 0xcd};
  bool joined = false;
  rig.when_up(
      [&](Program& program) {
        const Bytes8 frame = plain_frame(group, rig.a.device().mac(), 100, 1);
        send(program, rig.a, rig.a.packet(frame));
        program.sleep_ps(5 * kMs);
        EXPECT_EQ(rig.b.user().received_frames, 0U);
        joined = true;
        program.sleep_ps(20 * kMs);
        send(program, rig.a, rig.a.packet(frame));
        program.sleep_ps(5 * kMs);
        sc_core::sc_stop();
      },
      [&](Program& program) {
        while (!joined) program.sleep_ps(kMs);
        rig.b.device().join(group);
      });
  sc_core::sc_start();
  EXPECT_EQ(rig.b.user().received_frames, 1U);
}

TEST(CxgbDriverTest, WithFewBuffersFramesAreDroppedAndItRecovers) {
  RigOptions options = options_for(1500);
  options.driver["rx_buffers"] = 64;
  options.driver["refill_below"] = 4;
  Rig rig(options);
  rig.when_up([&](Program& program) {
    std::vector<std::uint64_t> hoard;
    const std::uint64_t size = 2048;
    while (const std::uint64_t piece = rig.b.pool.allocate(size)) hoard.push_back(piece);
    rig.b.user().on_received = [&] { hoard.push_back(rig.b.pool.allocate(size)); };
    for (std::uint32_t i = 0; i < 200; ++i) send(program, rig.a, rig.a.packet(plain(rig, 1000, i)));
    program.sleep_ps(20 * kMs);
    // The last 16 buffers go round; their frames are dropped.
    EXPECT_EQ(rig.b.user().received_frames, 64U - 16 + 1);
    auto& driver = dynamic_cast<chelsio::CxgbDriver&>(rig.b.driver());
    EXPECT_EQ(driver.rx_dropped.value(), 200U - rig.b.user().received_frames);
    rig.b.user().on_received = {};
    for (const std::uint64_t piece : hoard) {
      if (piece != 0) rig.b.pool.free(piece, size);
    }
    const std::uint64_t before = rig.b.user().received_frames;
    for (std::uint32_t i = 0; i < 50; ++i) send(program, rig.a, rig.a.packet(plain(rig, 1000, i)));
    program.sleep_ps(20 * kMs);
    EXPECT_GE(rig.b.user().received_frames, before + 49) << "one frame more has found few buffers";
    sc_core::sc_stop();
  });
  sc_core::sc_start();
}

TEST(CxgbDriverTest, MarksBeyondTheirListsAreRefused) {
  try {
    chelsio::cxgb_driver_params({{"rx_buffers", 64}, {"drop_below", 64}}, "machine.eth0");
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_STREQ(error.what(),
                 "machine.eth0.drop_below: 64 is not less than the 64 entries of rx_buffers");
  }
}

}  // namespace
}  // namespace longhaul::host::driver_testing
