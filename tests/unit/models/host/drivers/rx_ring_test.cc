// SPDX-License-Identifier: Apache-2.0
// The receive ring against descriptors as no sane adapter writes them, and its rules of giving
// buffers.
#include <gtest/gtest.h>

#include "models/host/drivers/rx_ring.h"
#include "models/memory/backing_store.h"
#include "models/nic/intel/descriptors.h"
#include "tests/unit/models/host/kernel/kernel_fixture.h"

namespace longhaul::host::testing {
namespace {

namespace rx_status = nic::intel::rx_status;
namespace rx_error = nic::intel::rx_error;
using Taken = RxRing::Taken;

constexpr std::uint8_t kWhole = rx_status::kDd | rx_status::kEop;

class RxRingTest : public KernelTest {
 protected:
  memory::BackingStore store{units::MiB(8), "test"};
  MemoryPool pool{store.mapping(), 1 << 20, 1};
  RxRing ring{pool, 64};
  RxFormat format;

  void open() {
    build();
    ASSERT_TRUE(ring.open(format));
  }
  RxRing::Refilled fill() {
    RxRing::Refilled all;
    for (bool more = true; more;) {
      const RxRing::Refilled some = ring.refill();
      all.buffers += some.buffers;
      all.failed = some.failed;
      tails += some.tell ? 1 : 0;
      more = some.tell && format.tail_every != 0;
    }
    return all;
  }
  void write(std::uint32_t index, std::uint32_t length, std::uint8_t status,
             std::uint8_t errors = 0) {
    std::uint8_t* const descriptor =
        pool.to_write(ring.address(), ring.bytes()) + std::size_t{index} * 16;
    nic::write_le16(descriptor + 8, length);
    descriptor[12] = status;
    descriptor[13] = errors;
  }
  Taken take() { return ring.take(packet, cpu->processor); }

  RxPacket packet;
  std::uint32_t tails = 0;
};

TEST_F(RxRingTest, DamagedFramesAndThoseInPiecesAreRefusedAndTheirBuffersKept) {
  open();
  fill();
  const std::uint64_t used = pool.used();
  std::uint32_t at = 0;
  const auto refused = [&](std::uint32_t length, std::uint8_t status, std::uint8_t errors = 0) {
    write(at++, length, status, errors);
    EXPECT_EQ(take(), Taken::kRefused) << at;
  };
  refused(100, kWhole, rx_error::kCe);
  refused(100, kWhole, rx_error::kRxe);
  refused(0, kWhole);
  refused(13, kWhole);
  refused(2049, kWhole);
  refused(65535, kWhole);
  refused(2048, rx_status::kDd);  // first, middle and last piece of a frame
  refused(2048, rx_status::kDd);
  refused(100, kWhole);
  write(at, 100, kWhole);
  EXPECT_EQ(take(), Taken::kFrame) << "and the next frame is whole again";
  EXPECT_EQ(take(), Taken::kNothing);
  EXPECT_EQ(pool.used(), used);
  pool.free(packet.buffer, packet.buffer_bytes);
  EXPECT_EQ(fill().buffers, 1U) << "of ten descriptors nine have theirs still";
  ring.close();
  EXPECT_EQ(pool.used(), 0U);
}

TEST_F(RxRingTest, AWrongChecksumIsForTheStackToJudge) {
  open();
  fill();
  const auto good = [&](std::uint32_t at, std::uint8_t status, std::uint8_t errors) {
    write(at, 100, status, errors);
    EXPECT_EQ(take(), Taken::kFrame);
    return packet.checksum_good;
  };
  EXPECT_TRUE(good(0, kWhole | rx_status::kTcpcs | rx_status::kIpcs, 0));
  EXPECT_FALSE(good(1, kWhole | rx_status::kTcpcs | rx_status::kIpcs, rx_error::kTcpe));
  EXPECT_FALSE(good(2, kWhole | rx_status::kTcpcs | rx_status::kIpcs, rx_error::kIpe));
  EXPECT_FALSE(good(3, kWhole | rx_status::kTcpcs | rx_status::kIxsm, 0));
  EXPECT_FALSE(good(4, kWhole | rx_status::kIpcs, 0)) << "nobody has looked";
}

TEST_F(RxRingTest, ShortFramesAreCopiedAndTheirBuffersStay) {
  format.copybreak = 256;
  format.headroom = 18;
  open();
  fill();
  Taken first{};
  program("driver", [&](testing::Program& /*self*/) {  // a copy is charged to who runs
    write(0, 255, kWhole);
    first = take();
  });
  run_until(1'000'000'000);
  EXPECT_EQ(first, Taken::kFrame);
  EXPECT_EQ(packet.buffer_bytes, 18U + 255U);
  EXPECT_EQ(packet.address, packet.buffer + 18);
  write(1, 256, kWhole);
  EXPECT_EQ(take(), Taken::kFrame);
  EXPECT_EQ(packet.buffer_bytes, 18U + 2048U);
  EXPECT_EQ(fill().buffers, 1U);
}

TEST_F(RxRingTest, AnFcsIsLeftBehind) {
  format.fcs_bytes = 4;
  open();
  fill();
  write(0, 104, kWhole);
  EXPECT_EQ(take(), Taken::kFrame);
  EXPECT_EQ(packet.bytes, 100U);
  write(1, 17, kWhole);
  EXPECT_EQ(take(), Taken::kRefused) << "less than an Ethernet header";
}

TEST_F(RxRingTest, TheTailIsToldOnceAtTheLastBuffer) {
  format.spare = 4;
  open();
  EXPECT_EQ(fill().buffers, 60U);
  EXPECT_EQ(ring.tail(), 59U);
  EXPECT_EQ(tails, 1U);
  fill();
  EXPECT_EQ(tails, 1U) << "nothing new";
  for (std::uint32_t at : {0U, 1U, 2U}) {
    write(at, 100, kWhole);
    EXPECT_EQ(take(), Taken::kFrame);
  }
  EXPECT_EQ(fill().buffers, 3U);
  EXPECT_EQ(ring.tail(), 62U);
  EXPECT_EQ(tails, 2U);
}

TEST_F(RxRingTest, TheTailIsToldOfAWholeRingToo) {
  open();
  EXPECT_EQ(fill().buffers, 64U);
  EXPECT_EQ(tails, 1U) << "though the next slot is the one that it began with";
  EXPECT_EQ(ring.tail(), 63U);
  fill();
  EXPECT_EQ(tails, 1U) << "nothing new";
}

TEST_F(RxRingTest, OrAtEveryMultiple) {
  format.tail_every = 16;
  open();
  EXPECT_EQ(fill().buffers, 64U);
  EXPECT_EQ(ring.tail(), 48U);
  EXPECT_EQ(tails, 4U) << "0, 16, 32, 48";
  write(0, 100, kWhole);
  EXPECT_EQ(take(), Taken::kFrame);
  EXPECT_EQ(fill().buffers, 1U);
  EXPECT_EQ(ring.tail(), 0U) << "from 48 on, up to the one that was just filled";
  EXPECT_EQ(tails, 5U);
}

TEST_F(RxRingTest, WhereMemoryEndsItGoesOnLater) {
  open();
  std::vector<std::uint64_t> hoard;
  while (const std::uint64_t piece = pool.allocate(2048)) hoard.push_back(piece);
  for (int i = 0; i < 5; ++i) {
    pool.free(hoard.back(), 2048);
    hoard.pop_back();
  }
  EXPECT_TRUE(fill().failed);
  EXPECT_EQ(ring.tail(), 4U);
  for (const std::uint64_t piece : hoard) pool.free(piece, 2048);
  const RxRing::Refilled rest = fill();
  EXPECT_FALSE(rest.failed);
  EXPECT_EQ(rest.buffers, 59U);
}

}  // namespace
}  // namespace longhaul::host::testing
