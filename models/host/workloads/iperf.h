// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <systemc>
#include <tuple>
#include <vector>

#include "models/common/param.h"
#include "models/host/workloads/program.h"

namespace longhaul::host {

/// Options of iperf 2 that both of its sides have.
struct IperfParams {
  Param<std::uint32_t> port{
      "port", 5001, {Evidence::kDatasheet, "iperf 2: -p is 5001"}, Range<std::uint32_t>{1, 65535}};
  /// -l
  Param<Bytes> length{"length",
                      units::KiB(8),
                      {Evidence::kDatasheet, "iperf 2.0.2: a TCP buffer of 8 KB"},
                      Range<Bytes>{{1}, units::MiB(128)}};
  /// -w: SO_SNDBUF and SO_RCVBUF; 0B leaves them to the system.
  Param<Bytes> window{"window", {0}, {Evidence::kDatasheet, "iperf 2: -w is the system's"}, Range<Bytes>{{0}, units::GiB(2)}};
  /// The stream is a pattern, which the server checks.
  Param<bool> verify{"verify", false, {Evidence::kChosen, "iperf 2 does not look at what it receives"}};
  auto fields() { return std::tie(port, length, window, verify); }
};

struct IperfClientParams : IperfParams {
  Param<std::string> server{"server", "", {Evidence::kChosen, "-c: the server's address"}};
  Param<sc_core::sc_time> duration{"duration",
                                   {10, sc_core::SC_SEC},
                                   {Evidence::kDatasheet, "iperf 2: -t is 10 s"},
                                   Range<sc_core::sc_time>{{1, sc_core::SC_US}, {100'000, sc_core::SC_SEC}}};
  Param<std::uint32_t> streams{"streams", 1, {Evidence::kDatasheet, "iperf 2: -P is 1"}, Range<std::uint32_t>{1, 1024}};
  Param<bool> nodelay{"nodelay", false, {Evidence::kDatasheet, "iperf 2: -N is off"}};
  auto fields() { return std::tuple_cat(IperfParams::fields(), std::tie(server, duration, streams, nodelay)); }
};

struct IperfServerParams : IperfParams {
  Param<std::uint32_t> connections{"connections", 1, {Evidence::kChosen, "served until the program ends; 0: never"}};
  auto fields() { return std::tuple_cat(IperfParams::fields(), std::tie(connections)); }
};

/// The client of iperf 2 over TCP: a thread for each stream writes a buffer again and again until time is up.
///
/// Reports {"bytes", "seconds", "connections": [{"bytes", "srtt_ms", "cwnd_bytes", "snd_wnd_bytes", "retransmits"}]}.
class IperfClient final : public Program {
 public:
  explicit IperfClient(const ProgramRequest& request);
  ~IperfClient() override;

 private:
  class Stream;
  void run() override;

  IperfClientParams params_;
  Address server_;
  std::vector<std::unique_ptr<Stream>> streams_;
};

/// The server of iperf 2 over TCP: a thread for each connection reads what comes until the end of the stream.
///
/// Reports {"bytes", "seconds"}, from the first byte of any connection to the last.
class IperfServer final : public Program {
 public:
  explicit IperfServer(const ProgramRequest& request);
  ~IperfServer() override;

 private:
  class Stream;
  void run() override;

  IperfServerParams params_;
  std::vector<std::unique_ptr<Stream>> streams_;
};

}  // namespace longhaul::host
