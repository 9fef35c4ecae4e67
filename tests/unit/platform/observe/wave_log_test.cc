// SPDX-License-Identifier: Apache-2.0
#include "platform/observe/wave_log.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <random>

#include "platform/observe/sink_error.h"
#include "tests/unit/platform/observe/scratch_dir.h"

namespace longhaul::observe {
namespace {

using Kind = WaveChange::Kind;

WaveChange bits(std::uint64_t ps, std::uint32_t var, std::uint64_t value) {
  return {ps, var, Kind::kBits, value, true, true, {}};
}

std::vector<WaveChange> replay(WaveLog& log, std::uint64_t from, std::uint64_t to) {
  std::vector<WaveChange> all;
  log.replay(from, to, [&](const WaveChange& change) { all.push_back(change); });
  return all;
}

bool same(const WaveChange& a, const WaveChange& b) {
  return a.ps == b.ps && a.var == b.var && a.kind == b.kind && a.value == b.value &&
         a.text == b.text;
}

TEST(WaveLog, GivesBackEveryKindOfChange) {
  ScratchDir scratch;
  WaveLog log(scratch.path("spool"));
  const std::vector<WaveChange> told{bits(1, 0, 0),
                                     bits(1, 1, ~0ULL),
                                     {7, 2, Kind::kText, 0, true, true, "TCP a>b"},
                                     {7, 2, Kind::kText, 0, true, true, ""},
                                     {9, 3, Kind::kHalves, 0x8000'0000'0000'0001, true, false, {}},
                                     {1ULL << 60, 3, Kind::kUndriven, 0, true, true, {}},
                                     {1ULL << 60, 700, Kind::kEvent, 0, true, true, {}}};
  for (const WaveChange& change : told) log.append(change);
  const std::vector<WaveChange> read = replay(log, 0, ~0ULL);
  ASSERT_EQ(read.size(), told.size());
  for (std::size_t i = 0; i < told.size(); ++i) EXPECT_TRUE(same(read[i], told[i])) << i;
  EXPECT_TRUE(read[4].driven_low);
  EXPECT_FALSE(read[4].driven_high);
}

TEST(WaveLog, WhatIsKeptGoesToDiskAndComesBackInOrder) {
  ScratchDir scratch;
  WaveLog log(scratch.path("spool"));
  log.keep_all();
  std::mt19937_64 random(3);
  std::vector<WaveChange> told;
  std::uint64_t ps = 0;
  for (int i = 0; i < 100'000; ++i) {
    ps += random() % 10'000;
    told.push_back(bits(ps, random() % 20, random() >> random() % 64));
    log.append(told.back());
  }
  EXPECT_LT(log.memory_bytes(), 200'000U);
  const std::vector<WaveChange> read = replay(log, 0, ~0ULL);
  ASSERT_EQ(read.size(), told.size());
  for (std::size_t i = 0; i < told.size(); ++i) ASSERT_TRUE(same(read[i], told[i])) << i;
}

TEST(WaveLog, WhatIsForgottenLeavesItsLastValue) {
  ScratchDir scratch;
  WaveLog log(scratch.path("spool"));
  for (std::uint64_t i = 0; i < 200'000; ++i) log.append(bits(i * 1000, i % 7, i));
  log.append({200'000'000, 9, Kind::kEvent, 0, true, true, {}});
  const std::size_t before = log.memory_bytes();
  log.forget_before(190'000'000);
  EXPECT_LT(log.memory_bytes(), before / 5);
  const std::vector<WaveChange> read = replay(log, 195'000'000, 195'003'000);
  ASSERT_EQ(read.size(), 7U + 3U);
  for (std::uint32_t var = 0; var < 7; ++var) {
    EXPECT_EQ(read[var].ps, 195'000'000U);
    EXPECT_EQ(read[var].var, var);
    EXPECT_EQ(read[var].value % 7, var);
    EXPECT_GE(read[var].value, 195'000U - 7);
    EXPECT_LT(read[var].value, 195'000U);
  }
  EXPECT_EQ(read[7].value, 195'000U);
  EXPECT_EQ(read[9].value, 195'002U);
}

TEST(WaveLog, NothingIsForgottenOnceAllIsKept) {
  ScratchDir scratch;
  WaveLog log(scratch.path("spool"));
  for (std::uint64_t i = 0; i < 100'000; ++i) log.append(bits(i, 0, i));
  log.keep_all();
  log.forget_before(~0ULL);
  EXPECT_EQ(replay(log, 0, ~0ULL).size(), 100'000U);
}

TEST(WaveLog, AFullDiskIsASinkError) {
  // As full as a disk can be made here: files of this process may not grow beyond 100 kB.
  ScratchDir scratch;
  std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{100'000, 100'000};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  WaveLog log(scratch.path("spool"));
  log.keep_all();
  for (std::uint64_t i = 0; i < 200'000; ++i) log.append(bits(i, 0, i));
  EXPECT_THROW(replay(log, 0, ~0ULL), SinkError);
}

}  // namespace
}  // namespace longhaul::observe
