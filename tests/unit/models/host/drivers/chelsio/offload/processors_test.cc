// SPDX-License-Identifier: Apache-2.0
// TCP offload on hosts with several processors: programs on all of them, interrupts on the last.
#include "tests/unit/models/host/drivers/chelsio/offload/random_connection.h"

namespace longhaul::host::offload_testing {
namespace {

class ToeProcessors : public ToeTest,
                      public ::testing::WithParamInterface<std::tuple<std::uint32_t, bool>> {};
INSTANTIATE_TEST_SUITE_P(Number, ToeProcessors,
                         ::testing::Combine(::testing::Values(2U, 4U), ::testing::Bool()),
                         [](const auto& of) {
                           return std::to_string(std::get<0>(of.param)) +
                                  (std::get<1>(of.param) ? "Polled" : "ByInterrupt");
                         });

TEST_P(ToeProcessors, ConnectionsOfAllProcessorsMoveTheirBytesAtOnceAndCountersAgree) {
  constexpr std::uint32_t kConnections = 8;
  constexpr std::uint64_t kThere = 500'000;
  constexpr std::uint64_t kBack = 300'000;
  HostOptions options = linux_host();
  options.processors = std::get<0>(GetParam());
  options.polling = std::get<1>(GetParam());
  build(options);
  bool up = false;
  std::vector<std::unique_ptr<RandomConnection>> connections;
  for (std::uint32_t i = 0; i < kConnections; ++i) {
    ConnectionPlan plan;
    plan.client.bytes = kThere;
    plan.server.bytes = kBack;
    for (EndPlan* const end : {&plan.client, &plan.server}) {
      end->processor = i % options.processors;
      end->reading_processor = (i + i / options.processors) % options.processors;
    }
    connections.push_back(
        std::make_unique<RandomConnection>(static_cast<std::uint16_t>(5001 + i), plan));
    connections.back()->start(*a, *b, 2, up);
  }
  const auto done = [&] {
    return std::all_of(connections.begin(), connections.end(),
                       [](const auto& each) { return each->done(); });
  };
  std::uint64_t took_ps = 0;
  run(
      [&](Program& self) {
        up = true;
        const std::uint64_t begin = now_ps();
        while (!done()) self.sleep_ps(kMs);
        took_ps = now_ps() - begin;
      },
      [&](Program& self) {
        while (!done()) self.sleep_ps(kMs);
      },
      60'000 * kMs);
  for (const auto& each : connections) {
    EXPECT_EQ(each->failure(), "");
    EXPECT_TRUE(each->done()) << each->describe();
    EXPECT_TRUE(each->offloaded()) << each->describe();
  }
  for (ToeHost* const host : {a.get(), b.get()}) {
    const chelsio::ToeOffload& toe = *host->driver().toe();
    EXPECT_EQ(toe.opened.value(), kConnections);
    EXPECT_EQ(host->stack.segments_out.value(), 0U);
    EXPECT_EQ(host->stack.verify_errors.value(), 0U);
    EXPECT_EQ(host->engine().probes.bad_messages.value(), 0U);
    EXPECT_EQ(host->machine.core.packets_received.value(), 0U) << "the last one's interrupts";
  }
  EXPECT_EQ(a->stack.data_bytes_out.value(), kConnections * kThere);
  EXPECT_EQ(b->stack.data_bytes_in.value(), kConnections * kThere);
  EXPECT_EQ(b->stack.data_bytes_out.value(), kConnections * kBack);
  EXPECT_EQ(a->stack.data_bytes_in.value(), kConnections * kBack);
  EXPECT_EQ(a->engine().probes.tx_segments.value(),
            b->engine().probes.rx_segments.value() + kConnections)
      << "the cable loses nothing; SYNs do not count as segments of a connection";
  // The first window is one segment, whose ACK is delayed by 200 ms. The rest is at most 50 ms,
  // which is 1 Gb/s.
  EXPECT_LT(took_ps, 250 * kMs);
  expect_no_leak();
}

}  // namespace
}  // namespace longhaul::host::offload_testing
