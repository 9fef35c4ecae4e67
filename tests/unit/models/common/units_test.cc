// SPDX-License-Identifier: Apache-2.0
#include "models/common/units.h"

#include <gtest/gtest.h>

#include <random>

namespace longhaul {
namespace {

TEST(Units, TimesAreReadToThePicosecond) {
  EXPECT_EQ(to_ps(*parse_time("345ns")), 345'000U);
  EXPECT_EQ(to_ps(*parse_time("10ms")), 10'000'000'000U);
  EXPECT_EQ(to_ps(*parse_time("0.8192us")), 819'200U);
  EXPECT_EQ(to_ps(*parse_time("1.5 s")), 1'500'000'000'000U);
  EXPECT_EQ(to_ps(*parse_time("0s")), 0U);
  EXPECT_EQ(to_ps(*parse_time(".5ns")), 500U);
}

TEST(Units, SizesRatesAndFrequenciesTakeTheirPrefixes) {
  EXPECT_EQ(parse_bytes("512B")->count, 512U);
  EXPECT_EQ(parse_bytes("16MiB")->count, 16U << 20);
  EXPECT_EQ(parse_bytes("1.5KiB")->count, 1536U);
  EXPECT_EQ(parse_bytes("2GB")->count, 2'000'000'000U);
  EXPECT_EQ(parse_bit_rate("10.3125Gb/s")->bits_per_s, 10'312'500'000U);
  EXPECT_EQ(parse_bit_rate("953Mb/s")->bits_per_s, 953'000'000U);
  EXPECT_EQ(parse_frequency("133.333333MHz")->hz, 133'333'333U);
  EXPECT_EQ(parse_frequency("2.2GHz")->hz, 2'200'000'000U);
}

TEST(Units, ProbabilitiesAreSharesOrPercentages) {
  EXPECT_DOUBLE_EQ(parse_probability("0.1%")->share, 0.001);
  EXPECT_DOUBLE_EQ(parse_probability("1e-6")->share, 1e-6);
  EXPECT_DOUBLE_EQ(parse_probability("1")->share, 1.0);
  for (const char* wrong :
       {"", "1.1", "101%", "-0.1", "nan", "inf", "0x1p-3", " 0.1", "0.1 percent", "%"}) {
    EXPECT_FALSE(parse_probability(wrong)) << wrong;
  }
}

TEST(Units, WhatIsNotOfTheFormHasNoValue) {
  for (const char* wrong : {"", "ns", "10", "-5ns", "+5ns", "5 minutes", "1e3ns", "nan s", "inf s",
                            "0x10ns", "1.2.3s", "10ms ", " 10ms", "1,5ms", ".ns"}) {
    EXPECT_FALSE(parse_time(wrong)) << wrong;
  }
  EXPECT_FALSE(parse_bytes("16Mib"));
  EXPECT_FALSE(parse_bytes("16"));
  EXPECT_FALSE(parse_bit_rate("10Gbps"));
  EXPECT_FALSE(parse_frequency("133mhz"));
}

TEST(Units, PartsOfTheSmallestUnitAreRefusedNotRounded) {
  EXPECT_FALSE(parse_time("0.5ps"));
  EXPECT_FALSE(parse_bytes("1.0001B"));
  EXPECT_FALSE(parse_frequency("133.3333333MHz"));
}

TEST(Units, WhatDoesNotFitIntoSixtyFourBitsIsRefused) {
  EXPECT_TRUE(parse_time("18446744s"));
  EXPECT_FALSE(parse_time("18446745s"));
  EXPECT_EQ(parse_bytes("18446744073709551615B")->count, ~0ULL);
  EXPECT_FALSE(parse_bytes("18446744073709551616B"));
  EXPECT_FALSE(parse_bytes("99999999999999999999999999999999999999999999B"));
}

TEST(Units, TextFormsAreTheShortestExactOnes) {
  EXPECT_EQ(to_text(from_ps(345'000)), "345ns");
  EXPECT_EQ(to_text(from_ps(819'200)), "819200ps");
  EXPECT_EQ(to_text(from_ps(0)), "0ps");
  EXPECT_EQ(to_text(Bytes{16U << 20}), "16MiB");
  EXPECT_EQ(to_text(Bytes{1500}), "1500B");
  EXPECT_EQ(to_text(BitRate{10'312'500'000}), "10312500kb/s");
  EXPECT_EQ(to_text(Frequency{2'200'000'000}), "2200MHz");
  EXPECT_EQ(to_text(Probability{1e-6}), "1e-06");
}

TEST(Units, EveryTextFormReadsBackToItsValue) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 20'000; ++i) {
    const std::uint64_t value = random() >> (random() % 64);
    ASSERT_EQ(to_ps(*parse_time(to_text(from_ps(value)))), value);
    ASSERT_EQ(parse_bytes(to_text(Bytes{value}))->count, value);
    ASSERT_EQ(parse_bit_rate(to_text(BitRate{value}))->bits_per_s, value);
    ASSERT_EQ(parse_frequency(to_text(Frequency{value}))->hz, value);
    const Probability share{static_cast<double>(random()) / static_cast<double>(~0ULL)};
    ASSERT_EQ(parse_probability(to_text(share))->share, share.share);
  }
}

TEST(Units, AWireIsNeverFasterThanItsRate) {
  EXPECT_EQ(transfer_ps(1518, BitRate{10'000'000'000}), 1'214'400U);
  EXPECT_EQ(transfer_ps(1, BitRate{10'312'500'000}), 776U);  // 775.76
  EXPECT_EQ(transfer_ps(0, BitRate{1}), 0U);
  EXPECT_EQ(transfer_ps(625'000'000, BitRate{9'953'280'000}), 502'346'965'021U);
}

TEST(Units, PeriodsRoundToTheNearestPicosecond) {
  EXPECT_EQ(Frequency{133'333'333}.period_ps(), 7500U);
  EXPECT_EQ(Frequency{66'666'667}.period_ps(), 15'000U);
  EXPECT_EQ(Frequency{2'200'000'000}.period_ps(), 455U);
}

}  // namespace
}  // namespace longhaul
