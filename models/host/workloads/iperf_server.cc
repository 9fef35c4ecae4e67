// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "models/host/workloads/iperf.h"

namespace longhaul::host {
namespace {

constexpr std::uint32_t kBacklog = 5;  // iperf 2: listen( mSock, 5 )

}  // namespace

class IperfServer::Stream final : public ProgramThread {
 public:
  Stream(const std::string& name, Processor& processor, const IperfServerParams& params, std::uint64_t buffer)
      : ProgramThread(name, processor), params_(params), buffer_(buffer) {}

  void serve(Process& caller, std::unique_ptr<TcpSocket> socket) {
    socket_ = std::move(socket);
    go(caller);
  }
  std::uint64_t bytes() const { return bytes_; }
  std::uint64_t first_ps() const { return first_ps_; }
  std::uint64_t last_ps() const { return last_ps_; }
  const std::string& error() const { return error_; }

 private:
  void run() override {
    while (const std::uint64_t got = socket_->receive(*this, buffer_, params_.length().count)) {
      last_ps_ = processor().now_ps();
      if (bytes_ == 0) first_ps_ = last_ps_;
      bytes_ += got;
    }
    if (socket_->error()) error_ = to_text(*socket_->error());
    if (const auto wrong = socket_->mismatch()) error_ = fmt::format("byte {} of the stream is not what was sent", *wrong);
    socket_->close(*this);
  }

  const IperfServerParams& params_;
  const std::uint64_t buffer_;
  std::unique_ptr<TcpSocket> socket_;
  std::uint64_t bytes_ = 0;
  std::uint64_t first_ps_ = ~std::uint64_t{0};
  std::uint64_t last_ps_ = 0;
  std::string error_;
};

IperfServer::IperfServer(const ProgramRequest& request) : Program(request) {
  configure(params_, request.params, request.where);
  if (params_.connections() == 0)
    throw ConfigError(request.where + ".connections: 0 is out of range, wants how many to serve before the end");
  for (std::uint32_t i = 0; i < params_.connections(); ++i) {
    const std::uint64_t buffer = user_buffer(pool_, params_.length().count, request.where + ".length");
    streams_.push_back(std::make_unique<Stream>(fmt::format("{}_stream{}", request.name, i), request.processor, params_,
                                                buffer));
  }
}

IperfServer::~IperfServer() = default;

void IperfServer::run() {
  const std::unique_ptr<TcpSocket> listener = stack_.tcp_socket();
  if (params_.window().count != 0) listener->set_buffers(params_.window().count, params_.window().count);
  listener->set_verify(params_.verify());
  listener->listen(*this, static_cast<std::uint16_t>(params_.port()), kBacklog);
  for (const auto& stream : streams_) {
    std::unique_ptr<TcpSocket> socket = listener->accept(*this);
    if (!socket) return fail(fmt::format("cannot accept connections at port {}", params_.port()));
    stream->serve(*this, std::move(socket));
  }
  for (const auto& stream : streams_) stream->join(*this);
  listener->close(*this);
  std::uint64_t bytes = 0;
  std::uint64_t first = ~std::uint64_t{0};
  std::uint64_t last = 0;
  for (const auto& stream : streams_) {
    if (!stream->error().empty()) return fail(stream->error());
    bytes += stream->bytes();
    first = std::min(first, stream->first_ps());
    last = std::max(last, stream->last_ps());
  }
  report({{"bytes", bytes}, {"seconds", bytes == 0 ? 0.0 : static_cast<double>(last - first) / 1e12}});
}

}  // namespace longhaul::host
