// SPDX-License-Identifier: Apache-2.0
#include "platform/observe/violation_waves.h"

#include <gtest/gtest.h>

#include "platform/observe/probe_walk.h"
#include "platform/observe/violation_book.h"
#include "tests/unit/platform/observe/fst_reader.h"
#include "tests/unit/platform/observe/scratch_dir.h"
#include "tests/unit/support/ethernet.h"
#include "tests/unit/times.h"

namespace longhaul::observe {
namespace {

/// A part with RTL, as its block tells of it.
struct RtlPart final : sc_core::sc_module {
  struct Block final : sc_core::sc_module {
    explicit Block(const sc_core::sc_module_name& name) : sc_module(name) {}
    ViolationTap broken{"broken", "what it breaks"};
  };
  explicit RtlPart(const sc_core::sc_module_name& name) : sc_module(name) {}
  Block block{"block"};
  void breaks(std::uint64_t ps, const char* rule, bool ends = false) {
    block.broken.report({rule,
                         "bus.valid",
                         std::string("at last: ") + rule,
                         ps,
                         false,
                         ends,
                         {"m_valid", "m_data"},
                         {}});
  }
};

struct ViolationsTraced : ::testing::Test {
  ScratchDir scratch;
  longhaul::test::At at{"at"};
  RtlPart nic{"nic"};
  RtlPart quiet{"quiet"};
  WaveFile file{scratch.path("waves.fst"), scratch.path("waves.gtkw"), {10 * kMs, true, 2 * kMs}};
  std::vector<ViolationTap*> taps = ProbeWalk().violation_taps;

  FstReader read() {
    sc_core::sc_start(from_ps(60 * kMs));
    file.close();
    return FstReader(scratch.path("waves.fst"));
  }
};

TEST_F(ViolationsTraced, TheFirstIsWhatTheFileWaitsForAlsoAheadOfTime) {
  ViolationWaves waves(file, 5, taps, true);
  const WaveScope rtl = file.scope("nic.rtl");
  const Wave valid = rtl.add_bit("m_valid");
  const Wave data = rtl.add_bits("m_data", 8);
  const Wave other = rtl.add_bit("other");
  file.begin();
  at(1 * kMs, [&] { valid.set(0), data.set(7), other.set(1); });
  at(9 * kMs, [&] { valid.set(1); });
  at(10 * kMs, [&] { nic.breaks(10 * kMs + 5 * kUs, "axi.first"); });
  at(11 * kMs, [&] { nic.breaks(11 * kMs, "axi.second"); });
  const FstReader found = read();
  EXPECT_EQ(file.trigger_ps(), 10 * kMs + 5 * kUs);
  EXPECT_EQ(file.from_ps(), 8 * kMs + 5 * kUs);
  EXPECT_EQ(file.trigger_reason(), "nic breaks axi.first (bus.valid)");
  EXPECT_EQ(found.of("nic.violation").size(), 2U);
  EXPECT_EQ(found.of("nic.violation").begin()->first, 10 * kMs + 5 * kUs);
  EXPECT_EQ(found.at("nic.last_violation", 10 * kMs + 6 * kUs), "axi.first (bus.valid)");
  EXPECT_EQ(found.at("nic.last_violation", 12 * kMs), "axi.second (bus.valid)");
  const std::string layout = scratch.text("waves.gtkw");
  const std::string cause = layout.substr(layout.find("-trigger:"), 600);
  const std::string group = cause.substr(0, cause.find("-trigger:", 1));
  EXPECT_NE(group.find("nic.violation"), std::string::npos) << layout;
  EXPECT_NE(group.find("nic.rtl.m_valid"), std::string::npos) << layout;
  EXPECT_NE(group.find("nic.rtl.m_data[7:0]"), std::string::npos) << layout;
  EXPECT_EQ(group.find("nic.rtl.other"), std::string::npos) << layout;
  EXPECT_EQ(layout.find("quiet"), std::string::npos);
  EXPECT_LT(group.find("nic.rtl.m_valid"), group.find("nic.rtl.m_data[7:0]"));
  // It opens on 2 us, half of them behind the marker.
  EXPECT_NE(layout.find("[timestart] 10004000000\n"), std::string::npos) << layout;
}

TEST_F(ViolationsTraced, OfAnAssertionTheSignalsOfItsModuleAreTheCause) {
  ViolationWaves waves(file, 5, taps, true);
  const Wave level = file.scope("nic.rtl.u_ring").add_bits("level", 8);
  const Wave other = file.scope("nic.rtl.u_mac").add_bit("busy");
  file.begin();
  at(1 * kMs, [&] { level.set(9), other.set(1); });
  at(2 * kMs, [&] {
    Violation violation;
    violation.rule = "ring.sv:83";
    violation.ps = 2 * kMs;
    violation.assertion = true;
    violation.scope = "u_ring";
    nic.block.broken.report(violation);
  });
  read();
  EXPECT_EQ(file.trigger_reason(), "nic breaks ring.sv:83");
  const std::string layout = scratch.text("waves.gtkw");
  const std::string cause = layout.substr(layout.find("-trigger:"));
  const std::string group = cause.substr(0, cause.find("-trigger:", 1));
  EXPECT_NE(group.find("nic.rtl.u_ring.level[7:0]"), std::string::npos) << layout;
  EXPECT_EQ(group.find("u_mac"), std::string::npos) << layout;
}

TEST_F(ViolationsTraced, WithAnotherTriggerTheyAreRowsOnly) {
  ViolationWaves waves(file, 5, taps, false);
  file.begin();
  at(1 * kMs, [&] { nic.breaks(1 * kMs, "axi.first"); });
  at(2 * kMs, [&] { file.trigger("it comes"); });
  const FstReader found = read();
  EXPECT_EQ(file.trigger_reason(), "it comes");
  EXPECT_EQ(found.of("nic.violation").size(), 1U);
}

TEST_F(ViolationsTraced, AFileThatFailsKeepsItsLastInstantAndTheHistory) {
  ViolationWaves waves(file, 5, taps, true);
  file.begin();
  const Wave row = file.scope("nic").add_bit("row");
  at(5 * kMs, [&] { row.set(0); });
  at(20 * kMs, [&] {
    row.set(1);
    sc_core::sc_stop();
  });
  sc_core::sc_start(from_ps(60 * kMs));
  file.fail("the run fails: for a test");
  file.close();
  const FstReader found(scratch.path("waves.fst"));
  EXPECT_EQ(file.from_ps(), 18 * kMs);
  EXPECT_EQ(file.until_ps(), 20 * kMs + 1);
  EXPECT_EQ(file.trigger_reason(), "the run fails: for a test");
  EXPECT_EQ(found.at("nic.row", 18 * kMs), "0");
  EXPECT_EQ(found.at("nic.row", 20 * kMs), "1");
}

TEST_F(ViolationsTraced, AFileThatHasNotBegunStaysEmptyWhenTheRunFails) {
  ViolationWaves waves(file, 5, taps, false);
  file.fail("too early");
  EXPECT_EQ(file.from_ps(), WaveFile::kNever);
}

TEST_F(ViolationsTraced, TheBookCountsByPartAndRule) {
  ViolationBook book(taps);
  nic.breaks(3 * kMs, "axi.first");
  quiet.breaks(4 * kMs, "axi.first");
  nic.breaks(5 * kMs, "axi.first");
  EXPECT_TRUE(book.end().is_null());
  nic.breaks(6 * kMs, "axi.second", true);
  const nlohmann::json json = book.json();
  ASSERT_EQ(json.size(), 3U);
  EXPECT_EQ(json[0], (nlohmann::json{{"part", "nic"},
                                     {"rule", "axi.first"},
                                     {"assertion", false},
                                     {"count", 2},
                                     {"first_ps", 3 * kMs},
                                     {"first", "at last: axi.first"}}));
  EXPECT_EQ(json[1]["part"], "quiet");
  EXPECT_EQ(book.end(), (nlohmann::json{{"part", "nic"}, {"rule", "axi.second"}, {"ps", 6 * kMs}}));
}

}  // namespace
}  // namespace longhaul::observe
