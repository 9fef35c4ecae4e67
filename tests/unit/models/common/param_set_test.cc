// SPDX-License-Identifier: Apache-2.0
#include "models/common/param_set.h"

#include <gtest/gtest.h>

namespace longhaul {
namespace {

TEST(ParamSet, AValueComesWithItsSourceAndWithoutAnEvidenceIsPrinted) {
  Param<std::uint32_t> rings{"rings",
                             256,
                             "the rings of a test",
                             {Evidence::kAssumed, "here"},
                             Range<std::uint32_t>{64, 4096}};
  set(rings, 512, {Evidence::kMeasured, "ours"});
  EXPECT_EQ(rings(), 512U);
  EXPECT_EQ(rings.source.evidence, Evidence::kMeasured);
  EXPECT_STREQ(rings.source.where, "ours");
  set(rings, 128, "page 7");
  EXPECT_EQ(rings(), 128U);
  EXPECT_EQ(rings.source.evidence, Evidence::kDatasheet);
  EXPECT_STREQ(rings.source.where, "page 7");
  EXPECT_EQ(rings.range->most, 4096U);
  EXPECT_FALSE(rings.set_by_user);
}

TEST(ParamSet, AValueIsWrittenAsItsTypeIs) {
  Param<Bytes> fifo{"fifo", {16384}, "the fifo of a test", {Evidence::kAssumed, "here"}};
  Param<sc_core::sc_time> delay{
      "delay", {120, sc_core::SC_NS}, "the delay of a test", {Evidence::kAssumed, "here"}};
  Param<std::string> mode{"mode", "pcix", "the mode of a test", {Evidence::kAssumed, "here"}};
  set(fifo, {2048}, "page 7");
  set(delay, {25, sc_core::SC_NS}, "page 7");
  set(mode, "pci", "page 7");
  EXPECT_EQ(fifo(), Bytes{2048});
  EXPECT_EQ(delay(), sc_core::sc_time(25, sc_core::SC_NS));
  EXPECT_EQ(mode(), "pci");
}

}  // namespace
}  // namespace longhaul
