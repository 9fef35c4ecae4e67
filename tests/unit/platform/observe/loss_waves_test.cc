// SPDX-License-Identifier: Apache-2.0
#include "platform/observe/loss_waves.h"

#include <gtest/gtest.h>

#include <functional>

#include "platform/observe/probe_waves.h"
#include "tests/unit/platform/observe/fst_reader.h"
#include "tests/unit/platform/observe/scratch_dir.h"
#include "tests/unit/support/ip_frames.h"
#include "tests/unit/times.h"

namespace longhaul::observe {
namespace {

/// A queue that drops.
struct Queue final : sc_core::sc_module {
  explicit Queue(const sc_core::sc_module_name& name) : sc_module(name) {}
  FrameTap tap{"tap", "frames dropped"};
  Level fill{"fill", "B", "fill"};
  Level idle{"idle", "B", "never changes"};
  void drop(const char* why) { tap.report(now(), test::ip_frame({}), FrameFate::kDropped, why); }
};

/// Runs steps at times.
struct Script final : sc_core::sc_module {
  explicit Script(const sc_core::sc_module_name& name) : sc_module(name) {
    SC_HAS_PROCESS(Script);
    SC_THREAD(run_thread);
  }
  void at(std::uint64_t ps, std::function<void()> what) { steps.emplace_back(ps, std::move(what)); }
  void run_thread() {
    for (const auto& [ps, what] : steps) {
      if (ps > now_ps()) sc_core::wait(from_ps(ps - now_ps()));
      what();
    }
  }
  std::vector<std::pair<std::uint64_t, std::function<void()>>> steps;
};

struct LossesTraced : ::testing::Test {
  ScratchDir scratch;
  Script script{"script"};
  Queue queue{"queue"};
  Queue quiet{"quiet"};
  SequenceOrigins origins;
  LossWatch watch{{&queue.tap, &quiet.tap}};

  FstReader run(const WaveWindow& window) {
    WaveFile file(scratch.path("waves.fst"), scratch.path("waves.gtkw"), window);
    ProbeWaves probes(file, "queue", 35, ProbeWalk());
    LossWaves losses(file, 5, watch, origins, {});
    script.at(1 * kMs, [&] {
      queue.drop("too early");
      file.begin();
    });
    script.at(2 * kMs, [&] { queue.drop("full"); });
    script.at(20 * kMs, [&] { queue.fill.set(77); });
    script.at(21 * kMs, [&] { queue.drop("red"); });
    script.at(22 * kMs, [&] { file.trigger("it comes"); });
    sc_core::sc_start(from_ps(60 * kMs));
    file.close();
    return FstReader(scratch.path("waves.fst"));
  }
};

TEST_F(LossesTraced, EachIsAPulseWithItsReasonAndItsFrame) {
  const FstReader read = run({100 * kMs});
  EXPECT_EQ(read.of("queue.lost").size(), 2U);
  EXPECT_EQ(read.of("queue.lost").begin()->first, 2 * kMs);
  EXPECT_EQ(read.at("queue.last_lost", 1 * kMs), "");  // not undefined
  const std::string text = read.at("queue.last_lost", 3 * kMs);
  EXPECT_EQ(text.rfind("full: TCP ack 0 seq 0 len 0", 0), 0U) << text;
  EXPECT_EQ(read.at("queue.last_lost", 21 * kMs).rfind("red: TCP", 0), 0U);
  EXPECT_EQ(scratch.text("waves.gtkw").find("quiet"), std::string::npos);
  EXPECT_EQ(scratch.text("waves.gtkw").find("-trigger"), std::string::npos);
}

TEST_F(LossesTraced, AreTheTriggersCauseOnTopWithTheCurvesOfTheirPart) {
  run({10 * kMs, true, 5 * kMs});
  const std::string layout = scratch.text("waves.gtkw");
  const std::string rows = layout.substr(layout.find('@'));
  const std::string cause =
      "@800200\n-trigger: it comes\n@28\n+{queue lost} queue.lost\n@820\n+{queue last_lost} "
      "queue.last_lost\n"
      "@88024\n+{queue fill} queue.fill[31:0]\n@20000\n-\n@1000200\n-trigger: it comes\n";
  EXPECT_EQ(rows.substr(0, cause.size()), cause);
  EXPECT_NE(rows.find("-lost frames\n@28\n+{queue lost} queue.lost", cause.size()),
            std::string::npos);
}

TEST_F(LossesTraced, ThePartThatLostWhatIsSentAgainStandsAboveOthers) {
  WaveFile file(scratch.path("waves.fst"), scratch.path("waves.gtkw"), {10 * kMs, true, 5 * kMs});
  LossWaves losses(file, 5, watch, origins, {});
  script.at(0, [&] { file.begin(); });
  script.at(1 * kMs, [&] { quiet.drop("an ACK"); });
  script.at(2 * kMs, [&] { queue.drop("the segment"); });
  script.at(3 * kMs, [&] {
    file.trigger("it comes");
    file.mark_cause(2 * kMs, "queue");
  });
  sc_core::sc_start(from_ps(60 * kMs));
  file.close();
  const std::string layout = scratch.text("waves.gtkw");
  EXPECT_LT(layout.find("{queue lost}"), layout.find("{quiet lost}"));
}

TEST_F(LossesTraced, ALossThatHistoryDoesNotHoldIsNoCause) {
  run({10 * kMs, true, 500 * kUs});
  EXPECT_EQ(scratch.text("waves.gtkw").find("-trigger"), std::string::npos);
}

}  // namespace
}  // namespace longhaul::observe
