// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <sys/mman.h>
#include <unistd.h>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <thread>

#include "tests/unit/platform/guest/guest_cpu_fixture.h"

namespace longhaul::guest {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

TEST_F(GuestCpuTest, PoweringOffIsTheRegularEnd) {
  run("exit", "0");
  EXPECT_TRUE(log.off);
  EXPECT_EQ(log.failure, "");
}

TEST_F(GuestCpuTest, ExitCodeNamesGuestTimeAndLastConsoleLines) {
  run("exit", "5");
  EXPECT_FALSE(log.off);
  EXPECT_THAT(
      log.failure,
      AllOf(HasSubstr("guest 'sender' ended with exit code 5 at simulated time 0.000000000 s"),
            HasSubstr("| fake guest does 'exit'")));
}

TEST_F(GuestCpuTest, KilledGuestIsNoticedAtOnce) {
  run("kill");
  EXPECT_THAT(log.failure, HasSubstr("guest 'sender' was killed by signal 9 (Killed)"));
}

TEST_F(GuestCpuTest, SilentGuestHangs) {
  run("hang");
  EXPECT_THAT(log.failure, HasSubstr("hangs: it ran for 1 s of wall time without a request"));
}

TEST_F(GuestCpuTest, ARestartIsAPowerOffThatSaysSo) {
  run("exit", std::to_string(LH_EXIT_RESTART));
  EXPECT_TRUE(log.off);
  EXPECT_TRUE(log.restarted);
  EXPECT_EQ(log.failure, "");
}

TEST_F(GuestCpuTest, AStoppedGuestIsWaitedForBeyondTheLimitOfSilence) {
  GuestCpu guest("guest", options("stop"), core, interrupts, log);
  std::thread later;
  log.when_suspended = [&] {
    later = std::thread([pid = guest.process().pid()] {
      std::this_thread::sleep_for(std::chrono::milliseconds(1500));  // the limit is a second
      ::kill(pid, SIGCONT);
    });
  };
  sc_core::sc_start();
  later.join();
  EXPECT_EQ(log.failure, "");
  EXPECT_TRUE(log.off);
  ASSERT_FALSE(log.suspended.empty());
  EXPECT_TRUE(log.suspended.front());
}

TEST_F(GuestCpuTest, AGuestInheritsNoDescriptorBesideItsOwn) {
  const int page_of_another =
      memfd_create("other", 0);  // not close-on-exec, as a library might open one
  run("descriptors");
  close(page_of_another);
  EXPECT_EQ(
      console(),
      "fake guest does 'descriptors'\nopen 0\nopen 1\nopen 2\nopen 200\nopen 201\nopen 203\n");
}

TEST_F(GuestCpuTest, AGuestTakesNoMemoryBesideItsRamAndLeavesThatWhole) {
  run("greedy");
  EXPECT_THAT(console(), AllOf(HasSubstr("shrinks its RAM: Operation not permitted\n"),
                               HasSubstr("grows its RAM: Operation not permitted\n"),
                               HasSubstr("takes a GiB: Cannot allocate memory\n")));
}

TEST_F(GuestCpuTest, AConsoleOfMoreThanAGibibyteEndsTheGuest) {
  run("long_console");
  EXPECT_THAT(log.failure, HasSubstr("was killed by signal 25"));
}

TEST_F(GuestCpuTest, WorkThatWasCountedBackIsTheGuestsError) {
  run("less_work");
  EXPECT_THAT(
      log.failure,
      HasSubstr("counts 18446744073709551615 units of work of kind 3 since its last request"));
}

TEST_F(GuestCpuTest, MoreTimeThanARunHasIsTheGuestsError) {
  run("much_time");
  EXPECT_THAT(log.failure, HasSubstr("counts 1152921504606846976 units of work of kind 0"));
}

TEST_F(GuestCpuTest, ATouchWiderThanItsRamIsTheGuestsError) {
  run("wide_touch");
  EXPECT_THAT(
      log.failure,
      HasSubstr("tells of 4294967295 bytes touched since its last request, more than its RAM has"));
}

TEST_F(GuestCpuTest, TouchesOfMoreThanItsRamAreTheGuestsError) {
  run("much_touched");
  EXPECT_THAT(
      log.failure,
      HasSubstr("tells of 18874368 bytes touched since its last request, more than its RAM has"));
}

TEST_F(GuestCpuTest, ATouchBeyondTheLastAddressIsTheGuestsError) {
  run("last_touch");
  EXPECT_THAT(log.failure, HasSubstr("tells of 2 bytes touched beyond the last address there is"));
}

TEST_F(GuestCpuTest, AGuestThatAsksToBeTracedFails) {
  run("traced");
  EXPECT_THAT(log.failure, HasSubstr("asked to be traced, and stopped"));
}

TEST_F(GuestCpuTest, NoProcessOfAGuestOutlivesItsKernel) {
  run("leave_a_child");
  const std::string said = console();
  const std::size_t at = said.find("left ");
  ASSERT_NE(at, std::string::npos) << said;
  const std::string stat = "/proc/" + std::to_string(std::stoi(said.substr(at + 5))) + "/stat";
  const auto lives = [&stat] {
    std::ifstream in(stat);
    std::string line;
    std::getline(in, line);
    return !line.empty() && line.find(") Z ") == std::string::npos;
  };
  for (int i = 0; i < 500 && lives(); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_FALSE(lives());
}

TEST_F(GuestCpuTest, GuestThatNeverAttachesIsAnError) {
  run("die_early");
  EXPECT_THAT(log.failure, HasSubstr("ended with exit code 3"));
}

TEST_F(GuestCpuTest, MissingKernelIsAnError) {
  GuestOptions missing = options("exit");
  missing.kernel = "/nonexistent/linux";
  GuestCpu guest("guest", missing, core, interrupts, log);
  sc_core::sc_start();
  EXPECT_THAT(log.failure, AllOf(HasSubstr("ended with exit code 127"),
                                 HasSubstr("cannot execute /nonexistent/linux")));
}

TEST_F(GuestCpuTest, PanicCarriesTheKernelsWords) {
  run("panic");
  EXPECT_THAT(log.failure, HasSubstr("panicked (Fatal exception in interrupt)"));
}

TEST_F(GuestCpuTest, ModuleIsTakenWithItsFunctions) {
  GuestOptions counted = options("module", "1");
  counted.blocks = block_table();
  GuestCpu guest("guest", counted, core, interrupts, log);
  sc_core::sc_start();
  EXPECT_EQ(log.failure, "");
  EXPECT_THAT(console(), HasSubstr("first 1\n"));
  EXPECT_EQ(guest.profile()->count(), 2U);
  EXPECT_EQ(guest.profile()->symbols_text(), "50000000 work [module]\n");
}

TEST_F(GuestCpuTest, ModuleOfMoreBlocksThanThePageHoldsIsAnError) {
  GuestOptions counted = options("module", "129");
  counted.blocks = block_table();
  GuestCpu guest("guest", counted, core, interrupts, log);
  sc_core::sc_start();
  EXPECT_THAT(log.failure, HasSubstr("tells of more blocks than the page has room for"));
}

TEST_F(GuestCpuTest, NamesOfFunctionsWithoutEndAreAnError) {
  GuestOptions counted = options("many_symbols");
  counted.blocks = block_table();
  GuestCpu guest("guest", counted, core, interrupts, log);
  sc_core::sc_start();
  EXPECT_THAT(log.failure, HasSubstr("names more than 16 MiB of modules' functions"));
}

TEST_F(GuestCpuTest, ModuleOfAGuestWhoseBlocksDoNotCountIsAnError) {
  run("module", "1");
  EXPECT_THAT(log.failure, HasSubstr("tells of a module's blocks, but none are counted"));
}

}  // namespace
}  // namespace longhaul::guest
