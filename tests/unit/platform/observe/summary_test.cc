// SPDX-License-Identifier: Apache-2.0
#include "platform/observe/summary.h"

#include <gtest/gtest.h>

namespace longhaul::observe {
namespace {

using sc_core::SC_NS;
using sc_core::sc_start;

struct SummaryOfABox : ::testing::Test {
  struct Box : sc_core::sc_module {
    Counter frames{"frames", "frame", "frames seen"};
    Level fill{"fill", "B", "bytes held"};
    StateClock time{"time", "a bus", {"idle", "data"}};
    explicit Box(const sc_core::sc_module_name& name) : sc_module(name) {}
  } box{"box"};
  Summary summary;

  void run_before() {
    box.frames.add(5);
    box.fill.set(100);
    sc_start(1, SC_NS);
    box.fill.set(10);
    sc_start(9, SC_NS);
  }
  void run_window() {
    box.frames.add(3);
    box.time.enter(1);
    sc_start(4, SC_NS);
    box.fill.set(20);
    box.time.enter(0);
    sc_start(16, SC_NS);
  }
  void run_after() {
    box.frames.add(1);
    box.fill.set(1000);
    sc_start(10, SC_NS);
  }
};

TEST_F(SummaryOfABox, TellsWhatHappenedInTheMarkedWindow) {
  run_before();
  summary.begin_window();
  run_window();
  summary.end_window();
  run_after();
  const nlohmann::json expected = nlohmann::json::parse(R"({
    "window": {"begin_ps": 10000, "end_ps": 30000}, "window_marked": true,
    "probes": {
      "box.frames": {"kind": "counter", "unit": "frame", "description": "frames seen", "begin": 5, "end": 8, "delta": 3},
      "box.fill": {"kind": "level", "unit": "B", "description": "bytes held", "begin": 10, "end": 20, "mean": 18.0,
                   "highest": 20},
      "box.time": {"kind": "states", "unit": "ps", "description": "a bus", "states": {"idle": 16000, "data": 4000}}}})");
  EXPECT_EQ(summary.json(), expected);
}

TEST_F(SummaryOfABox, WithoutAWindowIsOfTheWholeRunAndSaysSo) {
  run_before();
  run_window();
  const nlohmann::json json = summary.json();
  EXPECT_EQ(json["window"], nlohmann::json::parse(R"({"begin_ps": 0, "end_ps": 30000})"));
  EXPECT_EQ(json["window_marked"], false);
  EXPECT_EQ(json["probes"]["box.frames"]["delta"], 8);
  EXPECT_EQ(json["probes"]["box.fill"]["highest"], 100);
  EXPECT_EQ(json["probes"]["box.time"]["states"]["idle"], 26000);
}

TEST_F(SummaryOfABox, OfAWindowThatNeverEndedIsOfTheWholeRun) {
  run_before();
  summary.begin_window();
  run_window();
  const nlohmann::json json = summary.json();
  EXPECT_EQ(json["window_marked"], false);
  EXPECT_EQ(json["window"]["begin_ps"], 0);
  EXPECT_EQ(json["probes"]["box.fill"]["highest"], 100)
      << "the highest of before the window counts again";
}

TEST_F(SummaryOfABox, ASecondBeginStartsAfreshAndAnEndAloneIsIgnored) {
  summary.end_window();
  EXPECT_FALSE(summary.window_marked());
  summary.begin_window();
  run_before();
  summary.end_window();
  summary.begin_window();
  EXPECT_FALSE(summary.window_marked());
  run_window();
  summary.end_window();
  EXPECT_EQ(summary.json()["window"]["begin_ps"], 10000);
  EXPECT_EQ(summary.json()["probes"]["box.frames"]["delta"], 3);
}

TEST_F(SummaryOfABox, OfAWindowWithoutLengthHasAMean) {
  box.fill.set(7);
  summary.begin_window();
  summary.end_window();
  EXPECT_EQ(summary.json()["probes"]["box.fill"]["mean"], 7.0);
}

}  // namespace
}  // namespace longhaul::observe
