// SPDX-License-Identifier: Apache-2.0
// Rates that were measured on the machines of the presets come out of their numbers. Bandwidths
// count what the cited ones do.
#include <gtest/gtest.h>

#include "tests/unit/models/memory/memory_fixture.h"

namespace longhaul::memory {
namespace {

class MemoryRates : public testing::MemoryFixture {
 protected:
  static constexpr std::uint64_t kPiece = 4096;
  static constexpr std::uint64_t kPieces = 2000;
  static constexpr std::uint64_t kFrom = 64U << 20;
  static constexpr std::uint64_t kTo =
      (128U << 20) + (48U << 10);  // in other banks than what is read, as most arrays are

  /// GB/s of `bytes` in the time since `start_ps`.
  static double rate(std::uint64_t bytes, std::uint64_t start_ps) {
    return static_cast<double>(bytes) / static_cast<double>(now_ps() - start_ps) * 1000.0;
  }
  /// Average time of a load that waits for the one before, over consecutive lines.
  double chase_ns(std::uint64_t base) {
    const std::uint64_t line = memory->params().dram.line().count;
    pass(read(base, line, 1));
    std::uint64_t sum_ps = 0;
    for (std::uint64_t i = 1; i <= 100; ++i) {
      const std::uint64_t took_ps = read(base + i * line, line, 1);
      sum_ps += took_ps;
      pass(took_ps);
    }
    return static_cast<double>(sum_ps) / 100 / 1000.0;
  }
  double read_gbps(std::uint64_t base, std::uint32_t in_flight) {
    const std::uint64_t start_ps = now_ps();
    for (std::uint64_t i = 0; i < 200; ++i) pass(read(base + i * 65536, 65536, in_flight));
    return rate(200 * 65536, start_ps);
  }
  /// Bytes on the data bus of a core that fills lines: each is fetched for ownership and written
  /// back.
  double fill_gbps(std::uint32_t in_flight) {
    const std::uint64_t start_ps = now_ps();
    for (std::uint64_t i = 0; i < kPieces; ++i) {
      const std::uint64_t owned_ps = read(kTo + i * kPiece, kPiece, in_flight);
      pass(std::max(owned_ps, write(kTo + i * kPiece, kPiece)));
    }
    return rate(2 * kPieces * kPiece, start_ps);
  }
  /// STREAM copy: counts bytes read and bytes written, not the fetch for ownership, which
  /// non-temporal stores do without.
  double copy_gbps(std::uint32_t in_flight, bool non_temporal, std::uint64_t node = 0) {
    const std::uint64_t start_ps = now_ps();
    for (std::uint64_t i = 0; i < kPieces; ++i) {
      std::uint64_t took_ps = read(node + kFrom + i * kPiece, kPiece, in_flight);
      if (!non_temporal)
        took_ps = read(node + kTo + i * kPiece, kPiece, in_flight);  // queues behind the first
      pass(std::max(took_ps, write(node + kTo + i * kPiece, kPiece)));
    }
    return rate(2 * kPieces * kPiece, start_ps);
  }
};

TEST_F(MemoryRates, OpteronsOpenPageLatencyIs60Nanoseconds) {
  build();
  EXPECT_NEAR(chase_ns(0), 60.0, 1.5);  // McCalpin's chart; a refresh now and then
}

TEST_F(MemoryRates, FourSocketsCost35NanosecondsOfProbes) {
  MemorySystemParams params = memory_preset("opteron_hdama", "test");
  params.nodes.value = 4;
  build(params);
  EXPECT_NEAR(chase_ns(0), 95.0, 1.5);  // McCalpin's chart
}

TEST_F(MemoryRates, TheOtherNodeIs50NanosecondsFurther) {
  build();
  const double local = chase_ns(0);
  EXPECT_NEAR(chase_ns(kNode1) - local, 52.3,
              1.0);  // two hops and a packet of 76 B instead of a line at 6.4 GB/s
}

TEST_F(MemoryRates, ReadingAnOpteronsOwnMemoryReachesWhatPrefetchReached) {
  build();
  // Planet 3DNow! on the Athlon 64 FX-51 (2.2 GHz, two channels of registered DDR400): 5.5
  // GB/s; 6.4 is the peak.
  const double gbps = read_gbps(0, 8);
  EXPECT_GT(gbps, 5.5);
  EXPECT_LT(gbps, 6.4);
}

TEST_F(MemoryRates, PlainLoadsKeepTwoToThreeMissesInFlight) {
  MemorySystemParams params = memory_preset("opteron_hdama", "test");
  set_speed_grade(params.dram, "ddr333", "test");
  build(params);
  // tecCHANNEL on the Opteron 244 with DDR333: 2.18 to 2.23 GB/s from its own memory with 64- and
  // 128-bit loads.
  EXPECT_LT(read_gbps(0, 2), 2.18);
  EXPECT_GT(read_gbps(0, 3), 2.23);
  // From the other node 1.57 to 1.60.
  EXPECT_LT(read_gbps(kNode1, 2), 1.57);
  EXPECT_GT(read_gbps(kNode1, 3), 1.57);
}

TEST_F(MemoryRates, ANodeThatIsFilledMoves4780MegabytesASecond) {
  MemorySystemParams params = memory_preset("opteron_hdama", "test");
  set_speed_grade(params.dram, "ddr400", "test");
  build(params);
  EXPECT_NEAR(fill_gbps(8), 4.78, 0.15);  // AMD 40555, A.5
}

TEST_F(MemoryRates, OpteronsStreamCopyIsAboutThreeAndAHalf) {
  build();
  // Bound from below by AMD 40555's 4.78 GB/s for reads and writes in equal parts, of which STREAM
  // counts two thirds, and from above by 5.5 GB/s for reads alone.
  const double gbps = copy_gbps(8, false);
  EXPECT_GT(gbps, 4.78 * 2 / 3);
  EXPECT_LT(gbps, 5.5 * 2 / 3);
}

TEST_F(MemoryRates, NonTemporalStoresSaveTheFetchForOwnership) {
  build();
  const double plain = copy_gbps(8, false);
  const double streaming = copy_gbps(8, true);
  EXPECT_GT(streaming, 1.3 * plain);
  EXPECT_LT(streaming, 4.78 * 1.1);
}

TEST_F(MemoryRates, CopiesWithoutOverlapAreBoundByLatency) {
  build();
  EXPECT_NEAR(copy_gbps(1, false), 128 / 120.0,
              0.02);  // two lines one after the other for each 64 B
}

TEST_F(MemoryRates, CopyingInTheOtherNodeIsBoundByTheLink) {
  build();
  const double local = copy_gbps(8, false);
  const double remote = copy_gbps(8, false, kNode1);
  // Two packets of 76 B come over 2.78 GB/s for each 64 B copied: 2.34 GB/s by STREAM's count.
  EXPECT_LT(remote, 2.35);
  EXPECT_GT(remote, 2.1);
  EXPECT_GT(local, 1.4 * remote);
}

TEST_F(MemoryRates, XeonsLatencyIsAboutOneHundredNanoseconds) {
  build(memory_preset("xeon_533", "test"));
  // X-bit labs, Pentium 4 3.06 GHz, 533 MHz bus, two channels: 302 to 334 clocks.
  const double ns = chase_ns(0);
  EXPECT_GT(ns, 302 / 3.06);
  EXPECT_LT(ns, 334 / 3.06);
}

TEST_F(MemoryRates, XeonReadsWithFiveLinesInFlightAndCopiesAsMeasured) {
  build(memory_preset("xeon_533", "test"));
  // X-bit labs as above: reads 2.79 to 2.85 GB/s, so between four and five lines in flight.
  EXPECT_LT(read_gbps(0, 4), 2.79);
  EXPECT_GT(read_gbps(0, 5), 2.85);
}

TEST_F(MemoryRates, XeonsCopyIsBoundByItsBus) {
  build(memory_preset("xeon_533", "test"));
  const double gbps = copy_gbps(8, false);
  EXPECT_LT(gbps, 4.267 * 2 / 3);
  EXPECT_GT(gbps, 1.8);  // X-bit labs: 1.63 to 1.79 GB/s without all misses in flight
}

TEST_F(MemoryRates, PentiumIiisBusLimitsEverything) {
  build(memory_preset("piii_933", "test"));
  EXPECT_LT(read_gbps(0, 4), 1.0667);
  EXPECT_LT(copy_gbps(4, false), 1.0667 * 2 / 3);
}

TEST_F(MemoryRates, APentiumThreeReadsALineOfPc133In150Nanoseconds) {
  build(memory_preset("piii_933", "test"));
  // tecCHANNEL on a Pentium III 1000 with PC133: 213 MB/s with plain loads, 465 MB/s of plain
  // stores, of which each line is fetched, too.
  EXPECT_NEAR(read_gbps(0, 1), 0.213, 0.010);
  EXPECT_NEAR(fill_gbps(2) / 2, 0.465, 0.10);
}

}  // namespace
}  // namespace longhaul::memory
