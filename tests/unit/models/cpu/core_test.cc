// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/core.h"

#include <gtest/gtest.h>
#include <tlm_utils/simple_target_socket.h>

#include <numeric>
#include <vector>

namespace longhaul::cpu {
namespace {

constexpr std::size_t at(CoreState state) { return static_cast<std::size_t>(state); }
constexpr std::size_t at(WorkKind kind) { return static_cast<std::size_t>(kind); }

/// A bridge that takes a fixed time for a read and none for a write, and a memory that takes a fixed time for any traffic.
struct Surroundings : sc_core::sc_module {
  tlm_utils::simple_target_socket<Surroundings> bus{"bus"};
  tlm_utils::simple_target_socket<Surroundings> memory{"memory"};
  sc_core::sc_time read_time{345, sc_core::SC_NS};
  sc_core::sc_time memory_time = sc_core::SC_ZERO_TIME;
  std::vector<std::uint64_t> traffic;
  std::uint64_t last_written = 0;

  explicit Surroundings(const sc_core::sc_module_name& name) : sc_module(name) {
    bus.register_b_transport(this, &Surroundings::access);
    memory.register_b_transport(this, &Surroundings::move);
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
  void move(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    EXPECT_EQ(payload.get_command(), tlm::TLM_IGNORE_COMMAND);
    traffic.push_back(payload.get_data_length());
    delay += memory_time;
  }
};

CoreParams two_gigahertz() {
  CoreParams params;
  params.clock.value = {2'000'000'000};
  return params;
}

struct CoreTest : ::testing::Test {
  Surroundings around{"around"};
  Core core{"core", two_gigahertz()};

  CoreTest() {
    core.core_initiator.bind(around.bus);
  }
  template <class Body>
  void run(Body body) {
    sc_core::sc_spawn(body);
    sc_core::sc_start();
  }
  std::uint64_t spent(CoreState state) const { return core.state.spent_ps(at(state)); }
};

TEST_F(CoreTest, WorkTakesItsCyclesAndIsAccountedToItsState) {
  WorkBatch work{};
  work[at(CoreState::kSystem)][at(WorkKind::kSyscall)] = 2;     // 2 x 1200 cycles
  work[at(CoreState::kHardirq)][at(WorkKind::kInterrupt)] = 1;  // 2500 cycles
  work[at(CoreState::kSoftirq)][at(WorkKind::kDelayPs)] = 777;
  run([&] { core.spend(work); });
  EXPECT_EQ(spent(CoreState::kSystem), 2 * 600'000U);
  EXPECT_EQ(spent(CoreState::kHardirq), 1'250'000U);
  EXPECT_EQ(spent(CoreState::kSoftirq), 777U);
  EXPECT_EQ(sc_core::sc_time_stamp().value(), 2 * 600'000U + 1'250'000U + 777U);
  EXPECT_EQ(core.syscalls.value(), 2U);
  EXPECT_EQ(core.interrupts.value(), 1U);
}

TEST_F(CoreTest, NoWorkTakesNoTime) {
  run([&] { core.spend(WorkBatch{}); });
  EXPECT_EQ(sc_core::sc_time_stamp(), sc_core::SC_ZERO_TIME);
}

TEST_F(CoreTest, CopyIsBoundByTheCoreWhenMemoryIsFaster) {
  WorkBatch work{};
  work[at(CoreState::kSystem)][at(WorkKind::kByteCopied)] = 1000;  // one cycle a byte: 500 ns
  around.memory_time = {100, sc_core::SC_NS};
  run([&] { core.spend(work); });
  EXPECT_EQ(sc_core::sc_time_stamp(), sc_core::sc_time(500, sc_core::SC_NS));
  ASSERT_EQ(around.traffic.size(), 1U);
  EXPECT_EQ(around.traffic[0], 3000U);  // read, read for ownership, write
}

TEST_F(CoreTest, CopyIsBoundByMemoryWhenThatIsSlower) {
  WorkBatch work{};
  work[at(CoreState::kSystem)][at(WorkKind::kByteCopied)] = 1000;
  around.memory_time = {900, sc_core::SC_NS};
  run([&] { core.spend(work); });
  EXPECT_EQ(sc_core::sc_time_stamp(), sc_core::sc_time(900, sc_core::SC_NS));
  EXPECT_EQ(core.bytes_copied.value(), 1000U);
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
  WorkBatch work{};
  work[at(CoreState::kUser)][at(WorkKind::kUserSyscall)] = 3;
  work[at(CoreState::kSystem)][at(WorkKind::kContextSwitch)] = 1;
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

TEST_F(CoreTest, UnitCostsAreRoundedUpSoThatTheGuestsClockNeverLeads) {
  CoreParams params;
  params.clock.value = {3'000'000'000};
  Core third("third", params);
  EXPECT_EQ(third.unit_cost_ps(WorkKind::kByteCopied), 334U);  // 333.3 ps
  EXPECT_EQ(third.unit_cost_ps(WorkKind::kDelayPs), 1U);
  third.core_initiator.bind(around.bus);
}

TEST(CostBook, EveryKindOfWorkButDelayHasACost) {
  const CostBook book;
  for (std::size_t k = 0; k < kWorkKinds; ++k) {
    const auto kind = static_cast<WorkKind>(k);
    EXPECT_EQ(book.millicycles(kind) == 0, kind == WorkKind::kDelayPs) << k;
  }
}

TEST(CostBook, SourcesAreGiven) {
  CoreParams params;
  for (const auto& param : describe(params)) EXPECT_NE(param["source"], "") << param["name"];
}

}  // namespace
}  // namespace longhaul::cpu
