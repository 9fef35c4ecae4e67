// SPDX-License-Identifier: Apache-2.0
#include "platform/cosim/register_bus.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <map>

#include "models/common/address_sanitizer.h"
#include "models/common/payload.h"
#include "tests/unit/support/ethernet.h"

namespace longhaul::cosim {
namespace {

using test::At;
using test::run_until;
using ::testing::ElementsAre;

/// Sixteen registers behind the bus, acknowledged two clocks after the select.
struct Registers final : RtlModel {
  std::uint8_t clock = 0;
  std::uint8_t select = 0;
  std::uint8_t write = 0;
  std::uint16_t address = 0;
  std::uint32_t write_data = 0;
  std::uint32_t read_data = 0;
  std::uint8_t acknowledge = 0;
  bool answers = true;
  std::map<std::uint32_t, std::uint32_t> values;
  std::vector<std::uint32_t> order;

  void eval(std::uint64_t) override {
    if (clock != 0 && before_ == 0) rise();
    before_ = clock;
  }

 private:
  void rise() {
    const bool first = select != 0 && phase_ == 0 && acknowledge == 0;
    acknowledge = phase_ != 0 && answers ? 1 : 0;
    read_data = acknowledge != 0 && write == 0 ? values[address] : 0;
    if (first && write != 0) {
      values[address] = write_data;
      order.push_back(address);
    }
    phase_ = first ? 1 : 0;
  }
  std::uint8_t before_ = 0;
  std::uint8_t phase_ = 0;
};

struct Master final : sc_core::sc_module {
  tlm_utils::simple_initiator_socket<Master> socket{"socket"};
  explicit Master(const sc_core::sc_module_name& name) : sc_module(name) {
    SC_HAS_PROCESS(Master);
    SC_THREAD(run);
  }
  std::function<void()> program;
  void run() {
    if (program) program();
  }
  tlm::tlm_response_status access(tlm::tlm_command command, std::uint64_t address,
                                  std::uint32_t& value, unsigned length = 4) {
    tlm::tlm_generic_payload payload;
    set_access(payload, command, address, &value, length);
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    socket->b_transport(payload, delay);
    return payload.get_response_status();
  }
  tlm::tlm_response_status write(std::uint64_t address, std::uint32_t value) {
    return access(tlm::TLM_WRITE_COMMAND, address, value);
  }
  std::uint32_t read(std::uint64_t address) {
    std::uint32_t value = 0;
    EXPECT_EQ(access(tlm::TLM_READ_COMMAND, address, value), tlm::TLM_OK_RESPONSE);
    return value;
  }
};

struct RegisterBusTest : ::testing::Test {
  Registers model;
  RtlBlock block{"block"};
  RegisterBus bus{"bus", block, 0x40};
  Master master{"master"};
  At at{"at"};
  RegisterBusTest() {
    block.set_model(model);
    bus.connect(block.add_clock({&model.clock}, {{31'250'000}}), {{&model.select},
                                                                  {&model.write},
                                                                  WordPin(model.address),
                                                                  WordPin(model.write_data),
                                                                  WordPin(model.read_data),
                                                                  {&model.acknowledge}});
    master.socket.bind(bus.target);
    bus.open();
  }
};

TEST_F(RegisterBusTest, AReadSeesTheWritesBeforeItAndWaitsForTheBus) {
  std::uint32_t got = 0;
  std::uint64_t after_writes = 1;
  std::uint64_t after_read = 0;
  master.program = [&] {
    master.write(0x10, 0x1234'5678);
    master.write(0x14, 7);
    after_writes = now_ps();
    got = master.read(0x10);
    after_read = now_ps();
  };
  run_until(10'000'000);
  EXPECT_EQ(after_writes, 0U);
  EXPECT_EQ(got, 0x1234'5678U);
  EXPECT_THAT(model.order, ElementsAre(0x10, 0x14));
  // Each access: a clock to the first edge, the register's two, one with the select low.
  EXPECT_EQ(after_read, (1 + 3 + 3 + 2) * 32'000U);
}

TEST_F(RegisterBusTest, WritesBeforeTheStartWaitUntilTheBlockIsOutOfReset) {
  bus.post(0x0, 1);
  EXPECT_FALSE(bus.idle());
  block.power_up(32'000, [this] { return bus.idle(); });
  EXPECT_EQ(model.values[0], 1U);
  run_until(1'000);
}

TEST_F(RegisterBusTest, WritesMayComeFromAnyProcessAndReadsFromThreadsOnly) {
  at(100'000, [this] {
    EXPECT_EQ(master.write(0x8, 9), tlm::TLM_OK_RESPONSE);
    std::uint32_t value = 0;
    EXPECT_EQ(master.access(tlm::TLM_READ_COMMAND, 0x8, value), tlm::TLM_COMMAND_ERROR_RESPONSE);
  });
  run_until(1'000'000);
  EXPECT_EQ(model.values[8], 9U);
}

TEST_F(RegisterBusTest, WhatIsNoWordOrBeyondTheMapIsRefused) {
  std::uint32_t value = 0;
  EXPECT_EQ(master.access(tlm::TLM_WRITE_COMMAND, 0x40, value), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(master.access(tlm::TLM_WRITE_COMMAND, 0x2, value), tlm::TLM_BURST_ERROR_RESPONSE);
  EXPECT_EQ(master.access(tlm::TLM_WRITE_COMMAND, 0x4, value, 2), tlm::TLM_BURST_ERROR_RESPONSE);
  run_until(1'000'000);
  EXPECT_TRUE(model.order.empty());
}

TEST_F(RegisterBusTest, ABlockThatDoesNotAcknowledgeIsAnError) {
  if (under_address_sanitizer()) {
    GTEST_SKIP() << "the sanitizer takes an exception out of a SystemC process for a damaged stack";
  }
  model.answers = false;
  bus.post(0x0, 1);
  EXPECT_ANY_THROW(run_until(100'000'000));
}

// What else happens cuts the run-ahead anywhere, just before the edge that ends a read too.
TEST_F(RegisterBusTest, AReaderThatAsksAgainAtOnceIsNeverRunAheadOf) {
  for (std::uint64_t ps = 1; ps < 40'000'000; ps += 70'001) at(ps, [] {});
  int reads = 0;
  master.program = [&] {
    for (; reads < 600; ++reads) static_cast<void>(master.read(4));
  };
  run_until(100'000'000);
  EXPECT_EQ(reads, 600);
}

TEST_F(RegisterBusTest, AccessesGoOnAfterTheBusWasIdle) {
  std::vector<std::uint32_t> got;
  master.program = [&] {
    for (std::uint32_t i = 0; i < 5; ++i) {
      master.write(4 * i, i * i);
      sc_core::wait(sc_core::sc_time(i * 77, sc_core::SC_NS));
      got.push_back(master.read(4 * i));
    }
  };
  run_until(100'000'000);
  EXPECT_THAT(got, ElementsAre(0, 1, 4, 9, 16));
}

}  // namespace
}  // namespace longhaul::cosim
