// SPDX-License-Identifier: Apache-2.0
// Two hosts drawn from a seed on a network drawn from the same: whatever it loses, doubles,
// reorders and damages, every byte arrives once and in order, no account is overdrawn, and in the
// end nothing is left of the connections.
#include <random>

#include "models/common/split_mix.h"
#include "tests/unit/models/host/net/net_rig.h"

namespace longhaul::host {
namespace {

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : random_(split_mix(seed)) {}
  std::uint64_t between(std::uint64_t least, std::uint64_t most) {
    return least + random_() % (most - least + 1);
  }
  bool chance(double p) { return static_cast<double>(random_() >> 11U) * 0x1p-53 < p; }
  template <class T>
  T one_of(std::initializer_list<T> choices) {
    return *(choices.begin() + between(0, choices.size() - 1));
  }

 private:
  std::mt19937_64 random_;
};

struct RandomHosts : testing::NetTest, ::testing::WithParamInterface<std::uint64_t> {
  Dice dice{GetParam()};
  double loss = 0;
  double duplicate = 0;
  double reorder = 0;
  double damage = 0;
  std::uint64_t heal_ps = 4000 * kMs;

  void draw_host(testing::RigParams& host) {
    host.net.truesize.value = dice.chance(0.6);
    host.net.adv_win_scale.value = dice.one_of({0U, 1U, 2U});
    host.net.send_linear.value = {dice.one_of<std::uint64_t>({0, 256, 3632, 65536})};
    host.net.send_page.value = {dice.one_of<std::uint64_t>({2048, 4096})};
    host.net.send_low_water.value = {dice.one_of<std::uint64_t>({0, 2048})};
    host.net.qdisc_packets.value = dice.one_of({2U, 50U, 1000U});
    testing::ask_for(host.net,
                     dice.one_of<const char*>({"stream", "bsd", "linux-2.4", "linux-2.6", "afd"}));
    host.net.tso.value = dice.chance(0.5);
    host.net.napi.value = dice.chance(0.5);
    host.net.input_queue_packets.value = dice.one_of({10U, 300U});
    host.device.napi = host.net.napi();
    host.device.ring = dice.one_of({2U, 8U, 256U});
    host.device.features.scatter_gather = dice.chance(0.7);
    host.device.features.checksum_tx = dice.chance(0.7);
    host.device.features.checksum_rx = false;  // damage is for the stack to find
    host.device.features.tso_bytes = dice.one_of({0U, 16384U, 65536U});
    host.processors = dice.one_of({1U, 2U});
    host.tcp.sack.value = dice.chance(0.7);
    host.tcp.timestamps.value = dice.chance(0.7);
    host.tcp.window_start.value = dice.one_of({0U, 4U});
    host.tcp.cwnd_unit.value = dice.one_of<const char*>({"bytes", "segments"});
    host.tcp.local_congestion.value = dice.one_of<const char*>({"ignore", "reduce", "collapse"});
  }

  std::vector<std::uint64_t> fate(testing::FakeDevice::Bytes& frame) {
    if (now_ps() > heal_ps) return {0};
    if (dice.chance(loss)) return {};
    if (dice.chance(damage))
      frame[dice.between(14, frame.size() - 1)] ^= static_cast<std::uint8_t>(dice.between(1, 255));
    const std::uint64_t extra = dice.chance(reorder) ? dice.between(1, 300) * kUs : 0;
    if (dice.chance(duplicate)) return {extra, dice.between(0, 500) * kUs};
    return {extra};
  }

  void draw() {
    testing::RigParams host_a = params;
    testing::RigParams host_b = params;
    const std::uint32_t mtu = dice.one_of({576U, 1500U, 9000U});
    const std::uint64_t rate =
        dice.one_of<std::uint64_t>({20'000'000, 1'000'000'000, 10'000'000'000});
    const std::uint64_t delay = dice.between(1, 5000) * kUs;
    for (testing::RigParams* host : {&host_a, &host_b}) {
      draw_host(*host);
      host->device.mtu = mtu;
      host->device.buffer_bytes = mtu > 2000 ? 16384 : 2048;
      host->device.bits_per_s = rate;
      host->device.delay_ps = delay;
    }
    loss = dice.one_of({0.0, 0.002, 0.03});
    duplicate = dice.one_of({0.0, 0.02});
    reorder = dice.one_of({0.0, 0.05});
    damage = dice.one_of({0.0, 0.01});
    build(host_a, host_b);
    const auto network = [this](std::uint64_t, testing::FakeDevice::Bytes& frame) {
      return fate(frame);
    };
    a->device.fate = network;
    b->device.fate = network;
  }

  void watch(const Transfer& plan) {
    const auto within = [](const TcpSocket* socket, std::uint64_t overshoot) {
      const TcpEndpoint* const end = static_cast<const StreamSocket*>(socket)->endpoint();
      if (end == nullptr) return;
      EXPECT_LE(end->send_queue().charged(), end->send_queue().limit() + overshoot);
      EXPECT_LE(end->receive_queue().charged(), end->settings().receive_limit + overshoot);
    };
    // One buffer may be over the limit: Linux asks before it takes one.
    constexpr std::uint64_t kLargestBuffer = 65536 + 4096;
    if (plan.sender != nullptr) within(plan.sender, kLargestBuffer);
    if (plan.receiver != nullptr) within(plan.receiver, 2 * kLargestBuffer);
  }
};

TEST_P(RandomHosts, LoseNothingAndKeepNothing) {
  draw();
  std::vector<Transfer> plans(dice.between(1, 3));
  std::vector<std::uint64_t> totals;
  for (std::size_t i = 0; i < plans.size(); ++i) {
    Transfer& plan = plans[i];
    plan.port = static_cast<std::uint16_t>(5001 + i);
    plan.ipv6 = dice.chance(0.4);
    plan.send_buffer = dice.one_of<std::uint64_t>({0, 8192, 65536, 1'000'000});
    plan.receive_buffer = dice.one_of<std::uint64_t>({0, 40'000, 1'000'000});
    plan.pause_ps = dice.one_of<std::uint64_t>({0, 0, 1 * kMs});
    plan.sender_cpu = dice.between(0, a->cpus.size() - 1);
    plan.receiver_cpu = dice.between(0, b->cpus.size() - 1);
    totals.push_back(dice.between(1, 400'000));
    transfer(plan, totals.back(),
             dice.between(1, 4) * dice.one_of<std::uint64_t>({100, 1448, 16384}),
             dice.one_of<std::uint64_t>({500, 8192, 65536}));
  }
  for (int step = 0; step < 6000; ++step) {  // small writes wait for delayed ACKs
    run_until(now_ps() + 300 * kMs / 4);
    for (const Transfer& plan : plans) watch(plan);
    const bool done = std::all_of(plans.begin(), plans.end(), [](const Transfer& p) {
      return p.receiver_done && p.sender_done;
    });
    if (done && a->stack.endpoints() + b->stack.endpoints() == 0) break;
  }
  for (std::size_t i = 0; i < plans.size(); ++i) {
    EXPECT_EQ(plans[i].sent, totals[i]);
    EXPECT_EQ(plans[i].received, totals[i]);
    EXPECT_FALSE(plans[i].mismatch.has_value()) << *plans[i].mismatch;
  }
  run_until(now_ps() + 2000 * kMs);
  expect_no_leak();
  EXPECT_EQ(b->stack.verify_errors.value(), 0U);
}

TEST_P(RandomHosts, SurviveAResetAtAnyTime) {
  params.tcp.keepalive_idle.value = {10, sc_core::SC_SEC};  // the RST itself may be lost
  draw();
  Transfer plan;
  plan.pause_ps = dice.one_of<std::uint64_t>({0, 1 * kMs});
  transfer(plan, 100'000'000, 16384, 8192);
  // The program on one side is gone: its endpoint is abandoned in a process's context.
  const bool at_sender = dice.chance(0.5);
  const std::uint64_t when = dice.between(1, 2000);
  program(at_sender ? *a : *b, "killer", [&](testing::Program& self) {
    const Process::Syscall call(self);
    self.sleep(when * kMs);
    while ((at_sender ? plan.sender : plan.receiver) == nullptr) self.sleep(kMs);
    TcpSocket* const victim = at_sender ? plan.sender : plan.receiver;
    const_cast<TcpEndpoint*>(static_cast<StreamSocket*>(victim)->endpoint())->reset();
  });
  run_until(200'000 * kMs);
  EXPECT_FALSE(plan.mismatch.has_value());
  EXPECT_TRUE(plan.sender_done);
  if (b->stack.connections.value() ==
      0) {  // reset before the handshake was through: the server waits for another one
    EXPECT_EQ(b->stack.endpoints(), 1U);
    EXPECT_EQ(a->stack.endpoints(), 0U);
    return;
  }
  EXPECT_TRUE(plan.receiver_done);
  expect_no_leak();
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomHosts, ::testing::Range<std::uint64_t>(0, 24));

}  // namespace
}  // namespace longhaul::host
