// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "models/host/workloads/connection_probes.h"
#include "models/host/workloads/workload.h"

namespace longhaul::host {

/// Parameters of a program with a TCP socket.
struct SocketParams : WorkloadParams {
  static constexpr Source kUsers{Evidence::kChosen, "the user's"};

  Param<std::string> peer{"peer", "10.0.0.2", "address that the program calls", kUsers};
  Param<std::uint32_t> port{"port", 5001, "TCP port of the server", kUsers,
                            Range<std::uint32_t>{1, 65535}};
  Param<Bytes> window{
      "window",
      {0},
      "socket buffers that the program sets; 0B leaves the system's",
      {Evidence::kChosen, "the user's: SO_SNDBUF and SO_RCVBUF; 0B: the system's own"}};
  Param<bool> nodelay{"nodelay",
                      false,
                      "turns Nagle's algorithm off (TCP_NODELAY)",
                      {Evidence::kDatasheet, "iperf: -N; netperf: -D"}};
  Param<bool> verify{"verify",
                     false,
                     "checks each byte that is received",
                     {Evidence::kChosen, "the user's: every byte that arrives is checked"}};

  auto fields() {
    return std::tuple_cat(WorkloadParams::fields(), std::tie(peer, port, window, nodelay, verify));
  }

  /// Throws ConfigError whose message starts with `where` if the text is not an address.
  Address peer_address(const std::string& where) const;
  void set_up(TcpSocket& socket) const;
};

/// A server at the port of its parameters.
inline Workload serving(const SocketParams& params, Workload workload) {
  workload.listens = params.port();
  return workload;
}

/// State that the programs of one server share.
struct Listening {
  std::unique_ptr<TcpSocket> socket;
  std::uint32_t left = 0;  ///< connections that are still to come
};

/// A program that has one TCP connection, as its client or at a server's port.
class SocketProgram : public WorkloadProgram {
 protected:
  SocketProgram(const std::string& name, const WorkloadHost& host, const SocketParams& params);

  /// Waits for the start time and connects; the measured traffic begins then. Returns false, after
  /// a report, if it could not connect.
  bool open(const Address& to);
  /// Takes the next connection at the port, which the first of a server's programs opens. Returns
  /// false if it could not.
  bool accept(Listening& listening);
  TcpSocket& socket() { return *socket_; }
  /// Closes and reports. The report has an "error" if the connection was lost before the measured
  /// traffic was over, or delivered a wrong byte.
  void end(nlohmann::json result);
  /// Closes and reports at a server, where the client's traffic is then over. The last connection
  /// closes the port.
  void end(nlohmann::json result, Listening& listening);
  /// When a program that begins now must end. Zero: never.
  static std::uint64_t end_after(const sc_core::sc_time& duration);

 private:
  const SocketParams socket_params_;
  std::unique_ptr<TcpSocket> socket_;
  std::unique_ptr<ConnectionProbes> probes_;
};

}  // namespace longhaul::host
