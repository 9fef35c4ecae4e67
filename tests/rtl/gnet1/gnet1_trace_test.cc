// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <map>

#include "platform/observe/wave_file.h"
#include "tests/rtl/gnet1/gnet1_rig.h"
#include "tests/unit/platform/observe/fst_reader.h"
#include "tests/unit/platform/observe/scratch_dir.h"
#include "tests/unit/times.h"

namespace longhaul::cosim {
namespace {

using test::Gnet1Rig;
using test::make_frame;
using test::run_until;
using test::station;

/// Keeps the bytes that go by on RXD of port 0 and TXD of port 1, as the signals show them.
struct Watcher final : TraceSink {
  std::map<std::string, std::uint32_t> index;
  std::map<std::uint32_t, std::uint64_t> value;
  std::vector<std::uint64_t> rises;  ///< of clk_125m
  std::vector<std::uint8_t> rx;
  std::vector<std::uint8_t> tx;
  std::uint64_t from_ps = 0;

  std::uint32_t declare(const std::string& scope, const std::string& name, std::uint32_t) override {
    const auto number = static_cast<std::uint32_t>(index.size());
    index.emplace(scope + "." + name, number);
    return number;
  }
  void change(std::uint32_t signal, std::uint64_t ps, std::uint64_t now) override {
    if (signal == index.at("gnet1.clk_125m") && now == 1) {
      rises.push_back(ps);
      if ((of("rx_dv") & 1U) != 0) rx.push_back(static_cast<std::uint8_t>(of("rxd[0]")));
      if ((of("tx_en") & 2U) != 0) tx.push_back(static_cast<std::uint8_t>(of("txd[1]")));
    }
    value[signal] = now;
  }
  bool records(std::uint64_t ps) const override { return ps >= from_ps; }
  std::uint64_t of(const std::string& name) { return value[index.at("gnet1." + name)]; }
};

TEST(Gnet1Trace, TheSignalsShowTheFrameAndTheRunIsTheSame) {
  Watcher watcher;
  Gnet1Rig rig;
  rig.box.set_model_source([&] { return make_traced_gnet1_model(watcher); });
  watcher.from_ps = 10 * kUs;
  const FrameRef frame = make_frame(64, station(1), station(2), 3);
  rig.hosts[0]->send(frame, 20 * kUs);
  run_until(50 * kUs);
  ASSERT_EQ(rig.hosts[1]->arrivals.size(), 1U);
  // Times of the plain model: gnet1_rtl_test.cc.
  EXPECT_NEAR(static_cast<double>(rig.hosts[1]->arrivals[0].at_ps - 20 * kUs - 72 * 8000), 855'000,
              40'000);
  EXPECT_GT(watcher.index.size(), 500U);
  ASSERT_GE(watcher.rises.size(), 1000U);
  EXPECT_GE(watcher.rises.front(), watcher.from_ps);
  for (std::size_t i = 1; i < watcher.rises.size(); ++i)
    ASSERT_EQ(watcher.rises[i] - watcher.rises[i - 1], 8000U);
  ASSERT_EQ(watcher.rx.size(), 72U);
  ASSERT_EQ(watcher.tx.size(), 72U);
  EXPECT_EQ(watcher.rx, watcher.tx);
  EXPECT_EQ(std::memcmp(watcher.rx.data() + 8, frame->data(), 60), 0);
}

/// The box traced into a run's waves; a frame of 64 bytes goes from port 0 to port 1 at 20 us,
/// another at 60 us.
struct TracedBox {
  explicit TracedBox(const observe::WaveWindow& window)
      : file(scratch.path("w.fst"), scratch.path("w.gtkw"), window),
        frame(make_frame(64, station(1), station(2), 3)) {
    rig.box.trace(file.scope("gnet1", 40));
    rig.hosts[0]->send(frame, 20 * kUs);
    rig.hosts[0]->send(frame, 60 * kUs);
  }
  observe::FstReader finish() {
    run_until(3000 * kUs);
    file.close();
    return observe::FstReader(scratch.path("w.fst"));
  }
  observe::ScratchDir scratch;
  observe::WaveFile file;
  Gnet1Rig rig;
  FrameRef frame;
};

/// Bytes on a row of eight bits at the rises of `clock` while `valid` has this bit set.
std::vector<std::uint8_t> bytes_of(const observe::FstReader& read, const std::string& clock,
                                   const std::string& valid, std::size_t bit,
                                   const std::string& data) {
  std::vector<std::uint8_t> bytes;
  for (const auto& [ps, value] : read.of(clock)) {
    if (value != "1") continue;
    const std::string port = read.at(valid, ps - 1);
    if (port.size() != 4 || port[3 - bit] != '1') continue;
    bytes.push_back(static_cast<std::uint8_t>(std::stoul(read.at(data, ps - 1), nullptr, 2)));
  }
  return bytes;
}

TEST(Gnet1Waves, AreInTheRunsFileOnItsTimeAndInItsWindow) {
  TracedBox traced({20 * kUs});
  traced.rig.at(10 * kUs, [&] { traced.file.begin(from_ps(8 * kUs)); });
  const observe::FstReader read = traced.finish();
  ASSERT_EQ(traced.rig.hosts[1]->arrivals.size(), 2U);
  const auto& clock = read.of("gnet1.rtl.clk_125m");
  EXPECT_EQ(clock.begin()->first, 18 * kUs);
  EXPECT_LT(std::prev(clock.end())->first, 38 * kUs);
  EXPECT_GE(std::prev(clock.end())->first, 38 * kUs - 4'000);
  for (const auto& [ps, value] : clock) ASSERT_EQ(ps % 8'000, value == "1" ? 0U : 4'000U) << ps;
  const auto rx =
      bytes_of(read, "gnet1.rtl.clk_125m", "gnet1.rtl.rx_dv[3:0]", 0, "gnet1.rtl.rxd_0[7:0]");
  const auto tx =
      bytes_of(read, "gnet1.rtl.clk_125m", "gnet1.rtl.tx_en[3:0]", 1, "gnet1.rtl.txd_1[7:0]");
  ASSERT_EQ(rx.size(), 72U);
  EXPECT_EQ(rx, tx);
  EXPECT_EQ(std::memcmp(rx.data() + 8, traced.frame->data(), 60), 0);
  // TX_EN falls when the last bit is on the wire, which is when the far host has the frame.
  const auto& sending = read.of("gnet1.rtl.tx_en[3:0]");
  EXPECT_EQ(std::prev(sending.end())->first, traced.rig.hosts[1]->arrivals[0].at_ps);
}

TEST(Gnet1Waves, ShowWhatTheDocumentationListsAndNoMore) {
  TracedBox traced({20 * kUs});
  traced.rig.at(10 * kUs, [&] { traced.file.begin(); });
  const observe::FstReader read = traced.finish();
  for (const char* name :
       {"bus_sel", "bus_addr[11:0]", "count_0_0[31:0]", "cfg_0.delay.tenths_us[26:0]",
        "cmd_0.discard_arm", "now.tenths_us[26:0]", "gen_port_0.u_channel.rx_valid",
        "gen_port_0.u_channel.delay_word.data[31:0]",
        "gen_port_0.u_channel.u_rx.u_mac.state_q[1:0]",
        "gen_port_0.u_channel.u_sram_fifo.level[22:0]", "gen_port_0.u_channel.u_discard.armed_o",
        "gen_port_0.u_channel.u_delay.late", "gen_port_3.u_tx.u_mac.state_q[1:0]",
        "u_crossbar.busy[3:0]"})
    EXPECT_TRUE(read.has(std::string("gnet1.rtl.") + name)) << name;
  EXPECT_LT(read.size(), 1200U);
  const std::string layout = traced.scratch.text("w.gtkw");
  for (const char* group : {"pins, counters", "shared", "port 0 path", "port 3 transmitter"})
    EXPECT_NE(layout.find(std::string("\n-gnet1.rtl: ") + group + "\n"), std::string::npos)
        << group;
  // The viewer shows the stage too, not only the last part of a name.
  EXPECT_NE(layout.find("\n+{u_delay/late} gnet1.rtl.gen_port_0.u_channel.u_delay.late\n"),
            std::string::npos);
  EXPECT_NE(layout.find("\n+{rx_word/tv} gnet1.rtl.gen_port_2.u_channel.rx_word.tv\n"),
            std::string::npos);
  EXPECT_NE(layout.find("\n+{u_mac/state_q[1:0]} gnet1.rtl.gen_port_1.u_tx.u_mac.state_q[1:0]\n"),
            std::string::npos);
}

TEST(Gnet1Waves, ATriggerKeepsTheHistoryBeforeIt) {
  TracedBox traced({10 * kUs, true, 15 * kUs});
  traced.rig.at(1 * kUs, [&] { traced.file.begin(); });
  traced.rig.at(70 * kUs, [&] { traced.file.trigger("test"); });
  const observe::FstReader read = traced.finish();
  const auto& clock = read.of("gnet1.rtl.clk_125m");
  EXPECT_EQ(clock.begin()->first, 55 * kUs);
  EXPECT_GE(std::prev(clock.end())->first, 80 * kUs - 4'000);
  EXPECT_EQ(bytes_of(read, "gnet1.rtl.clk_125m", "gnet1.rtl.rx_dv[3:0]", 0, "gnet1.rtl.rxd_0[7:0]")
                .size(),
            72U);
}

TEST(Gnet1Waves, ABoxThatIsNotTracedHasTheModelWithoutTracing) {
  Gnet1Rig rig;
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  EXPECT_FALSE(rig.box.model().shows_falls());
}

}  // namespace
}  // namespace longhaul::cosim
