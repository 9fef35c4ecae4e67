// SPDX-License-Identifier: Apache-2.0
#include "platform/observe/wave_file.h"

#include <gtest/gtest.h>

#include <functional>

#include "models/common/units.h"
#include "platform/observe/probe_waves.h"
#include "tests/unit/platform/observe/fst_reader.h"
#include "tests/unit/platform/observe/scratch_dir.h"
#include "tests/unit/times.h"

namespace longhaul::observe {
namespace {

/// Does things at times.
class Script final : public sc_core::sc_module {
 public:
  explicit Script(const sc_core::sc_module_name& name) : sc_module(name) {
    SC_HAS_PROCESS(Script);
    SC_THREAD(run_thread);
  }
  void at(std::uint64_t ps, std::function<void()> what) {
    steps_.emplace_back(ps, std::move(what));
  }

 private:
  void run_thread() {
    for (const auto& [ps, what] : steps_) {
      if (ps > now_ps()) sc_core::wait(from_ps(ps - now_ps()));
      what();
    }
  }
  std::vector<std::pair<std::uint64_t, std::function<void()>>> steps_;
};

class WaveFileTest : public ::testing::Test {
 protected:
  void make(const WaveWindow& window) {
    file =
        std::make_unique<WaveFile>(scratch.path("waves.fst"), scratch.path("waves.gtkw"), window);
  }
  FstReader finish() {
    sc_core::sc_start(from_ps(100 * kMs));
    file->close();
    return FstReader(scratch.path("waves.fst"));
  }
  ScratchDir scratch;
  Script script{"script"};
  std::unique_ptr<WaveFile> file;
};

TEST_F(WaveFileTest, ChangesToldOutOfOrderAreWrittenInOrder) {
  make({10 * kMs});
  const Wave a = file->scope("m.a").add_bits("x", 8);
  const Wave b = file->scope("m.b").add_bits("y", 8);
  script.at(1 * kMs, [&] { file->begin(); });
  script.at(2 * kMs, [&] {
    a.set(1);
    b.set_at(2 * kMs + 300 * kUs, 7);  // ahead
    a.set_at(2 * kMs - 200 * kUs, 9);  // behind
  });
  for (int i = 0; i < 40; ++i) script.at((3 + i) * kMs / 2 + 2 * kMs, [&, i] { a.set(10 + i); });
  const FstReader read = finish();
  EXPECT_EQ(read.at("m.a.x[7:0]", 2 * kMs - 100 * kUs), "00001001");
  EXPECT_EQ(read.at("m.a.x[7:0]", 2 * kMs), "00000001");
  EXPECT_EQ(read.at("m.b.y[7:0]", 2 * kMs + 299 * kUs), "x");
  EXPECT_EQ(read.at("m.b.y[7:0]", 2 * kMs + 300 * kUs), "00000111");
}

TEST_F(WaveFileTest, StreamsAreMergedWithEverythingElseInOrderOfTime) {
  make({10 * kMs});
  const Wave a = file->scope("m").add_bits("a", 8);
  const Wave b = file->scope("m").add_bits("b", 8);
  const Wave c = file->scope("m").add_bits("c", 8);
  WaveStream& one = file->add_stream();
  WaveStream& two = file->add_stream();
  script.at(1 * kMs, [&] {
    one.set_at(1 * kMs, a, 1);  // not begun
    file->begin();
  });
  for (std::uint64_t i = 2; i < 20; ++i) {
    script.at(i * kMs, [&, i] {
      one.set_at(i * kMs + 10, a, i);
      c.set_at(i * kMs + 20, i + 1);
      two.set_at(i * kMs + 5, b, i + 2);  // told last, and first in time
      two.set_at(i * kMs + 30, b, 0);     // ahead of SystemC's time
    });
  }
  const FstReader read = finish();
  EXPECT_EQ(read.of("m.a[7:0]").size(), 9U);  // 2 to 10 ms; the window ends at 11
  EXPECT_EQ(read.at("m.a[7:0]", 2 * kMs + 9), "x");
  EXPECT_EQ(read.at("m.a[7:0]", 9 * kMs + 9), "00001000");
  EXPECT_EQ(read.at("m.a[7:0]", 9 * kMs + 10), "00001001");
  EXPECT_EQ(read.at("m.b[7:0]", 9 * kMs + 5), "00001011");
  EXPECT_EQ(read.at("m.b[7:0]", 9 * kMs + 30), "00000000");
  EXPECT_EQ(read.at("m.c[7:0]", 9 * kMs + 20), "00001010");
}

TEST_F(WaveFileTest, AVariableMayBeAddedWhileItRecords) {
  make({10 * kMs});
  const Wave early = file->scope("m").add_bit("early");
  Wave late;
  script.at(1 * kMs, [&] {
    file->begin();
    early.set(1);
  });
  script.at(5 * kMs, [&] {
    late = file->scope("m").scope("tcp.c0").add_bits("cwnd", 32, WaveShow::kPlot);
    late.set(10);
  });
  const FstReader read = finish();
  EXPECT_EQ(read.of("m.tcp.c0.cwnd[31:0]").rbegin()->first, 5 * kMs);
  EXPECT_EQ(read.at("m.early", 1 * kMs), "1");
}

TEST_F(WaveFileTest, WhatStoodBeforeTheWindowStandsAtItsBegin) {
  make({3 * kMs});
  const Wave wave = file->scope("m").add_bits("x", 4);
  script.at(0, [&] {
    file->begin(from_ps(5 * kMs));
    wave.set(3);
  });
  script.at(4 * kMs, [&] { wave.set(6); });
  script.at(7 * kMs, [&] { wave.set(9); });
  script.at(9 * kMs, [&] { wave.set(12); });  // after its end
  const FstReader read = finish();
  const std::map<std::uint64_t, std::string> expected{{5 * kMs, "0110"}, {7 * kMs, "1001"}};
  EXPECT_EQ(read.of("m.x[3:0]"), expected);
}

TEST_F(WaveFileTest, ATriggerKeepsTheHistoryBeforeItAndTheLengthAfterIt) {
  make({4 * kMs, true, 3 * kMs});
  const Wave wave = file->scope("m").add_bits("x", 8);
  const Wave still = file->scope("m").add_bits("still", 8);
  script.at(1 * kMs, [&] {
    file->begin();
    still.set(5);
  });
  for (std::uint64_t i = 2; i < 60; ++i) {
    script.at(i * kMs, [&, i] {
      wave.set(i);
      if (i == 40) file->trigger("forty");
      if (i == 42) file->trigger("once more");
    });
  }
  const FstReader read = finish();
  std::map<std::uint64_t, std::string> expected;
  for (std::uint64_t i = 37; i < 44; ++i) {
    std::string bits;
    for (int b = 7; b >= 0; --b) bits += (i >> b & 1) != 0 ? '1' : '0';
    expected[i * kMs] = bits;
  }
  EXPECT_EQ(read.of("m.x[7:0]"), expected);
  EXPECT_EQ(read.at("m.still[7:0]", 37 * kMs), "00000101");  // long before, and still so
  EXPECT_EQ(file->trigger_ps(), 40 * kMs);
  EXPECT_EQ(file->trigger_reason(), "forty");
  EXPECT_EQ(file->from_ps(), 37 * kMs);
  EXPECT_EQ(file->until_ps(), 44 * kMs);
  EXPECT_NE(scratch.text("waves.gtkw").find(" 40000000000\n"), std::string::npos);  // the marker
}

TEST_F(WaveFileTest, ATriggerThatNeverComesLeavesAFileWithoutChanges) {
  make({4 * kMs, true, 3 * kMs});
  const Wave wave = file->scope("m").add_bits("x", 8);
  script.at(1 * kMs, [&] { file->begin(); });
  for (std::uint64_t i = 2; i < 60; ++i) script.at(i * kMs, [&, i] { wave.set(i); });
  const FstReader read = finish();
  EXPECT_TRUE(read.has("m.x[7:0]"));
  for (const auto& [ps, value] : read.of("m.x[7:0]")) EXPECT_EQ(value, "xxxxxxxx") << ps;
  EXPECT_EQ(file->from_ps(), WaveFile::kNever);
}

TEST_F(WaveFileTest, ATriggerBeforeTheWindowIsNone) {
  make({1 * kMs, true, 1 * kMs});
  script.at(1 * kMs, [&] { file->begin(from_ps(2 * kMs)); });
  script.at(2 * kMs, [&] { file->trigger("early"); });
  script.at(4 * kMs, [&] { file->trigger("in time"); });
  finish();
  EXPECT_EQ(file->trigger_reason(), "in time");
}

TEST_F(WaveFileTest, PulsesTextsAndStatesAreWhatTheyWere) {
  make({10 * kMs});
  const WaveScope scope = file->scope("m");
  const Wave pulse = scope.add_event("retransmit");
  const Wave text = scope.add_text("packet");
  const Wave state = scope.add_states("ca_state", 3, {{0, "Open"}, {4, "Loss"}});
  scope.add_clock("CLK", 400 * kUs);
  script.at(kMs, [&] {
    file->begin();
    state.set(0);
  });
  script.at(2 * kMs, [&] {
    pulse.pulse_at(now_ps());
    text.text_at(now_ps(), "TCP a>b");
    state.set(4);
  });
  script.at(3 * kMs, [&] { pulse.pulse_at(now_ps()); });
  const FstReader read = finish();
  EXPECT_EQ(read.of("m.retransmit").size(), 2U);
  EXPECT_EQ(read.of("m.retransmit").begin()->first, 2 * kMs);
  EXPECT_EQ(read.at("m.packet", 2 * kMs), "TCP a>b");
  EXPECT_EQ(read.at("m.ca_state[2:0]", 2 * kMs), "100");
  EXPECT_EQ(read.of("m.CLK").begin()->first, 1200 * kUs);
  EXPECT_EQ(read.of("m.CLK").size(), 2U * 9800 / 400);
  EXPECT_EQ(read.at("m.CLK", 1399 * kUs), "1");
  EXPECT_EQ(read.at("m.CLK", 1400 * kUs), "0");
}

TEST_F(WaveFileTest, TheLayoutGroupsScopesByRankAndClosesThePins) {
  make({1 * kMs});
  file->scope("host.pcix", 40).add_bit("FRAME_n");
  file->scope("host.tcp.c0", 10).add_bits("cwnd", 32, WaveShow::kPlot);
  file->scope("link.l0", 0).add_text("packet");
  finish();
  const std::string text = scratch.text("waves.gtkw");
  const std::string rows = text.substr(text.find('@'));
  EXPECT_EQ(rows,
            "@800200\n-link.l0\n@820\nlink.l0.packet\n@1000200\n-link.l0\n"
            "@800200\n-host.tcp.c0\n@88024\nhost.tcp.c0.cwnd[31:0]\n@20000\n-\n-\n-\n@1000200\n-"
            "host.tcp.c0\n"
            "@c00200\n-host.pcix\n@28\nhost.pcix.FRAME_n\n@1400200\n-host.pcix\n");
}

/// A core as ProbeWaves knows it by its names.
struct FakeCore : sc_core::sc_module {
  explicit FakeCore(const sc_core::sc_module_name& name) : sc_module(name) {}
  SpanTap spans{"spans", "states"};
  Level fill{"fill", "B", "fill"};
  Signal head{"head", 10, "head"};
};

TEST_F(WaveFileTest, ProbesAreTracedFromTheirPresentValueOn) {
  FakeCore core("core");
  make({10 * kMs});
  ProbeWaves probes(*file, "core", 20, ProbeWalk());
  core.fill.set(3);
  core.head.set(9);
  script.at(kMs, [&] { file->begin(); });
  script.at(2 * kMs, [&] {
    core.fill.set(4);
    core.head.set(9);  // no change
    core.spans.report(2 * kMs - 100 * kUs, 2 * kMs, "softirq");
  });
  script.at(30 * kMs, [&] { core.fill.set(5); });
  const FstReader read = finish();
  EXPECT_EQ(read.at("core.fill[31:0]", 1 * kMs).substr(28), "0011");
  EXPECT_EQ(read.at("core.fill[31:0]", 2 * kMs).substr(28), "0100");
  EXPECT_EQ(read.of("core.fill[31:0]").size(), 2U);
  EXPECT_EQ(read.of("core.head[9:0]").size(), 1U);
  EXPECT_EQ(read.at("core.state", 1 * kMs), "idle");
  EXPECT_EQ(read.at("core.state", 2 * kMs - 50 * kUs), "softirq");
  EXPECT_EQ(read.at("core.state", 2 * kMs), "idle");
}

}  // namespace
}  // namespace longhaul::observe
