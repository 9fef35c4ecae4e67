// SPDX-License-Identifier: Apache-2.0
// Connections set up and torn down one after the other: how many a second a host or an adapter can
// take.
#include "models/host/workloads/parameters.h"
#include "models/host/workloads/socket_program.h"

namespace longhaul::host {
namespace {

struct ConnectParams : SocketParams {
  Param<sc_core::sc_time> duration{"duration",
                                   {1, sc_core::SC_SEC},
                                   "how long connections are set up",
                                   {Evidence::kChosen, "the user's"}};
  Param<std::uint32_t> programs{"programs",
                                1,
                                "programs that do so side by side",
                                {Evidence::kChosen, "the user's: programs that connect at once"},
                                Range<std::uint32_t>{1, 1024}};
  Param<std::uint32_t> backlog{"backlog",
                               128,
                               "connections that wait to be accepted (listen())",
                               {Evidence::kDatasheet, "Linux 2.4, 2.6: somaxconn"}};
  auto fields() {
    return std::tuple_cat(SocketParams::fields(), std::tie(duration, programs, backlog));
  }
};

class Connector final : public WorkloadProgram {
 public:
  Connector(const std::string& name, const WorkloadHost& host, const ConnectParams& params,
            const Address& peer)
      : WorkloadProgram(name, host, params), params_(params), peer_(peer) {}

 private:
  void run() override {
    get_ready(&peer_);
    measuring(true);
    const std::uint64_t begin_ps = now_ps();
    std::uint64_t opened = 0;
    std::uint64_t failed = 0;
    while (now_ps() - begin_ps < to_ps(params_.duration()) && !is_measured()) {
      const auto socket = stack().tcp_socket();
      params_.set_up(*socket);
      ++(socket->connect(*this, peer_) ? opened : failed);
      socket->close(*this);
    }
    const double seconds = static_cast<double>(now_ps() - begin_ps) * 1e-12;
    measuring(false);
    report({{"connections", opened},
            {"failed", failed},
            {"seconds", seconds},
            {"connections_per_s", seconds == 0 ? 0.0 : static_cast<double>(opened) / seconds}});
  }

  const ConnectParams params_;
  const Address peer_;
};

/// Accepts connections, reads each to its end and closes it, forever.
class Acceptor final : public WorkloadProgram {
 public:
  Acceptor(const std::string& name, const WorkloadHost& host, const ConnectParams& params)
      : WorkloadProgram(name, host, params), params_(params) {}
  bool is_endless() const override { return true; }

 private:
  void run() override {
    constexpr std::uint64_t kBufferBytes = 4096;
    const std::uint64_t user = user_memory(kBufferBytes);
    const auto listener = stack().tcp_socket();
    params_.set_up(*listener);
    listener->listen(*this, static_cast<std::uint16_t>(params_.port()), params_.backlog());
    while (const auto socket = listener->accept(*this)) {
      while (socket->receive(*this, user, kBufferBytes) != 0) {
      }
      socket->close(*this);
    }
    report({{"error", "port " + std::to_string(params_.port()) + " is taken"}});
  }

  const ConnectParams params_;
};

ConnectParams connect_params() {
  ConnectParams params;
  params.port.value = 5002;
  return params;
}

Workload connectors(const ConnectParams& params, const Making& making) {
  return programs_of<Connector>(params.programs(), making, params,
                                params.peer_address(making.where));
}

Workload acceptor(const ConnectParams& params, const Making& making) {
  return serving(params, one_program<Acceptor>(making, params));
}

}  // namespace

LONGHAUL_PLUGIN(connect_workloads) {
  workload_types().add(workload_type<connect_params, connectors>(
      "connect_client", "sets up connections one after the other"));
  workload_types().add(workload_type<connect_params, acceptor>(
      "connect_server", "accepts connections one after the other"));
}

}  // namespace longhaul::host
