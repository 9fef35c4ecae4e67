// SPDX-License-Identifier: Apache-2.0
#include "platform/cosim/wave_trace.h"

#include <gtest/gtest.h>

#include "tests/unit/platform/observe/fst_reader.h"
#include "tests/unit/platform/observe/scratch_dir.h"
#include "tests/unit/times.h"

namespace longhaul::cosim {
namespace {

using observe::FstReader;

TraceSelection selection() {
  TraceSelection what;
  what.top = "tb.top";
  what.levels = 2;
  what.leave_out = {"u_table", "tick"};
  what.decimal = {"level"};
  what.states = {{"gen_port.state_q", {{0, "idle"}, {1, "busy"}}}};
  return what;
}

struct WaveTraceTest : ::testing::Test {
  observe::ScratchDir scratch;
  observe::WaveFile file{scratch.path("w.fst"), scratch.path("w.gtkw"), {10 * kUs}};
  RtlBlock block{"block"};
  WaveTrace trace{file.scope("box.rtl", 40), block, selection()};

  FstReader finish() {
    sc_core::sc_start(from_ps(3000 * kUs));
    file.close();
    return FstReader(scratch.path("w.fst"));
  }
};

TEST_F(WaveTraceTest, NamesAreTheBlocksWithoutItsTopAndWithoutBrackets) {
  EXPECT_EQ(trace.declare("tb", "rxd[3]", 8), 0U);
  EXPECT_EQ(trace.declare("tb.top", "count[0][12]", 32), 1U);
  EXPECT_EQ(trace.declare("tb.top.gen_port[2]", "state_q", 2), 2U);
  EXPECT_EQ(trace.declare("tb.top.gen_port[2].u_fifo", "level", 7), 3U);
  EXPECT_EQ(trace.declare("tb.top.cfg[1].delay", "tenths_us", 80),
            4U);  // no wider than its lowest 64 bits
  const FstReader read = finish();
  for (const char* name : {"rxd_3[7:0]", "count_0_12[31:0]", "gen_port_2.state_q[1:0]",
                           "gen_port_2.u_fifo.level[6:0]", "cfg_1.delay.tenths_us[63:0]"})
    EXPECT_TRUE(read.has(std::string("box.rtl.") + name)) << name;
  const std::string layout = scratch.text("w.gtkw");
  EXPECT_NE(layout.find("@24\nbox.rtl.gen_port_2.u_fifo.level[6:0]"),
            std::string::npos);  // decimal
  EXPECT_NE(layout.find("@100000028\nbox.rtl.gen_port_2.state_q[1:0]"),
            std::string::npos);  // names
}

TEST_F(WaveTraceTest, WhatIsTooDeepOrLeftOutOrNoSignalIsIgnored) {
  EXPECT_EQ(trace.declare("tb.top.gen_port[0].u_a.u_b", "x", 1), TraceSink::kIgnored);
  EXPECT_EQ(trace.declare("tb.top.u_table[4].entry", "x", 1), TraceSink::kIgnored);
  EXPECT_EQ(trace.declare("tb.top", "tick[1]", 8), TraceSink::kIgnored);
  EXPECT_EQ(trace.declare("tb.top", "Depth", 32), TraceSink::kIgnored);
  EXPECT_EQ(trace.declare("tb.my_pkg", "x", 32), TraceSink::kIgnored);
  EXPECT_EQ(trace.declare("tb.top.unnamedblk1", "index", 32), TraceSink::kIgnored);
  EXPECT_NE(trace.declare("tb.top", "ticks", 8), TraceSink::kIgnored);
}

TEST_F(WaveTraceTest, OfForeignRtlParametersAreThoseThatTheMapNames) {
  TraceSelection what = selection();
  what.parameters = {"DATA_WIDTH", "depth"};
  WaveTrace foreign(file.scope("nic.rtl", 40), block, what);
  EXPECT_EQ(foreign.declare("tb", "S_AXI_AWADDR", 8), 0U);
  EXPECT_EQ(foreign.declare("tb.top.U_FIFO", "LEVEL", 8), 1U);
  EXPECT_EQ(foreign.declare("tb.top", "DATA_WIDTH", 32), TraceSink::kIgnored);
  EXPECT_EQ(foreign.declare("tb.top.U_FIFO", "depth", 32), TraceSink::kIgnored);
  EXPECT_EQ(foreign.declare("tb.my_pkg", "x", 32), TraceSink::kIgnored);
  const FstReader read = finish();
  EXPECT_TRUE(read.has("nic.rtl.S_AXI_AWADDR[7:0]"));
  EXPECT_TRUE(read.has("nic.rtl.U_FIFO.LEVEL[7:0]"));
}

/// A block whose power-up takes 3 us.
struct Nothing final : RtlModel {
  void eval(std::uint64_t) override {}
};

TEST_F(WaveTraceTest, TimesAreSystemCsAndNothingBeforeTheWindowIsWanted) {
  Nothing model;
  std::uint8_t clock = 0;
  block.set_model(model);
  block.add_clock({&clock, 1}, {units::MHz(125)});
  block.power_up(3 * kUs, [n = 0]() mutable { return ++n > 1; });
  ASSERT_EQ(block.zero_ps(), 3 * kUs);
  const std::uint32_t x = trace.declare("tb.top", "x", 4);
  EXPECT_FALSE(trace.records(2 * kUs));  // before SystemC's zero
  file.begin(from_ps(5 * kUs));
  EXPECT_FALSE(trace.records(8 * kUs - 1));
  EXPECT_TRUE(trace.records(8 * kUs));
  trace.change(x, 9 * kUs, 5);
  EXPECT_FALSE(trace.records(18 * kUs));
  EXPECT_EQ(finish().of("box.rtl.x[3:0]"),
            (std::map<std::uint64_t, std::string>{{6 * kUs, "0101"}}));
}

}  // namespace
}  // namespace longhaul::cosim
