// SPDX-License-Identifier: Apache-2.0
// SystemC wants to own main(); the tests run inside sc_main so that each case may elaborate a
// design.
#include <gtest/gtest.h>

#include <systemc>

#include "models/common/address_sanitizer.h"

/// A fiber that still runs when a test ends keeps what its stack owns: nobody unwinds a coroutine.
extern "C" const char* __lsan_default_suppressions() { return "leak:longhaul::Fiber::enter\n"; }

int sc_main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  const int failed = RUN_ALL_TESTS();
  longhaul::back_on_the_main_stack();
  return failed;
}
