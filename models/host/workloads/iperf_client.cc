// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "models/host/workloads/iperf.h"

namespace longhaul::host {
namespace {

constexpr std::uint64_t kRetryPs = 100'000'000'000;       // a server that is not there yet
constexpr std::uint64_t kRetryLimitPs = 10'000'000'000'000;

}  // namespace

class IperfClient::Stream final : public ProgramThread {
 public:
  Stream(const std::string& name, Processor& processor, Stack& stack, const IperfClientParams& params,
         const Address& server, std::uint64_t buffer)
      : ProgramThread(name, processor), stack_(stack), params_(params), server_(server), buffer_(buffer) {}

  std::uint64_t bytes() const { return bytes_; }
  std::uint64_t begun_ps() const { return begun_ps_; }
  std::uint64_t ended_ps() const { return ended_ps_; }
  const std::string& error() const { return error_; }
  const nlohmann::json& results() const { return results_; }

 private:
  void run() override;
  void describe(const TcpSocket& socket);

  Stack& stack_;
  const IperfClientParams& params_;
  const Address& server_;
  const std::uint64_t buffer_;
  std::uint64_t bytes_ = 0;
  std::uint64_t begun_ps_ = 0;
  std::uint64_t ended_ps_ = 0;
  std::string error_;
  nlohmann::json results_;
};

void IperfClient::Stream::run() {
  const std::unique_ptr<TcpSocket> socket =
      connect_patiently(*this, stack_, server_, kRetryPs, kRetryLimitPs, [this](TcpSocket& fresh) {
        if (params_.window().count != 0) fresh.set_buffers(params_.window().count, params_.window().count);
        fresh.set_nodelay(params_.nodelay());
        fresh.set_verify(params_.verify());
      });
  if (!socket) {
    error_ = fmt::format("no connection to {} port {}", to_text(server_), server_.port);
    return;
  }
  begun_ps_ = processor().now_ps();
  const std::uint64_t until = begun_ps_ + to_ps(params_.duration());
  const std::uint64_t length = params_.length().count;
  while (processor().now_ps() < until) {
    const std::uint64_t sent = socket->send(*this, buffer_, length);
    bytes_ += sent;
    if (sent < length) break;
  }
  ended_ps_ = processor().now_ps();
  if (socket->error()) error_ = to_text(*socket->error());
  describe(*socket);
  socket->close(*this);
}

void IperfClient::Stream::describe(const TcpSocket& socket) {
  const tcp::Connection& connection = socket.connection();
  const tcp::Sender& sender = connection.sender();
  results_ = {{"bytes", bytes_},
              {"srtt_ms", static_cast<double>(sender.rtt().srtt()) / 1e9},
              {"cwnd_bytes", sender.control().cwnd()},
              {"snd_wnd_bytes", sender.largest_window()},
              {"retransmits", connection.stats().retransmitted_segments}};
}

IperfClient::IperfClient(const ProgramRequest& request) : Program(request) {
  configure(params_, request.params, request.where);
  server_ = address_from(params_.server(), static_cast<std::uint16_t>(params_.port()), request.where + ".server");
  for (std::uint32_t i = 0; i < params_.streams(); ++i) {
    const std::uint64_t buffer = user_buffer(pool_, params_.length().count, request.where + ".length");
    streams_.push_back(std::make_unique<Stream>(fmt::format("{}_stream{}", request.name, i), request.processor, stack_,
                                                params_, server_, buffer));
  }
}

IperfClient::~IperfClient() = default;

void IperfClient::run() {
  phase("measure-begin");
  for (const auto& stream : streams_) stream->go(*this);
  for (const auto& stream : streams_) stream->join(*this);
  phase("measure-end");
  std::uint64_t bytes = 0;
  std::uint64_t begun = ~std::uint64_t{0};
  std::uint64_t ended = 0;
  nlohmann::json connections = nlohmann::json::array();
  for (const auto& stream : streams_) {
    if (!stream->error().empty()) return fail(stream->error());
    bytes += stream->bytes();
    begun = std::min(begun, stream->begun_ps());
    ended = std::max(ended, stream->ended_ps());
    connections.push_back(stream->results());
  }
  report({{"bytes", bytes}, {"seconds", static_cast<double>(ended - begun) / 1e12}, {"connections", connections}});
}

}  // namespace longhaul::host
