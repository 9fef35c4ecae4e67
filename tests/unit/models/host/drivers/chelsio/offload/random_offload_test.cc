// SPDX-License-Identifier: Apache-2.0
// Two hosts drawn from a seed, with TCP in one adapter or in both, on a network drawn from the
// same. Every byte arrives once and in order, no program hangs, and all memory comes back. With
// LONGHAUL_DEEP=1 there are many more seeds.
#include "models/wan/delay_box/delay_box.h"
#include "tests/unit/models/host/drivers/chelsio/offload/random_connection.h"
#include "tests/unit/support/depth.h"

namespace longhaul::host::offload_testing {
namespace {

constexpr std::uint64_t kSecond = 1000 * kMs;
constexpr std::uint64_t kHeal = 6 * kSecond;  // the network is good from then on
constexpr std::uint64_t kLimit = 1000 * kSecond;

struct RandomOffload : ::testing::TestWithParam<std::uint64_t> {
  Dice dice{GetParam() + 1};
  bool small_memory = false;
  bool aborting = true;
  std::unique_ptr<ToeHost> a;
  std::unique_ptr<ToeHost> b;
  std::unique_ptr<DelayBox> box;
  std::unique_ptr<Link> west;
  std::unique_ptr<Link> east;
  std::vector<std::unique_ptr<RandomConnection>> connections;
  bool up = false;
  std::uint32_t closing = 0;
  std::uint32_t closed = 0;

  HostOptions draw_host(bool offload) {
    HostOptions host = linux_host(offload);
    host.polling = dice.chance(0.5);
    host.processors = dice.one_of<std::uint32_t>({1, 1, 2, 4});
    host.net.truesize.value = dice.chance(0.6);
    host.net.napi.value = dice.chance(0.7);
    host.tcp.sack.value = dice.chance(0.5);
    host.driver["tx_descriptors"] = dice.one_of<std::uint32_t>({64, 1024});
    host.driver["control_descriptors"] = dice.one_of<std::uint32_t>({16, 128});
    host.driver["rx_buffers"] = dice.one_of<std::uint32_t>({64, 1024});
    host.driver["rx_jumbo_buffers"] = dice.one_of<std::uint32_t>({64, 256});
    host.driver["responses"] = dice.one_of<std::uint32_t>({256, 1024});
    if (dice.chance(0.3)) host.driver["message_data"] = "4000B";
    host.memory_mib = dice.one_of<std::uint64_t>({8, 128});
    if (!offload) return host;
    switch (dice.upto(6)) {
      case 0:
        host.nic["tcam_entries"] = 64;
        host.nic["tcam_servers"] = 56;
        host.nic["tcam_routes"] = 4;
        break;
      case 1:
        host.nic["cm_size"] = "4KiB";
        host.nic["cm_cache"] = 2;
        break;
      case 2:
        host.nic["pm_size"] = "1MiB";
        host.nic["pm_page"] = "4KiB";
        break;
      case 3:
        host.nic["rx_fifo"] = "16KiB";
        host.nic["tx_fifo"] = "32KiB";
        host.nic["host_messages"] = 2;
        host.nic["reply_messages"] = 2;
        break;
      default: break;
    }
    return host;
  }

  void draw_network() {
    DelayBoxParams params;
    params.seed.value = GetParam() + 1;
    for (DelayPathParams* const path : {&params.west, &params.east}) {
      path->delay.value = from_ps(dice.one_of<std::uint64_t>({10 * kUs, kMs, 20 * kMs}));
      path->loss.value = {dice.one_of<double>({0, 0.001, 0.01, 0.05})};
      path->duplicate.value = {dice.one_of<double>({0, 0.02, 0.1})};
      path->reorder.value = {dice.one_of<double>({0, 0.02, 0.1})};
      path->reorder_delay.value = from_ps(dice.between(1, 300) * kUs);
      path->bit_error_rate.value = {dice.one_of<double>({0, 1e-7})};
      path->rate.value = {dice.one_of<std::uint64_t>({0, 1'000'000'000, 50'000'000})};
    }
    box = std::make_unique<DelayBox>("box", params);
    west = std::make_unique<Link>("west");
    east = std::make_unique<Link>("east");
    west->connect(a->machine.port(), box->west());
    east->connect(box->east(), b->machine.port());
  }

  void heal() {
    for (DelayPath* const path : {&box->west_to_east, &box->east_to_west}) {
      path->set_loss({0});
      path->set_duplicate({0});
      path->set_bit_error_rate({0});
    }
  }

  EndPlan draw_end(std::uint32_t processors) {
    EndPlan end;
    end.bytes = dice.upto(dice.one_of<std::uint64_t>({0, 1, 3000, 40'000, 400'000}));
    end.write = dice.one_of<std::uint64_t>({100, 1460, 8192, 65536});
    if (end.bytes > 40'000) end.write = std::max<std::uint64_t>(end.write, 1460);
    end.read = dice.one_of<std::uint64_t>({700, 8192, 65536});
    end.buffer = dice.one_of<std::uint64_t>({8192, 65536, 400'000});
    end.read_pause_ps = dice.one_of<std::uint64_t>({0, 0, 3 * kMs});
    end.write_pause_ps = end.bytes <= 40'000 && dice.chance(0.2) ? 3 * kMs : 0;
    end.nodelay = dice.chance(0.3);
    end.processor = static_cast<std::uint32_t>(dice.upto(processors - 1));
    end.reading_processor = static_cast<std::uint32_t>(dice.upto(processors - 1));
    return end;
  }

  ConnectionPlan draw_connection(std::uint32_t client_cpus, std::uint32_t server_cpus) {
    ConnectionPlan plan;
    plan.start_ps = dice.upto(1000 * kMs);
    plan.client = draw_end(client_cpus);
    plan.server = draw_end(server_cpus);
    const std::uint64_t order = dice.upto(3);
    plan.client.closes_last = order == 0;
    plan.server.closes_last = order == 1;
    if (!dice.chance(0.3)) return plan;
    const bool by_client = dice.chance(0.5);
    plan.upset =
        by_client ? ConnectionPlan::Upset::kClientAborts : ConnectionPlan::Upset::kServerAborts;
    plan.upset_after = dice.upto(200'000);
    plan.upset_by_close = dice.chance(0.5);
    EndPlan& other = by_client ? plan.server : plan.client;
    other.bytes = ConnectionPlan::kEndless;
    other.write = 8192;
    other.closes_last = false;
    other.read_pause_ps = other.write_pause_ps = 0;
    return plan;
  }

  void draw() {
    const std::uint32_t mtu = dice.one_of<std::uint32_t>({576, 1500, 9000});
    HostOptions for_a = draw_host(true);
    HostOptions for_b = draw_host(dice.chance(0.6));
    for_a.mtu = for_b.mtu = mtu;
    a = std::make_unique<ToeHost>("a", for_a, 1);
    b = std::make_unique<ToeHost>("b", for_b, 2);
    draw_network();
    const std::uint64_t count = dice.between(1, 10);
    for (std::uint64_t i = 0; i < count; ++i) {
      const bool a_opens = dice.chance(0.5);
      const ConnectionPlan plan = a_opens ? draw_connection(for_a.processors, for_b.processors)
                                          : draw_connection(for_b.processors, for_a.processors);
      connections.push_back(
          std::make_unique<RandomConnection>(static_cast<std::uint16_t>(5001 + i), plan));
      connections.back()->start(a_opens ? *a : *b, a_opens ? *b : *a, a_opens ? 2 : 1, up);
    }
    for (ToeHost* const host : {a.get(), b.get()}) {
      host->machine.run([this, host](Program& self) { administer(self, *host); });
    }
  }

  /// Opens a host's interface, and closes it when nothing is left of the connections.
  void administer(Program& self, ToeHost& host) {
    host.machine.device().open();
    const auto both_up = [this] {
      return a->machine.device().link_up() && b->machine.device().link_up();
    };
    while (!both_up()) self.sleep_ps(kMs);
    up = true;
    while (!done()) self.sleep_ps(10 * kMs);
    while (left(*a) + left(*b) != 0 && now_ps() < kLimit) self.sleep_ps(100 * kMs);
    ++closing;
    while (closing < 2) self.sleep_ps(kMs);
    EXPECT_EQ(flows(host), 0U) << "of the driver";
    EXPECT_EQ(host.engine().connections(), 0U) << "of the chip";
    EXPECT_EQ(host.engine().payload_memory().tx_pages.value(), 0);
    EXPECT_EQ(host.engine().payload_memory().rx_pages.value(), 0);
    EXPECT_EQ(host.engine().context_memory().in_use.value(), 0);
    host.machine.device().close();
    if (++closed == 2) sc_core::sc_stop();
  }
  static std::uint64_t flows(const ToeHost& host) {
    const chelsio::ToeOffload* const toe = const_cast<ToeHost&>(host).driver().toe();
    return toe == nullptr ? 0 : toe->flows();
  }
  static std::uint64_t left(ToeHost& host) {
    return flows(host) + host.engine().connections() + host.stack.endpoints() +
           host.stack.offloaded().size();
  }
  bool done() const {
    return std::all_of(connections.begin(), connections.end(),
                       [](const auto& each) { return each->done(); });
  }

  void run() {
    sc_core::sc_start(from_ps(kHeal));
    heal();
    if (sc_core::sc_get_status() != sc_core::SC_STOPPED)
      sc_core::sc_start(from_ps(kLimit - kHeal + 5 * kSecond));
  }
};

TEST_P(RandomOffload, LosesNothingHangsNowhereAndKeepsNothing) {
  draw();
  run();
  for (const auto& each : connections) {
    EXPECT_TRUE(each->done()) << each->describe();
    EXPECT_EQ(each->failure(), "");
  }
  ASSERT_EQ(closed, 2U);
  for (ToeHost* const host : {a.get(), b.get()}) {
    EXPECT_EQ(host->machine.pool.used(), host->user_bytes);
    EXPECT_EQ(host->stack.endpoints(), 0U);
    EXPECT_EQ(host->stack.offloaded().size(), 0U);
    EXPECT_EQ(host->stack.open_connections.value(), 0);
    EXPECT_EQ(host->stack.verify_errors.value(), 0U);
    EXPECT_EQ(host->stack.interface(0).slots_in_use(), 0U);
    if (const chelsio::ToeOffload* const toe = host->driver().toe()) {
      EXPECT_EQ(toe->unknown.value(), 0U);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomOffload,
                         ::testing::Range<std::uint64_t>(0, deep() ? 1000 : 24));
// Timers of one instant (148, 167); data behind an abort (556).
INSTANTIATE_TEST_SUITE_P(Found, RandomOffload, ::testing::Values(148, 167, 556));

}  // namespace
}  // namespace longhaul::host::offload_testing
