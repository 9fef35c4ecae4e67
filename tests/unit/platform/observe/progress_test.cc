// SPDX-License-Identifier: Apache-2.0
#include "platform/observe/progress.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <climits>
#include <nlohmann/json.hpp>
#include <systemc>

namespace longhaul::observe {
namespace {

using std::chrono::hours;
using std::chrono::nanoseconds;

struct ProgressPipe : ::testing::Test {
  int ends[2];
  ProgressPipe() {
    EXPECT_EQ(::pipe(ends), 0);
    ::fcntl(ends[0], F_SETFL, O_NONBLOCK);
  }
  std::string read_all() const {
    std::string all;
    char piece[4096];
    for (ssize_t got = 0; (got = ::read(ends[0], piece, sizeof piece)) > 0;)
      all.append(piece, static_cast<std::size_t>(got));
    return all;
  }
};

TEST_F(ProgressPipe, ALineTellsTimeRateAndWhatGuestsDo) {
  Progress progress(ends[1], nanoseconds(0));
  progress.set_status("sender", "iperf running");
  progress.set_status("receiver", "waiting \"here\"\n\xff");
  sc_core::sc_start(250, sc_core::SC_MS);
  progress.poll();
  const std::string text = read_all();
  ASSERT_EQ(std::count(text.begin(), text.end(), '\n'), 1);
  const auto line = nlohmann::json::parse(text);
  EXPECT_EQ(line["sim_s"], 0.25);
  EXPECT_GT(line["wall_s"].get<double>(), 0.0);
  EXPECT_DOUBLE_EQ(line["rate"].get<double>(), 0.25 / line["wall_s"].get<double>());
  EXPECT_EQ(line["guests"]["sender"], "iperf running");
  EXPECT_EQ(line["guests"]["receiver"], "waiting \"here\"??");
}

TEST_F(ProgressPipe, TellsWhereTheMeasuredWindowBeganOnceItHas) {
  Progress progress(ends[1], nanoseconds(0));
  sc_core::sc_start(500, sc_core::SC_MS);
  progress.poll();
  EXPECT_FALSE(nlohmann::json::parse(read_all()).contains("window_begin_s"));
  progress.set_window_begin();
  sc_core::sc_start(250, sc_core::SC_MS);
  progress.poll();
  EXPECT_EQ(nlohmann::json::parse(read_all())["window_begin_s"], 0.5);
}

TEST_F(ProgressPipe, WritesNothingBeforeThePeriodIsOverAndALineAtTheEnd) {
  Progress progress(ends[1], hours(1));
  for (int i = 0; i < 1000; ++i) progress.poll();
  EXPECT_EQ(read_all(), "");
  progress.tell();
  EXPECT_NE(read_all(), "");
}

TEST_F(ProgressPipe, IsSilentWhenTheDescriptorIsNotOpen) {
  ::close(ends[1]);
  Progress progress(ends[1], nanoseconds(0));
  const int other = ::dup(ends[0]);  // takes the lowest free number: the one that was closed
  ASSERT_EQ(other, ends[1]);
  progress.poll();
  progress.tell();
  EXPECT_EQ(read_all(), "");
}

TEST_F(ProgressPipe, NeverWaitsForASlowReader) {
  Progress progress(ends[1], nanoseconds(0));
  progress.set_status("sender", std::string(1000, 'x'));
  for (int i = 0; i < 10'000; ++i) progress.poll();  // more than any pipe holds
  const std::string text = read_all();
  EXPECT_EQ(text.back(), '\n') << "lines are written whole or not at all";
  EXPECT_NO_THROW(nlohmann::json::parse(text.substr(0, text.find('\n'))));
}

TEST_F(ProgressPipe, SurvivesAReaderThatIsGone) {
  Progress progress(ends[1], nanoseconds(0));
  ::close(ends[0]);
  progress.poll();
  progress.tell();
}

TEST_F(ProgressPipe, VeryManyGuestsLeaveTheFigures) {
  Progress progress(ends[1], nanoseconds(0));
  for (int i = 0; i < 64; ++i)
    progress.set_status("guest" + std::to_string(i), std::string(160, 'x'));
  progress.poll();
  const std::string text = read_all();
  EXPECT_LE(text.size(), static_cast<std::size_t>(PIPE_BUF));
  EXPECT_EQ(nlohmann::json::parse(text)["guests"].size(), 0U);
}

}  // namespace
}  // namespace longhaul::observe
