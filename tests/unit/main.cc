// SPDX-License-Identifier: Apache-2.0
// SystemC wants to own main(); the tests run inside sc_main so that each case may elaborate a design.
#include <gtest/gtest.h>

#include <systemc>

int sc_main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
