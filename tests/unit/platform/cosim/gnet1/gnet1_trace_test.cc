// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <map>

#include "tests/unit/platform/cosim/gnet1/gnet1_rig.h"

namespace longhaul::cosim {
namespace {

using test::Gnet1Rig;
using test::make_frame;
using test::run_until;
using test::station;

constexpr std::uint64_t kUs = 1'000'000;

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
  rig.box.set_model_source([&] { return make_traced_gnet1_model(watcher, 99); });
  watcher.from_ps = 10 * kUs;
  const FrameRef frame = make_frame(64, station(1), station(2), 3);
  rig.hosts[0]->send(frame, 20 * kUs);
  run_until(50 * kUs);
  ASSERT_EQ(rig.hosts[1]->arrivals.size(), 1U);
  // Times of the plain model: gnet1_rtl_test.cc.
  EXPECT_NEAR(static_cast<double>(rig.hosts[1]->arrivals[0].at_ps - 20 * kUs - 72 * 8000), 855'000, 40'000);
  EXPECT_GT(watcher.index.size(), 500U);
  ASSERT_GE(watcher.rises.size(), 1000U);
  EXPECT_GE(watcher.rises.front(), watcher.from_ps);
  for (std::size_t i = 1; i < watcher.rises.size(); ++i) ASSERT_EQ(watcher.rises[i] - watcher.rises[i - 1], 8000U);
  ASSERT_EQ(watcher.rx.size(), 72U);
  ASSERT_EQ(watcher.tx.size(), 72U);
  EXPECT_EQ(watcher.rx, watcher.tx);
  EXPECT_EQ(std::memcmp(watcher.rx.data() + 8, frame->data(), 60), 0);
}

}  // namespace
}  // namespace longhaul::cosim
