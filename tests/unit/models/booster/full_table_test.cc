// SPDX-License-Identifier: Apache-2.0
// Connections that one of the two relays has no place for.
#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string>

#include "models/host/kernel/process.h"
#include "models/host/net/socket.h"
#include "tests/unit/models/booster/relay_rig.h"

namespace longhaul::booster {
namespace {

using host::Process;
using host::SocketError;
using host::testing::Program;

/// What became of a connection that begins later, and whose server only reads.
struct Late {
  std::uint16_t port;
  std::uint64_t begin_ps;
  std::uint64_t over_ps = 0;
  std::optional<SocketError> error{};
  std::uint64_t received = 0;
};

struct FullTable : testing::RelayTest {
  static constexpr std::uint64_t kTotal = 2'000'000;

  void connect_later(Late& late) {
    constexpr std::uint64_t kWrite = 16384;
    program(*b, "server" + std::to_string(late.port), [this, &late](Program& self) {
      const std::uint64_t user = allocate(*b, kWrite);
      const auto listener = b->stack.tcp_socket();
      listener->listen(self, late.port, 5);
      const auto socket = listener->accept(self);
      while (const std::uint64_t n = socket->receive(self, user, kWrite)) late.received += n;
      socket->close(self);
      listener->close(self);
    });
    program(*a, "client" + std::to_string(late.port), [this, &late](Program& self) {
      {
        const Process::Syscall call(self);
        self.sleep(late.begin_ps);
      }
      const std::uint64_t user = allocate(*a, kTotal);
      const auto socket = a->stack.tcp_socket();
      EXPECT_TRUE(socket->connect(self, address(2, late.port)));
      socket->send(self, user, kTotal);
      late.error = socket->error();
      late.over_ps = now_ps();
      socket->close(self);
    });
  }
};

TEST_F(FullTable, AtTheFarRelayAConnectionEndsWithAResetAndTheOthersGoOn) {
  east_options["most_flows"] = 1;
  build_relays();
  Transfer first;
  transfer(first, kTotal, 10'000, 8192);
  Late second{6000, 100 * kMs};
  Late third{6001, 10'000 * kMs};
  connect_later(second);
  connect_later(third);
  run_until(20'000 * kMs);

  EXPECT_EQ(count("east_relay.untouched"), 1U);
  EXPECT_EQ(second.error, SocketError::kReset);
  EXPECT_LT(second.over_ps, second.begin_ps + 10 * line_delay_ps);
  EXPECT_EQ(second.received, 0U);

  EXPECT_TRUE(first.sender_done);
  EXPECT_EQ(first.received, kTotal);
  EXPECT_FALSE(first.mismatch.has_value());
  EXPECT_GT(first.finished_ps, second.over_ps);
  EXPECT_LT(first.finished_ps, third.begin_ps);

  EXPECT_EQ(third.received, kTotal);
  EXPECT_FALSE(third.error.has_value());

  for (const auto* const relay : {west.get(), east.get()}) EXPECT_EQ(relay->stack.endpoints(), 0U);
  for (const auto& each : programs) EXPECT_TRUE(each->done());
}

}  // namespace
}  // namespace longhaul::booster
