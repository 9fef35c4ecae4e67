// SPDX-License-Identifier: Apache-2.0
// The RTL and its twin side by side: the same frames in, the same settings, and everything that
// comes out compared.
#include <gtest/gtest.h>

#include <cstdlib>

#include "models/wan/gnet1/gnet1_twin.h"
#include "rtl/gnet1/box/gnet1_rtl.h"
#include "tests/unit/models/wan/gnet1/twin_scenarios.h"

namespace longhaul::wan {
namespace {

namespace regs = gnet1_regs;
using gnet1_test::BoxFixture;
using gnet1_test::Left;
using gnet1_test::Scenario;

constexpr std::uint64_t kClockPs = 32'000;

/// What registers show when all is over.
struct Shown {
  decltype(std::declval<BoxFixture&>().counters()) counters;
  std::array<std::vector<std::uint32_t>, Gnet1::kPorts> results;
  std::array<std::uint32_t, Gnet1::kPorts> level_max;
  std::vector<std::uint32_t> global;
};

constexpr std::array kResults{regs::kDelay,     regs::kDiscardCtrl, regs::kDiscardStamp,
                              regs::kLevel,     regs::kOnewayCount, regs::kOnewayLast,
                              regs::kOnewayMin, regs::kOnewayMax,   regs::kOnewaySumLow,
                              regs::kBacklog};

/// Drives both boxes from one thread of simulated time and compares them at the end.
class Pair final : public sc_core::sc_module {
 public:
  Pair(const sc_core::sc_module_name& name, Scenario scenario, Gnet1Params params = {})
      : sc_module(name),
        scenario_(std::move(scenario)),
        twin("twin", params),
        rtl("rtl", params),
        twin_fixture_(twin, "twin_fixture"),
        rtl_fixture_(rtl, "rtl_fixture") {
    SC_HAS_PROCESS(Pair);
    SC_THREAD(drive_thread);
    for (const std::uint64_t at_ps : scenario_.pulses_ps) {
      at_(at_ps, [this] {
        twin.gps_pulse();
        rtl.gps_pulse();
      });
    }
  }

  void run() {
    sc_core::sc_start();
    ASSERT_TRUE(done_);
    for (std::size_t port = 0; port < Gnet1::kPorts; ++port) compare_frames(port);
    compare_registers();
  }
  std::size_t frames_out() const {
    std::size_t count = 0;
    for (std::size_t port = 0; port < Gnet1::kPorts; ++port) count += rtl_fixture_.out(port).size();
    return count;
  }
  const Shown& shown() const { return rtl_shown_; }

 private:
  void drive_thread() {
    std::size_t setting = 0;
    std::size_t frame = 0;
    const auto until = [this](std::uint64_t at_ps) {
      if (at_ps > now_ps()) wait(from_ps(at_ps - now_ps()));
    };
    while (setting < scenario_.settings.size() || frame < scenario_.traffic.size()) {
      const bool set = frame == scenario_.traffic.size() ||
                       (setting < scenario_.settings.size() &&
                        scenario_.settings[setting].at_ps <= scenario_.traffic[frame].at_ps);
      if (set) {
        const gnet1_test::Setting& next = scenario_.settings[setting++];
        until(next.at_ps);
        look();
        twin_fixture_.write(next.offset, next.value);
        rtl_fixture_.write(next.offset, next.value);
      } else {
        const gnet1_test::Sending& next = scenario_.traffic[frame++];
        until(next.at_ps);
        look();
        twin_fixture_.end(next.port).send(next.frame);
        rtl_fixture_.end(next.port).send(next.frame);
      }
    }
    until(scenario_.ends_ps);
    look();
    twin_shown_ = show(twin_fixture_);
    rtl_shown_ = show(rtl_fixture_);
    done_ = true;
    sc_core::sc_stop();
  }

  /// Looks at what probes show, as sinks do at any time: it must change nothing, and what was
  /// counted stays so.
  void look() {
    for (std::size_t port = 0; port < Gnet1::kPorts; ++port) {
      for (std::size_t i = 0; i < regs::kCounterCount; ++i) {
        for (Gnet1* box : {static_cast<Gnet1*>(&twin), static_cast<Gnet1*>(&rtl)}) {
          std::uint32_t& seen = (box == &twin ? twin_seen_ : rtl_seen_)[port][i];
          const std::uint32_t now = box->counter_now(port, static_cast<regs::Counter>(i));
          EXPECT_GE(now, seen) << box->name() << ", port " << port << ", counter " << i;
          seen = now;
        }
      }
    }
  }

  static Shown show(BoxFixture& fixture) {
    Shown shown;
    shown.counters = fixture.counters();
    for (std::size_t port = 0; port < Gnet1::kPorts; ++port) {
      for (const std::uint32_t offset : kResults)
        shown.results[port].push_back(fixture.read(port, offset));
      shown.level_max[port] = fixture.read(port, regs::kLevelMax);
    }
    shown.global = {fixture.read(regs::kCtrl), fixture.read(regs::kMacValid),
                    fixture.read(regs::kGpsSeconds), fixture.read(regs::kPpsTicks)};
    return shown;
  }

  void compare_frames(std::size_t port) const {
    const std::vector<Left>& expected = rtl_fixture_.out(port);
    const std::vector<Left>& got = twin_fixture_.out(port);
    for (std::size_t i = 0; i < std::min(expected.size(), got.size()); ++i) {
      const auto late =
          static_cast<std::int64_t>(got[i].end_ps) - static_cast<std::int64_t>(expected[i].end_ps);
      ASSERT_TRUE(gnet1_test::on_the_wire(*got[i].frame) ==
                  gnet1_test::on_the_wire(*expected[i].frame))
          << where(port, i) << ", " << late << " ps late";
      ASSERT_EQ(late, 0) << where(port, i) << ", RTL at " << expected[i].end_ps << " ps";
    }
    EXPECT_EQ(got.size(), expected.size()) << where(port, 0);
  }
  void compare_registers() const {
    for (std::size_t port = 0; port < Gnet1::kPorts; ++port) {
      for (std::size_t i = 0; i < regs::kCounterCount; ++i) {
        EXPECT_EQ(twin_shown_.counters[port][i], rtl_shown_.counters[port][i])
            << where(port, 0) << ", counter " << i;
        EXPECT_EQ(twin_seen_[port][i], twin_shown_.counters[port][i])
            << where(port, 0) << ", counter " << i;
        EXPECT_EQ(rtl_seen_[port][i], rtl_shown_.counters[port][i])
            << where(port, 0) << ", counter " << i;
      }
      EXPECT_EQ(twin_shown_.results[port], rtl_shown_.results[port]) << where(port, 0);
      // The RTL looks at its level once in some clocks only: the crossing from the memory's clock
      // takes them.
      EXPECT_NEAR(twin_shown_.level_max[port], rtl_shown_.level_max[port], 24) << where(port, 0);
    }
    EXPECT_EQ(twin_shown_.global, rtl_shown_.global) << where(0, 0);
  }
  std::string where(std::size_t port, std::size_t frame) const {
    return scenario_.name + ", seed " + std::to_string(scenario_.seed) + ", out of port " +
           std::to_string(port) + ", frame " + std::to_string(frame);
  }

  const Scenario scenario_;

 public:
  Gnet1Twin twin;
  cosim::Gnet1Rtl rtl;

 private:
  longhaul::test::At at_{"at"};
  BoxFixture twin_fixture_;
  BoxFixture rtl_fixture_;
  decltype(Shown::counters) twin_seen_{};
  decltype(Shown::counters) rtl_seen_{};
  Shown twin_shown_;
  Shown rtl_shown_;
  bool done_ = false;
};

/// LONGHAUL_TWIN_SEED tries other traffic.
std::uint64_t base_seed() {
  const char* text = std::getenv("LONGHAUL_TWIN_SEED");
  return text == nullptr ? 1 : std::strtoull(text, nullptr, 10);
}

class Gnet1TwinAndRtl : public ::testing::TestWithParam<std::tuple<std::string, std::uint64_t>> {};

TEST_P(Gnet1TwinAndRtl, SendTheSameFramesAtTheSameTimes) {
  const auto& [name, seed] = GetParam();
  Pair pair("pair", gnet1_test::draw_scenario(name, base_seed() * 1000 + seed));
  pair.run();
  EXPECT_GT(pair.frames_out(), 50U) << "the scenario tries something";
}

INSTANTIATE_TEST_SUITE_P(Scenarios, Gnet1TwinAndRtl,
                         ::testing::Combine(::testing::ValuesIn(gnet1_test::scenario_names()),
                                            ::testing::Range<std::uint64_t>(0, 2)),
                         [](const auto& test) {
                           return std::get<0>(test.param) + "_" +
                                  std::to_string(std::get<1>(test.param));
                         });

}  // namespace
}  // namespace longhaul::wan
