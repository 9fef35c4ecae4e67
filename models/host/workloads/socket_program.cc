// SPDX-License-Identifier: Apache-2.0
#include "models/host/workloads/socket_program.h"

#include <fmt/format.h>

#include <algorithm>

namespace longhaul::host {
namespace {

constexpr std::uint32_t kBacklog = 5;  // iperf's and netperf's least

}  // namespace

Address SocketParams::peer_address(const std::string& where) const {
  return address_from(peer(), static_cast<std::uint16_t>(port()), where + ".peer");
}

void SocketParams::set_up(TcpSocket& socket) const {
  if (window().count != 0) socket.set_buffers(window().count, window().count);
  socket.set_nodelay(nodelay());
  socket.set_verify(verify());
}

SocketProgram::SocketProgram(const std::string& name, const WorkloadHost& host,
                             const SocketParams& params)
    : WorkloadProgram(name, host, params),
      socket_params_(params),
      probes_(std::make_unique<ConnectionProbes>((name + "_tcp").c_str())) {}

bool SocketProgram::open(const Address& to) {
  get_ready(&to);
  measuring(true);
  socket_ = connected(to, [this](TcpSocket& fresh) { socket_params_.set_up(fresh); });
  if (socket_ == nullptr) return false;
  probes_->watch(socket_.get());
  phase("connected");
  return true;
}

bool SocketProgram::accept(Listening& listening) {
  if (listening.socket == nullptr) {
    listening.socket = stack().tcp_socket();
    socket_params_.set_up(*listening.socket);
    listening.socket->listen(*this, static_cast<std::uint16_t>(socket_params_.port()),
                             std::max(listening.left, kBacklog));
    if (listening.socket->error()) {
      report({{"error", fmt::format("port {} is taken", socket_params_.port())}});
      return false;
    }
  }
  socket_ = listening.socket->accept(*this);
  if (socket_ == nullptr) return false;
  probes_->watch(socket_.get());
  phase("accepted");
  return true;
}

void SocketProgram::end(nlohmann::json result) {
  if (socket_->error() && !is_measured()) result["error"] = to_text(*socket_->error());
  if (const auto wrong = socket_->mismatch()) {
    result["first_wrong_byte"] = *wrong;
    result["error"] = fmt::format("byte {} of the stream is not what was sent", *wrong);
  }
  probes_->watch(nullptr);
  socket_->close(*this);
  report(result);
}

void SocketProgram::end(nlohmann::json result, Listening& listening) {
  end(std::move(result));
  measuring(false);
  if (--listening.left == 0) listening.socket->close(*this);
}

std::uint64_t SocketProgram::end_after(const sc_core::sc_time& duration) {
  return to_ps(duration) == 0 ? ~std::uint64_t{0} : now_ps() + to_ps(duration);
}

}  // namespace longhaul::host
