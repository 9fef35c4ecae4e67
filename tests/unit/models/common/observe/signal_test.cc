// SPDX-License-Identifier: Apache-2.0
#include "models/common/observe/probe.h"

#include <gtest/gtest.h>

#include <vector>

namespace longhaul::observe {
namespace {

struct Heard final : ValueListener {
  void on_value(const Probe&, std::uint64_t value) override { values.push_back(value); }
  std::vector<std::uint64_t> values;
};

TEST(Signal, AListenerHearsChangesOnly) {
  Signal signal("signal", "a state", {"idle", "busy", "stalled"});
  Heard heard;
  signal.set(1);
  signal.listen(&heard);
  signal.set(1);
  signal.set(2);
  signal.set(0);
  signal.ignore(&heard);
  signal.set(1);
  EXPECT_EQ(heard.values, (std::vector<std::uint64_t>{2, 0}));
  EXPECT_EQ(signal.states().at(signal.value()), "busy");
}

TEST(Signal, ItsWidthNumbersAllStates) {
  const auto width = [](std::size_t states) {
    return Signal("signal", "", std::vector<std::string>(states)).width();
  };
  EXPECT_EQ(width(1), 1U);
  EXPECT_EQ(width(2), 1U);
  EXPECT_EQ(width(3), 2U);
  EXPECT_EQ(width(8), 3U);
  EXPECT_EQ(width(9), 4U);
}

}  // namespace
}  // namespace longhaul::observe
