// SPDX-License-Identifier: Apache-2.0
// Every clock has one cause, and no traffic gets more out of a bus than its clocks.
#include <numeric>

#include "tests/unit/models/pcix/pc_fixture.h"

namespace longhaul::pcix {
namespace {

class AccountsTest : public testing::PcTest {
 protected:
  std::uint64_t spent(BusAccount::Cause cause) {
    return bus->account.clocks.spent_ps(cause) / bus->timing().period_ps();
  }
  std::uint64_t spent_in_all_ps() {
    std::uint64_t sum = 0;
    for (std::size_t cause = 0; cause < bus->account.clocks.states().size(); ++cause)
      sum += bus->account.clocks.spent_ps(cause);
    return sum;
  }
  /// Keeps four reads, or four writes, of `bytes` under way forever.
  void stream(std::uint32_t slot, std::uint32_t bytes, bool reads) {
    testing::TestDevice& dev = device(slot);
    dev.then = [&dev, this, slot, bytes, reads](std::uint64_t tag) {
      dev.done.clear();
      const std::uint64_t address = 0x1'0000ULL * (1 + slot) + 0x4000 * tag;
      std::uint8_t* const data = &buffer[0x4000 * tag];
      if (reads) {
        dev.dma().read(address, data, bytes, &dev, tag);
      } else {
        dev.dma().write(address, data, bytes, &dev, tag);
      }
    };
    at(0, [&dev] {
      for (std::uint64_t tag = 0; tag < 4; ++tag) dev.then(tag);
    });
  }
};

TEST_F(AccountsTest, ASplitReadIsArbitrationRequestWaitArbitrationAndData) {
  build();
  at(0, [&] { device().dma().read(0x1000, buffer.data(), 512, &device(), 1); });
  sc_core::sc_start();
  EXPECT_EQ(spent(BusAccount::kArbitration), 4U + 4U);
  EXPECT_EQ(spent(BusAccount::kReadRequests), 6U);
  EXPECT_EQ(spent(BusAccount::kSplitWait),
            (log.spans[1].start_ps - log.spans[0].end_ps) / kClock - 4);
  EXPECT_EQ(spent(BusAccount::kProtocol), 3U);  // its turn-around is still to come
  EXPECT_EQ(spent(BusAccount::kDataPhases), 64U);
  EXPECT_EQ(spent(BusAccount::kNothing), 0U);
  EXPECT_EQ(spent_in_all_ps(), now_ps());
}

TEST_F(AccountsTest, RegistersRetriesAbortsAndCutBurstsHaveTheirOwn) {
  bridge_params.split_reads.value = 1;
  build();
  limit_reads(0, 0, 1);  // two outstanding of which the bridge takes one
  device(0).config().write(0x0d, 1, 16);
  at(0, [&] { device(0).dma().read(0x1000, buffer.data(), 1024, &device(0), 1); });
  at(20'000'000, [&] { core->read32(kBar + 0x20); });
  at(40'000'000, [&] { device(0).dma().write(0xfec0'0000, buffer.data(), 64, &device(0), 2); });
  at(60'000'000, [&] {
    device(0).dma().write(0x8000, buffer.data(), 2048, &device(0), 3);
    sc_core::wait(100, sc_core::SC_NS);
    device(1).dma().write(0x20000, buffer.data(), 8, &device(1), 4);
  });
  sc_core::sc_start(sc_core::sc_time(100, sc_core::SC_US));
  device(0).dma().write(0x100, buffer.data(), 16, &device(0),
                        5);  // what follows a tenure is credited with the next
  sc_core::sc_start(sc_core::sc_time(100, sc_core::SC_US));
  EXPECT_EQ(spent(BusAccount::kMmio), 3U + 6U + 1U + 2U);
  EXPECT_EQ(spent(BusAccount::kAborts), 9U);
  EXPECT_EQ(spent(BusAccount::kDisconnects), 4U);  // opening and turn-around of the second half
  // Attempts of 6 clocks, pauses of 16 between them unless the first completion is on the bus.
  EXPECT_GE(bus->retries.value(), 2U);
  EXPECT_GT(spent(BusAccount::kRetries), bus->retries.value() * 6);
  EXPECT_LE(spent(BusAccount::kRetries), bus->retries.value() * (6 + 16));
  EXPECT_EQ(spent_in_all_ps(), now_ps());
}

// The device asks again when a completion has ended, and the next completion is faster by the four
// clocks of arbitration. So the request waits until the bridge's latency timer of 64 clocks cuts
// that completion after 512 B.
struct Rate {
  std::uint32_t mmrbc_code;
  std::uint32_t clocks;  // of a request and its data
  std::uint64_t hz;
};
void PrintTo(const Rate& rate, std::ostream* out) {
  *out << (512 << rate.mmrbc_code) << "B_" << rate.hz;
}
class ReadRate : public AccountsTest, public ::testing::WithParamInterface<Rate> {};

TEST_P(ReadRate, IsWhatRequestsAndCompletionsLeave) {
  bus_params.clock.value = {GetParam().hz};
  build();
  bus->account.tenures.ignore(&log);
  limit_reads(0, GetParam().mmrbc_code, 3);
  stream(0, 8192, true);
  sc_core::sc_start(sc_core::sc_time(50, sc_core::SC_US));
  const std::uint64_t before = bus->completed_bytes.value();
  sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_MS));
  // The bus is never free once it has started, but for the tenure that is not credited yet.
  EXPECT_LT(
      spent(BusAccount::kSplitWait) + spent(BusAccount::kArbitration) + spent(BusAccount::kNothing),
      60U + 520U);
  const std::uint64_t pair_ps = GetParam().clocks * bus->timing().period_ps();
  const double pairs =
      static_cast<double>(bus->completed_bytes.value() - before) / (512 << GetParam().mmrbc_code);
  EXPECT_NEAR(pairs, 1e9 / static_cast<double>(pair_ps), 1.0);
}

INSTANTIATE_TEST_SUITE_P(
    Modes, ReadRate,
    ::testing::Values(Rate{0, 6 + 68, 133'333'333}, Rate{1, 6 + 68 + 68, 133'333'333},
                      Rate{2, 6 + 68 + 196, 133'333'333}, Rate{3, 6 + 68 + 452, 133'333'333},
                      Rate{0, 6 + 68, 100'000'000}, Rate{0, 6 + 68, 66'666'667},
                      Rate{3, 6 + 68 + 452, 66'666'667}));

class RandomTraffic : public AccountsTest, public ::testing::WithParamInterface<unsigned> {};

TEST_P(RandomTraffic, CarriesNoMoreThanTheClocksThatItsTransactionsLeave) {
  std::mt19937 random(GetParam());
  bridge_params.posted_dma_bytes.value = {256U << random() % 5};
  bridge_params.split_reads.value = 1 + random() % 8;
  bus_params.parks_on_last_master.value = random() % 2 == 0;
  build(3);
  for (std::uint32_t slot = 0; slot < 3; ++slot) {
    limit_reads(slot, random() % 4, random() % 6);
    device(slot).config().write(0x0d, 1, 8 + random() % 200);
    const std::uint32_t pause_ps = 1 + random() % 4'000'000;
    at(random() % 1'000'000, [&, slot, pause_ps] {
      for (std::uint32_t i = 0; i < 150; ++i) {
        const bool reads = random() % 2 == 0;
        const std::uint32_t bytes = 1 + random() % (random() % 2 == 0 ? 64 : 9000);
        const std::uint64_t address = random() % 0x30'0000;
        if (reads) device(slot).dma().read(address, buffer.data(), bytes, &device(slot), i);
        if (!reads) device(slot).dma().write(address, buffer.data(), bytes, &device(slot), i);
        sc_core::wait(from_ps(random() % pause_ps));
      }
    });
  }
  at(0, [&] {
    for (std::uint32_t i = 0; i < 100; ++i) {
      core->write32(kBar + 0x10, i);
      if (i % 3 == 0) core->read32(bar(1) + 0x20);
      sc_core::wait(from_ps(random() % 5'000'000));
    }
  });
  // At any moment the causes add up to the time that has passed.
  for (int step = 0; step < 50; ++step) {
    sc_core::sc_start(from_ps(1 + random() % 20'000'000));
    ASSERT_EQ(spent_in_all_ps(), now_ps());
    ASSERT_EQ(bus->account.activity.spent_ps(0) + bus->account.activity.spent_ps(1) +
                  bus->account.activity.spent_ps(2),
              now_ps());
  }
  sc_core::sc_start();
  std::uint64_t used = 0;
  std::uint64_t words = 0;
  std::uint64_t bytes = 0;
  for (const auto& span : log.spans) {
    std::uint64_t rule = 0;
    std::uint64_t span_words = 0;
    if (span.label == "retry" || span.label == "memory read") {
      rule = 6;
    } else if (span.label.rfind("mmio", 0) == 0) {
      rule = span.label == "mmio read" ? 12 : 6;
    } else {
      span_words = (span.address % 8 + span.bytes + 7) / 8;
      rule = 4 + span_words + (span_words == 1 ? 1 : 0);
      bytes += span.bytes;
    }
    ASSERT_EQ((span.end_ps - span.start_ps) / kClock, rule) << span.label << " of " << span.bytes;
    used += rule;
    words += span_words;
  }
  const std::uint64_t all = (log.spans.back().end_ps - log.spans.front().start_ps) / kClock;
  EXPECT_LE(used, all);
  EXPECT_LE(bytes, words * 8);
  EXPECT_LE(words, all - (used - words));
  EXPECT_EQ(spent(BusAccount::kDataPhases), words);
  EXPECT_EQ(bytes, bus->written_bytes.value() + bus->completed_bytes.value());
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomTraffic, ::testing::Range(1U, 13U));

}  // namespace
}  // namespace longhaul::pcix
