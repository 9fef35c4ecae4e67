// SPDX-License-Identifier: Apache-2.0
#include "platform/cosim/bus/axi_subordinate.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <iterator>

#include "tests/unit/platform/cosim/bus/bus_fixture.h"
#include "tests/unit/platform/cosim/bus/rtl/bus_blocks.h"

namespace longhaul::cosim {
namespace {

using bus_test::run_until;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::uint32_t kIncr = 1;
constexpr std::uint32_t kWrap = 2;

/// Gives the block one command after the other.
class Commands final : public Transactor {
 public:
  struct Command {
    bool write = true;
    std::uint64_t addr = 0;
    std::uint32_t beats = 1;
    std::uint32_t size = 0;
    std::uint32_t burst = kIncr;
    std::uint64_t strb = ~std::uint64_t{0};
    bool data_first = false;
    std::uint32_t id = 3;
  };
  Commands(ClockDomain& clock, bus_test::AxiDma& dma) : dma_(dma) { clock.watch(*this, false); }
  std::vector<Command> list;
  std::vector<std::uint64_t> responses;

  void clocked(std::uint64_t) override {
    if (!dma_.reset_n.high() || dma_.busy.high()) {
      began_ = dma_.busy.high();
      if (began_) dma_.valid.set(0);
      return;
    }
    if (began_) {
      began_ = false;
      responses.push_back(dma_.resp.get());
    }
    if (dma_.valid.high() || next_ == list.size()) return;
    const Command& c = list[next_++];
    dma_.write.set(c.write ? 1 : 0);
    dma_.data_first.set(c.data_first ? 1 : 0);
    dma_.addr.set(c.addr);
    dma_.len.set(c.beats - 1);
    dma_.size.set(c.size);
    dma_.burst.set(c.burst);
    dma_.id.set(c.id);
    dma_.strb.set(c.strb);
    dma_.valid.set(1);
  }

 private:
  bus_test::AxiDma& dma_;
  std::size_t next_ = 0;
  bool began_ = false;
};

/// Width of the bus in bits, and whether both sides stall at random.
struct AxiDmaTest : ::testing::TestWithParam<std::tuple<std::uint32_t, bool>> {
  const std::uint32_t bits = std::get<0>(GetParam());
  const bool stalls = std::get<1>(GetParam());
  const std::uint32_t bus_bytes = bits / 8;
  bus_test::AxiDma dma = bus_test::make_axi_dma(bits);
  RtlBlock block{"block"};
  bus_test::Violations violations;
  bus_test::TestMemory memory;
  ClockDomain& clock = make_clock();
  bus_test::ResetDriver reset{clock, dma.reset_n, 5};
  Commands commands{clock, dma};
  AxiSubordinate subordinate{block, clock, dma.pins, memory, params(), &violations};

  ClockDomain& make_clock() {
    block.set_model(*dma.model);
    dma.stall.set(stalls ? 1 : 0);
    return block.add_clock(dma.clock, {{100'000'000}});
  }
  AxiSubordinateParams params() const {
    AxiSubordinateParams params;
    params.prefix = "m_axi_";
    if (stalls) {
      params.stalls = Stalls(5, 100);
      params.delays = Delays(6, 30);
    }
    return params;
  }
  static std::uint8_t pattern(std::uint32_t entry, std::uint32_t lane) {
    return static_cast<std::uint8_t>(29 * entry + 7 * lane + 1);
  }
};

TEST_P(AxiDmaTest, AWriteGoesToMemoryInOnePiece) {
  const std::uint32_t size = static_cast<std::uint32_t>(__builtin_ctz(bus_bytes));
  commands.list = {{true, 0x1000, 16, size}};
  run_until(5'000'000);
  EXPECT_THAT(commands.responses, ElementsAre(0));
  ASSERT_EQ(memory.accesses.size(), 1U);
  EXPECT_EQ(memory.accesses[0].address, 0x1000U);
  EXPECT_EQ(memory.accesses[0].length, 16 * bus_bytes);
  for (std::uint32_t i = 0; i < 16 * bus_bytes; ++i)
    ASSERT_EQ(memory.bytes[0x1000 + i], pattern(i / bus_bytes, i % bus_bytes)) << i;
  EXPECT_THAT(violations.told, IsEmpty());
}

/// What a write of the pattern leaves in memory, by the equations of A3.4.2.
void expect_write(std::vector<std::uint8_t>& bytes, const Commands::Command& c,
                  std::uint32_t bus_bytes,
                  const std::function<std::uint8_t(std::uint32_t, std::uint32_t)>& data) {
  const std::uint64_t beat_bytes = std::uint64_t{1} << c.size;
  const std::uint64_t total = beat_bytes * c.beats;
  std::uint64_t address = c.addr;
  for (std::uint32_t n = 0; n < c.beats; ++n) {
    const std::uint64_t end = (address / beat_bytes + 1) * beat_bytes;
    for (std::uint64_t at = address; at < end; ++at) {
      const auto lane = static_cast<std::uint32_t>(at % bus_bytes);
      if ((c.strb >> lane & 1U) != 0) bytes[at] = data(n, lane);
    }
    address = end;
    if (c.burst == kWrap && address % total == 0) address -= total;
  }
}

TEST_P(AxiDmaTest, RandomBurstsOfEveryKindDoWhatTheStandardSays) {
  memory.spread_ps = 300'000;
  std::vector<std::uint8_t> expected = memory.bytes;
  std::uint64_t state = 99;
  const auto most = static_cast<std::uint32_t>(__builtin_ctz(bus_bytes));
  for (int i = 0; i < 150; ++i) {
    const std::uint64_t random = split_mix(state += kSplitMixIncrement);
    Commands::Command c;
    c.size = static_cast<std::uint32_t>(random % (most + 1));
    c.burst = random >> 8U & 1U ? kIncr : kWrap;
    c.beats = c.burst == kWrap ? 2U << (random >> 10U) % 4
                               : 1 + static_cast<std::uint32_t>((random >> 10U) % 32);
    c.addr = (random >> 16U) % 0xf000;
    if (c.burst == kWrap) c.addr &= ~((std::uint64_t{1} << c.size) - 1);
    if (c.burst == kIncr && c.addr % 4096 + (std::uint64_t{c.beats} << c.size) > 4096)
      c.addr &= ~0xfffULL;
    if ((random >> 50U) % 4 == 0) c.strb = split_mix(random);
    if (bus_bytes < 64) c.strb &= (std::uint64_t{1} << bus_bytes) - 1;
    c.data_first = (random >> 53U) % 4 == 0 && c.beats <= 16;
    c.id = random >> 60U;
    commands.list.push_back(c);
    expect_write(expected, c, bus_bytes, pattern);
  }
  run_until(400'000'000);
  ASSERT_EQ(commands.responses.size(), commands.list.size());
  EXPECT_THAT(commands.responses, ::testing::Each(0));
  EXPECT_EQ(memory.bytes, expected);
  EXPECT_THAT(violations.told, IsEmpty());
}

TEST_P(AxiDmaTest, WhatIsReadIsWrittenElsewhere) {
  memory.spread_ps = 200'000;
  for (std::size_t i = 0; i < 0x4000; ++i)
    memory.bytes[i] = static_cast<std::uint8_t>(i * 13 + i / 256);
  const auto size = static_cast<std::uint32_t>(__builtin_ctz(bus_bytes));
  // Whole bursts, unaligned, narrow, and wrapping ones: the lanes of a copy are those of its
  // source.
  commands.list = {{false, 0x100, 16, size},    {true, 0x8100, 16, size},
                   {false, 0x203, 5, size},     {true, 0x8203, 5, size},
                   {false, 0x301, 7, 0},        {true, 0x8301, 7, 0},
                   {false, 0x440, 4, 1, kWrap}, {true, 0x8440, 4, 1, kWrap},
                   {false, 0x446, 4, 1, kWrap}, {true, 0x8446, 4, 1, kWrap}};
  run_until(50'000'000);
  EXPECT_EQ(commands.responses.size(), commands.list.size());
  for (std::size_t i = 0; i < std::min(16U * bus_bytes, 0x100U); ++i)
    ASSERT_EQ(memory.bytes[0x8100 + i], memory.bytes[0x100 + i]) << i;
  for (std::size_t at = 0x301; at < 0x308; ++at)
    EXPECT_EQ(memory.bytes[0x8000 + at], memory.bytes[at]);
  for (std::size_t at = 0x440; at < 0x448; ++at)
    EXPECT_EQ(memory.bytes[0x8000 + at], memory.bytes[at]);
  EXPECT_THAT(violations.told, IsEmpty());
}

TEST_P(AxiDmaTest, MemorysErrorsAreTheResponses) {
  commands.list = {{true, 0x2'0000, 4, 2}, {false, 0x2'0000, 4, 2}, {false, 0x100, 4, 2}};
  run_until(10'000'000);
  EXPECT_THAT(commands.responses, ElementsAre(3, 3, 0));
  EXPECT_THAT(violations.told, IsEmpty());
}

TEST_P(AxiDmaTest, FixedBurstsAreRefused) {
  commands.list = {{true, 0x100, 4, 2, 0}, {false, 0x100, 4, 2, 0}, {true, 0x200, 1, 2}};
  run_until(10'000'000);
  EXPECT_THAT(commands.responses, ElementsAre(2, 2, 0));
  ASSERT_EQ(memory.accesses.size(), 1U);
  EXPECT_EQ(memory.accesses[0].address, 0x200U);
  EXPECT_THAT(violations.told,
              ElementsAre("axi.fixed_refused m_axi_awburst", "axi.fixed_refused m_axi_arburst"));
}

/// A manager of 64 bits as flip-flops in C++: reads of any IDs, one after the other, without
/// waiting for their data.
struct Reader final : RtlModel {
  std::uint8_t clock = 0, arvalid = 0, arready = 0, arid = 0, rvalid = 0, rid = 0, rlast = 0;
  std::uint8_t rready = 0, arlen = 0, rresp = 0;
  std::uint64_t araddr = 0, rdata = 0;
  struct Request {
    std::uint8_t id;
    std::uint64_t addr;
  };
  std::vector<Request> requests;
  std::vector<std::uint8_t> ids;  // of the data that came
  std::size_t taken = 0;
  std::size_t most_open = 0;

  void eval(std::uint64_t) override {
    if (clock != 0 && before_ == 0) rise();
    before_ = clock;
  }
  AxiPins pins() {
    AxiPins pins;
    pins.ar.valid = Pin(&arvalid, 0, 1);
    pins.ar.ready = Pin(&arready, 0, 1);
    pins.ar.id = Pin(&arid, 0, 4);
    pins.ar.addr = Pin(&araddr, 0, 64);
    pins.ar.len = Pin(&arlen, 0, 8);
    pins.r.valid = Pin(&rvalid, 0, 1);
    pins.r.ready = Pin(&rready, 0, 1);
    pins.r.id = Pin(&rid, 0, 4);
    pins.r.data = Pin(&rdata, 0, 64);
    pins.r.last = Pin(&rlast, 0, 1);
    pins.r.resp = Pin(&rresp, 0, 2);
    return pins;
  }

 private:
  void rise() {
    if (rvalid != 0 && rready != 0) ids.push_back(rid);
    rready = 1;
    if (arvalid != 0 && arready != 0) {
      ++taken;
      arvalid = 0;
    }
    most_open = std::max(most_open, taken - ids.size());
    if (arvalid == 0 && taken < requests.size()) {
      arvalid = 1;
      arid = requests[taken].id;
      araddr = requests[taken].addr;
    }
  }
  std::uint8_t before_ = 0;
};

/// Memory whose address says how long it takes: address / 8 ns.
struct SlowByAddress final : BlockMemory {
  bus_test::At at{"slow_at"};
  std::vector<std::uint64_t>* asked = nullptr;
  void read(std::uint64_t address, std::uint8_t* data, std::uint32_t length, MemoryClient& client,
            std::uint64_t tag) override {
    std::fill_n(data, length, std::uint8_t{0});
    if (asked != nullptr) asked->push_back(address);
    at(now_ps() + address * 125, [&client, tag] { client.memory_done(tag, BusStatus::kOk); });
  }
  void write(std::uint64_t, const std::uint8_t*, std::uint32_t, MemoryClient&,
             std::uint64_t) override {
    FAIL() << "nobody writes";
  }
};

struct AxiReadersTest : ::testing::Test {
  Reader model;
  RtlBlock block{"block"};
  SlowByAddress memory;
  bus_test::Violations violations;
  ClockDomain& clock = make_clock();
  ClockDomain& make_clock() {
    block.set_model(model);
    return block.add_clock({&model.clock}, {{100'000'000}});
  }
};

TEST_F(AxiReadersTest, OneIdKeepsItsOrderAndOthersOvertake) {
  model.requests = {{1, 8000}, {1, 800}, {2, 1600}, {3, 800}, {2, 800}};
  const AxiSubordinate subordinate{block, clock, model.pins(), memory, {"m_"}, &violations};
  run_until(10'000'000);
  EXPECT_THAT(model.ids, ElementsAre(3, 2, 2, 1, 1));
  EXPECT_THAT(violations.told, IsEmpty());
}

TEST_F(AxiReadersTest, DelayedBurstsOfOneIdKeepTheirOrderAndOthersOvertake) {
  for (std::uint8_t i = 0; i < 60; ++i)
    model.requests.push_back({static_cast<std::uint8_t>(i % 3), std::uint64_t{i} * 8});
  std::vector<std::uint64_t> asked;
  memory.asked = &asked;
  AxiSubordinateParams params;
  params.prefix = "m_";
  params.delays = Delays(7, 40);
  const AxiSubordinate subordinate{block, clock, model.pins(), memory, params, &violations};
  run_until(100'000'000);
  ASSERT_EQ(asked.size(), 60U);
  EXPECT_FALSE(std::is_sorted(asked.begin(), asked.end()));
  for (std::uint64_t id = 0; id < 3; ++id) {
    std::vector<std::uint64_t> of_id;
    std::copy_if(asked.begin(), asked.end(), std::back_inserter(of_id),
                 [&](std::uint64_t address) { return address / 8 % 3 == id; });
    EXPECT_TRUE(std::is_sorted(of_id.begin(), of_id.end())) << id;
  }
  EXPECT_EQ(model.ids.size(), 60U);
  EXPECT_TRUE(subordinate.idle());
  EXPECT_THAT(violations.told, IsEmpty());
}

TEST_F(AxiReadersTest, NoMoreReadsAreTakenThanTheParameterSays) {
  for (std::uint8_t i = 0; i < 12; ++i) model.requests.push_back({i, 4000});
  AxiSubordinateParams params;
  params.prefix = "m_";
  params.reads = 3;
  const AxiSubordinate subordinate{block, clock, model.pins(), memory, params, &violations};
  run_until(10'000'000);
  EXPECT_EQ(model.ids.size(), 12U);
  EXPECT_EQ(model.most_open, 3U);
  EXPECT_TRUE(subordinate.idle());
  EXPECT_THAT(violations.told, IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(WidthsAndStalls, AxiDmaTest,
                         ::testing::Combine(::testing::Values(32U, 64U, 512U), ::testing::Bool()));

}  // namespace
}  // namespace longhaul::cosim
