// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/core.h"

#include <gtest/gtest.h>
#include <tlm_utils/simple_target_socket.h>

#include <numeric>
#include <vector>

#include "models/common/param_json.h"

namespace longhaul::cpu {
namespace {

constexpr std::size_t at(CoreState state) { return static_cast<std::size_t>(state); }

/// A bridge that takes a fixed time for a read and none for a write, and a memory that takes a
/// fixed time for a line read and none for one written.
struct Surroundings : sc_core::sc_module, memory::CoreTraffic {
  tlm_utils::simple_target_socket<Surroundings> bus{"bus"};
  sc_core::sc_time read_time{345, sc_core::SC_NS};
  sc_core::sc_time line_time = sc_core::SC_ZERO_TIME;
  std::vector<memory::LineStream> traffic;
  std::uint64_t last_written = 0;

  explicit Surroundings(const sc_core::sc_module_name& name) : sc_module(name) {
    bus.register_b_transport(this, &Surroundings::access);
  }
  void access(tlm::tlm_generic_payload& payload, sc_core::sc_time&) {
    if (payload.get_address() == 0xdead) {
      payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
      return;
    }
    if (payload.is_read()) {
      sc_core::wait(read_time);
      payload.get_data_ptr()[0] = 0x5a;
    } else {
      last_written = payload.get_data_ptr()[0];
    }
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }
  std::uint64_t stream(const memory::LineStream& lines) override {
    traffic.push_back(lines);
    return lines.write ? 0 : to_ps(line_time) * (lines.bytes / 64);
  }
};

CoreParams two_gigahertz() {
  CoreParams params;
  params.clock.value = {2'000'000'000};
  return params;
}

struct CoreTest : ::testing::Test {
  Surroundings around{"around"};
  Core core{"core", two_gigahertz(), units::MiB(16)};

  CoreTest() {
    core.core_initiator.bind(around.bus);
    core.memory_port.bind(around);
  }
  template <class Body>
  void run(Body body) {
    sc_core::sc_spawn(body);
    sc_core::sc_start();
  }
  std::uint64_t spent(CoreState state) const { return core.state.spent_ps(at(state)); }
};

TEST_F(CoreTest, WorkTakesItsCyclesAndIsAccountedToItsState) {
  WorkBatch work;
  work.add(CoreState::kSystem, WorkKind::kSyscall, 2);     // 2 x 250 cycles
  work.add(CoreState::kHardirq, WorkKind::kInterrupt, 1);  // 600 cycles
  work.add(CoreState::kSoftirq, WorkKind::kDelayPs, 777);
  run([&] { core.spend(work); });
  EXPECT_EQ(spent(CoreState::kSystem), 2 * 125'000U);
  EXPECT_EQ(spent(CoreState::kHardirq), 300'000U);
  EXPECT_EQ(spent(CoreState::kSoftirq), 777U);
  EXPECT_EQ(sc_core::sc_time_stamp().value(), 2 * 125'000U + 300'000U + 777U);
  EXPECT_EQ(core.syscalls.value(), 2U);
  EXPECT_EQ(core.interrupts.value(), 1U);
}

TEST_F(CoreTest, NoWorkTakesNoTime) {
  run([&] { core.spend(WorkBatch{}); });
  EXPECT_EQ(sc_core::sc_time_stamp(), sc_core::SC_ZERO_TIME);
}

TEST_F(CoreTest, ExecutedCodeIsPaidInSixtyFourthsOfACycleRoundedUp) {
  WorkBatch work;
  work.add(CoreState::kSoftirq, WorkKind::kExecuted, 64 * 1000 + 1);
  run([&] { core.spend(work); });
  EXPECT_EQ(spent(CoreState::kSoftirq), 500'008U);  // 7.8 ps more
}

/// A copy of 640 bytes from 0x10000 to 0x20000: half a cycle a byte, 160 ns on this core.
WorkBatch copied(std::uint64_t bytes) {
  WorkBatch work;
  work.add(CoreState::kSystem, WorkKind::kByteCopied, bytes);
  return work;
}
const MemoryTouch kCopy{MemoryTouch::Kind::kCopy, CoreState::kSystem, 0x10000, 0x20000, 640};

TEST_F(CoreTest, ColdCopyReadsSourceReadsTargetForOwnershipAndWritesItBack) {
  run([&] { core.spend(copied(640), {kCopy}); });
  ASSERT_EQ(around.traffic.size(), 3U);
  EXPECT_EQ(around.traffic[0].address, 0x10000U);
  EXPECT_EQ(around.traffic[0].bytes, 640U);
  EXPECT_FALSE(around.traffic[0].write);
  EXPECT_EQ(around.traffic[0].in_flight, core.params().copy_in_flight());
  EXPECT_EQ(around.traffic[1].address, 0x20000U);
  EXPECT_FALSE(around.traffic[1].write);
  EXPECT_TRUE(around.traffic[2].write);
  EXPECT_EQ(core.cold_lines.value(), 20U);
}

TEST_F(CoreTest, ACopyThatSumsHasTheLinesOfASumInFlight) {
  MemoryTouch touch = kCopy;
  touch.kind = MemoryTouch::Kind::kCopySum;
  run([&] { core.spend(copied(640), {touch}); });
  ASSERT_EQ(around.traffic.size(), 3U);
  EXPECT_EQ(around.traffic[0].in_flight, 5U);
  EXPECT_EQ(around.traffic[1].in_flight, core.params().copy_in_flight());
  EXPECT_TRUE(around.traffic[2].write);
}

TEST_F(CoreTest, ASumWaitsForTheMemoryOnlyWhereThatIsSlowerThanAdding) {
  around.line_time = {20, sc_core::SC_NS};  // adding takes 64 x 250 ps, 16 ns
  WorkBatch work;
  work.add(CoreState::kSoftirq, WorkKind::kByteChecksummed, 640);
  const MemoryTouch sum{MemoryTouch::Kind::kSum, CoreState::kSoftirq, 0x10000, 0, 640};
  run([&] {
    core.spend(work, {sum});
    core.spend(work, {sum});  // all lines are in the cache
  });
  ASSERT_EQ(around.traffic.size(), 1U);
  EXPECT_EQ(around.traffic[0].in_flight, 5U);
  EXPECT_FALSE(around.traffic[0].write);
  EXPECT_EQ(spent(CoreState::kSoftirq), 200'000U + 160'000U);
}

TEST(CoreSums, TheSlowerOfCopyAndSumSetsTheTimeOfBoth) {
  const auto beyond = [](const char* preset) {
    const std::string name = std::string("core_") + preset;
    const Core core(name.c_str(), core_params_from({{"preset", preset}}, "cpu"));
    return core.sum_beyond_copy(1000);
  };
  EXPECT_EQ(beyond("k8"), 0U);
  EXPECT_EQ(beyond("netburst"), (2190 - 500) * kUnitsPerCycle);
  EXPECT_EQ(beyond("p6"), (780 - 500) * kUnitsPerCycle);
}

TEST(CoreParamsFrom, ASumsLoadsInFlightFollowTheBuffersOfTheCore) {
  EXPECT_EQ(core_params_from({{"preset", "k8"}}, "cpu").sum_in_flight(), 5U);
  EXPECT_EQ(core_params_from({{"preset", "netburst"}}, "cpu").sum_in_flight(), 3U);
  EXPECT_EQ(core_params_from({{"preset", "p6"}}, "cpu").sum_in_flight(), 1U);
}

TEST(CoreParamsFrom, APentiumThreeLoadsOneLineAfterTheOtherAndStoresBesides) {
  const CoreParams p6 = core_params_from({{"preset", "p6"}}, "cpu");
  EXPECT_EQ(p6.copy_in_flight(), 1U);
  EXPECT_EQ(p6.store_in_flight(), 2U);
  EXPECT_EQ(core_params_from({}, "cpu").copy_in_flight(), 3U);
  EXPECT_EQ(core_params_from({}, "cpu").store_in_flight(), 0U);
  EXPECT_EQ(core_params_from({{"preset", "p6"}, {"copy_in_flight", 2}}, "cpu").copy_in_flight(),
            2U);
}

TEST_F(CoreTest, WarmCopyMovesNothingThroughMemory) {
  run([&] {
    core.spend(copied(640), {kCopy});
    around.traffic.clear();
    core.spend(copied(640), {kCopy});
  });
  EXPECT_TRUE(around.traffic.empty());
  EXPECT_EQ(sc_core::sc_time_stamp(), sc_core::sc_time(320, sc_core::SC_NS));
}

TEST_F(CoreTest, CopyTakesTheLongerOfCoreAndMemory) {
  std::uint64_t waited = 0;
  around.line_time = {10, sc_core::SC_NS};  // 20 lines: 200 ns, beside 160 ns of the core
  run([&] { waited = core.spend(copied(640), {kCopy}); });
  EXPECT_EQ(waited, 40'000U);
  EXPECT_EQ(spent(CoreState::kSystem), 200'000U);
  EXPECT_EQ(core.memory_wait_ps.value(), 40'000U);
}

TEST_F(CoreTest, CopyIsBoundByTheCoreWhenMemoryIsFaster) {
  around.line_time = {1, sc_core::SC_NS};
  run([&] { core.spend(copied(640), {kCopy}); });
  EXPECT_EQ(sc_core::sc_time_stamp(), sc_core::sc_time(160, sc_core::SC_NS));
}

TEST_F(CoreTest, HeadersThatDmaWroteWaitForOneLineAfterTheOther) {
  around.line_time = {60, sc_core::SC_NS};
  const MemoryTouch header{MemoryTouch::Kind::kRead, CoreState::kSoftirq, 0x10000, 0, 128};
  run([&] {
    core.spend({}, {header});
    core.spend({}, {header});
    core.cache().dma_wrote(0x10000, 64);
    core.spend({}, {header});
  });
  EXPECT_EQ(spent(CoreState::kSoftirq), 180'000U);  // two lines, none, one
  EXPECT_EQ(around.traffic[0].in_flight, 1U);
}

TEST_F(CoreTest, PollReadsTheDescriptorsThatWereWrittenBack) {
  around.line_time = {60, sc_core::SC_NS};
  core.cache().watch([](LineCache::Ranges& ranges) { ranges.emplace_back(0x40000, 0x41000); });
  const MemoryTouch poll{MemoryTouch::Kind::kPoll, CoreState::kSoftirq, 0, 0, 0};
  run([&] {
    core.spend({}, {poll});
    core.cache().dma_wrote(0x40000, 16);
    core.cache().dma_wrote(0x40040, 16);
    core.spend({}, {poll});
  });
  EXPECT_EQ(spent(CoreState::kSoftirq), 120'000U);
}

TEST_F(CoreTest, ReadStallsForTheRoundTrip) {
  std::uint64_t value = 0;
  run([&] { value = core.read(0xf000'0000, 4); });
  EXPECT_EQ(value, 0x5aU);
  EXPECT_EQ(spent(CoreState::kMmioStall), 345'000U);
  EXPECT_EQ(core.mmio_reads.value(), 1U);
}

TEST_F(CoreTest, UnclaimedReadGivesAllOnes) {
  std::uint64_t value = 0;
  run([&] { value = core.read(0xdead, 4); });
  EXPECT_EQ(value, ~std::uint64_t{0});
}

TEST_F(CoreTest, PostedWriteCarriesItsValue) {
  run([&] { core.write(0xf000'0000, 4, 0x77); });
  EXPECT_EQ(around.last_written, 0x77U);
  EXPECT_EQ(core.mmio_writes.value(), 1U);
}

TEST_F(CoreTest, StatesAddUpToElapsedTime) {
  sc_core::sc_event never;
  WorkBatch work;
  work.add(CoreState::kUser, WorkKind::kUserSyscall, 3);
  work.add(CoreState::kSystem, WorkKind::kContextSwitch, 1);
  run([&] {
    core.stay(CoreState::kIdle, {10, sc_core::SC_US}, never);
    core.spend(work);
    core.read(0xf000'0000, 4);
    core.stay(CoreState::kIdle, {1, sc_core::SC_US}, never);
  });
  std::uint64_t sum = 0;
  for (std::size_t s = 0; s < kCoreStates; ++s) sum += core.state.spent_ps(s);
  EXPECT_EQ(sum, sc_core::sc_time_stamp().value());
  EXPECT_EQ(spent(CoreState::kIdle), 11'000'000U);
}

CoreParams slow_to_wake() {
  CoreParams params = two_gigahertz();
  params.pipeline.halt_exit.value = {3, sc_core::SC_US};
  return params;
}

TEST_F(CoreTest, AHaltIsLeftLateHoweverItEnds) {
  Surroundings others("others");
  Core halting("halting", slow_to_wake());
  sc_core::sc_event interrupt("interrupt");
  std::vector<std::uint64_t> woken;
  const auto stay = [&](CoreState state, const sc_core::sc_time& limit) {
    halting.stay(state, limit, interrupt);
    woken.push_back(now_ps());
  };
  halting.core_initiator.bind(others.bus);
  run([&] {
    interrupt.notify(10, sc_core::SC_US);
    stay(CoreState::kIdle, {1, sc_core::SC_MS});
    stay(CoreState::kIdle, {5, sc_core::SC_US});
    stay(CoreState::kSystem, {5, sc_core::SC_US});
  });
  EXPECT_EQ(woken, (std::vector<std::uint64_t>{13'000'000, 21'000'000, 26'000'000}));
  EXPECT_EQ(halting.state.spent_ps(at(CoreState::kIdle)), 21'000'000U);
}

TEST_F(CoreTest, UnitCostsAreRoundedUpSoThatTheGuestsClockNeverLeads) {
  CoreParams params;
  params.clock.value = {3'000'000'000};
  Core third("third", params);
  EXPECT_EQ(third.unit_cost_ps(WorkKind::kByteCopied), 167U);  // 166.7 ps
  EXPECT_EQ(third.unit_cost_ps(WorkKind::kDelayPs), 1U);
  third.core_initiator.bind(around.bus);
}

TEST(CoreParams, SourcesAreGiven) {
  CoreParams params;
  for (const auto& param : describe(params)) EXPECT_NE(param["source"], "") << param["name"];
}

}  // namespace
}  // namespace longhaul::cpu
