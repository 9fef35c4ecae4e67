// SPDX-License-Identifier: Apache-2.0
#include "models/host/workloads/workload.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/host/builtin.h"

namespace longhaul::host {
namespace {

Processor& chosen(const WorkloadHost& host, const WorkloadParams& params, const std::string& name) {
  if (params.cpu() < host.processors.size()) return *host.processors[params.cpu()];
  throw ConfigError(name + ".cpu: there is no processor " + std::to_string(params.cpu()) +
                    ", only " + std::to_string(host.processors.size()));
}

}  // namespace

Catalog<WorkloadType>& workload_types() {
  static Catalog<WorkloadType> types("workload");
  builtin::add_host();
  return types;
}

Workload make_workload(const std::string& type, const std::string& label, const WorkloadHost& host,
                       const nlohmann::json& params, const std::string& where) {
  const WorkloadType* const found = workload_types().look(type);
  if (found == nullptr) fail_unknown_name("workload", type, workload_types().names(), where);
  Workload made = found->make(label, host, params, where);
  made.label = label;
  return made;
}

bool Workload::done() const {
  return std::all_of(programs.begin(), programs.end(),
                     [](const auto& program) { return program->done(); });
}

nlohmann::json transfer_result(std::uint64_t bytes, std::uint64_t ps) {
  const double seconds = static_cast<double>(ps) * 1e-12;
  return {{"bytes", bytes},
          {"seconds", seconds},
          {"goodput_gbps", ps == 0 ? 0.0 : static_cast<double>(bytes) * 8e-9 / seconds}};
}

const char* to_text(SocketError error) {
  switch (error) {
    case SocketError::kReset: return "connection reset by peer";
    case SocketError::kTimedOut: return "connection timed out";
    case SocketError::kRefused: return "connection refused";
    case SocketError::kClosed: return "socket is closed";
    case SocketError::kUnreachable: return "no route to host";
  }
  return "";
}

WorkloadProgram::WorkloadProgram(const std::string& name, const WorkloadHost& host,
                                 const WorkloadParams& params)
    : Process(name.c_str(), chosen(host, params, name)),
      host_(host),
      label_(name),
      start_ps_(to_ps(params.start())) {}

void WorkloadProgram::main() {
  run();
  host_.listener.ended(label_);
}

std::unique_ptr<TcpSocket> WorkloadProgram::connected(
    const Address& peer, const std::function<void(TcpSocket&)>& prepare) {
  constexpr std::uint64_t kPause = 100'000'000'000;        // 100 ms
  constexpr std::uint64_t kPatience = 10'000'000'000'000;  // 10 s
  const std::uint64_t until = now_ps() + kPatience;
  for (;;) {
    std::unique_ptr<TcpSocket> socket = stack().tcp_socket();
    prepare(*socket);
    if (socket->connect(*this, peer)) return socket;
    const std::optional<SocketError> error = socket->error();
    socket->close(*this);
    if (error != SocketError::kRefused || now_ps() >= until) {
      const std::string to = fmt::format("{} port {}", longhaul::host::to_text(peer), peer.port);
      report({{"error",
               fmt::format("no connection to {}: {}", to, error ? to_text(*error) : "it ended")}});
      return nullptr;
    }
    sleep_for(kPause);
  }
}

void WorkloadProgram::sleep_for(std::uint64_t ps) {
  const Process::Syscall call(*this);
  sleep(ps);
}

void WorkloadProgram::copy(std::uint64_t source, std::uint64_t target, std::uint64_t bytes) {
  const Process::Syscall call(*this);
  constexpr std::uint64_t kPage = 4096;
  for (std::uint64_t done = 0; done < bytes; done += kPage) {
    processor().copy(source + done, target + done, std::min(kPage, bytes - done));
    processor().pay();
  }
}

void WorkloadProgram::get_ready(const Address* peer) {
  if (now_ps() < start_ps_) sleep_for(start_ps_ - now_ps());
  constexpr std::uint64_t kLook = 10'000'000'000;  // 10 ms
  for (;;) {
    Interface* const way = peer != nullptr             ? stack().route(*peer)
                           : stack().interfaces() != 0 ? &stack().interface(0)
                                                       : nullptr;
    if (way == nullptr || way->device().link_up()) return;
    sleep_for(kLook);
  }
}

std::uint64_t WorkloadProgram::user_memory(std::uint64_t bytes) {
  const std::uint64_t address = host_.pool.allocate(bytes);
  if (address == 0) {
    throw ConfigError(label_ + ": no memory for a user buffer of " +
                      longhaul::to_text(Bytes{bytes}));
  }
  return address;
}

std::uint64_t WorkloadProgram::receive_all(TcpSocket& socket, std::uint64_t user,
                                           std::uint64_t user_bytes, std::uint64_t bytes) {
  std::uint64_t done = 0;
  while (done < bytes) {
    const std::uint64_t n = socket.receive(*this, user, std::min(user_bytes, bytes - done));
    if (n == 0) break;
    done += n;
  }
  return done;
}

}  // namespace longhaul::host
