// SPDX-License-Identifier: Apache-2.0
// A stream from one host to the other through everything.
#include "tests/unit/models/host/net/net_rig.h"

namespace longhaul::host {
namespace {

using testing::Program;

struct TransferTest : testing::NetTest {
  void finish(Transfer& plan, std::uint64_t total, std::uint64_t limit_ps) {
    run_until(limit_ps);
    EXPECT_TRUE(plan.sender_done);
    EXPECT_TRUE(plan.receiver_done);
    EXPECT_EQ(plan.sent, total);
    EXPECT_EQ(plan.received, total);
    EXPECT_FALSE(plan.mismatch.has_value()) << *plan.mismatch;
    expect_no_leak();
  }
};

TEST_F(TransferTest, EveryByteArrivesOnceAndInOrder) {
  build();
  Transfer plan;
  transfer(plan, 1'000'000, 10'000, 8192);
  finish(plan, 1'000'000, 3000 * kMs);
  EXPECT_EQ(a->stack.retransmits.value(), 0U);
  EXPECT_EQ(b->stack.drop_socket_memory.value(), 0U);
}

/// Takes all memory of a host: none is left but `spare` blocks of each size that is smaller than a
/// page.
struct AllMemory {
  MemoryPool& pool;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> taken;

  void take(std::uint32_t spare) {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> kept;
    for (std::uint64_t bytes = 256; bytes < 4096; bytes *= 2)
      for (std::uint32_t i = 0; i < spare; ++i) kept.emplace_back(pool.allocate(bytes), bytes);
    for (std::uint64_t bytes = 1 << 20; bytes >= 256; bytes /= 2)
      while (const std::uint64_t at = pool.allocate(bytes)) taken.emplace_back(at, bytes);
    free(kept);
  }
  void free(const std::vector<std::pair<std::uint64_t, std::uint64_t>>& blocks) {
    for (const auto& [at, bytes] : blocks) pool.free(at, bytes);
  }
};

TEST_F(TransferTest, WithoutABlockForASegmentOfManyWritesItsPartsAreSentAgain) {
  // After the first part, the rest does not fit into a block of 4 KiB either.
  constexpr std::uint32_t kWrite = 200;
  constexpr std::uint32_t kWrites = 40;
  params.tcp.initial_window.value = 2 * kWrites;
  params.device.mtu = 9000;
  testing::RigParams receiver = params;
  receiver.device.buffer_bytes = 16384;
  params.memory = units::MiB(8);
  build(params, receiver);
  bool lost = false;
  a->device.fate = [&](std::uint64_t, auto&) {
    return lost ? std::vector<std::uint64_t>{} : std::vector<std::uint64_t>{0};
  };
  AllMemory all{a->pool, {}};
  std::uint64_t received = 0;
  std::optional<std::uint64_t> mismatch;
  program(*b, "reader", [&](Program& self) {
    const std::uint64_t user = allocate(*b, 8192);
    const auto listener = b->stack.tcp_socket();
    listener->set_verify(true);
    listener->listen(self, 5001, 5);
    const auto socket = listener->accept(self);
    while (const std::uint64_t n = socket->receive(self, user, 8192)) received += n;
    mismatch = socket->mismatch();
    socket->close(self);
    listener->close(self);
  });
  program(*a, "writer", [&](Program& self) {
    const std::uint64_t user = allocate(*a, kWrite);
    const auto socket = a->stack.tcp_socket();
    socket->set_verify(true);
    socket->set_nodelay(true);
    socket->set_buffers(1 << 20, 65536);  // each write takes a block of 4 KiB
    ASSERT_TRUE(socket->connect(self, address(2)));
    lost = true;
    for (std::uint32_t i = 0; i < kWrites; ++i) socket->send(self, user, kWrite);
    {
      const Process::Syscall call(self);
      self.sleep(10 * kMs);  // the adapter is done with all packets
      lost = false;
      all.take(64);
      self.sleep(900 * kMs);
      all.free(all.taken);
    }
    EXPECT_EQ(received, kWrite * kWrites) << "while no block of 8 KiB is free";
    socket->close(self);
  });
  run_until(3000 * kMs);
  EXPECT_EQ(received, kWrite * kWrites);
  EXPECT_EQ(mismatch, std::nullopt);
  // A packet has 20 pieces, one of which is the headers'.
  constexpr std::uint32_t kPieces = TxPacket::kMostExtents - 1;
  EXPECT_EQ(a->stack.retransmits.value(), (kWrites + kPieces - 1) / kPieces);
  EXPECT_EQ(a->stack.linearized.value(), 0U);
  expect_no_leak();
}

}  // namespace
}  // namespace longhaul::host
