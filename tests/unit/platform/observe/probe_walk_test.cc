// SPDX-License-Identifier: Apache-2.0
#include "platform/observe/probe_walk.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/common/param.h"

namespace longhaul::observe {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

struct Inner : sc_core::sc_module {
  Level fill{"fill", "B", "bytes held"};
  SpanTap spans{"spans", "transactions"};
  explicit Inner(const sc_core::sc_module_name& name) : sc_module(name) {}
};

struct Outer : sc_core::sc_module {
  Counter first{"first", "frame", "frames"};
  Inner inner{"inner"};
  StateClock time{"time", "states", {"idle", "busy"}};
  FrameTap frames{"frames", "the wire"};
  explicit Outer(const sc_core::sc_module_name& name) : sc_module(name) {}
};

template <class T>
std::vector<std::string> names(const std::vector<T*>& probes) {
  std::vector<std::string> list;
  for (const Probe* probe : probes) list.emplace_back(probe->name());
  return list;
}

struct Walk : ::testing::Test {
  Outer b{"b"};
  Outer a{"a"};
};

TEST_F(Walk, FindsEveryProbeOnceInOrderOfConstruction) {
  const ProbeWalk walk;
  EXPECT_THAT(names(walk.all),
              ElementsAre("b.first", "b.inner.fill", "b.inner.spans", "b.time", "b.frames",  //
                          "a.first", "a.inner.fill", "a.inner.spans", "a.time", "a.frames"));
  EXPECT_THAT(names(walk.counters), ElementsAre("b.first", "a.first"));
  EXPECT_THAT(names(walk.levels), ElementsAre("b.inner.fill", "a.inner.fill"));
  EXPECT_THAT(names(walk.clocks), ElementsAre("b.time", "a.time"));
  EXPECT_THAT(names(walk.frame_taps), ElementsAre("b.frames", "a.frames"));
  EXPECT_THAT(names(walk.span_taps), ElementsAre("b.inner.spans", "a.inner.spans"));
}

TEST_F(Walk, GlobsChooseByNameAcrossLevels) {
  const ProbeWalk walk;
  EXPECT_THAT(names(select(walk.all, {"a.*"}, "x")),
              ElementsAre("a.first", "a.inner.fill", "a.inner.spans", "a.time", "a.frames"));
  EXPECT_THAT(names(select(walk.all, {"*.time", "b.first"}, "x")),
              ElementsAre("b.first", "b.time", "a.time"));
  EXPECT_EQ(select(walk.all, {}, "x"), walk.all);
}

TEST_F(Walk, AGlobWithoutAMatchIsAnErrorThatNamesTheNearest) {
  const ProbeWalk walk;
  try {
    select(walk.all, {"a.*", "b.frist"}, "observe.series");
    FAIL() << "no error";
  } catch (const ConfigError& error) {
    EXPECT_STREQ(error.what(),
                 "observe.series: no probe is called 'b.frist'; the nearest is 'b.first'");
  }
}

TEST(EmptyWalk, IsEmpty) { EXPECT_THAT(ProbeWalk().all, IsEmpty()); }

}  // namespace
}  // namespace longhaul::observe
