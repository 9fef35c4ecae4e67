// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/host/drivers/chelsio/offload/toe_driver.h"
#include "models/host/net/stack.h"
#include "models/host/net/stream_socket.h"
#include "models/nic/nec_toe/nec_toe.h"
#include "models/nic/terminator/terminator.h"
#include "tests/unit/models/host/drivers/rig.h"

namespace longhaul::host::offload_testing {

using driver_testing::Program;

/// Settings of a host with a T110, or with an adapter of NEC-TOE.
struct HostOptions {
  std::string nic_type = "n110";
  bool offload = true;
  std::uint32_t mtu = 1500;
  bool polling = false;
  std::uint32_t processors = 1;  ///< the last one takes the adapter's interrupts
  std::uint64_t memory_mib = 128;
  nlohmann::json nic = nlohmann::json::object();
  nlohmann::json driver = nlohmann::json::object();
  std::uint64_t time_wait_ps = 2000 * kMs;  ///< no connection is in TIME-WAIT for longer
  NetParams net;
  tcp::TcpParams tcp;
};

/// Linux' TCP and sockets; the XPAK module is ready at once.
inline HostOptions linux_host(bool offload = true) {
  HostOptions options;
  options.offload = offload;
  options.tcp.cwnd_unit.value = "segments";
  options.tcp.rto_min.value = {200, sc_core::SC_MS};
  options.tcp.delayed_ack.value = {40, sc_core::SC_MS};
  options.tcp.time_wait.value = {10, sc_core::SC_MS};
  options.tcp.window_start.value = 4;
  return options;
}

/// A PC with such an adapter, its driver and a stack at 10.0.0.n.
class ToeHost {
 public:
  ToeHost(const std::string& name, const HostOptions& options, std::uint8_t n)
      : time_wait_ps(options.time_wait_ps),
        machine(name.c_str(), rig_options(options), n),
        stack((name + "_stack").c_str(), options.net, options.tcp, machine.pool, machine.timers) {
    InterfaceAddresses addresses;
    addresses.ipv4 = address(n);
    addresses.ipv6 = address(n, 0, true);
    stack.add_interface(addresses).attach(machine.device());
  }
  static Address address(std::uint8_t n, std::uint16_t port = 0, bool ipv6 = false) {
    return address_from((ipv6 ? "fd00::" : "10.0.0.") + std::to_string(n), port, "test");
  }
  chelsio::CxgbDriver& driver() { return dynamic_cast<chelsio::CxgbDriver&>(machine.device()); }
  const toe::OffloadEngine& engine() {
    nic::Adapter& adapter = *machine.nics.front();
    if (auto* const nec = dynamic_cast<nic::nec_toe::NecToe*>(&adapter))
      return nec->path().offload()->engine();
    return dynamic_cast<nic::terminator::Terminator&>(adapter).path().offload()->engine();
  }
  std::uint64_t allocate(std::uint64_t bytes) {
    user_bytes += MemoryPool::rounded(bytes);
    return machine.pool.allocate(bytes);
  }

  const std::uint64_t time_wait_ps;
  driver_testing::RigHost machine;
  Stack stack;
  std::uint64_t user_bytes = 0;  ///< of programs

 private:
  static driver_testing::RigOptions rig_options(const HostOptions& options) {
    driver_testing::RigOptions rig;
    rig.nic = options.nic_type;
    rig.nic_params = options.nic;
    if (rig.nic == "n110") rig.nic_params["board"] = "t110";
    rig.driver = options.driver;
    rig.driver["mtu"] = options.mtu;
    rig.driver["polling"] = options.polling;
    rig.driver["offload"] = options.offload;
    rig.net = options.net;
    rig.processors = options.processors;
    rig.memory_mib = options.memory_mib;
    return rig;
  }
};

/// Two such hosts and a cable.
struct ToeTest : ::testing::Test {
  std::unique_ptr<ToeHost> a;
  std::unique_ptr<ToeHost> b;
  std::unique_ptr<Link> link;

  void build(const HostOptions& for_a, const HostOptions& for_b) {
    a = std::make_unique<ToeHost>("a", for_a, 1);
    b = std::make_unique<ToeHost>("b", for_b, 2);
    driver_testing::RigOptions cable;
    cable.nic = for_a.nic_type;
    link = std::make_unique<Link>("link", driver_testing::Rig::link_params(cable));
    link->connect(a->machine.port(), b->machine.port());
  }
  void build(const HostOptions& both = linux_host()) { build(both, both); }
  /// Opens both interfaces, and runs the programs when the link is up.
  void run(Program::Body on_a, Program::Body on_b, std::uint64_t limit_ps = 200'000 * kMs) {
    start(*b, std::move(on_b));
    start(*a, std::move(on_a));
    sc_core::sc_start(from_ps(limit_ps));
    EXPECT_EQ(closed_, 2U) << "a program did not end";
  }
  bool up() { return a->machine.device().link_up() && b->machine.device().link_up(); }
  /// After run(): every buffer and every connection is given back, on both hosts and in both chips.
  void expect_no_leak() {
    for (ToeHost* const host : {a.get(), b.get()}) {
      EXPECT_EQ(host->machine.pool.used(), host->user_bytes);
      EXPECT_EQ(host->stack.endpoints(), 0U);
      EXPECT_EQ(host->stack.offloaded().size(), 0U);
      EXPECT_EQ(host->stack.open_connections.value(), 0);
      EXPECT_EQ(host->stack.interface(0).slots_in_use(), 0U);
      if (const chelsio::ToeOffload* const toe = host->driver().toe()) {
        EXPECT_EQ(toe->unknown.value(), 0U);
      }
    }
    EXPECT_EQ(flows_left, 0U) << "of drivers, before they closed";
    EXPECT_EQ(connections_left, 0U) << "of chips";
  }
  std::uint64_t flows_left = 0;
  std::uint64_t connections_left = 0;

 private:
  void start(ToeHost& host, Program::Body body) {
    host.machine.run([this, &host, body = std::move(body)](Program& self) {
      host.machine.device().open();
      while (!up()) self.sleep_ps(kMs);
      body(self);
      ++ended_;
      while (ended_ < 2) self.sleep_ps(kMs);
      self.sleep_ps(host.time_wait_ps);
      if (host.driver().toe() != nullptr) flows_left += host.driver().toe()->flows();
      connections_left += host.engine().connections();
      self.sleep_ps(kMs);
      host.machine.device().close();
      if (++closed_ == 2) sc_core::sc_stop();
    });
  }
  std::uint32_t ended_ = 0;
  std::uint32_t closed_ = 0;
};

constexpr std::uint16_t kPort = 5001;

/// A stream from one program to another in verify mode.
struct Stream {
  std::uint64_t bytes = 0;
  std::uint32_t write = 8192;
  std::uint32_t read = 8192;
  std::uint64_t buffer = 262144;
  std::uint64_t received = 0;
  bool opened = false;
  bool offloaded = false;
  std::optional<std::uint64_t> mismatch = std::nullopt;
  std::optional<SocketError> error = std::nullopt;
};

inline std::unique_ptr<TcpSocket> make_socket(ToeHost& host, std::uint64_t buffer) {
  auto socket = host.stack.tcp_socket();
  socket->set_verify(true);
  socket->set_buffers(buffer, buffer);
  return socket;
}

inline void send_all(Program& self, ToeHost& host, TcpSocket& socket, Stream& stream) {
  const std::uint64_t user = host.allocate(stream.write);
  for (std::uint64_t sent = 0; sent < stream.bytes;) {
    const std::uint64_t n =
        socket.send(self, user, std::min<std::uint64_t>(stream.write, stream.bytes - sent));
    if (n == 0) break;
    sent += n;
  }
}

inline void receive_all(Program& self, ToeHost& host, TcpSocket& socket, Stream& stream) {
  const std::uint64_t user = host.allocate(stream.read);
  while (const std::uint64_t n = socket.receive(self, user, stream.read)) stream.received += n;
  stream.mismatch = socket.mismatch();
  stream.error = socket.error();
}

inline bool is_offloaded(const TcpSocket& socket) {
  return static_cast<const StreamSocket&>(socket).offloaded();
}

inline Program::Body client(ToeHost& host, std::uint8_t peer, Stream& out, Stream* back = nullptr,
                            bool ipv6 = false) {
  return [&host, peer, &out, back, ipv6](Program& self) {
    const auto socket = make_socket(host, out.buffer);
    out.opened = socket->connect(self, ToeHost::address(peer, kPort, ipv6));
    out.offloaded = is_offloaded(*socket);
    if (out.opened) {
      send_all(self, host, *socket, out);
      out.offloaded = out.offloaded || is_offloaded(*socket);  // by then, if the host has opened it
      socket->shutdown(self);
      if (back != nullptr) receive_all(self, host, *socket, *back);
    }
    socket->close(self);
  };
}

/// A client that sends until its connection ends; `error` is its socket's.
inline Program::Body client_until_error(ToeHost& host, std::uint8_t peer, Stream& out,
                                        std::optional<SocketError>& error) {
  return [&host, peer, &out, &error](Program& self) {
    const auto socket = make_socket(host, out.buffer);
    ASSERT_TRUE(socket->connect(self, ToeHost::address(peer, kPort)));
    send_all(self, host, *socket, out);
    error = socket->error();
    socket->close(self);
  };
}

inline Program::Body server(ToeHost& host, Stream& in, Stream* back = nullptr) {
  return [&host, &in, back](Program& self) {
    const auto listener = make_socket(host, in.buffer);
    listener->listen(self, kPort, 5);
    const auto socket = listener->accept(self);
    receive_all(self, host, *socket, in);
    if (back != nullptr) {
      back->offloaded = is_offloaded(*socket);
      send_all(self, host, *socket, *back);
    }
    socket->close(self);
    listener->close(self);
  };
}

}  // namespace longhaul::host::offload_testing
