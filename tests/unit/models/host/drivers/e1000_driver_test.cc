// SPDX-License-Identifier: Apache-2.0
// What e1000's driver does of its own: two ports, interrupt throttling, partners that do not
// negotiate.
#include <gtest/gtest.h>

#include <vector>

#include "models/nic/e1000/regs.h"
#include "tests/unit/models/host/drivers/rig.h"

namespace longhaul::host::driver_testing {
namespace {

namespace regs = nic::e1000::regs;

std::uint32_t reg(RigHost& host, std::uint32_t offset, std::uint32_t port = 0) {
  return host.nics[port]->function()->bank().peek(offset);
}

TEST(E1000Driver, TheSecondPortOfA82546IsADeviceOfItsOwn) {
  RigOptions options;
  options.nic = "82546eb-fiber";
  options.ports = 2;
  RigHost a("a", options, 0);
  RigHost b("b", options, 8);
  Link first("first", Rig::link_params(options));
  Link second("second", Rig::link_params(options));
  first.connect(a.port(0), b.port(0));
  second.connect(a.port(1), b.port(1));
  const auto open = [](RigHost& host, Program& program) {
    host.device(0).open();
    host.device(1).open();
    while (!(host.device(0).link_up() && host.device(1).link_up())) program.sleep_ps(kMs);
  };
  b.run([&](Program& program) { open(b, program); });
  a.run([&](Program& program) {
    open(a, program);
    while (!(b.device(0).link_up() && b.device(1).link_up())) program.sleep_ps(kMs);
    MacAddress other = a.device(0).mac();
    other[5] ^= 1;
    EXPECT_EQ(a.device(1).mac(), other);
    for (std::uint32_t i = 0; i < 40; ++i) {
      const std::uint32_t port = i % 4 == 0 ? 0 : 1;
      const Bytes8 frame = plain_frame(b.device(port).mac(), a.device(port).mac(), 100 + i, i);
      EXPECT_TRUE(a.device(port).transmit(a.packet(frame)));
    }
    program.sleep_ps(10 * kMs);
    a.device(1).close();
    const Bytes8 frame = plain_frame(b.device(0).mac(), a.device(0).mac(), 99, 0);
    EXPECT_TRUE(a.device(0).transmit(a.packet(frame))) << "the other goes on";
    program.sleep_ps(10 * kMs);
    sc_core::sc_stop();
  });
  sc_core::sc_start();
  EXPECT_EQ(b.user(0).received_frames, 11U);
  EXPECT_EQ(b.user(1).received_frames, 30U);
  EXPECT_EQ(a.user(1).sent_packets, 30U);
}

struct ThrottleCase {
  const char* version;
  nlohmann::json throttle;
  std::uint32_t itr;  ///< units of 256 ns
};

class ThrottleTest : public ::testing::TestWithParam<ThrottleCase> {};
INSTANTIATE_TEST_SUITE_P(
    Versions, ThrottleTest,
    ::testing::Values(ThrottleCase{"4.4.12", nullptr, 488}, ThrottleCase{"em", nullptr, 488},
                      ThrottleCase{"sk98lin", nullptr, 0}, ThrottleCase{"5.2.39", 0, 0},
                      ThrottleCase{"5.2.39", 20000, 195}, ThrottleCase{"5.2.39", nullptr, 488}));

TEST_P(ThrottleTest, IsTheGapBetweenInterrupts) {
  RigOptions options;
  options.nic = "82545em-fiber";
  options.driver["version"] = GetParam().version;
  if (!GetParam().throttle.is_null()) options.driver["throttle"] = GetParam().throttle;
  Rig rig(options);
  rig.when_up([](Program&) { sc_core::sc_stop(); });
  sc_core::sc_start();
  EXPECT_EQ(reg(rig.a, regs::kItr), GetParam().itr);
}

TEST(E1000Driver, AsSk98linItInterruptsForEachFrameWhichFillsItsBuffer) {
  RigOptions options;
  options.nic = "82545em-fiber";
  options.driver["version"] = "sk98lin";
  options.net.napi.value = false;
  Rig rig(options);
  constexpr std::uint32_t kFrames = 5;
  rig.when_up([&](Program& program) {
    EXPECT_FALSE(rig.a.device().features().scatter_gather);
    EXPECT_FALSE(rig.a.device().features().checksum_tx);
    const std::uint64_t before = rig.b.driver().interrupts.value();
    const TxPacket packet =
        rig.a.packet(plain_frame(rig.b.device().mac(), rig.a.device().mac(), 1514, 1));
    for (std::uint32_t i = 0; i < kFrames; ++i) {
      EXPECT_TRUE(rig.a.device().transmit(packet));
      program.sleep_ps(kMs);
    }
    EXPECT_EQ(rig.b.driver().interrupts.value() - before, kFrames);
    EXPECT_EQ(rig.b.user().received_frames, kFrames);
    sc_core::sc_stop();
  });
  std::uint32_t buffer_bytes = 0;
  rig.b.user().on_buffer = [&](std::uint32_t bytes) { buffer_bytes = bytes; };
  sc_core::sc_start();
  EXPECT_EQ(buffer_bytes, 2U + 1518U);
}

class CausesOfEachTurn : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Versions, CausesOfEachTurn, ::testing::Values("em", "sk98lin"));

TEST_P(CausesOfEachTurn, ALinkThatGoesWhileTheHandlerIsAtWorkIsSeenAtOnce) {
  RigOptions options;
  options.nic = "82545em-fiber";
  options.driver["version"] = GetParam();
  options.net.napi.value = false;
  Rig rig(options);
  rig.b.user().on_received = [&] { rig.link.set_up(false); };
  rig.when_up([&](Program& program) {
    EXPECT_TRUE(rig.a.device().transmit(
        rig.a.packet(plain_frame(rig.b.device().mac(), rig.a.device().mac(), 100, 1))));
    program.sleep_ps(10 * kMs);
    EXPECT_EQ(rig.b.user().links, (std::vector<bool>{true, false}));
    sc_core::sc_stop();
  });
  sc_core::sc_start();
  EXPECT_EQ(rig.b.user().received_frames, 1U);
}

TEST(E1000Driver, TrafficBothWaysIsThrottledMoreThanTrafficOneWay) {
  RigOptions options;
  options.nic = "82545em-fiber";
  Rig rig(options);
  const auto send = [](Program& program, RigHost& from, RigHost& to, std::uint32_t frames) {
    const TxPacket packet =
        from.packet(plain_frame(to.device().mac(), from.device().mac(), 1000, 1));
    for (std::uint32_t i = 0; i < frames; ++i) {
      while (!from.device().transmit(packet)) program.sleep_ps(kMs);
    }
  };
  rig.when_up(
      [&](Program& program) {
        send(program, rig.a, rig.b, 300);
        program.sleep_ps(2100 * kMs);
        EXPECT_EQ(reg(rig.a, regs::kItr), 488U) << "8000/s: one way";
        EXPECT_EQ(reg(rig.b, regs::kItr), 488U);
        send(program, rig.a, rig.b, 300);
        program.sleep_ps(2100 * kMs);
        EXPECT_EQ(reg(rig.a, regs::kItr), 1953U) << "2000/s: as much in either";
        sc_core::sc_stop();
      },
      [&](Program& program) {
        program.sleep_ps(2100 * kMs);
        send(program, rig.b, rig.a, 300);
      });
  sc_core::sc_start();
}

TEST(E1000Driver, APartnerThatSendsNoWordsGetsAForcedLink) {
  RigOptions options;
  options.nic = "82545em-fiber";
  options.nic_params["link_partner"] = "silent";
  Rig rig(options);
  rig.when_up([](Program&) { sc_core::sc_stop(); });
  sc_core::sc_start(from_ps(5000 * kMs));
  EXPECT_TRUE(rig.a.device().link_up());
  EXPECT_TRUE(rig.b.device().link_up());
  EXPECT_GE(now_ps(), 500 * kMs) << "after half a second of asking";
}

}  // namespace
}  // namespace longhaul::host::driver_testing
