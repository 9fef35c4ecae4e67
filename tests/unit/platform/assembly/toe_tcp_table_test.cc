// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/toe_tcp_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/models/toe/data_fixture.h"

namespace longhaul::assembly {
namespace {

using observe::TcpState;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class ToeTable : public toe::rig::ToeData, public observe::SoftwareWatcher {
 public:
  void on_step() override { ++steps; }

 protected:
  std::vector<std::uint64_t> handles() {
    std::vector<std::uint64_t> found;
    table.find(found);
    return found;
  }
  std::uint32_t own(std::size_t row) {
    TcpState state;
    EXPECT_TRUE(table.state(1, state));
    return state.own.at(row);
  }
  ToeTcpTable table{engine};
  std::size_t steps = 0;
};

TEST_F(ToeTable, AConnectionOfTheEngineHasTheRowsOfLinux) {
  EXPECT_THAT(handles(), ElementsAre(1U));
  observe::TcpEnds ends;
  ASSERT_TRUE(table.ends(1, ends));
  EXPECT_EQ(ends.remote_text(), "10_0_0_2_40000");
  EXPECT_EQ(ends.local_port, toe::rig::kPort);
  write(7300);
  run(kMs);
  TcpState state;
  ASSERT_TRUE(table.state(1, state));
  EXPECT_EQ(state.values[TcpState::kSkState], 1U);  // TCP_ESTABLISHED
  EXPECT_EQ(state.values[TcpState::kCwnd], 1U);     // the first window
  EXPECT_EQ(state.values[TcpState::kSndUna], isn + 1);
  EXPECT_EQ(state.values[TcpState::kSndNxt], isn + 1461);
  EXPECT_EQ(state.values[TcpState::kPacketsOut], 1U);
}

TEST_F(ToeTable, ItsOwnRowsSayWhatTheDataWaitForAndHowManyThereAre) {
  const std::vector<observe::TcpRow> rows = table.own_rows();
  ASSERT_LE(rows.size(), TcpState::kOwn);
  const auto waits = [&] { return rows.at(0).names.at(own(0)).second; };
  EXPECT_EQ(waits(), "host");
  write(7300);
  run(kMs);
  EXPECT_EQ(waits(), "cwnd");
  EXPECT_STREQ(rows.at(1).name, "unsent");
  EXPECT_EQ(own(1), 7300U - 1460U);
}

TEST_F(ToeTable, AConnectionThatHasEndedIsGone) {
  arrive(tcp::kRst, 1, 0);
  run(kMs);
  EXPECT_THAT(handles(), IsEmpty());
  TcpState state;
  observe::TcpEnds ends;
  EXPECT_FALSE(table.state(1, state));
  EXPECT_FALSE(table.ends(1, ends));
}

TEST_F(ToeTable, TheEngineTellsItsWatcherOfEachEvent) {
  engine.watch(this);
  write(1000);
  run(kMs);
  EXPECT_EQ(steps, 1U);
  arrive(tcp::kAck, 1, 1001);
  run(kMs);
  EXPECT_EQ(steps, 2U);
}

TEST_F(ToeTable, AnEngineIsFoundBelowItsAdapter) {
  EXPECT_EQ(offload_engine("toe"), &engine);
  EXPECT_EQ(offload_engine("nothing"), nullptr);
}

}  // namespace
}  // namespace longhaul::assembly
