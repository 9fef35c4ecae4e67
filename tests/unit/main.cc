// SPDX-License-Identifier: Apache-2.0
// SystemC wants to own main(); the tests run inside sc_main so that each case may elaborate a
// design.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <systemc>

#include "models/common/address_sanitizer.h"

/// A fiber that still runs when a test ends keeps what its stack owns: nobody unwinds a coroutine.
extern "C" const char* __lsan_default_suppressions() { return "leak:longhaul::Fiber::enter\n"; }

namespace {

/// Ends the program when it is asked for more cases than a process can run.
class OneCase final : public ::testing::EmptyTestEventListener {
  void OnTestProgramStart(const ::testing::UnitTest& all) override {
    if (all.test_to_run_count() <= 1) return;
    std::fprintf(stderr,
                 "%d cases are asked for, and SystemC elaborates once a process: run them by "
                 "`ctest --preset release -R NAME`, or one of them by --gtest_filter=SUITE.NAME\n",
                 all.test_to_run_count());
    std::_Exit(2);
  }
};

}  // namespace

int sc_main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  ::testing::UnitTest::GetInstance()->listeners().Append(new OneCase);  // which owns it
  const int failed = RUN_ALL_TESTS();
  longhaul::back_on_the_main_stack();
  return failed;
}
