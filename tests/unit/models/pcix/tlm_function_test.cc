// SPDX-License-Identifier: Apache-2.0
// A plain TLM-2.0 target and initiator as a function of the bus: what arrives, when, and how wrong
// accesses end.
#include "models/pcix/tlm_function.h"

#include <numeric>

#include "models/common/event_queue.h"
#include "tests/unit/models/pcix/pc_fixture.h"

namespace longhaul::pcix {
namespace {

/// A module that knows nothing of PCI-X: 64 bytes of registers, and DMA from threads of a test.
struct Foreign final : sc_core::sc_module {
  tlm_utils::simple_target_socket<Foreign> registers{"registers"};
  tlm_utils::simple_initiator_socket<Foreign> dma{"dma"};
  sc_core::sc_signal<bool> interrupt{"interrupt"};
  std::array<std::uint8_t, 64> bytes{};
  std::vector<std::uint64_t> accesses_ps;
  sc_core::sc_time answers_after;

  explicit Foreign(const sc_core::sc_module_name& name) : sc_module(name) {
    registers.register_b_transport(this, &Foreign::access);
  }
  void access(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    accesses_ps.push_back(sc_core::sc_time_stamp().value());
    const std::uint64_t first = payload.get_address();
    if (first + payload.get_data_length() > bytes.size()) {
      payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
      return;
    }
    std::uint8_t* const own = bytes.data() + first;
    if (payload.is_read()) {
      std::memcpy(payload.get_data_ptr(), own, payload.get_data_length());
    } else {
      std::memcpy(own, payload.get_data_ptr(), payload.get_data_length());
    }
    delay += answers_after;
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }
  tlm::tlm_response_status move(tlm::tlm_command command, std::uint64_t address,
                                std::vector<std::uint8_t>& data) {
    tlm::tlm_generic_payload payload;
    set_access(payload, command, address, data.data(), static_cast<std::uint32_t>(data.size()));
    sc_core::sc_time delay;
    dma->b_transport(payload, delay);
    return payload.get_response_status();
  }
};

class TlmFunctionTest : public testing::PcTest, public IntxReceiver {
 protected:
  static constexpr std::uint64_t kForeignBar = 0xf010'0000;
  static constexpr std::uint32_t kForeignSlot = 2;

  TlmFunctionTest() {
    build(3);
    // The third slot's device is the foreign one's second function: functions of one slot are
    // arbitrated together.
    bus->slot(kForeignSlot, 1).bind(function.bus_socket);
    function.bar_initiator.bind(foreign.registers);
    foreign.dma.bind(function.dma_target);
    function.interrupt_i(foreign.interrupt);
    function.config().write(0x10, 4, static_cast<std::uint32_t>(kForeignBar));
    function.config().write(0x04, 2, 0x0006);
    bridge->set_intx_receiver(this);
  }
  void intx(std::uint32_t, bool asserted) override { pin.emplace_back(now_ps(), asserted); }

  TlmFunction function{"function", testing::test_identity(2)};
  Foreign foreign{"foreign"};
  std::vector<std::pair<std::uint64_t, bool>> pin;
};

TEST_F(TlmFunctionTest, ARegisterAccessArrivesAtItsDataPhase) {
  at(0, [&] {
    core->write32(kForeignBar + 0x10, 0xcafe'f00d);
    EXPECT_EQ(core->read32(kForeignBar + 0x10), 0xcafe'f00dU);
  });
  sc_core::sc_start();
  ASSERT_EQ(log.spans.size(), 2U);
  ASSERT_EQ(foreign.accesses_ps.size(), 2U);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_GT(foreign.accesses_ps[i], log.spans[i].start_ps);
    EXPECT_LE(foreign.accesses_ps[i], log.spans[i].end_ps);
  }
}

TEST_F(TlmFunctionTest, WhatTheTargetRefusesIsATargetAbort) {
  std::uint32_t value = 0;
  at(0, [&] {
    EXPECT_EQ(core->access(tlm::TLM_READ_COMMAND, kForeignBar + 0x40, &value, 4),
              tlm::TLM_OK_RESPONSE);
  });
  sc_core::sc_start();
  EXPECT_EQ(value, 0xffff'ffffU) << "as a bridge answers";
  EXPECT_EQ(bus->target_aborts.value(), 1U);
}

TEST_F(TlmFunctionTest, AReadBringsMemorysBytesWhenTheLastOneHasArrived) {
  std::vector<std::uint8_t> data(3000);
  std::uint64_t ended_ps = 0;
  at(0, [&] {
    EXPECT_EQ(foreign.move(tlm::TLM_READ_COMMAND, 0x1234, data), tlm::TLM_OK_RESPONSE);
    ended_ps = sc_core::sc_time_stamp().value();
  });
  sc_core::sc_start();
  EXPECT_EQ(std::memcmp(data.data(), ram + 0x1234, data.size()), 0);
  ASSERT_FALSE(log.spans.empty());
  EXPECT_LE(ended_ps, log.spans.back().end_ps);
  EXPECT_GE(ended_ps, log.spans.back().end_ps - 3 * kClock)
      << "turn-around and release come after the last data";
  EXPECT_EQ(bus->memory_reads.value(), bus->split_completions.value());
}

TEST_F(TlmFunctionTest, AWritePutsItsBytesIntoMemory) {
  std::vector<std::uint8_t> data(9000);
  std::iota(data.begin(), data.end(), std::uint8_t{1});
  at(0,
     [&] { EXPECT_EQ(foreign.move(tlm::TLM_WRITE_COMMAND, 0x20001, data), tlm::TLM_OK_RESPONSE); });
  sc_core::sc_start();
  EXPECT_EQ(std::memcmp(data.data(), ram + 0x20001, data.size()), 0);
  EXPECT_EQ(bus->written_bytes.value(), data.size());
}

TEST_F(TlmFunctionTest, CallsOfSeveralThreadsOverlap) {
  std::vector<std::vector<std::uint8_t>> data(4, std::vector<std::uint8_t>(512));
  std::uint64_t last_ps = 0;
  for (std::uint64_t i = 0; i < 4; ++i) {
    at(0, [&, i] {
      EXPECT_EQ(foreign.move(tlm::TLM_READ_COMMAND, i * 4096, data[i]), tlm::TLM_OK_RESPONSE);
      last_ps = sc_core::sc_time_stamp().value();
    });
  }
  std::uint64_t alone_ps = 0;
  at(1'000'000'000, [&] {
    const std::uint64_t begin_ps = sc_core::sc_time_stamp().value();
    foreign.move(tlm::TLM_READ_COMMAND, 0, data[0]);
    alone_ps = sc_core::sc_time_stamp().value() - begin_ps;
  });
  sc_core::sc_start();
  EXPECT_LT(last_ps, 4 * alone_ps);
  for (std::uint64_t i = 0; i < 4; ++i)
    EXPECT_EQ(std::memcmp(data[i].data(), ram + i * 4096, 512), 0);
}

TEST_F(TlmFunctionTest, EachWrongTransferHasItsResponse) {
  std::vector<std::uint8_t> data(64);
  at(0, [&] {
    EXPECT_EQ(foreign.move(tlm::TLM_READ_COMMAND, 0x8000'0000, data),
              tlm::TLM_GENERIC_ERROR_RESPONSE)
        << "no memory";
    function.config().write(0x04, 2, 0x0002);
    EXPECT_EQ(foreign.move(tlm::TLM_WRITE_COMMAND, 0, data), tlm::TLM_COMMAND_ERROR_RESPONSE)
        << "no bus master";
    function.config().write(0x04, 2, 0x0006);
    std::vector<std::uint8_t> none;
    EXPECT_EQ(foreign.move(tlm::TLM_READ_COMMAND, 0, none), tlm::TLM_BURST_ERROR_RESPONSE);
    EXPECT_EQ(foreign.move(tlm::TLM_IGNORE_COMMAND, 0, data), tlm::TLM_COMMAND_ERROR_RESPONSE);
    EXPECT_EQ(foreign.move(tlm::TLM_READ_COMMAND, 0, data), tlm::TLM_OK_RESPONSE);
  });
  sc_core::sc_start();
}

TEST_F(TlmFunctionTest, TheInterruptReachesTheHostAsAPin) {
  at(1'000'000, [&] {
    foreign.interrupt.write(true);
    sc_core::wait(from_ps(4'000'000));
    foreign.interrupt.write(false);
  });
  sc_core::sc_start(from_ps(20'000'000));
  ASSERT_EQ(pin.size(), 2U);
  EXPECT_TRUE(pin[0].second);
  EXPECT_GE(pin[0].first, 1'000'000U);
  EXPECT_FALSE(pin[1].second);
}

TEST_F(TlmFunctionTest, ADelayOfTheTargetIsReportedOnce) {
  foreign.answers_after = from_ps(10'000);
  sc_core::sc_report_handler::set_handler(
      [](const sc_core::sc_report&, const sc_core::sc_actions&) {});
  at(0, [&] {
    core->read32(kForeignBar);
    core->read32(kForeignBar);
  });
  sc_core::sc_start();
  EXPECT_EQ(sc_core::sc_report_handler::get_count(sc_core::SC_WARNING), 1);
}

TEST_F(TlmFunctionTest, ItsModulesSeeTheRightTimeThoughModelsMayGoAhead) {
  EventQueue::get().go_ahead(~0ULL);
  std::vector<std::uint8_t> data(600);
  std::vector<std::uint64_t> ahead_ps;
  at(0, [&] {
    for (int i = 0; i < 4; ++i) {
      core->write32(kForeignBar + 0x10, 1);
      device(0).dma().read(0x2000, buffer.data(), 2048, &device(0), 0);
      foreign.move(tlm::TLM_READ_COMMAND, 0x1000, data);
      ahead_ps.push_back(now_ps() - sc_core::sc_time_stamp().value());
    }
  });
  sc_core::sc_start();
  ASSERT_EQ(foreign.accesses_ps.size(), 4U);
  std::size_t next = 0;  // each access is at the end of its tenure's data phase
  for (const testing::SpanLog::Span& span : log.spans) {
    if (span.address != kForeignBar + 0x10) continue;
    ASSERT_LT(next, foreign.accesses_ps.size());
    EXPECT_GT(foreign.accesses_ps[next], span.start_ps);
    EXPECT_LE(foreign.accesses_ps[next], span.end_ps);
    ++next;
  }
  EXPECT_EQ(next, 4U);
  EXPECT_EQ(ahead_ps, std::vector<std::uint64_t>(4, 0));
}

TEST_F(TlmFunctionTest, ADelayComesBetweenSplitResponseAndCompletion) {
  TargetParams params;
  params.split_reads.value = true;
  TlmFunction splitting("splitting", testing::test_identity(2), {}, params);
  Foreign slow("slow");
  bus->slot(1, 1).bind(splitting.bus_socket);
  splitting.bar_initiator.bind(slow.registers);
  slow.dma.bind(splitting.dma_target);
  splitting.interrupt_i(slow.interrupt);
  splitting.config().write(0x10, 4, 0xf020'0000);
  splitting.config().write(0x04, 2, 0x0006);
  slow.bytes[0x10] = 0x5a;
  constexpr std::uint64_t kDelay = 100 * kClock;
  std::vector<std::uint64_t> took_ps;
  at(0, [&] {
    for (std::uint64_t i = 0; i < 2; ++i) {
      sc_core::wait(from_ps((i + 1) * 1000 * kClock - now_ps()));  // at the same edge of the clock
      slow.answers_after = from_ps(i * kDelay);
      const std::uint64_t begin_ps = now_ps();
      EXPECT_EQ(core->read32(0xf020'0010), 0x5aU);
      took_ps.push_back(now_ps() - begin_ps);
    }
  });
  sc_core::sc_start();
  ASSERT_EQ(took_ps.size(), 2U);
  EXPECT_EQ(took_ps[1], took_ps[0] + kDelay);
  EXPECT_EQ(sc_core::sc_report_handler::get_count(sc_core::SC_WARNING), 0);
}

}  // namespace
}  // namespace longhaul::pcix
