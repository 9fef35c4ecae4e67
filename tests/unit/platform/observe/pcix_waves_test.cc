// SPDX-License-Identifier: Apache-2.0
#include "platform/observe/pcix_waves.h"

#include <fstream>
#include <sstream>

#include "platform/observe/sink_error.h"
#include "platform/observe/wave_file.h"
#include "tests/unit/models/pcix/pc_fixture.h"
#include "tests/unit/platform/observe/fst_reader.h"
#include "tests/unit/platform/observe/scratch_dir.h"

namespace longhaul::observe {
namespace {

class PcixWavesTest : public pcix::testing::PcTest {
 protected:
  void build_with_waves(const sc_core::sc_time& length = sc_core::sc_time(1, sc_core::SC_MS)) {
    build();
    make_waves(length);
    file->begin();
  }
  void make_waves(const sc_core::sc_time& length) {
    file = std::make_unique<WaveFile>(scratch.path("waves.fst"), scratch.path("waves.gtkw"),
                                      WaveWindow{to_ps(length)});
    waves = std::make_unique<PcixWaves>(file->scope("pc", 40), *bus,
                                        std::vector<std::string>{"eth0", "eth1"});
  }
  ScratchDir scratch;
  std::unique_ptr<WaveFile> file;
  std::unique_ptr<PcixWaves> waves;
};

TEST_F(PcixWavesTest, FrameAndIrdyAreLowForTheClocksThatTheTransactionTakes) {
  build_with_waves();
  limit_reads(0, 1, 3);
  std::mt19937 random(21);
  for (std::uint32_t slot = 0; slot < 2; ++slot) {
    at(10'000 * slot, [&, slot] {
      for (std::uint32_t i = 0; i < 20; ++i) {
        device(slot).dma().read(random() % 100'000, &buffer[slot * 65536], 1 + random() % 4000,
                                &device(slot), i);
        device(slot).dma().write(0x20'0000 + random() % 64, &buffer[131072], 1 + random() % 3000,
                                 &device(slot), i);
        sc_core::wait(from_ps(random() % 4'000'000));
      }
    });
  }
  at(0, [&] {
    for (int i = 0; i < 20; ++i) core->read32(kBar + 0x20);
  });
  sc_core::sc_start(sc_core::sc_time(900, sc_core::SC_US));
  file->close();
  const FstReader traced(scratch.path("waves.fst"));
  ASSERT_GT(log.spans.size(), 150U);
  for (const auto& span : log.spans) {
    const auto low = [&](const char* pin) {
      return traced.low_clocks(pin, span.start_ps, span.end_ps, kClock);
    };
    const std::uint64_t words = span.bytes > 0 ? (span.address % 8 + span.bytes + 7) / 8 : 0;
    const std::uint64_t all = (span.end_ps - span.start_ps) / kClock;
    SCOPED_TRACE(span.label + " at " + std::to_string(span.start_ps));
    const bool moves = span.bytes > 0;
    // Up to the clock before the last data phase, or until a registered master has seen a short
    // one's end.
    const std::uint64_t opening = moves ? all - 1 - words - (words == 1 ? 1 : 0) : 3;
    ASSERT_EQ(low("pc.FRAME_n"), opening + std::max<std::uint64_t>(2, words > 2 ? words - 2 : 0));
    ASSERT_EQ(low("pc.IRDY_n"), all - 1 - 3);
    if (moves) {
      ASSERT_EQ(low("pc.TRDY_n"), words);
      ASSERT_EQ(low("pc.STOP_n"), 0U);
    }
    ASSERT_NE(traced.at("pc.transaction", span.start_ps).find(span.label), std::string::npos);
  }
}

TEST_F(PcixWavesTest, EachFrameHasItsRequestAndItsGrant) {
  build_with_waves();
  at(0, [&] {
    for (std::uint32_t i = 0; i < 30; ++i) {
      device(0).dma().write(0x10'0000, buffer.data(), 2048, &device(0), i);
      device(1).dma().write(0x20'0000, buffer.data(), 100 + 50 * i, &device(1), i);
    }
  });
  sc_core::sc_start(sc_core::sc_time(900, sc_core::SC_US));
  file->close();
  const FstReader traced(scratch.path("waves.fst"));
  for (const auto& span : log.spans) {
    SCOPED_TRACE(span.start_ps);
    const bool first = span.address < 0x20'0000;
    const char* const mine = first ? "eth0" : "eth1";
    const char* const other = first ? "eth1" : "eth0";
    // What the master sampled two clocks before FRAME#, and that nobody else had it.
    const std::uint64_t sampled = span.start_ps - 2 * kClock + kClock / 2;
    ASSERT_EQ(traced.at(std::string("pc.GNT_n_") + mine, sampled), "0");
    ASSERT_EQ(traced.at(std::string("pc.REQ_n_") + mine, sampled), "0");
    ASSERT_EQ(traced.at(std::string("pc.GNT_n_") + other, sampled), "1");
    ASSERT_EQ(traced.at("pc.GNT_n_bridge", sampled), "1");
  }
}

TEST_F(PcixWavesTest, AddressDataAndParityAreOnTheLines) {
  build_with_waves();
  for (std::uint32_t i = 0; i < 16; ++i) buffer[i] = static_cast<std::uint8_t>(0x10 + i);
  at(0, [&] { device().dma().write(0x1000, buffer.data(), 16, &device(), 1); });
  sc_core::sc_start(sc_core::sc_time(10, sc_core::SC_US));
  file->close();
  const FstReader traced(scratch.path("waves.fst"));
  const auto line = [&](const char* name, std::uint64_t clock) {
    return traced.at(name, (4 + clock) * kClock + kClock / 2);
  };
  EXPECT_EQ(line("pc.AD[63:0]", 0), std::string(32, 'z') + "00000000000000000001000000000000");
  EXPECT_EQ(line("pc.CBE_n[7:0]", 0), "11111111");
  EXPECT_EQ(line("pc.AD[63:0]", 3),
            "0001011100010110000101010001010000010011000100100001000100010000");
  EXPECT_EQ(line("pc.AD[63:0]", 5), std::string(64, 'z'));
  // 0x1000 has one 1 and the command four: PAR makes six of them, a clock later.
  EXPECT_EQ(line("pc.PAR", 1), "1");
  EXPECT_EQ(line("pc.PAR64", 1), "z");
  EXPECT_EQ(line("pc.phase", 3), "data");
  EXPECT_EQ(line("pc.transaction", 3), "eth0 to bridge: memory write 1000 16 B");
  EXPECT_EQ(line("pc.transaction", 6), "");
  EXPECT_EQ(line("pc.CLK", 0), "0");
  EXPECT_EQ(traced.at("pc.CLK", 4 * kClock + 1), "1");
}

TEST_F(PcixWavesTest, NothingIsTracedOutsideTheWindowAndNothingChangesInTheRun) {
  build_with_waves(sc_core::sc_time(5, sc_core::SC_US));
  at(0, [&] {
    for (std::uint32_t i = 0; i < 100; ++i)
      device(0).dma().write(0x10'0000, buffer.data(), 512, &device(0), i);
  });
  sc_core::sc_start(sc_core::sc_time(900, sc_core::SC_US));
  file->close();
  const FstReader traced(scratch.path("waves.fst"));
  EXPECT_LT(traced.of("pc.FRAME_n").rbegin()->first, 5'000'000U);
  EXPECT_GT(traced.of("pc.FRAME_n").rbegin()->first, 4'000'000U);
  EXPECT_LT(traced.of("pc.CLK").rbegin()->first, 5'000'000U);
  EXPECT_EQ(device().done.size(), 100U);
  EXPECT_EQ(log.spans.back().end_ps, (4 + 100 * 68) * kClock);
}

TEST_F(PcixWavesTest, ATenureThatWasAskedForBeforeTheWindowIsTracedInIt) {
  build();
  make_waves(sc_core::sc_time(1, sc_core::SC_MS));
  device(0).config().write(0x0d, 1, 255);
  at(0, [&] {
    device(0).dma().write(0x10'0000, buffer.data(), 2048, &device(0), 0);
    device(1).dma().write(0x20'0000, buffer.data(), 64, &device(1), 0);
  });
  sc_core::sc_start(
      sc_core::sc_time(1, sc_core::SC_US));  // the first is under way, the second waits
  file->begin();
  sc_core::sc_start(sc_core::sc_time(10, sc_core::SC_US));
  file->close();
  const FstReader traced(scratch.path("waves.fst"));
  const std::uint64_t start = log.spans.at(1).start_ps;
  EXPECT_EQ(traced.at("pc.REQ_n_eth1", 1'000'001), "0");
  EXPECT_EQ(traced.low_clocks("pc.FRAME_n", start, log.spans[1].end_ps, kClock), 3U + 6U);
  EXPECT_EQ(traced.at("pc.transaction", start), "eth1 to bridge: memory write 200000 64 B");
}

TEST_F(PcixWavesTest, TheLayoutNamesEveryRow) {
  build_with_waves();
  sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_US));
  file->close();
  std::ifstream in(scratch.path("waves.gtkw"));
  std::stringstream text;
  text << in.rdbuf();
  EXPECT_NE(text.str().find("[dumpfile] \"waves.fst\""), std::string::npos);
  for (const char* row : {"pc.CLK", "pc.FRAME_n", "pc.AD[63:0]", "pc.CBE_n[7:0]", "pc.transaction",
                          "pc.REQ_n_eth1"}) {
    EXPECT_NE(text.str().find(std::string("\n") + row + "\n"), std::string::npos) << row;
  }
}

TEST_F(PcixWavesTest, AFolderThatIsNotThereIsASinkError) {
  build();
  EXPECT_THROW(WaveFile("/nowhere/waves.fst", "/nowhere/waves.gtkw", WaveWindow{1'000'000}),
               SinkError);
}

}  // namespace
}  // namespace longhaul::observe
