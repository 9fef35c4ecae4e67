// SPDX-License-Identifier: Apache-2.0
// Two ends that know nothing of the two relays between them.
#include <random>

#include "models/common/split_mix.h"
#include "models/host/net/icmp.h"

#include "tests/unit/models/booster/relays_fixture.h"

namespace longhaul::booster {
namespace {

using host::SocketError;
using testing::RigParams;

TEST_F(Relays, NeitherEndSeesAnythingButTheOther) {
  build_relays();
  a->device.capture = east->edge.capture = true;
  Transfer plan;
  transfer(plan, 200'000, 10'000, 8192);
  run_until(4000 * kMs);
  expect_all(plan, 200'000);
  // What a sent first is what b got first: numbers, window and options, one after the other.
  std::vector<tcp::Packet> sent;
  std::vector<tcp::Packet> got;
  for (const FakeDevice::Bytes& frame : a->device.captured) {
    if (is_tcp(frame)) sent.push_back(parsed(frame));
  }
  for (const FakeDevice::Bytes& frame : east->edge.captured) {
    if (is_tcp(frame)) got.push_back(parsed(frame));
  }
  ASSERT_GT(got.size(), 20U);
  for (std::size_t i = 0; i < 2; ++i) {  // SYN, ACK
    EXPECT_EQ(got[i].segment.seq, sent[i].segment.seq);
    EXPECT_EQ(got[i].segment.ack, sent[i].segment.ack);
    EXPECT_EQ(got[i].segment.window, sent[i].segment.window);
    EXPECT_EQ(got[i].segment.options.ts_value, sent[i].segment.options.ts_value);
  }
  for (const tcp::Packet& packet : got) {
    EXPECT_EQ(packet.endpoints.source, sent[0].endpoints.source);
    EXPECT_EQ(packet.endpoints.source_port, sent[0].endpoints.source_port);
    EXPECT_EQ(packet.endpoints.destination, sent[0].endpoints.destination);
    EXPECT_EQ(packet.endpoints.destination_port, sent[0].endpoints.destination_port);
  }
  EXPECT_EQ(count("west_relay.splits"), 1U);
  EXPECT_EQ(count("east_relay.splits"), 1U);
  EXPECT_EQ(a->stack.retransmits.value(), 0U);
  expect_nothing_left();
}

TEST_F(Relays, AcknowledgementsComeFromNextDoor) {
  build_relays();
  std::uint64_t srtt_ps = 0;
  roles([](Program& self, TcpSocket& socket, std::uint64_t user) { drain(self, socket, user); },
        [&](Program& self, TcpSocket& socket, std::uint64_t user) {
          send(self, socket, user, 2'000'000);
          srtt_ps = socket.snapshot().sender->srtt_ps;
        });
  run_until(6000 * kMs);
  EXPECT_GT(srtt_ps, 0U);
  EXPECT_LT(srtt_ps, line_delay_ps);
  expect_nothing_left();
}

TEST_F(Relays, BothDirectionsAtOnce) {
  build_relays();
  std::uint64_t at_a = 0;
  std::uint64_t at_b = 0;
  std::optional<std::uint64_t> wrong;
  constexpr std::uint64_t kUp = 300'000;
  constexpr std::uint64_t kDown = 500'000;
  roles(
      [&](Program& self, TcpSocket& socket, std::uint64_t user) {
        for (std::uint64_t done = 0; done < kDown;) {
          done += socket.send(self, user, std::min<std::uint64_t>(10'000, kDown - done));
          if (at_b < kUp) at_b += socket.receive(self, user, kBuffer);
        }
        socket.shutdown(self);
        at_b += drain(self, socket, user);
        wrong = socket.mismatch();
      },
      [&](Program& self, TcpSocket& socket, std::uint64_t user) {
        for (std::uint64_t done = 0; done < kUp;) {
          done += socket.send(self, user, std::min<std::uint64_t>(6'000, kUp - done));
          at_a += socket.receive(self, user, kBuffer);
        }
        socket.shutdown(self);
        at_a += drain(self, socket, user);
        if (!wrong) wrong = socket.mismatch();
      });
  run_until(20'000 * kMs);
  EXPECT_EQ(at_a, kDown);
  EXPECT_EQ(at_b, kUp);
  EXPECT_FALSE(wrong.has_value());
  expect_nothing_left();
}

TEST_F(Relays, AServerMaySpeakFirst) {
  build_relays();
  std::uint64_t got = 0;
  roles([](Program& self, TcpSocket& socket,
           std::uint64_t user) { send(self, socket, user, 50'000); },
        [&](Program& self, TcpSocket& socket, std::uint64_t user) {
          got = drain(self, socket, user);
        });
  run_until(4000 * kMs);
  EXPECT_EQ(got, 50'000U);
  expect_nothing_left();
}

TEST_F(Relays, AHalfClosedConnectionGoesOnTheOtherWay) {
  build_relays();
  std::uint64_t request = 0;
  std::uint64_t answer = 0;
  roles(
      [&](Program& self, TcpSocket& socket, std::uint64_t user) {
        request = drain(self, socket, user);  // ends with the client's FIN
        send(self, socket, user, 400'000);
      },
      [&](Program& self, TcpSocket& socket, std::uint64_t user) {
        send(self, socket, user, 3'000);
        socket.shutdown(self);
        answer = drain(self, socket, user);
      });
  run_until(30'000 * kMs);
  EXPECT_EQ(request, 3'000U);
  EXPECT_EQ(answer, 400'000U);
  expect_nothing_left();
}

TEST_F(Relays, AClosedWindowHoldsTheSenderBackAndLosesNothing) {
  build_relays();
  std::uint64_t sent_while_closed = 0;
  std::uint64_t received = 0;
  std::uint64_t sent = 0;
  constexpr std::uint64_t kTotal = 3'000'000;
  std::optional<std::uint64_t> wrong;
  roles(
      [&](Program& self, TcpSocket& socket, std::uint64_t user) {
        pause(self, 3000 * kMs);
        sent_while_closed = sent;
        received = drain(self, socket, user);
        wrong = socket.mismatch();
      },
      [&](Program& self, TcpSocket& socket, std::uint64_t user) {
        while (sent < kTotal) sent += socket.send(self, user, kBuffer);
      });
  run_until(30'000 * kMs);
  EXPECT_EQ(received, sent);
  EXPECT_FALSE(wrong.has_value());
  // Buffers of both ends, of both relays' edges, and of the connection between them with twice its
  // window to receive.
  const std::uint64_t most = 2 * 128 * 1024 + 174'760 + 4 * 65'536 + 3 * 262'144;
  EXPECT_LT(sent_while_closed, most);
  EXPECT_GT(sent_while_closed, 500'000U);  // the relays' own were used
  expect_nothing_left();
}

TEST_F(Relays, AResetByTheOpenerReachesTheOther) {
  build_relays();
  std::optional<SocketError> error;
  roles(
      [&](Program& self, TcpSocket& socket, std::uint64_t user) {
        drain(self, socket, user);
        error = socket.error();
      },
      [&](Program& self, TcpSocket& socket, std::uint64_t user) {
        send(self, socket, user, 100'000);
        pause(self, 200 * kMs);
        const_cast<host::TcpEndpoint*>(static_cast<host::StreamSocket&>(socket).endpoint())
            ->reset();
      });
  run_until(5000 * kMs);
  EXPECT_EQ(error, SocketError::kReset);
  EXPECT_EQ(count("west_relay.resets"), 1U);
  EXPECT_EQ(count("east_relay.resets"), 1U);
  expect_nothing_left();
}

TEST_F(Relays, AResetByTheResponderReachesTheOpenerEvenBehindFullBuffers) {
  build_relays();
  std::optional<SocketError> error;
  roles(
      [&](Program& self, TcpSocket& socket, std::uint64_t) {
        pause(self, 3000 * kMs);  // by then every buffer on the way is full
        const_cast<host::TcpEndpoint*>(static_cast<host::StreamSocket&>(socket).endpoint())
            ->reset();
      },
      [&](Program& self, TcpSocket& socket, std::uint64_t user) {
        send(self, socket, user, 100'000'000);
        error = socket.error();
      });
  run_until(10'000 * kMs);
  EXPECT_EQ(error, SocketError::kReset);
  expect_nothing_left();
}

TEST_F(Relays, AClosedPortRefusesThroughTheRelays) {
  build_relays();
  std::optional<SocketError> error;
  program(*a, "client", [&](Program& self) {
    const auto socket = a->stack.tcp_socket();
    EXPECT_FALSE(socket->connect(self, address(2)));
    error = socket->error();
    socket->close(self);
  });
  run_until(2000 * kMs);
  EXPECT_EQ(error, SocketError::kRefused);
  expect_nothing_left();
}

TEST_F(Relays, APartnerOutOfReachBreaksTheConnectionOff) {
  options["partner"] = "10.1.0.99";
  build_relays();
  std::optional<SocketError> at_a;
  std::optional<SocketError> at_b;
  roles(
      [&](Program& self, TcpSocket& socket, std::uint64_t user) {
        drain(self, socket, user);
        at_b = socket.error();
      },
      [&](Program& self, TcpSocket& socket, std::uint64_t user) {
        send(self, socket, user, 1'000'000);
        at_a = socket.error();
      });
  run_until(30'000 * kMs);
  EXPECT_EQ(at_a, SocketError::kReset);
  EXPECT_EQ(at_b, SocketError::kReset);
  expect_nothing_left();
}

TEST_F(Relays, SeveralConnectionsCarryOneStreamInOrder) {
  options["connections"] = 4;
  options["window"] = "64KiB";
  build_relays();
  std::uint64_t n = 0;
  west->line.fate = [&](std::uint64_t, FakeDevice::Bytes&) -> std::vector<std::uint64_t> {
    return {++n % 3 == 0 ? 2 * kMs : 0};  // they overtake each other
  };
  Transfer plan;
  transfer(plan, 2'000'000, 16'384, 8192);
  run_until(30'000 * kMs);
  expect_all(plan, 2'000'000);
  expect_nothing_left();
}

TEST_F(Relays, SeveralConnectionsAreFasterThanOneWindow) {
  line_delay_ps = 100 * kMs;
  options["window"] = "64KiB";
  options["edge_buffer"] = "1MiB";
  options["connections"] = 4;
  build_relays();
  Transfer plan;
  transfer(plan, 4'000'000, 16'384, 8192);
  run_until(30'000 * kMs);
  expect_all(plan, 4'000'000);
  const double one_window_s = 4'000'000.0 / 65'536 * 0.2;
  EXPECT_LT(static_cast<double>(plan.finished_ps) * 1e-12, 0.6 * one_window_s);
}

TEST_F(Relays, SegmentsMayDifferOnEveryLeg) {
  RigParams small = params;
  small.device.mtu = 576;
  relay_params.device.buffer_bytes = 16'384;
  build_relays(params, small);
  west->line.params.mtu = east->line.params.mtu = 9000;
  Transfer plan;
  transfer(plan, 500'000, 10'000, 8192);
  run_until(10'000 * kMs);
  expect_all(plan, 500'000);
  expect_nothing_left();
}

TEST_F(Relays, ManyConnectionsAtOnceAndOneAfterTheOther) {
  build_relays();
  std::vector<Transfer> plans(20);
  for (std::size_t i = 0; i < plans.size(); ++i) {
    plans[i].port = static_cast<std::uint16_t>(5001 + i);
    transfer(plans[i], 20'000 + 1'000 * i, 3'000, 4'096);
  }
  int served = 0;
  program(*b, "acceptor", [&](Program& self) {
    const auto listener = b->stack.tcp_socket();
    listener->listen(self, 6000, 5);
    for (; served < 30; ++served) listener->accept(self)->close(self);
    listener->close(self);
  });
  program(*a, "caller", [&](Program& self) {
    const std::uint64_t user = allocate(*a, 4096);
    for (int i = 0; i < 30; ++i) {
      const auto socket = a->stack.tcp_socket();
      EXPECT_TRUE(socket->connect(self, address(2, 6000)));
      EXPECT_EQ(socket->receive(self, user, 4096), 0U);
      socket->close(self);
    }
  });
  run_until(30'000 * kMs);
  for (std::size_t i = 0; i < plans.size(); ++i) expect_all(plans[i], 20'000 + 1'000 * i);
  EXPECT_EQ(served, 30);
  EXPECT_EQ(count("west_relay.splits"), 50U);
  expect_nothing_left();
}

TEST_F(Relays, WhatIsNoTcpPassesAsItCame) {
  build_relays();
  host::Echo echo(a->stack, 77);
  std::optional<std::uint64_t> rtt;
  program(*a, "ping", [&](Program& self) {
    for (std::uint16_t sequence = 0; sequence < 2; ++sequence) {
      if (echo.send(self, address(2), sequence, 56)) rtt = echo.wait(self, sequence, 1000 * kMs);
    }
  });
  run_until(3000 * kMs);
  ASSERT_TRUE(rtt.has_value());
  EXPECT_GT(*rtt, 2 * line_delay_ps);
  EXPECT_LT(*rtt, 2 * line_delay_ps + 2 * kMs);
}

TEST_F(Relays, WrongSettingsSayWhatWouldBeRight) {
  const auto message = [&](const nlohmann::json& settings) -> std::string {
    try {
      testing::RelayHost host("odd" + std::to_string(sc_core::sc_get_top_level_objects().size()),
                              relay_params, 20, settings);
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(message({{"partner", "10.1.0.300"}}), ::testing::HasSubstr(".partner"));
  EXPECT_THAT(message({{"partner", "fd00::1"}}), ::testing::HasSubstr("by IPv4"));
  EXPECT_THAT(message({{"line", 5}}), ::testing::HasSubstr("no interface 5, only 2"));
  EXPECT_THAT(message({{"line", 0}}), ::testing::HasSubstr("towards the ends as well"));
  EXPECT_THAT(message({{"windo", "1MiB"}}), ::testing::HasSubstr("window"));
}

}  // namespace
}  // namespace longhaul::booster
