// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/run_control.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "platform/guest/guest_error.h"

namespace longhaul::assembly {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;

struct RunControlTest : ::testing::Test {
  std::string out;
  observe::Progress progress{-1};
  RunControlTest() {
    std::string pattern =
        (std::filesystem::temp_directory_path() / "longhaul-control-XXXXXX").string();
    out = mkdtemp(pattern.data());
  }
  ~RunControlTest() override { std::filesystem::remove_all(out); }

  static std::string failure(const RunControl& control) {
    try {
      control.check();
    } catch (const guest::GuestError& error) {
      return error.what();
    }
    return {};
  }
};

TEST_F(RunControlTest, AFailedProgramsLastWordsAreShown) {
  RunControl control({"sender"}, out, progress);
  control.on_report("sender", "command.txt", "connecting\nno route\n");
  control.on_phase("sender", "failed the command ended with status 2: no route");
  EXPECT_THAT(
      failure(control),
      AllOf(HasSubstr(
                "guest 'sender' says that its workload failed at simulated time 0.000000000 s: the "
                "command ended with status 2: no route; "),
            EndsWith(
                "/guests/sender/report/command.txt ended with:\n  | connecting\n  | no route\n")));
}

TEST_F(RunControlTest, TheLastWordsAreThoseOfTheReportThatWasSentLast) {
  RunControl control({"sender"}, out, progress);
  control.on_report("sender", "command.txt", "connecting\n");
  control.on_report("sender", "other.txt", "other\n");
  control.on_report("sender", "command.txt", "no route\n");
  control.on_phase("sender", "failed the command ended with status 2");
  EXPECT_THAT(failure(control),
              EndsWith("/command.txt ended with:\n  | connecting\n  | no route\n"));
}

TEST_F(RunControlTest, AGuestMayReportSoManyFiles) {
  RunControl control({"sender"}, out, progress);
  for (std::size_t i = 0; i < RunControl::kMostReports; ++i)
    control.on_report("sender", std::to_string(i), "x");
  control.on_report("sender", "0", "x");
  EXPECT_EQ(failure(control), "");
  control.on_report("sender", "one more", "x");
  EXPECT_THAT(failure(control),
              HasSubstr("guest 'sender' reports too much at simulated time 0.000000000 s"));
  EXPECT_FALSE(std::filesystem::exists(out + "/guests/sender/report/one more"));
}

TEST_F(RunControlTest, AFailureWithoutAReportIsOneLine) {
  RunControl control({"sender"}, out, progress);
  control.on_phase("sender", "failed eth0 has no carrier");
  EXPECT_THAT(failure(control), EndsWith(": eth0 has no carrier"));
}

TEST_F(RunControlTest, ARestartBeforeItWasDoneFailsTheRunAndSaysSo) {
  RunControl control({"sender"}, out, progress);
  control.on_phase("sender", "status command");
  control.on_power_off("sender", guest::PowerOff::kRestart);
  EXPECT_THAT(
      failure(control),
      HasSubstr("guest 'sender' restarted, which ends it as powering off does, at simulated time "
                "0.000000000 s before it was done; it last said 'command'"));
}

TEST_F(RunControlTest, ARunWithoutProgressEndsAndSaysWhatEachGuestSaidLast) {
  RunControl control({"receiver", "sender"}, out, progress);
  std::uint64_t delivered = 0;
  control.set_patience({10, sc_core::SC_SEC}, [&] { return delivered; });
  const auto pass = [&](int seconds) {
    sc_core::sc_start({static_cast<double>(seconds), sc_core::SC_SEC});
    control.look_for_progress();
  };
  pass(9);
  control.on_phase("sender", "status looks for the receiver");
  pass(9);
  delivered = 1000;
  pass(9);
  pass(9);
  EXPECT_EQ(failure(control), "");
  pass(1);
  EXPECT_THAT(failure(control),
              HasSubstr("the run was given up at simulated time 37.000000000 s: for 10 s no host "
                        "has said anything, and no data of TCP or UDP has arrived; 'receiver' last "
                        "said 'boots' at 0.000000 s; 'sender' last said 'looks for the receiver' "
                        "at 9.000000 s"));
}

TEST_F(RunControlTest, AnOpenConsoleMayBeSilent) {
  RunControl control({"sender"}, out, progress);
  control.set_patience({10, sc_core::SC_SEC}, [] { return 0; });
  control.on_phase("sender", "status has an open console");
  for (int i = 0; i < 60; ++i) {
    sc_core::sc_start({1, sc_core::SC_SEC});
    control.look_for_progress();
  }
  EXPECT_EQ(failure(control), "");
}

TEST_F(RunControlTest, ACommandOfTheUsersMayBeSilent) {
  RunControl control({"sender"}, out, progress);
  control.set_patience({10, sc_core::SC_SEC}, [] { return 0; });
  control.on_phase("sender", "status runs a command before the workload: sleep 60");
  for (int i = 0; i < 60; ++i) {
    sc_core::sc_start({1, sc_core::SC_SEC});
    control.look_for_progress();
  }
  EXPECT_EQ(failure(control), "");
  control.on_phase("sender", "status ping");
  sc_core::sc_start({10, sc_core::SC_SEC});
  control.look_for_progress();
  EXPECT_THAT(failure(control), HasSubstr("'sender' last said 'ping' at 60.000000 s"));
}

TEST_F(RunControlTest, ARestartWhenAllIsDoneIsARegularEnd) {
  RunControl control({"sender"}, out, progress);
  control.on_phase("sender", "done");
  control.on_power_off("sender", guest::PowerOff::kRestart);
  EXPECT_EQ(failure(control), "");
  EXPECT_TRUE(control.all_off());
}

}  // namespace
}  // namespace longhaul::assembly
