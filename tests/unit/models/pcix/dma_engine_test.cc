// SPDX-License-Identifier: Apache-2.0
#include "models/pcix/dma_engine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/unit/models/pcix/dma_test_bus.h"

namespace longhaul::pcix {
namespace {

using longhaul::testing::DmaTestBus;
using sc_core::SC_NS;
using sc_core::sc_time;
using ::testing::ElementsAre;
using ::testing::Pair;

struct Client final : DmaClient {
  std::vector<std::pair<std::uint64_t, DmaStatus>> done;
  std::function<void(std::uint64_t)> then;
  void dma_done(std::uint64_t tag, DmaStatus status) override {
    done.emplace_back(tag, status);
    if (then) then(tag);
  }
};

class DmaEngineTest : public ::testing::Test {
 protected:
  DmaEngineTest() {
    engine.dma_initiator.bind(bus.dma_target);
    for (std::size_t i = 0; i < bus.memory.size(); ++i)
      bus.memory[i] = static_cast<std::uint8_t>(i * 131 + (i >> 8));
  }
  /// Runs `body` at time zero inside the simulation, then until nothing is left to do.
  void run(const std::function<void()>& body) {
    sc_core::sc_spawn_options options;
    options.spawn_method();
    sc_core::sc_spawn(body, "body", &options);
    sc_core::sc_start();
  }
  std::vector<std::pair<std::uint64_t, std::uint32_t>> pieces() const {
    std::vector<std::pair<std::uint64_t, std::uint32_t>> list;
    for (const DmaTestBus::Seen& seen : bus.seen) list.emplace_back(seen.address, seen.bytes);
    return list;
  }

  DmaEngine::Limits limits{true, 512, 4};
  DmaTestBus bus{"bus", 1U << 20};
  DmaEngine engine{"dma", {}, [this](DmaEngine::Limits& now) { now = limits; }};
  Client client;
  std::vector<std::uint8_t> buffer = std::vector<std::uint8_t>(64U << 10, 0xee);
};

/// Reads and writes that wait together at one engine, or at two.
class DmaEnginesTest : public DmaEngineTest {
 protected:
  void run_both(std::uint32_t engines, const char* order_of_starts = "turns") {
    DmaParams params;
    params.engines.value = engines;
    params.order.value = order_of_starts;
    DmaTestBus own_bus("own_bus", 1U << 20);
    DmaEngine own("own", params, [this](DmaEngine::Limits& now) { now = limits; });
    own.dma_initiator.bind(own_bus.dma_target);
    client.then = [&](std::uint64_t tag) {
      if (tag == 2) reads_beside_write = own.outstanding_reads.value();
    };
    run([&] {
      own.read(0x1000, buffer.data(), 2048, &client, 1);
      own.write(0x8000, buffer.data() + 4096, 8192, &client, 2);
      own.read(0x2000, buffer.data() + 2048, 512, &client, 3);
    });
    EXPECT_EQ(client.done.size(), 3U);
    EXPECT_TRUE(own.idle());
    for (const DmaTestBus::Seen& seen : own_bus.seen) order += seen.is_read ? 'r' : 'w';
  }
  std::string order;                     // of the pieces as they started
  std::int64_t reads_beside_write = -1;  // outstanding when the write ended
};

TEST_F(DmaEnginesTest, OneEngineDoesOneDirectionAtATime) {
  run_both(1);
  EXPECT_EQ(order, "rwrwrrr");
  EXPECT_EQ(reads_beside_write, 0);
}

TEST_F(DmaEnginesTest, ReadsFirstLetsNoWriteStartWhileAReadWaits) {
  run_both(1, "reads-first");
  EXPECT_EQ(order, "rrrrrww");
  EXPECT_EQ(reads_beside_write, 0);
}

TEST_F(DmaEnginesTest, ReadsFirstOnTwoEnginesWritesWhenNoMoreReadsMayBeOutstanding) {
  limits.max_outstanding = 2;
  run_both(2, "reads-first");
  EXPECT_EQ(order.substr(0, 3), "rrw");
}

TEST_F(DmaEnginesTest, TwoEnginesReadWhileAWriteIsInProgress) {
  run_both(2);
  EXPECT_EQ(order, "rwrwrrr");
  EXPECT_GT(reads_beside_write, 0);
}

TEST_F(DmaEngineTest, ReadsAreCutAtTheByteCountAndThenAtDisconnectBoundaries) {
  run([&] { engine.read(0x1010, buffer.data(), 1200, &client, 5); });
  EXPECT_THAT(pieces(), ElementsAre(Pair(0x1010, 496), Pair(0x1200, 512), Pair(0x1400, 192)));
  EXPECT_THAT(client.done, ElementsAre(Pair(5, DmaStatus::kOk)));
  EXPECT_EQ(std::memcmp(buffer.data(), &bus.memory[0x1010], 1200), 0);
  EXPECT_EQ(buffer[1200], 0xee);
  EXPECT_EQ(engine.read_bytes.value(), 1200U);
  EXPECT_EQ(engine.transactions.value(), 3U);
  EXPECT_TRUE(engine.idle());
}

TEST_F(DmaEngineTest, AReadThatFitsIsOneTransactionWhereverItLies) {
  run([&] { engine.read(0x10ff, buffer.data(), 512, &client, 0); });
  EXPECT_THAT(pieces(), ElementsAre(Pair(0x10ff, 512)));
}

TEST_F(DmaEngineTest, WritesAreCutAtFourKilobytes) {
  run([&] { engine.write(0x1fc0, buffer.data(), 9000, &client, 1); });
  EXPECT_THAT(pieces(), ElementsAre(Pair(0x1fc0, 4032), Pair(0x2f80, 4096), Pair(0x3f80, 872)));
  EXPECT_EQ(std::memcmp(buffer.data(), &bus.memory[0x1fc0], 9000), 0);
  EXPECT_EQ(engine.written_bytes.value(), 9000U);
}

TEST_F(DmaEngineTest, OutstandingReadsReachTheConfiguredLimitAndNoMore) {
  bus.read_delay = [] { return sc_time(10, sc_core::SC_US); };
  run([&] { engine.read(0, buffer.data(), 16384, &client, 0); });
  EXPECT_EQ(bus.most_outstanding, 4U);
  EXPECT_EQ(engine.outstanding_reads.highest(), 4U);
  EXPECT_EQ(client.done.size(), 1U);
}

TEST_F(DmaEngineTest, TheReadFifoLimitsWhatIsOutstanding) {
  DmaParams params;
  params.read_fifo_bytes.value = 4096;
  DmaEngine small{"small", params, [](DmaEngine::Limits& now) { now = {true, 2048, 32}; }};
  DmaTestBus small_bus{"small_bus", 1U << 20};
  small.dma_initiator.bind(small_bus.dma_target);
  small_bus.read_delay = [] { return sc_time(10, sc_core::SC_US); };
  run([&] { small.read(0, buffer.data(), 16384, &client, 0); });
  EXPECT_EQ(small_bus.most_outstanding, 2U);
}

TEST_F(DmaEngineTest, OutstandingReadsCarryDistinctTags) {
  limits.max_outstanding = 32;
  limits.max_read_bytes = 512;
  bus.read_delay = [] { return sc_time(10, sc_core::SC_US); };
  run([&] { engine.read(0, buffer.data(), 16384, &client, 0); });
  std::uint32_t tags = 0;
  for (const DmaTestBus::Seen& seen : bus.seen) tags |= 1U << seen.tag;
  EXPECT_EQ(bus.seen.size(), 32U);
  EXPECT_EQ(tags, 0xffff'ffffU);
}

TEST_F(DmaEngineTest, RandomReadsAndWritesAgreeWithAReferenceThoughCompletionsOvertake) {
  constexpr int kTransfers = 400;
  limits = {true, 1024, 8};
  std::mt19937 random(7);
  bus.read_delay = [&] { return sc_time(100 + random() % 3000, SC_NS); };
  // Reads come from the lower half, which nobody writes; writes go to disjoint places of the upper
  // half.
  std::vector<std::uint8_t> reference = bus.memory;
  std::vector<std::vector<std::uint8_t>> data(2 * kTransfers);
  std::vector<std::uint64_t> from(kTransfers);
  std::uint64_t to = bus.memory.size() / 2;
  run([&] {
    for (int i = 0; i < kTransfers; ++i) {
      const std::uint32_t read_bytes = 1 + random() % 9000;
      from[i] = random() % (bus.memory.size() / 2 - read_bytes);
      data[2 * i].resize(read_bytes);
      engine.read(from[i], data[2 * i].data(), read_bytes, &client, 2 * i);
      data[2 * i + 1].resize(1 + random() % 1200);
      for (std::uint8_t& byte : data[2 * i + 1]) byte = static_cast<std::uint8_t>(random());
      engine.write(to, data[2 * i + 1].data(), data[2 * i + 1].size(), &client, 2 * i + 1);
      std::copy(data[2 * i + 1].begin(), data[2 * i + 1].end(), reference.begin() + to);
      to += data[2 * i + 1].size() + random() % 64;
    }
  });
  EXPECT_EQ(client.done.size(), 2U * kTransfers);
  for (int i = 0; i < kTransfers; ++i) {
    ASSERT_EQ(std::memcmp(data[2 * i].data(), &reference[from[i]], data[2 * i].size()), 0)
        << "read " << i;
  }
  EXPECT_EQ(bus.memory, reference);
  EXPECT_TRUE(engine.idle());
}

TEST_F(DmaEngineTest, WritesReachTheBusInTheOrderAsked) {
  run([&] {
    for (std::uint32_t i = 0; i < 20; ++i) engine.write(0x100 * i, buffer.data(), 8, &client, i);
  });
  for (std::uint32_t i = 0; i < 20; ++i) {
    EXPECT_EQ(bus.seen[i].address, 0x100U * i);
    EXPECT_EQ(client.done[i].first, i);
  }
}

TEST_F(DmaEngineTest, ReadsAndWritesTakeTurns) {
  limits.max_outstanding = 32;
  run([&] {
    engine.read(0, buffer.data(), 2048, &client, 0);
    engine.write(0x8000, buffer.data(), 12288, &client, 1);
  });
  std::vector<bool> reads;
  for (const DmaTestBus::Seen& seen : bus.seen) reads.push_back(seen.is_read);
  EXPECT_THAT(reads, ElementsAre(true, false, true, false, true, false, true));
}

TEST_F(DmaEngineTest, ShortWritesWithoutAClientAreCopiedAtOnce) {
  run([&] {
    engine.write(0x5000, buffer.data(), 4096, &client, 0);
    std::uint8_t message[16];
    for (int i = 0; i < 16; ++i) message[i] = static_cast<std::uint8_t>(0xa0 + i);
    engine.write(0x7000, message, 16, nullptr, 0);
    std::memset(message, 0, sizeof message);
  });
  for (int i = 0; i < 16; ++i) EXPECT_EQ(bus.memory[0x7000 + i], 0xa0 + i);
  EXPECT_EQ(client.done.size(), 1U);
}

TEST_F(DmaEngineTest, AMasterAbortEndsTheTransferOnceAndStartsNoFurtherPieces) {
  limits.max_outstanding = 1;
  bus.hole_begin = 0x1200;
  run([&] {
    engine.read(0x1000, buffer.data(), 8192, &client, 9);
    engine.read(0x0, buffer.data() + 8192, 64, &client, 10);
  });
  EXPECT_THAT(client.done, ElementsAre(Pair(9, DmaStatus::kMasterAbort), Pair(10, DmaStatus::kOk)));
  EXPECT_EQ(bus.seen.size(), 3U);  // one good piece, the one that failed, and the next transfer
  EXPECT_EQ(engine.failures.value(), 1U);
}

TEST_F(DmaEngineTest, ATargetAbortIsToldApart) {
  bus.hole_begin = 0x1000;
  bus.hole_response = tlm::TLM_GENERIC_ERROR_RESPONSE;
  run([&] { engine.write(0x1000, buffer.data(), 64, &client, 3); });
  EXPECT_THAT(client.done, ElementsAre(Pair(3, DmaStatus::kTargetAbort)));
}

TEST_F(DmaEngineTest, WithoutBusMasteringTransfersFailLaterAndNothingReachesTheBus) {
  limits.master_enabled = false;
  run([&] {
    engine.read(0, buffer.data(), 64, &client, 1);
    engine.write(0, buffer.data(), 64, &client, 2);
    EXPECT_TRUE(client.done.empty());
  });
  EXPECT_THAT(client.done, ElementsAre(Pair(1, DmaStatus::kMasterDisabled),
                                       Pair(2, DmaStatus::kMasterDisabled)));
  EXPECT_TRUE(bus.seen.empty());
  EXPECT_TRUE(engine.idle());
}

TEST_F(DmaEngineTest, MasteringTakenAwayMidwayEndsTheTransferAfterItsLastPiece) {
  limits.max_outstanding = 2;
  sc_core::sc_event off("off");
  sc_core::sc_spawn_options options;
  options.spawn_method();
  options.dont_initialize();
  options.set_sensitivity(&off);
  sc_core::sc_spawn([&] { limits.master_enabled = false; }, "off_method", &options);
  run([&] {
    engine.read(0, buffer.data(), 8192, &client, 1);
    off.notify(200, SC_NS);
  });
  EXPECT_THAT(client.done, ElementsAre(Pair(1, DmaStatus::kMasterDisabled)));
  EXPECT_EQ(bus.seen.size(), 2U);
  EXPECT_TRUE(engine.idle());
}

TEST_F(DmaEngineTest, AbandonedTransfersTouchNoBufferAndReportNothing) {
  std::vector<std::uint8_t> written(64, 0x42);
  sc_core::sc_event reset("reset");
  sc_core::sc_spawn_options options;
  options.spawn_method();
  options.dont_initialize();
  options.set_sensitivity(&reset);
  sc_core::sc_spawn(
      [&] {
        engine.abandon_all();
        std::fill(written.begin(), written.end(), 0x99);
        engine.read(0x4000, buffer.data() + 32768, 256, &client, 77);
      },
      "reset_method", &options);
  run([&] {
    engine.read(0x1000, buffer.data(), 8192, &client, 1);
    engine.write(0x9000, written.data(), 64, &client, 2);
    reset.notify(60, SC_NS);  // while the write is on the bus and one read outstanding
  });
  EXPECT_THAT(client.done, ElementsAre(Pair(77, DmaStatus::kOk)));
  EXPECT_EQ(buffer[0], 0xee);
  EXPECT_EQ(bus.memory[0x9000], 0x42);
  EXPECT_EQ(std::memcmp(buffer.data() + 32768, &bus.memory[0x4000], 256), 0);
  EXPECT_TRUE(engine.idle());
}

TEST_F(DmaEngineTest, OneClientsTransfersCanBeGivenUp) {
  Client other;
  std::vector<std::uint8_t> written(64, 0x42);
  sc_core::sc_event reset{"reset"};
  sc_core::sc_spawn_options options;
  options.spawn_method();
  options.dont_initialize();
  options.set_sensitivity(&reset);
  sc_core::sc_spawn(
      [&] {
        engine.abandon(client);
        std::fill(written.begin(), written.end(), 0x99);
      },
      "reset_method", &options);
  run([&] {
    engine.read(0x1000, buffer.data(), 8192, &client, 1);
    engine.read(0x8000, buffer.data() + 8192, 700, &other, 2);
    engine.write(0x9000, written.data(), 64, &client, 3);
    engine.write(0xa000, written.data(), 8, &client, 4);
    engine.write(0xb000, buffer.data() + 16384, 64, &other, 5);
    engine.write(0xc000, buffer.data(), 64, &client, 6);
    reset.notify(60, SC_NS);  // while the first write is on the bus and one read outstanding
  });
  EXPECT_TRUE(client.done.empty());
  EXPECT_THAT(other.done, ElementsAre(Pair(5, DmaStatus::kOk), Pair(2, DmaStatus::kOk)));
  EXPECT_THAT(pieces(), ElementsAre(Pair(0x1000, 512), Pair(0x9000, 64), Pair(0x8000, 512),
                                    Pair(0xb000, 64), Pair(0x8200, 188)));
  EXPECT_EQ(buffer[0], 0xee);
  EXPECT_EQ(bus.memory[0x9000], 0x42);  // as it was when it was given up
  EXPECT_EQ(bus.memory[0xb000], 0xee);
  EXPECT_EQ(std::memcmp(buffer.data() + 8192, &bus.memory[0x8000], 700), 0);
  EXPECT_TRUE(engine.idle());
}

TEST_F(DmaEngineTest, AClientMayAskForTheNextTransferWhenOneIsDone) {
  std::uint32_t left = 50;
  client.then = [&](std::uint64_t) {
    if (left-- > 0) engine.read(0x100, buffer.data(), 700, &client, left);
  };
  run([&] { engine.read(0x100, buffer.data(), 700, &client, 0); });
  EXPECT_EQ(client.done.size(), 51U);
  EXPECT_EQ(engine.read_bytes.value(), 51U * 700U);
}

TEST_F(DmaEngineTest, MisuseByTheModelIsRefused) {
  EXPECT_THROW(engine.read(0, buffer.data(), 0, &client, 0), std::logic_error);
  EXPECT_THROW(engine.write(0, buffer.data(), 17, nullptr, 0), std::logic_error);
}

}  // namespace
}  // namespace longhaul::pcix
