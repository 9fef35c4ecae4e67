// SPDX-License-Identifier: Apache-2.0
// What ixgb's driver does of its own: sizes, moderation, polling until nothing is left.
#include <gtest/gtest.h>

#include "models/nic/ixgb/regs.h"
#include "tests/unit/models/host/drivers/rig.h"

namespace longhaul::host::driver_testing {
namespace {

namespace regs = nic::ixgb::regs;

std::uint32_t reg(RigHost& host, std::uint32_t offset) {
  return host.nics.front()->function()->bank().peek(offset);
}

/// Opens with these parameters and lets `look` see the registers.
template <class Look>
void opened(const nlohmann::json& driver, Look look) {
  RigOptions options;
  options.driver = driver;
  Rig rig(options);
  rig.when_up([](Program&) { sc_core::sc_stop(); });
  sc_core::sc_start();
  look(rig.a);
}

TEST(IxgbDriver, SetsTheAdapterUpAs1_0_110Does) {
  opened({{"mtu", 9198}}, [](RigHost& host) {
    EXPECT_EQ(reg(host, regs::kMfs) >> 16, 9216U);
    EXPECT_NE(reg(host, regs::kCtrl0) & regs::kCtrl0Fields.jfe, 0U);
    EXPECT_EQ(regs::kRctlFields.bsize.get(reg(host, regs::kRctl)), 3U) << "16 KB";
    EXPECT_EQ(reg(host, regs::kRdlen), 512U * 16);
    EXPECT_EQ(reg(host, regs::kTdlen), 256U * 16);
    EXPECT_EQ(reg(host, regs::kRdtr), 72U);
    EXPECT_EQ(reg(host, regs::kTidv), 32U);
    EXPECT_EQ(reg(host, regs::kRxdctl), 16U << 18);
    EXPECT_EQ(reg(host, regs::kRaidc), 0U);
    EXPECT_EQ(reg(host, regs::kRdt), 507U)
        << "508 of 512 have buffers, and the tail is at the last of them";
    EXPECT_EQ(reg(host, regs::kFcrth), 0x30000U);
    // 508 buffers of 9234 bytes, each 16 KiB of the pool, and two rings.
    EXPECT_EQ(host.pool.used(), 508U * 16384 + 8192 + 4096);
  });
}

TEST(IxgbDriver, SetsTheAdapterUpAs1_0_66Does) {
  opened({{"version", "1.0.66"}, {"mtu", 1500}}, [](RigHost& host) {
    EXPECT_EQ(reg(host, regs::kCtrl0) & regs::kCtrl0Fields.jfe, 0U);
    EXPECT_EQ(regs::kRctlFields.bsize.get(reg(host, regs::kRctl)), 0U);
    EXPECT_EQ(reg(host, regs::kRxdctl), 128U | 16U << 9 | 16U << 18);
    EXPECT_EQ(reg(host, regs::kRaidc), regs::kRaidcFields.en | regs::kRaidcFields.rxt_gate |
                                           regs::kRaidcFields.poll.put(122U) | 72U << 11 | 31U);
    EXPECT_EQ(reg(host, regs::kRdt), 508U)
        << "the last multiple of four below the 510 that have buffers";
  });
}

TEST(IxgbDriver, PollsUntilNothingIsLeft) {
  Rig rig((RigOptions()));
  std::uint64_t polls = 0;
  std::uint64_t interrupts = 0;
  rig.when_up([&](Program& program) {
    program.sleep_ps(5 * kMs);
    polls = rig.b.driver().polls.value();
    interrupts = rig.b.driver().interrupts.value();
    const Bytes8 frame = plain_frame(rig.b.device().mac(), rig.a.device().mac(), 1000, 1);
    EXPECT_TRUE(rig.a.device().transmit(rig.a.packet(frame)));
    program.sleep_ps(5 * kMs);
    sc_core::sc_stop();
  });
  sc_core::sc_start();
  EXPECT_EQ(rig.b.driver().interrupts.value(), interrupts + 1);
  EXPECT_EQ(rig.b.driver().polls.value(), polls + 2)
      << "one finds the frame, the other that there is no more";
}

TEST(IxgbDriver, AFrameIsHandedUpARdtrAfterItCame) {
  Rig rig((RigOptions()));
  std::uint64_t sent_ps = 0;
  std::uint64_t up_ps = 0;
  rig.b.user().on_received = [&] { up_ps = now_ps(); };
  rig.when_up([&](Program& program) {
    program.sleep_ps(5 * kMs);
    sent_ps = now_ps();
    const Bytes8 frame = plain_frame(rig.b.device().mac(), rig.a.device().mac(), 60, 1);
    EXPECT_TRUE(rig.a.device().transmit(rig.a.packet(frame)));
    program.sleep_ps(5 * kMs);
    sc_core::sc_stop();
  });
  sc_core::sc_start();
  const std::uint64_t rdtr_ps = 72 * 819'200ULL;
  EXPECT_GT(up_ps, sent_ps + rdtr_ps);
  EXPECT_LT(up_ps, sent_ps + rdtr_ps + 10 * kUs)
      << "with both buses, the wire, and the interrupt's way";
}

}  // namespace
}  // namespace longhaul::host::driver_testing
