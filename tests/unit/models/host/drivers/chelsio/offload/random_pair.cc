// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/models/host/drivers/chelsio/offload/random_pair.h"

namespace longhaul::host::offload_testing {
namespace {

constexpr std::uint64_t kSecond = 1000 * kMs;
constexpr std::uint64_t kHeal = 6 * kSecond;  // the network is good from then on
constexpr std::uint64_t kLimit = 1000 * kSecond;

std::uint64_t flows(ToeHost& host) {
  const chelsio::ToeOffload* const toe = host.driver().toe();
  return toe == nullptr ? 0 : toe->flows();
}

std::uint64_t left(ToeHost& host) {
  return flows(host) + host.engine().connections() + host.stack.endpoints() +
         host.stack.offloaded().size();
}

}  // namespace

HostOptions RandomPair::draw_host(bool offload) {
  HostOptions host = linux_host(offload);
  host.nic_type = adapter_;
  host.driver = driver_;
  host.polling = dice_.chance(0.5);
  host.processors = dice_.one_of<std::uint32_t>({1, 1, 2, 4});
  host.net.truesize.value = dice_.chance(0.6);
  host.net.napi.value = dice_.chance(0.7);
  host.tcp.sack.value = dice_.chance(0.5);
  host.driver["tx_descriptors"] = dice_.one_of<std::uint32_t>({64, 1024});
  host.driver["control_descriptors"] = dice_.one_of<std::uint32_t>({16, 128});
  host.driver["rx_buffers"] = dice_.one_of<std::uint32_t>({64, 1024});
  host.driver["rx_jumbo_buffers"] = dice_.one_of<std::uint32_t>({64, 256});
  host.driver["responses"] = dice_.one_of<std::uint32_t>({256, 1024});
  if (dice_.chance(0.3)) host.driver["message_data"] = "4000B";
  host.memory_mib = dice_.one_of<std::uint64_t>({8, 128});
  if (offload) draw_memories(host);
  return host;
}

void RandomPair::draw_memories(HostOptions& host) {
  switch (dice_.upto(6)) {
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
}

void RandomPair::draw_network() {
  DelayBoxParams params;
  params.seed.value = GetParam() + 1;
  for (DelayPathParams* const path : {&params.west, &params.east}) {
    path->delay.value = from_ps(dice_.one_of<std::uint64_t>({10 * kUs, kMs, 20 * kMs}));
    path->loss.value = {dice_.one_of<double>({0, 0.001, 0.01, 0.05})};
    path->duplicate.value = {dice_.one_of<double>({0, 0.02, 0.1})};
    path->reorder.value = {dice_.one_of<double>({0, 0.02, 0.1})};
    path->reorder_delay.value = from_ps(dice_.between(1, 300) * kUs);
    path->bit_error_rate.value = {dice_.one_of<double>({0, 1e-7})};
    path->rate.value = {dice_.one_of<std::uint64_t>({0, 1'000'000'000, 50'000'000})};
  }
  box_ = std::make_unique<DelayBox>("box", params);
  driver_testing::RigOptions cable;
  cable.nic = adapter_;
  const LinkParams phy = driver_testing::Rig::link_params(cable);
  west_ = std::make_unique<Link>("west", phy);
  east_ = std::make_unique<Link>("east", phy);
  west_->connect(a_->machine.port(), box_->west());
  east_->connect(box_->east(), b_->machine.port());
}

/// None of them is so long that TCP gives up.
void RandomPair::draw_cuts() {
  for (Link* const cable : {west_.get(), east_.get()}) {
    std::uint64_t at_ps = kSecond / 2;
    const std::uint64_t count = dice_.upto(3);
    for (std::uint64_t i = 0; i < count; ++i) {
      at_ps += dice_.between(1, 1000 * kMs);
      cuts_.push_back({at_ps, cable, false});
      at_ps += dice_.one_of<std::uint64_t>({10 * kUs, 10 * kMs, 300 * kMs, kSecond});
      cuts_.push_back({at_ps, cable, true});
    }
  }
  std::stable_sort(cuts_.begin(), cuts_.end(),
                   [](const Cut& one, const Cut& other) { return one.at_ps < other.at_ps; });
}

void RandomPair::heal() {
  for (DelayPath* const path : {&box_->west_to_east, &box_->east_to_west}) {
    path->set_loss({0});
    path->set_duplicate({0});
    path->set_bit_error_rate({0});
  }
}

EndPlan RandomPair::draw_end(std::uint32_t processors) {
  EndPlan end;
  end.bytes = dice_.upto(dice_.one_of<std::uint64_t>({0, 1, 3000, 40'000, 400'000}));
  end.write = dice_.one_of<std::uint64_t>({100, 1460, 8192, 65536});
  if (end.bytes > 40'000) end.write = std::max<std::uint64_t>(end.write, 1460);
  end.read = dice_.one_of<std::uint64_t>({700, 8192, 65536});
  end.buffer = dice_.one_of<std::uint64_t>({8192, 65536, 400'000});
  end.read_pause_ps = dice_.one_of<std::uint64_t>({0, 0, 3 * kMs});
  end.write_pause_ps = end.bytes <= 40'000 && dice_.chance(0.2) ? 3 * kMs : 0;
  end.nodelay = dice_.chance(0.3);
  end.processor = static_cast<std::uint32_t>(dice_.upto(processors - 1));
  end.reading_processor = static_cast<std::uint32_t>(dice_.upto(processors - 1));
  return end;
}

ConnectionPlan RandomPair::draw_connection(std::uint32_t client_cpus, std::uint32_t server_cpus) {
  ConnectionPlan plan;
  plan.start_ps = dice_.upto(1000 * kMs);
  plan.client = draw_end(client_cpus);
  plan.server = draw_end(server_cpus);
  const std::uint64_t order = dice_.upto(3);
  plan.client.closes_last = order == 0;
  plan.server.closes_last = order == 1;
  if (!dice_.chance(0.3)) return plan;
  const bool by_client = dice_.chance(0.5);
  plan.upset =
      by_client ? ConnectionPlan::Upset::kClientAborts : ConnectionPlan::Upset::kServerAborts;
  plan.upset_after = dice_.upto(200'000);
  plan.upset_by_close = dice_.chance(0.5);
  EndPlan& other = by_client ? plan.server : plan.client;
  other.bytes = ConnectionPlan::kEndless;
  other.write = 8192;
  other.closes_last = false;
  other.read_pause_ps = other.write_pause_ps = 0;
  return plan;
}

void RandomPair::draw(const std::string& adapter, bool cuts, const nlohmann::json& driver) {
  adapter_ = adapter;
  driver_ = driver;
  const std::uint32_t mtu = dice_.one_of<std::uint32_t>({576, 1500, 9000});
  HostOptions for_a = draw_host(true);
  HostOptions for_b = draw_host(dice_.chance(0.6));
  for_a.mtu = for_b.mtu = mtu;
  a_ = std::make_unique<ToeHost>("a", for_a, 1);
  b_ = std::make_unique<ToeHost>("b", for_b, 2);
  draw_network();
  const std::uint64_t count = dice_.between(1, 10);
  for (std::uint64_t i = 0; i < count; ++i) {
    const bool a_opens = dice_.chance(0.5);
    const ConnectionPlan plan = a_opens ? draw_connection(for_a.processors, for_b.processors)
                                        : draw_connection(for_b.processors, for_a.processors);
    connections_.push_back(
        std::make_unique<RandomConnection>(static_cast<std::uint16_t>(5001 + i), plan));
    connections_.back()->start(a_opens ? *a_ : *b_, a_opens ? *b_ : *a_, a_opens ? 2 : 1, up_);
  }
  for (ToeHost* const host : {a_.get(), b_.get()}) {
    host->machine.run([this, host](Program& self) { administer(self, *host); });
  }
  if (cuts) draw_cuts();
}

/// Opens a host's interface, and closes it when nothing is left of the connections.
void RandomPair::administer(Program& self, ToeHost& host) {
  host.machine.device().open();
  const auto both_up = [this] {
    return a_->machine.device().link_up() && b_->machine.device().link_up();
  };
  while (!both_up()) self.sleep_ps(kMs);
  up_ = true;
  while (!done()) self.sleep_ps(10 * kMs);
  while (left(*a_) + left(*b_) != 0 && now_ps() < kLimit) self.sleep_ps(100 * kMs);
  ++closing_;
  while (closing_ < 2) self.sleep_ps(kMs);
  EXPECT_EQ(flows(host), 0U) << "of the driver";
  EXPECT_EQ(host.engine().connections(), 0U) << "of the chip";
  EXPECT_EQ(host.engine().payload_memory().tx_pages.value(), 0);
  EXPECT_EQ(host.engine().payload_memory().rx_pages.value(), 0);
  EXPECT_EQ(host.engine().context_memory().in_use.value(), 0);
  host.machine.device().close();
  if (++closed_ == 2) sc_core::sc_stop();
}

bool RandomPair::done() const {
  return std::all_of(connections_.begin(), connections_.end(),
                     [](const auto& each) { return each->done(); });
}

void RandomPair::run() {
  const auto run_until = [](std::uint64_t ps) {
    if (sc_core::sc_get_status() != sc_core::SC_STOPPED) sc_core::sc_start(from_ps(ps - now_ps()));
  };
  for (const Cut& cut : cuts_) {
    run_until(cut.at_ps);
    cut.cable->set_up(cut.up);
  }
  run_until(kHeal);
  heal();
  run_until(kLimit + 5 * kSecond);
  for (const auto& each : connections_) {
    EXPECT_TRUE(each->done()) << each->describe();
    EXPECT_EQ(each->failure(), "");
  }
  ASSERT_EQ(closed_, 2U);
  expect_nothing_left();
}

void RandomPair::expect_nothing_left() const {
  for (ToeHost* const host : {a_.get(), b_.get()}) {
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

}  // namespace longhaul::host::offload_testing
