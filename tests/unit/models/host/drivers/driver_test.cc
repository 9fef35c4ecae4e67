// SPDX-License-Identifier: Apache-2.0
// What both drivers do, on both adapters, from driver to driver over a cable.
#include <gtest/gtest.h>

#include "models/nic/e1000/regs.h"
#include "models/nic/ixgb/regs.h"
#include "tests/unit/models/host/drivers/rig.h"

namespace longhaul::host::driver_testing {
namespace {

struct Adapter {
  const char* nic;
  const char* version;
  std::uint32_t largest_mtu;
};

class DriverTest : public ::testing::TestWithParam<Adapter> {
 protected:
  RigOptions options_for(std::uint32_t mtu) const {
    RigOptions options;
    options.nic = GetParam().nic;
    options.driver = {{"mtu", mtu}, {"version", GetParam().version}};
    return options;
  }
  bool ixgb() const { return std::string(GetParam().nic) == "ixgb"; }
  std::uint32_t mask(RigHost& host) const {
    nic::Adapter& nic = *host.nics.front();
    return nic.function()->bank().read(ixgb() ? nic::ixgb::regs::kIms : nic::e1000::regs::kIms);
  }
  Bytes8 plain(Rig& rig, std::uint32_t bytes, std::uint32_t seed) const {
    return plain_frame(rig.b.device().mac(), rig.a.device().mac(), bytes, seed);
  }
  /// Sends from a process and waits for room.
  static void send(Program& program, RigHost& host, const TxPacket& packet) {
    while (!host.device().transmit(packet)) program.sleep_ps(kMs);
  }
  static void settle(Program& program, Rig& rig, std::uint64_t frames) {
    for (int i = 0; i < 200 && rig.b.user().received_frames < frames; ++i) program.sleep_ps(kMs);
    program.sleep_ps(5 * kMs);  // write-backs and interrupts of the last ones
  }
};

std::string name_of(const ::testing::TestParamInfo<Adapter>& info) {
  std::string name = std::string(info.param.nic) + "_" + info.param.version;
  for (char& c : name) c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(Adapters, DriverTest,
                         ::testing::Values(Adapter{"ixgb", "1.0.110", 16114},
                                           Adapter{"ixgb", "1.0.66", 16114},
                                           Adapter{"82545em-fiber", "5.2.39", 16110},
                                           Adapter{"82546eb-copper", "4.4.12", 16110},
                                           Adapter{"82545gm-fiber", "em", 16110}),
                         name_of);

TEST_P(DriverTest, FramesOfEverySizeArriveAsTheyWere) {
  Rig rig(options_for(1500));
  std::vector<Bytes8> sent;
  rig.when_up([&](Program& program) {
    for (std::uint32_t bytes = 60; bytes <= 1514; bytes += bytes < 130 ? 1 : 17) {
      sent.push_back(plain(rig, bytes, bytes));
      // In one piece, in header and rest, in odd bits.
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
  EXPECT_EQ(rig.a.core.packets_sent.value(), sent.size());
  EXPECT_EQ(rig.b.core.packets_received.value(), sent.size());
}

TEST_P(DriverTest, JumboFramesArriveAsTheyWere) {
  RigOptions options = options_for(GetParam().largest_mtu);
  Rig rig(options);
  std::vector<Bytes8> sent;
  rig.when_up([&](Program& program) {
    for (std::uint32_t bytes : {60U, 1515U, 4097U, 9212U, GetParam().largest_mtu + 14}) {
      sent.push_back(plain(rig, bytes, bytes));
      send(program, rig.a, rig.a.packet(sent.back()));
    }
    settle(program, rig, sent.size());
    sc_core::sc_stop();
  });
  sc_core::sc_start();
  EXPECT_EQ(rig.b.user().frames, sent);
}

TEST_P(DriverTest, TheAdapterCompletesChecksumsAndVerifiesThem) {
  Rig rig(options_for(1500));
  std::vector<Bytes8> expected;
  rig.when_up([&](Program& program) {
    for (bool ipv6 : {false, true}) {
      for (std::uint32_t payload : {1U, 700U, 1400U}) {
        const auto frame = [&](tcp::TcpChecksum checksum) {
          return tcp_frame(rig.b.device().mac(), rig.a.device().mac(), payload, ipv6, checksum);
        };
        expected.push_back(frame(tcp::TcpChecksum::kComplete));
        TxPacket packet = rig.a.packet(frame(tcp::TcpChecksum::kPseudoHeader), {66});
        packet.ipv6 = ipv6;
        packet.checksum = true;
        packet.l4_offset = ipv6 ? 54 : 34;
        send(program, rig.a, packet);
      }
    }
    // A wrong checksum, which the adapter is not asked to mend.
    Bytes8 wrong = tcp_frame(rig.b.device().mac(), rig.a.device().mac(), 500, false,
                             tcp::TcpChecksum::kComplete);
    wrong[14 + 40] ^= 1;
    expected.push_back(wrong);
    send(program, rig.a, rig.a.packet(wrong));
    settle(program, rig, expected.size());
    sc_core::sc_stop();
  });
  sc_core::sc_start();
  EXPECT_EQ(rig.b.user().frames, expected);
  EXPECT_EQ(rig.b.user().good, (std::vector<bool>{true, true, true, true, true, true, false}));
}

TEST_P(DriverTest, AFullRingRefusesAndSaysWhenThereIsRoom) {
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
  // Four descriptors a packet; the ring holds 255, and 20 must be free.
  EXPECT_GE(before_refusal, (255U - 20) / 4);
  EXPECT_EQ(rig.b.user().received_frames, before_refusal + 1);
  EXPECT_EQ(rig.a.user().sent_packets, before_refusal + 1) << "none twice, none lost";
}

TEST_P(DriverTest, InterruptsAreOffWhileItPolls) {
  Rig rig(options_for(1500));
  std::uint32_t seen_masked = 0;
  rig.b.user().on_received = [&] { seen_masked += mask(rig.b) == 0 ? 1 : 0; };
  rig.when_up([&](Program& program) {
    for (std::uint32_t i = 0; i < 300; ++i) send(program, rig.a, rig.a.packet(plain(rig, 1000, i)));
    settle(program, rig, 300);
    EXPECT_NE(mask(rig.b), 0U) << "on again at rest";
    sc_core::sc_stop();
  });
  sc_core::sc_start();
  EXPECT_EQ(rig.b.user().received_frames, 300U);
  // The mask is a posted write: some frames go up before it has reached the adapter, one or two for
  // each interrupt.
  EXPECT_GE(seen_masked + 2 * rig.b.driver().interrupts.value(), 300U);
  EXPECT_LT(rig.b.driver().interrupts.value(), 100U);
  EXPECT_EQ(rig.b.user().in_hardirq, 0U);
  EXPECT_EQ(rig.b.core.napi_polls.value(), rig.b.driver().polls.value());
}

TEST_P(DriverTest, MoreThanABudgetGoesRound) {
  RigOptions options = options_for(1500);
  options.net.napi_weight.value = 8;
  options.net.napi_budget.value = 20;
  Rig rig(options);
  std::uint64_t polls = 0;
  std::uint64_t turns = 0;
  rig.when_up(
      [&](Program& program) {
        program.sleep_ps(2 * kMs);
        for (std::uint32_t i = 0; i < 60; ++i)
          send(program, rig.a, rig.a.packet(plain(rig, 60, i)));
      },
      [&](Program& program) {
        program.sleep_ps(kMs);
        const Processor::SoftirqsOff off(rig.b.processor);
        for (int i = 0; i < 10; ++i) {
          rig.b.processor.charge(cpu::WorkKind::kDelayPs, kMs);
          rig.b.processor.pay();
        }
        EXPECT_EQ(rig.b.user().received_frames, 0U) << "all wait in the ring";
        polls = rig.b.driver().polls.value();
        turns = rig.b.processor.softirq_runs.value();
      });
  while (rig.b.user().received_frames < 60 && now_ps() < 3000 * kMs) Rig::run_for(kMs);
  EXPECT_EQ(rig.b.user().received_frames, 60U);
  // Of 20, 20 and 20 frames: 8, 8, 4; 4, 8, 8; 8, 8, 4.
  EXPECT_GE(rig.b.driver().polls.value(), polls + 9);
  EXPECT_GE(rig.b.processor.softirq_runs.value(), turns + 3);
}

TEST_P(DriverTest, WithoutNapiTheHandlerHandsUp) {
  RigOptions options = options_for(1500);
  options.net.napi.value = false;
  Rig rig(options);
  std::vector<Bytes8> sent;
  rig.when_up([&](Program& program) {
    for (std::uint32_t i = 0; i < 500; ++i) {
      sent.push_back(plain(rig, 60 + i * 2, i));
      send(program, rig.a, rig.a.packet(sent.back()));
    }
    settle(program, rig, sent.size());
    sc_core::sc_stop();
  });
  sc_core::sc_start();
  EXPECT_EQ(rig.b.user().frames, sent);
  EXPECT_EQ(rig.b.user().in_hardirq, 500U);
  EXPECT_EQ(rig.a.user().sent_packets, 500U);
  EXPECT_EQ(rig.b.driver().polls.value(), 0U);
}

TEST_P(DriverTest, ClosingGivesEverythingBack) {
  Rig rig(options_for(9198));
  std::uint64_t a_used = 0;
  std::uint64_t b_used = 0;
  std::uint64_t taken = 0;
  rig.b.run([&](Program& program) {
    b_used = rig.b.pool.used();
    rig.b.device().open();
    EXPECT_GT(rig.b.pool.used(), b_used);
    while (!rig.b.device().link_up()) program.sleep_ps(kMs);
    program.sleep_ps(1000 * kMs);
    rig.b.device().close();
    EXPECT_EQ(rig.b.pool.used(), b_used);
  });
  rig.a.run([&](Program& program) {
    a_used = rig.a.pool.used();
    rig.a.device().open();
    while (!(rig.a.device().link_up() && rig.b.device().link_up())) program.sleep_ps(kMs);
    const TxPacket packet = rig.a.packet(plain(rig, 9000, 1));
    while (rig.a.device().transmit(packet)) ++taken;
    rig.a.device().close();  // with most of them still in the ring
    EXPECT_EQ(rig.a.user().sent_packets, taken);
    EXPECT_FALSE(rig.a.device().link_up());
    rig.a.free_sent();
    EXPECT_EQ(rig.a.pool.used(), a_used);
    rig.a.device().open();
    for (int i = 0; i < 4000 && !rig.a.device().link_up(); ++i) program.sleep_ps(kMs);
    EXPECT_TRUE(rig.a.device().link_up()) << "a second time";
    sc_core::sc_stop();
  });
  sc_core::sc_start();
}

TEST_P(DriverTest, TheLinkGoesAndComes) {
  Rig rig(options_for(1500));
  rig.when_up([&](Program& program) {
    program.sleep_ps(kMs);
    rig.link.set_up(false);
    program.sleep_ps(10 * kMs);
    EXPECT_FALSE(rig.a.device().link_up());
    EXPECT_FALSE(rig.b.device().link_up());
    TxPacket packet = rig.a.packet(plain(rig, 100, 1));
    EXPECT_TRUE(rig.a.device().transmit(packet)) << "taken";
    EXPECT_EQ(rig.a.driver().tx_dropped.value(), 1U) << "and dropped";
    EXPECT_EQ(rig.a.user().sent_packets, 1U) << "and given back";
    rig.link.set_up(true);
    for (int i = 0; i < 4000 && !(rig.a.device().link_up() && rig.b.device().link_up()); ++i)
      program.sleep_ps(kMs);
    packet = rig.a.packet(plain(rig, 100, 2));
    EXPECT_TRUE(rig.a.device().transmit(packet));
    settle(program, rig, 1);
    sc_core::sc_stop();
  });
  sc_core::sc_start();
  EXPECT_EQ(rig.a.user().links, (std::vector<bool>{true, false, true}));
  EXPECT_EQ(rig.b.user().frames.size(), 1U);
}

TEST_P(DriverTest, PacketsInTheRingOfALinkThatWentComeBack) {
  Rig rig(options_for(1500));
  std::uint64_t taken = 0;
  rig.when_up([&](Program& program) {
    const TxPacket packet = rig.a.packet(plain(rig, 1514, 1));
    rig.link.set_up(false);
    while (taken < 100 && rig.a.device().transmit(packet)) ++taken;
    program.sleep_ps(2100 * kMs);  // the watchdog has looked
    EXPECT_EQ(rig.a.user().sent_packets, taken);
    sc_core::sc_stop();
  });
  sc_core::sc_start();
  EXPECT_EQ(taken, 100U);
}

TEST_P(DriverTest, WithoutReceiveBuffersFramesAreLostAndItRecovers) {
  RigOptions options = options_for(1500);
  options.driver["rx_descriptors"] = 64;
  options.driver["copybreak"] = 0;
  Rig rig(options);
  rig.when_up([&](Program& program) {
    std::vector<std::uint64_t> hoard;
    const std::uint64_t size =
        MemoryPool::rounded(std::string(GetParam().version) == "1.0.110" ? 1536 : 2050);
    while (const std::uint64_t piece = rig.b.pool.allocate(size)) hoard.push_back(piece);
    rig.b.user().on_received = [&] { hoard.push_back(rig.b.pool.allocate(size)); };
    for (std::uint32_t i = 0; i < 200; ++i) send(program, rig.a, rig.a.packet(plain(rig, 1000, i)));
    program.sleep_ps(20 * kMs);
    EXPECT_LT(rig.b.user().received_frames, 65U);
    EXPECT_GT(rig.b.driver().rx_no_buffer.value(), 0U);
    rig.b.user().on_received = {};
    for (const std::uint64_t piece : hoard) {
      if (piece != 0) rig.b.pool.free(piece, size);
    }
    program.sleep_ps(2100 * kMs);  // the watchdog's interrupt finds it at the latest
    const std::uint64_t before = rig.b.user().received_frames;
    for (std::uint32_t i = 0; i < 50; ++i) send(program, rig.a, rig.a.packet(plain(rig, 1000, i)));
    program.sleep_ps(20 * kMs);
    EXPECT_EQ(rig.b.user().received_frames, before + 50);
    sc_core::sc_stop();
  });
  sc_core::sc_start();
}

TEST_P(DriverTest, GroupsArriveOnceTheyAreJoined) {
  Rig rig(options_for(1500));
  const MacAddress group{0x33, 0x33, 0xff, 0x00, 0xab, 0xcd};
  std::uint32_t stage = 0;
  rig.when_up(
      [&](Program& program) {
        const Bytes8 frame = plain_frame(group, rig.a.device().mac(), 100, 1);
        send(program, rig.a, rig.a.packet(frame));
        program.sleep_ps(5 * kMs);
        EXPECT_EQ(rig.b.user().received_frames, 0U);
        stage = 1;
        while (stage != 2) program.sleep_ps(kMs);
        send(program, rig.a, rig.a.packet(frame));
        settle(program, rig, 1);
        EXPECT_EQ(rig.b.user().received_frames, 1U);
        sc_core::sc_stop();
      },
      [&](Program& program) {
        while (stage != 1) program.sleep_ps(kMs);
        rig.b.device().join(group);
        stage = 2;
      });
  sc_core::sc_start();
  EXPECT_EQ(stage, 2U);
}

TEST_P(DriverTest, OneProcessorSendsWhileAnotherTakesTheInterrupts) {
  RigOptions options = options_for(1500);
  options.net.napi.value = std::string(GetParam().version) != "em";
  options.processors = 2;
  constexpr std::uint32_t kFrames = 2000;
  Rig rig(options);
  std::vector<Bytes8> sent;
  std::uint64_t answers = 0;
  // Each frame that arrives at b is answered from its softirq or handler, while its process sends,
  // too.
  rig.b.user().on_received = [&] {
    const TxPacket packet =
        rig.b.packet(plain_frame(rig.a.device().mac(), rig.b.device().mac(), 60, 1));
    answers += rig.b.device().transmit(packet) ? 1 : 0;
  };
  std::uint64_t own = 0;
  bool done = false;
  rig.when_up(
      [&](Program& program) {
        for (std::uint32_t i = 0; i < kFrames; ++i) {
          sent.push_back(plain(rig, 60 + i % 300, i));
          send(program, rig.a, rig.a.packet(sent.back(), {50, 4}));
        }
        settle(program, rig, sent.size());
        done = true;
        program.sleep_ps(20 * kMs);
        sc_core::sc_stop();
      },
      [&](Program& program) {
        while (!done) {
          const TxPacket packet =
              rig.b.packet(plain_frame(rig.a.device().mac(), rig.b.device().mac(), 200, 2));
          if (rig.b.device().transmit(packet)) {
            ++own;
          } else {
            program.sleep_ps(kMs);
          }
          rig.b.processor.charge(cpu::WorkKind::kDelayPs, 3 * kUs);
          rig.b.processor.pay();
        }
      });
  sc_core::sc_start();
  EXPECT_EQ(rig.b.user().frames, sent);
  EXPECT_GT(own, 100U);
  EXPECT_EQ(rig.a.user().received_frames, own + answers);
  EXPECT_EQ(rig.b.user().sent_packets, own + answers);
  EXPECT_EQ(rig.b.core.packets_received.value(), 0U);
  EXPECT_EQ(rig.b.core_of(1).packets_received.value(), kFrames);
  EXPECT_EQ(rig.b.core.packets_sent.value(), own);
}

}  // namespace
}  // namespace longhaul::host::driver_testing
