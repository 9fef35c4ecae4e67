// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/core.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tlm_utils/simple_target_socket.h>

#include <functional>
#include <numeric>
#include <tuple>

namespace longhaul::cpu {
namespace {

using ::testing::ElementsAre;
using sc_core::SC_NS;

/// A device that answers after a time and remembers what it got.
struct SlowDevice final : sc_core::sc_module {
  tlm_utils::simple_target_socket<SlowDevice> core_target{"core_target"};
  sc_core::sc_time latency{345, SC_NS};
  std::vector<std::tuple<bool, std::uint64_t, std::uint32_t, std::uint64_t>> seen;
  bool refuses = false;

  explicit SlowDevice(const sc_core::sc_module_name& name) : sc_module(name) {
    core_target.register_b_transport(this, &SlowDevice::access);
  }
  void access(tlm::tlm_generic_payload& payload, sc_core::sc_time&) {
    if (refuses) {
      payload.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
      return;
    }
    std::uint64_t value = 0;
    for (std::uint32_t i = 0; i < payload.get_data_length(); ++i) {
      if (payload.is_read()) payload.get_data_ptr()[i] = static_cast<std::uint8_t>(0x10 + i);
      value |= static_cast<std::uint64_t>(payload.get_data_ptr()[i]) << (8 * i);
    }
    seen.emplace_back(payload.is_read(), payload.get_address(), payload.get_data_length(), value);
    sc_core::wait(latency);
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }
};

struct DmaMaster final : sc_core::sc_module {
  tlm_utils::simple_initiator_socket<DmaMaster> dma_initiator{"dma_initiator"};
  explicit DmaMaster(const sc_core::sc_module_name& name) : sc_module(name) {}
};

struct SpanLog final : observe::SpanListener {
  std::vector<std::tuple<std::uint64_t, std::uint64_t, std::string>> spans;
  void on_span(const observe::SpanTap&, std::uint64_t start, std::uint64_t end, const char* label, std::uint64_t, std::uint64_t) override {
    spans.emplace_back(start, end, label);
  }
};

class CoreTest : public ::testing::Test {
 protected:
  void build(std::uint64_t hz = 2'000'000'000) {
    CoreParams params;
    params.clock.value = {hz};
    memory::MemoryParams memory_params;
    memory_params.efficiency.value = 1.0;  // 6.4 GB/s
    memory = std::make_unique<memory::MemoryController>("memory", memory_params, Bytes{4096});
    core = std::make_unique<Core>("core", params, costs, *memory);
    core->core_initiator.bind(device.core_target);
    core->spans.listen(&log);
  }
  void in_thread(std::function<void()> body) {
    sc_core::sc_spawn(std::move(body));
  }
  std::vector<std::uint64_t> spent() const {
    std::vector<std::uint64_t> list;
    for (std::uint32_t state = 0; state < kStates; ++state) list.push_back(core->states.spent_ps(state));
    return list;
  }
  CostBook costs;
  SlowDevice device{"device"};
  std::unique_ptr<memory::MemoryController> memory;
  std::unique_ptr<Core> core;
  SpanLog log;
};

TEST_F(CoreTest, CyclesBecomeTimeAtTheClock) {
  build();
  std::uint64_t end_ps = 0;
  in_thread([&] {
    Work work;
    work.add(kSystem, kCycle, 1000);
    core->spend(work);
    end_ps = now_ps();
  });
  sc_core::sc_start();
  EXPECT_EQ(end_ps, 500'000U);
  EXPECT_THAT(spent(), ElementsAre(0, 500'000, 0, 0, 0, 0));
}

TEST_F(CoreTest, EachKindCostsWhatTheBookSays) {
  build(1'000'000'000);  // a cycle is a nanosecond
  const std::vector<std::pair<Kind, double>> book{
      {kPacketTx, costs.packet_tx()},           {kPacketRx, costs.packet_rx()},   {kInterrupt, costs.interrupt()},
      {kPoll, costs.poll()},                    {kSyscall, costs.syscall()},      {kContextSwitch, costs.context_switch()},
      {kUserCall, costs.user_call()},           {kColdLine, costs.cold_line()}};
  in_thread([&] {
    for (const auto& [kind, cycles] : book) {
      const std::uint64_t begin = now_ps();
      Work work;
      work.add(kSoftirq, kind, 3);
      core->spend(work);
      EXPECT_EQ(now_ps() - begin, static_cast<std::uint64_t>(3 * cycles * 1000)) << to_text(kind);
      EXPECT_EQ(core->done(kind).value(), 3U);
    }
  });
  sc_core::sc_start();
}

TEST_F(CoreTest, CopiedBytesPayTheMemoryToo) {
  build(1'000'000'000);
  in_thread([&] {
    Work work;
    work.add(kSystem, kByteCopied, 6'400);
    core->spend(work);
  });
  sc_core::sc_start();
  // A quarter of a cycle a byte, and two crossings at 6.4 GB/s.
  EXPECT_THAT(spent(), ElementsAre(0, 1'600'000 + 2'000'000, 0, 0, 0, 0));
  EXPECT_EQ(memory->core_bytes.value(), 12'800U);
}

TEST_F(CoreTest, ChecksummedBytesCrossOnce) {
  build(1'000'000'000);
  in_thread([&] {
    Work work;
    work.add(kSoftirq, kByteChecksummed, 6'400);
    core->spend(work);
  });
  sc_core::sc_start();
  EXPECT_THAT(spent(), ElementsAre(0, 0, 3'200'000 + 1'000'000, 0, 0, 0));
}

TEST_F(CoreTest, StatesOfOneCallAreCreditedEachItsOwn) {
  build(1'000'000'000);
  in_thread([&] {
    sc_core::wait(1, sc_core::SC_US);
    Work work;
    work.add(kUser, kCycle, 10);
    work.add(kSystem, kCycle, 20);
    work.add(kSoftirq, kCycle, 30);
    work.add(kHardirq, kCycle, 40);
    core->spend(work);
  });
  sc_core::sc_start();
  EXPECT_THAT(spent(), ElementsAre(10'000, 20'000, 30'000, 40'000, 0, 1'000'000));
  EXPECT_THAT(log.spans, ElementsAre(std::make_tuple(1'000'000, 1'040'000, "hardirq"), std::make_tuple(1'040'000, 1'070'000, "softirq"),
                                     std::make_tuple(1'070'000, 1'090'000, "system"), std::make_tuple(1'090'000, 1'100'000, "user")));
}

TEST_F(CoreTest, BytesOfTwoStatesQueueAndNoneIsChargedTwice) {
  build(1'000'000'000);
  in_thread([&] {
    Work work;
    work.add(kSystem, kByteCopied, 6'400);
    work.add(kSoftirq, kByteChecksummed, 6'400);
    core->spend(work);
    EXPECT_EQ(now_ps(), 3'600'000U + 4'200'000U);
  });
  sc_core::sc_start();
  EXPECT_THAT(spent(), ElementsAre(0, 3'600'000, 4'200'000, 0, 0, 0));
}

TEST_F(CoreTest, FractionsOfAPicosecondAreNotLost) {
  build(2'200'000'000);
  in_thread([&] {
    Work work;
    work.add(kSystem, kCycle, 1);
    for (int i = 0; i < 22'000; ++i) core->spend(work);
    EXPECT_EQ(now_ps(), 10'000'000U);
  });
  sc_core::sc_start();
}

TEST_F(CoreTest, NoWorkTakesNoTime) {
  build();
  in_thread([&] {
    core->spend(Work{});
    EXPECT_EQ(now_ps(), 0U);
  });
  sc_core::sc_start();
  EXPECT_TRUE(log.spans.empty());
}

TEST_F(CoreTest, AReadStallsTheCoreAndGivesLittleEndianBytes) {
  build();
  in_thread([&] {
    EXPECT_EQ(core->read(0xf000'0008, 4), 0x1312'1110U);
    EXPECT_EQ(core->read(0xf000'0008, 8), 0x1716'1514'1312'1110ULL);
    core->write(0xf000'0010, 2, 0xabcd);
  });
  sc_core::sc_start();
  EXPECT_THAT(spent(), ElementsAre(0, 0, 0, 0, 3 * 345'000, 0));
  EXPECT_THAT(device.seen, ElementsAre(std::make_tuple(true, 0xf000'0008, 4, 0x1312'1110), std::make_tuple(true, 0xf000'0008, 8, 0x1716'1514'1312'1110ULL),
                                       std::make_tuple(false, 0xf000'0010, 2, 0xabcd)));
}

TEST_F(CoreTest, ARefusedReadGivesAllOnes) {
  build();
  device.refuses = true;
  in_thread([&] {
    EXPECT_EQ(core->read(0xf000'0006, 4), 0xffff'ffffU);
    EXPECT_EQ(core->read(0xf000'0000, 16), ~0ULL);
  });
  sc_core::sc_start();
}

TEST_F(CoreTest, TwoThreadsTakeTurnsAndTimeAddsUp) {
  build(1'000'000'000);
  for (int thread = 0; thread < 2; ++thread) {
    in_thread([&] {
      for (int i = 0; i < 10; ++i) {
        Work work;
        work.add(kUser, kCycle, 100);
        core->spend(work);
        core->read(0xf000'0000, 4);
      }
    });
  }
  sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_MS));
  const std::vector<std::uint64_t> list = spent();
  EXPECT_EQ(list[kUser], 20U * 100'000U);
  EXPECT_EQ(list[kMmioStall], 20U * 345'000U);
  EXPECT_EQ(std::accumulate(list.begin(), list.end(), std::uint64_t{0}), 1'000'000'000U);
}

TEST_F(CoreTest, DmaThatCompetesForMemorySlowsCopies) {
  build(1'000'000'000);
  DmaMaster master("master");
  master.dma_initiator.bind(memory->dma_target);
  std::array<std::uint8_t, 4096> data{};
  in_thread([&] {
    tlm::tlm_generic_payload payload;
    payload.set_command(tlm::TLM_WRITE_COMMAND);
    payload.set_data_ptr(data.data());
    payload.set_data_length(3'200);
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    master.dma_initiator->b_transport(payload, delay);  // 500 ns of the channels
    Work work;
    work.add(kSystem, kByteCopied, 3'200);
    core->spend(work);  // 800 ns of cycles; 1 us of memory, and half of what DMA has left
    EXPECT_EQ(now_ps(), 800'000U + 1'000'000U + 250'000U);
  });
  sc_core::sc_start();
}

}  // namespace
}  // namespace longhaul::cpu
