// SPDX-License-Identifier: Apache-2.0
// What a frame costs in processor time from driver to driver; run alone with
// --gtest_also_run_disabled_tests.
#include <gtest/gtest.h>

#include <cstdio>
#include <ctime>

#include "tests/unit/models/host/drivers/rig.h"

namespace longhaul::host::driver_testing {
namespace {

void one_way(const std::string& nic, std::uint32_t mtu, std::uint64_t frames) {
  RigOptions options;
  options.nic = nic;
  options.driver["mtu"] = mtu;
  Rig rig(options);
  rig.a.user().keep = rig.b.user().keep = false;
  std::uint64_t cpu_ns = 0;
  std::uint64_t began_ps = 0;
  std::uint64_t ended_ps = 0;
  WaitQueue room;
  rig.a.user().on_room = [&] { room.wake_all(); };
  rig.when_up([&](Program& program) {
    const TxPacket packet =
        rig.a.packet(plain_frame(rig.b.device().mac(), rig.a.device().mac(), mtu + 14, 1), {66});
    const std::clock_t began =
        std::clock();  // of this process: other work on the machine does not count
    began_ps = now_ps();
    Program::Syscall call(program);
    for (std::uint64_t i = 0; i < frames;) {
      if (rig.a.device().transmit(packet)) {
        ++i;
      } else {
        program.wait(room);
      }
    }
    while (rig.b.user().received_frames < frames && now_ps() < began_ps + 20'000 * kMs)
      program.sleep(kMs);
    ended_ps = now_ps();
    cpu_ns = static_cast<std::uint64_t>(std::clock() - began) * (1'000'000'000 / CLOCKS_PER_SEC);
    sc_core::sc_stop();
  });
  sc_core::sc_start();
  EXPECT_EQ(rig.b.user().received_frames, frames);
  std::printf(
      "%s mtu %u: %.0f ns of processor time per frame, %.2f Gb/s, %.1f interrupts and %.1f polls "
      "per 100 frames\n",
      nic.c_str(), mtu, static_cast<double>(cpu_ns) / static_cast<double>(frames),
      static_cast<double>(frames * mtu * 8) * 1000 / static_cast<double>(ended_ps - began_ps),
      static_cast<double>(rig.b.driver().interrupts.value()) * 100 / static_cast<double>(frames),
      static_cast<double>(rig.b.driver().polls.value()) * 100 / static_cast<double>(frames));
}

TEST(DISABLED_DriverSpeed, IxgbJumbo) { one_way("ixgb", 9198, 200'000); }
TEST(DISABLED_DriverSpeed, IxgbStandard) { one_way("ixgb", 1500, 500'000); }
TEST(DISABLED_DriverSpeed, E1000Standard) { one_way("82545em-fiber", 1500, 200'000); }

}  // namespace
}  // namespace longhaul::host::driver_testing
