// SPDX-License-Identifier: Apache-2.0
#include "platform/observe/series_sink.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "models/common/observe/probe.h"
#include "models/common/param.h"
#include "models/net/frame/frame_tap.h"
#include "platform/observe/sink_error.h"
#include "tests/unit/platform/observe/scratch_dir.h"

namespace longhaul::observe {
namespace {

using sc_core::SC_NS;
using sc_core::sc_start;
using sc_core::sc_time;

struct Series : ::testing::Test {
  struct Box : sc_core::sc_module {
    Counter frames{"frames", "frame", "frames seen"};
    FrameTap tap{"tap", "has no value over time"};
    Level fill{"fill", "B", "bytes held"};
    StateClock time{"time", "a bus", {"idle", "data"}};
    explicit Box(const sc_core::sc_module_name& name) : sc_module(name) {
      SC_HAS_PROCESS(Box);
      SC_THREAD(work_thread);
    }
    void work_thread() {
      frames.add(2);
      wait(4, SC_NS);
      fill.set(10);
      time.enter(1);
      wait(8, SC_NS);  // 12 ns
      frames.add(5);
      fill.set(0);
      wait(2, SC_NS);  // 14 ns
      time.enter(0);
      wait(21, SC_NS);  // 35 ns
      frames.add(1);
    }
  } box{"box"};
  Ticker ticker{"ticker"};
  ScratchDir dir;
};

TEST_F(Series, WritesIncreasesMeansAndStatesOfEachPeriod) {
  SeriesSink sink(dir.path("series.csv"), {10, SC_NS}, {}, ticker);
  sc_start();
  sink.close();
  EXPECT_EQ(dir.text("series.csv"),
            "time_ps,box.frames,box.fill,box.time:idle,box.time:data\n"
            "10000,2,6,4000,6000\n"
            "20000,5,2,6000,4000\n"
            "30000,0,0,10000,0\n"
            "40000,1,0,10000,0\n");
}

TEST_F(Series, LinesOfSeveralPeriodsEndWhereFinerOnesBegin) {
  SeriesSink sink(dir.path("series.csv"), {2, SC_NS}, {"box.frames"}, ticker);
  sink.set_periods_per_line(5);
  sc_start(13, SC_NS);
  sink.set_periods_per_line(1);
  sink.set_periods_per_line(1);
  sc_start(4, SC_NS);
  sink.set_periods_per_line(3);
  sc_start(20, SC_NS);
  sink.close();
  EXPECT_EQ(dir.text("series.csv"),
            "time_ps,box.frames\n"
            "10000,2\n"
            "13000,5\n"
            "14000,0\n"
            "16000,0\n"
            "17000,0\n"
            "22000,0\n"
            "28000,0\n"
            "34000,0\n"
            "37000,1\n");
}

TEST_F(Series, EndsWithTheRestOfAPeriod) {
  SeriesSink sink(dir.path("series.csv"), {30, SC_NS}, {"box.f*"}, ticker);
  sc_start(36, SC_NS);
  sink.close();
  EXPECT_EQ(dir.text("series.csv"),
            "time_ps,box.frames,box.fill\n"
            "30000,7,2.666667\n"
            "36000,1,0\n");
}

TEST_F(Series, CreditAfterTheFactIsTakenBackFromTheNextLine) {
  SeriesSink sink(dir.path("series.csv"), {10, SC_NS}, {"box.time"}, ticker);
  sc_start(12, SC_NS);
  box.time.credit(0, 7'000);  // of the 8 ns in "data" since 4 ns; 6 ns of them have been written
  sc_start(8, SC_NS);
  sink.close();
  EXPECT_EQ(dir.text("series.csv"),
            "time_ps,box.time:idle,box.time:data\n"
            "10000,4000,6000\n"
            "20000,13000,-3000\n");
}

TEST_F(Series, AFullDiskStopsTheRunAndCloseTellsWhy) {
  std::filesystem::create_symlink("/dev/full", dir.path("series.csv.part"));
  SeriesSink sink(dir.path("series.csv"), {1, SC_NS}, {}, ticker);
  struct Endless : sc_core::sc_module {
    explicit Endless(const sc_core::sc_module_name& name) : sc_module(name) {
      SC_HAS_PROCESS(Endless);
      SC_THREAD(run_thread);
    }
    void run_thread() {
      for (;;) wait(1, SC_NS);
    }
  } endless("endless");
  sc_start();
  EXPECT_EQ(sc_core::sc_get_status(), sc_core::SC_STOPPED);
  EXPECT_LT(sc_core::sc_time_stamp(), sc_time(1, sc_core::SC_MS)) << "after one buffer of lines";
  try {
    sink.close();
    FAIL() << "no error";
  } catch (const SinkError& error) {
    EXPECT_EQ(error.what(), dir.path("series.csv") + ": cannot write: No space left on device");
  }
  EXPECT_FALSE(dir.exists("series.csv"));
}

TEST_F(Series, AGlobWithoutAMatchIsAConfigError) {
  EXPECT_THROW(SeriesSink(dir.path("series.csv"), sc_time(1, SC_NS), {"nothing.*"}, ticker),
               ConfigError);
}

}  // namespace
}  // namespace longhaul::observe
