// SPDX-License-Identifier: Apache-2.0
// What Intel's drivers share: interrupts, polls, received frames, the watchdog.
#include <gmock/gmock.h>

#include "tests/unit/models/host/drivers/fake_adapter.h"

namespace longhaul::host::driver_testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

struct IntelDriverInterruptsTest : testing::FakeAdapterTest {};

TEST_F(IntelDriverInterruptsTest, ItsInterruptIsMaskedUntilThePollEnds) {
  run([&](Program& self) {
    on_icr = [&] { EXPECT_THAT(written(kImc), IsEmpty()); };
    arrive();
    arrive();
    interrupt(self, kRxCause);
  });
  ASSERT_GE(writes.size(), 2U);
  EXPECT_EQ(writes.front(), (std::pair<std::uint32_t, std::uint32_t>{kImc, ~0U}));
  EXPECT_EQ(writes.back(), (std::pair<std::uint32_t, std::uint32_t>{kIms, kCauses}));
  EXPECT_THAT(written(kRdt), ElementsAre(1U));
  EXPECT_EQ(user.received_frames, 2U);
  EXPECT_EQ(user.in_hardirq, 0U);
  EXPECT_EQ(driver->polls.value(), 1U);
  EXPECT_EQ(driver->interrupts.value(), 1U);
  EXPECT_EQ(driver->received_bytes(), 200U);
}

TEST_F(IntelDriverInterruptsTest, AnInterruptWithoutACauseIsSomebodyElses) {
  run([&](Program& self) {
    stuck = true;
    interrupt(self, 0);
  });
  EXPECT_EQ(driver->interrupts.value(), 0U);
  EXPECT_EQ(icr_reads, kernel.unclaimed_limit());
  EXPECT_EQ(processor.masked_lines(), 1U << kSlot);
}

TEST_F(IntelDriverInterruptsTest, AnAdapterThatIsGoneReadsAllOnes) {
  run([&](Program& self) { interrupt(self, ~0U); });
  EXPECT_EQ(driver->interrupts.value(), 0U);
  EXPECT_EQ(driver->polls.value(), 0U);
}

TEST_F(IntelDriverInterruptsTest, AClosedOneIsNotAsked) {
  run([&](Program& self) {
    driver->close();
    registers[kIcr] = kRxCause;
    router.intx(kSlot, true);
    processor.pay();
    router.intx(kSlot, false);
    self.sleep_ps(kMs);
  });
  EXPECT_EQ(icr_reads, 0U);
}

TEST_F(IntelDriverInterruptsTest, SomePollUntilNothingIsLeft) {
  params.poll_until_empty.value = true;
  run([&](Program& self) {
    arrive();
    interrupt(self, kRxCause);
  });
  EXPECT_EQ(driver->polls.value(), 2U);
  EXPECT_THAT(written(kIms), ElementsAre(kCauses));
}

TEST_F(IntelDriverInterruptsTest, APollThatTookAllItMightIsRepeated) {
  net.napi_weight.value = 4;
  run([&](Program& self) {
    for (int i = 0; i < 8; ++i) arrive();
    interrupt(self, kRxCause);
  });
  EXPECT_EQ(user.received_frames, 8U);
  EXPECT_EQ(driver->polls.value(), 3U) << "the third finds nothing";
}

TEST_F(IntelDriverInterruptsTest, WithoutNapiTheHandlerTakesTurnsUntilOneFindsNothing) {
  net.napi.value = false;
  run([&](Program& self) {
    user.on_received = [&] {
      if (user.received_frames < 3) arrive();
    };
    arrive();
    interrupt(self, kRxCause);
  });
  EXPECT_EQ(user.received_frames, 3U);
  EXPECT_EQ(user.in_hardirq, 3U);
  EXPECT_EQ(icr_reads, 1U);
  EXPECT_THAT(written(kImc), IsEmpty());
  EXPECT_EQ(driver->polls.value(), 0U);
}

TEST_F(IntelDriverInterruptsTest, OrUntilNoNewCauseIsThere) {
  net.napi.value = false;
  params.causes_each_turn.value = true;
  params.interrupt_turns.value = 5;
  run([&](Program& self) {
    on_icr = [&] {
      if (icr_reads < 3) registers[kIcr] = kRxCause;
    };
    interrupt(self, kRxCause);
  });
  EXPECT_EQ(icr_reads, 4U) << "three causes, and none";
}

TEST_F(IntelDriverInterruptsTest, TurnsOfAHandlerAreLimited) {
  net.napi.value = false;
  params.causes_each_turn.value = true;
  params.interrupt_turns.value = 3;
  run([&](Program& self) {
    on_icr = [&] { registers[kIcr] = icr_reads < 100 ? kRxCause : 0; };
    interrupt(self, kRxCause);
  });
  EXPECT_EQ(icr_reads, 3U) << "one to begin with, two for the turns that follow";
}

TEST_F(IntelDriverInterruptsTest, DamagedFramesAreCountedAndTheirBuffersUsedAgain) {
  run([&](Program& self) {
    arrive(100, nic::intel::rx_error::kCe);
    arrive(100, nic::intel::rx_error::kTcpe);
    arrive(100);
    interrupt(self, kRxCause);
  });
  EXPECT_EQ(driver->rx_errors.value(), 1U);
  EXPECT_EQ(driver->rx_packets.value(), 2U);
  EXPECT_EQ(user.good, (std::vector<bool>{false, true}));
}

TEST_F(IntelDriverInterruptsTest, ChecksumsThatItShallNotTrustAreNotPassedOn) {
  params.checksum_rx.value = false;
  run([&](Program& self) {
    arrive();
    interrupt(self, kRxCause);
  });
  EXPECT_EQ(user.good, std::vector<bool>{false});
}

TEST_F(IntelDriverInterruptsTest, AChangeOfTheLinkIsLookedAtBeforeTheWatchdogWould) {
  params.watchdog.value = {5, sc_core::SC_SEC};
  run([&](Program& self) {
    driver->link = false;
    interrupt(self, kRxCause);
    EXPECT_TRUE(driver->link_up());
    interrupt(self, kLinkCause);
    EXPECT_FALSE(driver->link_up());
    driver->link = true;
    self.sleep_ps(4900 * kMs);
    EXPECT_FALSE(driver->link_up());
    self.sleep_ps(200 * kMs);
    EXPECT_TRUE(driver->link_up());
  });
  EXPECT_EQ(user.links, (std::vector<bool>{true, false, true}));
}

TEST_F(IntelDriverInterruptsTest, TheWatchdogNudgesTheAdapterEachTime) {
  params.watchdog.value = {2, sc_core::SC_SEC};
  run([&](Program& self) { self.sleep_ps(6 * kSecond); });
  EXPECT_THAT(written(kIcs), ElementsAre(kNudge, kNudge, kNudge));
  EXPECT_EQ(user.links.size(), 1U) << "told when it changes";
}

}  // namespace
}  // namespace longhaul::host::driver_testing
