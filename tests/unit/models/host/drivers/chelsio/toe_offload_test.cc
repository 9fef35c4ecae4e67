// SPDX-License-Identifier: Apache-2.0
// Sockets of a modelled host whose TCP is in a T110.
#include "tests/unit/models/host/drivers/chelsio/offload_rig.h"

namespace longhaul::host::offload_testing {
namespace {

struct Case {
  std::uint32_t mtu;
  bool polling;
};
class ToeTransfer : public ToeTest, public ::testing::WithParamInterface<Case> {};
INSTANTIATE_TEST_SUITE_P(Mtu, ToeTransfer,
                         ::testing::Values(Case{1500, false}, Case{1500, true}, Case{7832, false},
                                           Case{9000, true}),
                         [](const auto& of) {
                           return std::to_string(of.param.mtu) +
                                  (of.param.polling ? "Polled" : "ByInterrupt");
                         });

TEST_P(ToeTransfer, EveryByteArrivesBothWaysAndNothingIsLeft) {
  HostOptions options = linux_host();
  options.mtu = GetParam().mtu;
  options.polling = GetParam().polling;
  build(options);
  Stream there{5'000'000};
  Stream back{3'000'001, 100'000, 30'000};
  run(client(*a, 2, there, &back), server(*b, there, &back));
  EXPECT_TRUE(there.opened);
  EXPECT_TRUE(there.offloaded);
  EXPECT_TRUE(back.offloaded);
  EXPECT_EQ(there.received, there.bytes);
  EXPECT_EQ(back.received, back.bytes);
  EXPECT_EQ(there.mismatch, std::nullopt);
  EXPECT_EQ(back.mismatch, std::nullopt);
  EXPECT_EQ(there.error, std::nullopt);
  EXPECT_EQ(back.error, std::nullopt);
  EXPECT_EQ(a->stack.segments_out.value(), 0U) << "the host's own TCP sends nothing";
  EXPECT_EQ(a->driver().toe()->opened.value(), 1U);
  expect_no_leak();
}

TEST_F(ToeTest, ALargeSendBufferFillsTheChipsPacketMemoryAndAllOfItIsSent) {
  build();
  Stream there{12'000'000};
  there.buffer = 1'000'000;
  run(client(*a, 2, there), server(*b, there));
  EXPECT_EQ(there.received, there.bytes);
  EXPECT_EQ(there.mismatch, std::nullopt);
  expect_no_leak();
}

TEST_F(ToeTest, AnOffloadingHostAndASoftwareHostUnderstandEachOther) {
  build(linux_host(true), linux_host(false));
  Stream there{2'000'000};
  Stream back{2'000'000};
  run(client(*a, 2, there, &back), server(*b, there, &back));
  EXPECT_TRUE(there.offloaded);
  EXPECT_FALSE(back.offloaded);
  EXPECT_EQ(there.received, there.bytes);
  EXPECT_EQ(back.received, back.bytes);
  EXPECT_EQ(there.mismatch, std::nullopt);
  EXPECT_EQ(back.mismatch, std::nullopt);
  EXPECT_EQ(b->driver().toe(), nullptr);
  expect_no_leak();
}

TEST_F(ToeTest, Ipv6GoesTheSoftwaresWay) {
  build();
  Stream there{300'000};
  run(client(*a, 2, there, nullptr, true), server(*b, there));
  EXPECT_TRUE(there.opened);
  EXPECT_FALSE(there.offloaded);
  EXPECT_EQ(there.received, there.bytes);
  EXPECT_EQ(there.mismatch, std::nullopt);
  EXPECT_EQ(a->driver().toe()->opened.value(), 0U);
  expect_no_leak();
}

TEST_F(ToeTest, APortWithoutAListenerRefuses) {
  build();
  std::optional<SocketError> error;
  bool opened = true;
  run(
      [&](Program& self) {
        const auto socket = make_socket(*a, 65536);
        opened = socket->connect(self, ToeHost::address(2, kPort));
        error = socket->error();
        socket->close(self);
      },
      [](Program&) {});
  EXPECT_FALSE(opened);
  EXPECT_EQ(error, SocketError::kRefused);
  expect_no_leak();
}

TEST_F(ToeTest, AnAddressThatNobodyHasIsUnreachable) {
  build();
  std::optional<SocketError> error;
  run(
      [&](Program& self) {
        const auto socket = make_socket(*a, 65536);
        EXPECT_FALSE(socket->connect(self, ToeHost::address(77, kPort)));
        error = socket->error();
        socket->close(self);
      },
      [](Program&) {});
  EXPECT_EQ(error, SocketError::kUnreachable);
  expect_no_leak();
}

TEST_F(ToeTest, UnreadDataAtCloseAreAnsweredWithAReset) {
  build();
  Stream there{4'000'000};
  std::optional<SocketError> error;
  run(client_until_error(*a, 2, there, error), [&](Program& self) {
    const auto listener = make_socket(*b, there.buffer);
    listener->listen(self, kPort, 5);
    const auto socket = listener->accept(self);
    self.sleep_ps(20 * kMs);
    socket->close(self);
    listener->close(self);
  });
  EXPECT_EQ(error, SocketError::kReset);
  EXPECT_EQ(a->stack.connections_failed.value(), 1U);
  expect_no_leak();
}

TEST_F(ToeTest, ASlowReaderHoldsTheSender) {
  build();
  Stream there{3'000'000};
  there.buffer = 65536;
  std::uint64_t unread = 0;
  run(client(*a, 2, there), [&](Program& self) {
    const auto listener = make_socket(*b, there.buffer);
    listener->listen(self, kPort, 5);
    const auto socket = listener->accept(self);
    self.sleep_ps(1000 * kMs);
    unread = b->stack.data_bytes_in.value();
    receive_all(self, *b, *socket, there);
    socket->close(self);
    listener->close(self);
  });
  EXPECT_LE(unread, 65536U) << "the window";
  EXPECT_GT(unread, 50'000U);
  EXPECT_EQ(there.received, there.bytes);
  EXPECT_EQ(there.mismatch, std::nullopt);
  expect_no_leak();
}

}  // namespace
}  // namespace longhaul::host::offload_testing
