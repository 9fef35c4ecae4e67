// SPDX-License-Identifier: Apache-2.0
// Who gets the giant lock first when several wait for it.

#include "tests/unit/models/host/kernel/giant_lock_fixture.h"

namespace longhaul::host {
namespace {

using ::testing::ElementsAre;

struct BusyWaiterTest : GiantLockTest {
  Handler handler{[this] {
    log("handler");
    second->processor.set_line(1, false);
    return true;
  }};
  std::unique_ptr<Program> busy;
  std::unique_ptr<Program> late;

  void SetUp() override {
    build(3);
    second->processor.add_handler(1, handler);
    program("p", [this](Program& p) { call(p, 1000); });
    busy = std::make_unique<Program>("busy", second->processor, [](Program& p) {
      p.work(300);
      p.work(5000);
    });
    late = std::make_unique<Program>("late", third->processor, [this](Program& p) {
      p.work(526);
      call(p, 100);
      log("late");
    });
    at(100 * kNs, [this] { second->processor.set_line(1, true); });
  }
};

TEST_F(BusyWaiterTest, InterruptsComeBeforeProcesses) {
  run_until(10 * kUs);
  // 44 back to the thread; 7 to wake the process, 100 to interrupt its processor, 4 and the call's
  // 100.
  EXPECT_THAT(log.lines, ElementsAre("5582 handler", "5786 late"));
}

TEST_F(BusyWaiterTest, ALineThatFallsHoldsNobodyBack) {
  at(2000 * kNs, [this] { second->processor.set_line(1, false); });
  run_until(10 * kUs);
  EXPECT_THAT(log.lines, ElementsAre("2104 late"));
  EXPECT_FALSE(second->processor.wants_giant());
}

TEST_F(BusyWaiterTest, ItsVectorIsEngagedMeanwhile) {
  at(1500 * kNs, [this] {
    EXPECT_TRUE(giant->is_free());
    EXPECT_TRUE(second->processor.engaged(1));
  });
  run_until(10 * kUs);
  EXPECT_FALSE(second->processor.engaged(1));
}

TEST_F(GiantLockTest, ProcessesGetItInTheOrderInWhichTheyCame) {
  build(3);
  const auto body = [this](std::uint64_t before, const char* name) {
    return [this, before, name](Program& p) {
      p.work(before);
      call(p, 300);
      log(name);
    };
  };
  program("first", body(100, "first"));
  const Program last("last", second->processor, body(300, "last"));
  const Program next("next", third->processor, body(200, "next"));
  run_until(10 * kUs);
  ASSERT_EQ(log.lines.size(), 3U);
  EXPECT_THAT(log.lines[0], ::testing::EndsWith("first"));
  EXPECT_THAT(log.lines[1], ::testing::EndsWith("next"));
  EXPECT_THAT(log.lines[2], ::testing::EndsWith("last"));
}

}  // namespace
}  // namespace longhaul::host
