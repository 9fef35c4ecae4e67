// SPDX-License-Identifier: Apache-2.0
#include "models/wan/nistnet/box_cpu.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/unit/support/ethernet.h"

namespace longhaul::wan {
namespace {

using longhaul::test::At;
using longhaul::test::run_until;
using ::testing::ElementsAre;

/// A task of equal steps that notes when each is over.
struct Steps final : CpuTask {
  Steps(std::uint64_t length, std::uint32_t count) : length_ps(length), left(count) {}
  std::uint64_t begin_step_ps() override { return length_ps; }
  bool end_step() override {
    ends.push_back(now_ps());
    return --left != 0;
  }
  std::uint64_t length_ps;
  std::uint32_t left;
  std::vector<std::uint64_t> ends;
};

struct CpuFixture {
  BoxCpu cpu{"cpu"};
  At at{"at"};
};

TEST(BoxCpu, AHandlerTakesItsTime) {
  CpuFixture fixture;
  Steps handler(100, 2);
  fixture.at(1000, [&] { fixture.cpu.interrupt(handler); });
  run_until(5000);
  EXPECT_THAT(handler.ends, ElementsAre(1100, 1200));
  EXPECT_EQ(fixture.cpu.state.spent_ps(1), 200U);
  EXPECT_EQ(fixture.cpu.interrupts.value(), 1U);
}

TEST(BoxCpu, AHaltedProcessorTakesItsTimeToTheFirstHandlerOnly) {
  BoxCpu cpu("cpu", from_ps(3000));
  At at("at");
  Steps first(100, 1);
  Steps meanwhile(50, 1);
  Steps later(50, 1);
  at(1000, [&] { cpu.interrupt(first); });
  at(2000, [&] { cpu.interrupt(meanwhile); });
  at(5000, [&] { cpu.interrupt(later); });
  run_until(20'000);
  EXPECT_THAT(first.ends, ElementsAre(4100));
  EXPECT_THAT(meanwhile.ends, ElementsAre(4150));
  EXPECT_THAT(later.ends, ElementsAre(8050));
  EXPECT_EQ(cpu.state.spent_ps(0), 20'000U - 200) << "it idles until it has left the halt";
}

TEST(BoxCpu, HandlersDoNotStopEachOther) {
  CpuFixture fixture;
  Steps first(100, 1);
  Steps second(50, 1);
  fixture.at(0, [&] { fixture.cpu.interrupt(first); });
  fixture.at(10, [&] { fixture.cpu.interrupt(second); });
  run_until(1000);
  EXPECT_THAT(first.ends, ElementsAre(100));
  EXPECT_THAT(second.ends, ElementsAre(150));
}

TEST(BoxCpu, AnInterruptStopsTheSoftirqWhichLosesNothing) {
  CpuFixture fixture;
  Steps softirq(1000, 2);
  Steps raiser(10, 1);
  Steps other(300, 1);
  fixture.cpu.set_softirq(softirq);
  fixture.at(0, [&] {
    fixture.cpu.raise_softirq();
    fixture.cpu.interrupt(raiser);
  });
  fixture.at(410, [&] { fixture.cpu.interrupt(other); });
  run_until(5000);
  EXPECT_THAT(raiser.ends, ElementsAre(10));
  EXPECT_THAT(other.ends, ElementsAre(710));
  EXPECT_THAT(softirq.ends, ElementsAre(1310, 2310));
  EXPECT_EQ(fixture.cpu.state.spent_ps(1), 310U);
  EXPECT_EQ(fixture.cpu.state.spent_ps(2), 2000U);
}

TEST(BoxCpu, AnInterruptFromWithinAStepWaitsForItsEnd) {
  struct Caller final : CpuTask {
    Caller(BoxCpu& c, CpuTask& n) : cpu(c), next(n) {}
    std::uint64_t begin_step_ps() override { return 40; }
    bool end_step() override {
      cpu.interrupt(next);
      return false;
    }
    BoxCpu& cpu;
    CpuTask& next;
  };
  CpuFixture fixture;
  Steps next(5, 1);
  Caller softirq(fixture.cpu, next);
  Steps raiser(10, 1);
  fixture.cpu.set_softirq(softirq);
  fixture.at(0, [&] {
    fixture.cpu.raise_softirq();
    fixture.cpu.interrupt(raiser);
  });
  run_until(1000);
  EXPECT_THAT(next.ends, ElementsAre(55));
}

}  // namespace
}  // namespace longhaul::wan
