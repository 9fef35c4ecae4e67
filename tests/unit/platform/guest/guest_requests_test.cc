// SPDX-License-Identifier: Apache-2.0
// What a guest asks for through its page: phases, reports, memory, interrupts, time.
#include <gmock/gmock.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <array>
#include <cerrno>
#include <cstddef>

#include "tests/unit/platform/guest/guest_cpu_fixture.h"

namespace longhaul::guest {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST_F(GuestCpuTest, PhasesAndReportsArriveInOrder) {
  run("phases");
  EXPECT_THAT(log.phases, ElementsAre("measure-begin", "done"));
  EXPECT_EQ(log.reports["iperf.txt"], "half a report\n");
  EXPECT_TRUE(log.off);
}

TEST_F(GuestCpuTest, ReportMustNotLeaveItsDirectory) {
  run("report_outside");
  EXPECT_THAT(log.failure, HasSubstr("'@NAME'"));
}

TEST_F(GuestCpuTest, UnknownRequestIsTheGuestsError) {
  run("bad_op");
  EXPECT_THAT(log.failure, HasSubstr("makes request 77"));
}

TEST_F(GuestCpuTest, TheGuestSaysWhereMemoryThatDevicesReachBegins) {
  GuestCpu guest("guest", options("memory", "0x5ff000"), core, interrupts, log);
  std::vector<std::uint64_t> told;
  guest.on_ram_begin([&](std::uint64_t begin) { told.push_back(begin); });
  sc_core::sc_start();
  EXPECT_THAT(told, ElementsAre(0x5ff000U));
  EXPECT_EQ(guest.ram_begin.value(), 0x5ff000U);
  EXPECT_TRUE(log.off);
}

TEST_F(GuestCpuTest, MemoryThatBeginsBeyondItsEndIsTheGuestsError) {
  run("memory", "0x1000000");
  EXPECT_THAT(log.failure,
              HasSubstr("says that its RAM begins at 0x1000000, but it ends at 0x1000000"));
}

TEST_F(GuestCpuTest, TouchedMemoryIsTakenFromThePageAndGoesToTheCoresCache) {
  cpu::Core cached("cached", {}, units::MiB(16));
  Nowhere elsewhere{"elsewhere"};
  cached.core_initiator.bind(elsewhere.bus);
  GuestCpu guest("guest", options("touch"), cached, interrupts, log);
  sc_core::sc_start();
  EXPECT_THAT(console(), HasSubstr("left 0\n"));
  EXPECT_EQ(cached.cold_lines.value(), 128U);
  EXPECT_TRUE(log.off);
}

TEST_F(GuestCpuTest, MoreTouchesThanThePageHoldsAreTheGuestsError) {
  run("many_touches");
  EXPECT_THAT(log.failure, HasSubstr("tells of more touched memory than the page has room for"));
}

TEST_F(GuestCpuTest, UnknownTouchIsTheGuestsError) {
  run("bad_touch");
  EXPECT_THAT(log.failure,
              HasSubstr("tells of memory touched in way 9 and state 0, which do not exist"));
}

TEST_F(GuestCpuTest, InstructionCacheThatTheHookCannotModelIsRefused) {
  cpu::CoreParams params;
  params.pipeline.icache.value = units::KiB(48);
  cpu::Core odd("odd", params);
  EXPECT_THROW(GuestCpu("guest", options("exit"), odd, interrupts, log), ConfigError);
}

TEST_F(GuestCpuTest, OddAccessSizeIsTheGuestsError) {
  run("bad_size");
  EXPECT_THAT(log.failure, HasSubstr("bus access of 3 bytes"));
}

TEST_F(GuestCpuTest, IdleEndsWhenTheTimerIsDue) {
  run("idle_1ms");
  EXPECT_THAT(console(), HasSubstr("woke at 1000000000\n"));
  EXPECT_EQ(core.state.spent_ps(static_cast<std::size_t>(cpu::CoreState::kIdle)), 1'000'000'000U);
}

TEST_F(GuestCpuTest, MessageInterruptEndsAnInterruptibleWaitAtItsTime) {
  sc_core::sc_spawn([this] {
    sc_core::wait(1, sc_core::SC_MS);
    interrupts.msi(LH_MSI_BASE, 3);
  });
  run("elapse");
  EXPECT_THAT(console(), HasSubstr("elapsed at 1000000000 msi 8\n"));
}

TEST_F(GuestCpuTest, MessageInterruptDoesNotEndAMaskedWait) {
  sc_core::sc_spawn([this] {
    sc_core::wait(1, sc_core::SC_MS);
    interrupts.msi(LH_MSI_BASE, 3);
  });
  run("elapse_masked");
  EXPECT_THAT(console(), HasSubstr("elapsed at 2000000000 msi 8\n"));
  EXPECT_EQ(core.state.spent_ps(static_cast<std::size_t>(cpu::CoreState::kSoftirq)),
            2'000'000'000U);
}

struct Told final : ExchangeListener {
  std::vector<std::uint64_t> work;  // units of each exchange
  std::vector<std::uint64_t> asked_ps;
  std::vector<std::uint64_t> answered_ps;
  std::vector<std::uint32_t> ops;
  void on_work(const cpu::WorkBatch& done, const std::vector<cpu::MemoryTouch>&) override {
    work.push_back(0);
    done.each([this](std::size_t, std::size_t, std::uint64_t units) { work.back() += units; });
  }
  void on_exchange(std::uint64_t asked, const lh_page& page) override {
    asked_ps.push_back(asked);
    answered_ps.push_back(page.now_ps);
    ops.push_back(page.op);
  }
};

TEST_F(GuestCpuTest, AListenerIsToldOfWorkRequestAndAnswer) {
  GuestCpu guest("guest", options("idle_1ms"), core, interrupts, log);
  Told told;
  guest.listen(&told);
  sc_core::sc_start();
  EXPECT_THAT(told.ops, ElementsAre(LH_OP_ATTACH, LH_OP_IDLE));
  EXPECT_THAT(told.asked_ps, ElementsAre(0, 0));
  EXPECT_THAT(told.answered_ps, ElementsAre(0, 1'000'000'000));
}

TEST_F(GuestCpuTest, AnExchangeIsAskedForWhenItsWorkIsPaid) {
  GuestCpu guest("guest", options("work"), core, interrupts, log);
  Told told;
  guest.listen(&told);
  sc_core::sc_start();
  const std::uint64_t paid_ps = 3 * core.unit_cost_ps(cpu::WorkKind::kSyscall) + 500;
  EXPECT_THAT(told.work, ElementsAre(0, 503));
  EXPECT_THAT(told.asked_ps, ElementsAre(0, paid_ps));
}

TEST_F(GuestCpuTest, WorkIsPaidBeforeTheAnswerAndAccountedByState) {
  run("work");
  const std::uint64_t syscalls_ps = 3 * core.unit_cost_ps(cpu::WorkKind::kSyscall);
  EXPECT_THAT(console(), HasSubstr("paid at " + std::to_string(syscalls_ps + 500) + "\n"));
  EXPECT_EQ(core.state.spent_ps(static_cast<std::size_t>(cpu::CoreState::kSystem)), syscalls_ps);
  EXPECT_EQ(core.state.spent_ps(static_cast<std::size_t>(cpu::CoreState::kHardirq)), 500U);
  EXPECT_EQ(core.syscalls.value(), 3U);
}

/// Lets this process, and what it starts, not change its personality, as the filters of podman and
/// docker do.
void deny_personality() {
  std::array<sock_filter, 4> program{
      sock_filter{BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(seccomp_data, nr)},
      sock_filter{BPF_JMP | BPF_JEQ | BPF_K, 0, 1, SYS_personality},
      sock_filter{BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ERRNO | EPERM},
      sock_filter{BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW}};
  const sock_fprog filter{program.size(), program.data()};
  ASSERT_EQ(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
  ASSERT_EQ(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter), 0);
}

TEST_F(GuestCpuTest, HostWithoutFixedAddressesRunsNoGuest) {
  deny_personality();
  run("phases");
  EXPECT_THAT(log.phases, ElementsAre());
  EXPECT_THAT(log.failure, HasSubstr("126"));
  EXPECT_THAT(console(), HasSubstr("fixed addresses (personality: Operation not permitted)"));
}

}  // namespace
}  // namespace longhaul::guest
