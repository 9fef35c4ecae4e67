// SPDX-License-Identifier: Apache-2.0
#include "models/host/drivers/chelsio/offload/message_sender.h"

#include <gmock/gmock.h>

#include "tests/unit/models/host/drivers/rig.h"

namespace longhaul::host::chelsio {
namespace {

using driver_testing::Program;
using ::testing::ElementsAre;

struct FakeChip final : MessageSender::Chip {
  FakeChip(MemoryPool& pool, std::uint32_t entries) : ordered(pool, entries), control(pool, 16) {
    ordered.open(0);
    control.open(0);
  }
  CommandQueue* queue(Lane lane) override {
    if (closed) return nullptr;
    return lane == Lane::kOrdered ? &ordered : &control;
  }
  void ring(Lane) override { ++rings; }
  /// The cookies of all messages in the ordered queue, which the chip has processed.
  std::vector<std::uint64_t> take() {
    std::vector<std::uint64_t> cookies;
    ordered.processed(ordered.in_use());
    std::uint64_t cookie = 0;
    while (ordered.reclaim(cookie) != 0) cookies.push_back(cookie);
    return cookies;
  }
  CommandQueue ordered;
  CommandQueue control;
  bool closed = false;
  std::uint32_t rings = 0;
};

struct FakeUser final : OffloadUser {
  std::vector<std::uint64_t> cookies;
  void opened() override {}
  void acknowledged(std::uint64_t) override {}
  void received(const RxPacket&) override {}
  void sent(std::uint64_t cookie) override { cookies.push_back(cookie); }
  void peer_closed() override {}
  void closed() override {}
  void ended(OffloadEnd) override {}
};

struct MessageSenderTest : ::testing::Test {
  driver_testing::RigOptions options;
  driver_testing::RigHost host{"host", options, 0};
  DriverSetup setup{host.pci,    2,           0, host.router, {&host.net_rx}, host.pool,
                    host.timers, options.net, 0};
  FakeChip chip{host.pool, 4};
  MessageSender sender{setup, chip};
  FakeUser user;

  TxPacket data(std::uint64_t cookie, std::uint32_t pieces = 1) {
    TxPacket packet;
    packet.count = pieces;
    packet.cookie = cookie;
    for (std::uint32_t i = 0; i < pieces; ++i) packet.extents[i] = {0x200000, 100};
    packet.bytes = 100 * pieces;
    return packet;
  }
  void run(const std::function<void()>& body) {
    host.run([&body](Program&) {
      body();
      sc_core::sc_stop();
    });
    sc_core::sc_start(1, sc_core::SC_SEC);
  }
  void done(const std::vector<std::uint64_t>& cookies) {
    for (const std::uint64_t cookie : cookies) sender.done(cookie);
  }
};

TEST_F(MessageSenderTest, MessagesWithoutDescriptorsWaitInTheirOrder) {
  run([&] {
    sender.send(user, data(1, 3));
    sender.send(user, data(2, 2));  // one descriptor is free
    sender.send(Lane::kOrdered, close_connection(7));
    EXPECT_EQ(chip.ordered.in_use(), 3U);
    EXPECT_TRUE(sender.waits());
    done(chip.take());
    EXPECT_THAT(user.cookies, ElementsAre(1));
    sender.room(Lane::kOrdered);
    EXPECT_EQ(chip.ordered.in_use(), 3U) << "two of the data, one of the CLOSE behind them";
    EXPECT_FALSE(sender.waits());
    done(chip.take());
    EXPECT_THAT(user.cookies, ElementsAre(1, 2));
    EXPECT_EQ(chip.rings, 2U);
  });
}

TEST_F(MessageSenderTest, LanesDoNotWaitForEachOther) {
  run([&] {
    sender.send(user, data(1, 4));
    sender.send(user, data(2, 1));
    sender.send(Lane::kControl, credits(7, 1000));
    EXPECT_EQ(chip.control.in_use(), 1U);
  });
}

TEST_F(MessageSenderTest, DroppedDataReturnToTheirUserAndOthersStay) {
  FakeUser other;
  run([&] {
    sender.send(user, data(1, 4));
    sender.send(user, data(2));
    sender.send(other, data(3));
    sender.send(user, data(4));
    sender.drop(user);
    EXPECT_THAT(user.cookies, ElementsAre(2, 4)) << "the chip may still read the first";
    done(chip.take());
    sender.room(Lane::kOrdered);
    done(chip.take());
    EXPECT_THAT(user.cookies, ElementsAre(2, 4, 1));
    EXPECT_THAT(other.cookies, ElementsAre(3));
  });
}

TEST_F(MessageSenderTest, AClosedInterfaceGivesEverythingBack) {
  run([&] {
    const std::uint64_t before = host.pool.used();
    sender.send(user, data(1, 4));
    sender.send(Lane::kOrdered, close_connection(7));
    sender.send(user, data(2));
    done(chip.take());
    sender.clear();
    chip.closed = true;
    sender.send(user, data(3));
    sender.send(Lane::kControl, abort_request(7));
    EXPECT_FALSE(sender.waits());
    EXPECT_THAT(user.cookies, ElementsAre(1, 2, 3));
    EXPECT_EQ(host.pool.used(), before);
  });
}

TEST_F(MessageSenderTest, AMessageWithoutMemoryWaitsForIt) {
  run([&] {
    std::vector<std::uint64_t> all;
    while (const std::uint64_t block = host.pool.allocate(CplMessage::kMostBytes))
      all.push_back(block);
    sender.send(Lane::kControl, abort_request(7));
    EXPECT_TRUE(sender.waits());
    host.pool.free(all.back(), CplMessage::kMostBytes);
    sender.room(Lane::kControl);
    EXPECT_FALSE(sender.waits());
    EXPECT_EQ(chip.control.in_use(), 1U);
  });
}

}  // namespace
}  // namespace longhaul::host::chelsio
