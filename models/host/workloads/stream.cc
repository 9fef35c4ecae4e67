// SPDX-License-Identifier: Apache-2.0
// Programs that send or take one stream: iperf, netperf's TCP_STREAM, GNET-1's ring benchmark.
#include <fmt/format.h>

#include <algorithm>

#include "models/host/workloads/kinds.h"

namespace longhaul::host {
namespace {

constexpr Source kUsers{Evidence::kChosen, "the user's"};

struct StreamParams : WorkloadParams {
  Param<std::string> peer{"peer", "10.0.0.2", kUsers};
  Param<std::uint32_t> port{
      "port", 5001, {Evidence::kDatasheet, "iperf: default port"}, Range<std::uint32_t>{1, 65535}};
  Param<Bytes> window{"window", {0}, {Evidence::kChosen, "the user's: SO_SNDBUF and SO_RCVBUF; 0B: the system's own"}};
  Param<Bytes> length{"length",
                      units::KiB(8),
                      {Evidence::kDatasheet, "iperf 1.1.1, 2.0.2: -l, 8 KB a call"},
                      Range<Bytes>{{1}, {1U << 30U}}};
  Param<Bytes> ring{
      "ring", {0}, {Evidence::kChosen, "user memory that the calls go round in; 0B: one buffer again and again"}};
  Param<sc_core::sc_time> duration{
      "duration", {10, sc_core::SC_SEC}, {Evidence::kDatasheet, "iperf: -t 10; 0s: no limit"}};
  Param<Bytes> bytes{"bytes", {0}, {Evidence::kChosen, "the user's: ends after so many; 0B: no limit"}};
  Param<sc_core::sc_time> interval{
      "interval", sc_core::SC_ZERO_TIME, {Evidence::kChosen, "the user's: of reports; 0s: none"}};
  Param<std::uint32_t> streams{
      "streams", 1, {Evidence::kDatasheet, "iperf: -P, a program each"}, Range<std::uint32_t>{1, 1024}};
  Param<bool> nodelay{"nodelay", false, {Evidence::kDatasheet, "iperf: -N"}};
  Param<bool> verify{"verify", false, {Evidence::kChosen, "the user's: every byte of the stream is checked"}};

  auto fields() {
    return std::tuple_cat(WorkloadParams::fields(), std::tie(peer, port, window, length, ring, duration, bytes,
                                                             interval, streams, nodelay, verify));
  }
};

/// Bytes per interval.
class Intervals {
 public:
  explicit Intervals(std::uint64_t length_ps) : length_ps_(length_ps) {}
  void begin() { next_ps_ = now_ps() + length_ps_; }
  void add(std::uint64_t bytes) {
    for (; length_ps_ != 0 && now_ps() >= next_ps_; next_ps_ += length_ps_) close();
    current_ += bytes;
  }
  void write(nlohmann::json& result) {
    if (length_ps_ == 0) return;
    result["interval_s"] = static_cast<double>(length_ps_) * 1e-12;
    result["interval_bytes"] = bytes_;
  }

 private:
  void close() {
    bytes_.push_back(current_);
    current_ = 0;
  }
  const std::uint64_t length_ps_;
  std::uint64_t next_ps_ = 0;
  std::uint64_t current_ = 0;
  std::vector<std::uint64_t> bytes_;
};

void set_up(TcpSocket& socket, const StreamParams& params) {
  if (params.window().count != 0) socket.set_buffers(params.window().count, params.window().count);
  socket.set_nodelay(params.nodelay());
  socket.set_verify(params.verify());
}

class StreamSender final : public WorkloadProgram {
 public:
  StreamSender(const std::string& name, const WorkloadHost& host, const StreamParams& params, const Address& peer)
      : WorkloadProgram(name, host, params), params_(params), peer_(peer) {}

 private:
  void run() override {
    const std::uint64_t length = params_.length().count;
    const std::uint64_t ring = std::max(params_.ring().count / length, std::uint64_t{1}) * length;
    const std::uint64_t user = user_memory(ring);
    get_ready(&peer_);
    measuring(true);
    const auto socket = connected(peer_, [this](TcpSocket& fresh) { set_up(fresh, params_); });
    if (socket == nullptr) return;
    phase("connected");
    Intervals intervals(to_ps(params_.interval()));
    intervals.begin();
    const std::uint64_t begin_ps = now_ps();
    const std::uint64_t end_ps =
        to_ps(params_.duration()) == 0 ? ~std::uint64_t{0} : begin_ps + to_ps(params_.duration());
    const std::uint64_t total = params_.bytes().count == 0 ? ~std::uint64_t{0} : params_.bytes().count;
    std::uint64_t sent = 0;
    while (sent < total && now_ps() < end_ps) {
      const std::uint64_t want = std::min(length, total - sent);
      const std::uint64_t n = socket->send(*this, user + sent % ring, want);
      sent += n;
      intervals.add(n);
      if (n < want) break;
    }
    const tcp::Stats& stats = socket->connection().stats();
    const tcp::Sender& sender = socket->connection().sender();
    nlohmann::json result = transfer_result(sent, now_ps() - begin_ps);
    result["retransmits"] = stats.retransmitted_segments;
    result["timeouts"] = stats.timeouts;
    result["srtt_ms"] = static_cast<double>(sender.rtt().srtt()) * 1e-9;
    result["cwnd_bytes"] = sender.control().cwnd();
    if (sender.control().limit() != ~std::uint64_t{0}) result["cwnd_limit_bytes"] = sender.control().limit();
    result["snd_wnd_bytes"] = sender.largest_window();
    if (socket->error() && !is_measured()) result["error"] = to_text(*socket->error());
    intervals.write(result);
    socket->close(*this);
    report(result);
  }

  const StreamParams params_;
  const Address peer_;
};

/// What the programs of one server share.
struct Listening {
  std::unique_ptr<TcpSocket> socket;
  std::uint32_t left = 0;  // connections still to come
};

class StreamReceiver final : public WorkloadProgram {
 public:
  StreamReceiver(const std::string& name, const WorkloadHost& host, const StreamParams& params,
                 std::shared_ptr<Listening> shared)
      : WorkloadProgram(name, host, params), params_(params), shared_(std::move(shared)) {}

 private:
  void run() override {
    const std::uint64_t length = params_.length().count;
    const std::uint64_t ring = std::max(params_.ring().count / length, std::uint64_t{1}) * length;
    const std::uint64_t user = user_memory(ring);
    if (shared_->socket == nullptr) {
      shared_->socket = stack().tcp_socket();
      set_up(*shared_->socket, params_);
      shared_->socket->listen(*this, static_cast<std::uint16_t>(params_.port()), std::max(params_.streams(), 5U));
      if (shared_->socket->error()) {
        return report({{"error", "port " + std::to_string(params_.port()) + " is taken"}});
      }
    }
    const auto socket = shared_->socket->accept(*this);
    if (socket == nullptr) return;
    phase("accepted");
    Intervals intervals(to_ps(params_.interval()));
    intervals.begin();
    const std::uint64_t begin_ps = now_ps();
    std::uint64_t last_ps = begin_ps;
    std::uint64_t received = 0;
    std::uint64_t place = 0;  // in the ring
    while (const std::uint64_t n = socket->receive(*this, user + place, length)) {
      received += n;
      place = (place + length) % ring;
      last_ps = now_ps();
      intervals.add(n);
      if (is_measured()) break;
    }
    nlohmann::json result = transfer_result(received, last_ps - begin_ps);
    if (socket->error() && !is_measured()) result["error"] = to_text(*socket->error());
    if (const auto wrong = socket->mismatch()) {
      result["first_wrong_byte"] = *wrong;
      result["error"] = fmt::format("byte {} of the stream is not what was sent", *wrong);
    }
    intervals.write(result);
    socket->close(*this);
    report(result);
    if (--shared_->left != 0) return;
    measuring(false);
    shared_->socket->close(*this);
  }

  const StreamParams params_;
  const std::shared_ptr<Listening> shared_;
};

Workload senders(const StreamParams& params, const std::string& label, const WorkloadHost& host,
                 const std::string& where) {
  const Address peer = address_from(params.peer(), static_cast<std::uint16_t>(params.port()), where + ".peer");
  Workload workload;
  workload.params = describe(params);
  for (std::uint32_t i = 0; i < params.streams(); ++i) {
    workload.programs.push_back(std::make_unique<StreamSender>(label + "_" + std::to_string(i), host, params, peer));
  }
  return workload;
}

Workload receivers(const StreamParams& params, const std::string& label, const WorkloadHost& host) {
  const auto shared = std::make_shared<Listening>();
  shared->left = params.streams();
  Workload workload;
  workload.params = describe(params);
  for (std::uint32_t i = 0; i < params.streams(); ++i) {
    workload.programs.push_back(
        std::make_unique<StreamReceiver>(label + "_" + std::to_string(i), host, params, shared));
  }
  return workload;
}

StreamParams netperf_params() {
  StreamParams params;
  params.port.value = 12865;
  params.port.source = {Evidence::kDatasheet, "netperf: default port of its control connection, which is not modelled"};
  return params;
}

/// What getsockopt() says of the buffer that a program has set, or of the system's own.
std::uint64_t told_buffer(const StreamParams& params, const NetParams& net, bool sending) {
  if (params.window().count != 0) return params.window().count * (net.truesize() ? 2 : 1);
  if (sending) return net.send_buffer().count;
  return net.receive_ahead().count != 0 ? net.receive_ahead().count : net.receive_buffer().count;
}

/// A call is as long as the socket's buffer, and calls go round in as many buffers as fill it, and one more.
void size_calls(StreamParams& params, std::uint64_t buffer) {
  constexpr const char* kLength = "netperf 2.1, nettest_bsd.c: send_size and recv_size are the socket's buffer";
  constexpr const char* kRing =
      "netperf 2.1, nettest_bsd.c: send_width and recv_width are buffer / size + 1, 2 at least";
  if (!params.length.set_by_user) {
    params.length.value = {buffer};
    params.length.source = {Evidence::kDatasheet, kLength};
  }
  if (params.ring.set_by_user) return;
  const std::uint64_t width = std::max(buffer / params.length().count + 1, std::uint64_t{2});
  params.ring.value = {width * params.length().count};
  params.ring.source = {Evidence::kDatasheet, kRing};
}

}  // namespace

Workload make_iperf_client(const std::string& label, const WorkloadHost& host, const nlohmann::json& json,
                           const std::string& where) {
  StreamParams params;
  configure(params, json, where);
  return senders(params, label, host, where);
}

Workload make_iperf_server(const std::string& label, const WorkloadHost& host, const nlohmann::json& json,
                           const std::string& where) {
  StreamParams params;
  configure(params, json, where);
  return receivers(params, label, host);
}

Workload make_netperf_stream(const std::string& label, const WorkloadHost& host, const nlohmann::json& json,
                             const std::string& where) {
  StreamParams params = netperf_params();
  configure(params, json, where);
  size_calls(params, told_buffer(params, host.stack.params(), true));
  return senders(params, label, host, where);
}

Workload make_netserver_stream(const std::string& label, const WorkloadHost& host, const nlohmann::json& json,
                               const std::string& where) {
  StreamParams params = netperf_params();
  configure(params, json, where);
  size_calls(params, told_buffer(params, host.stack.params(), false));
  return receivers(params, label, host);
}

Workload make_ring_sender(const std::string& label, const WorkloadHost& host, const nlohmann::json& json,
                          const std::string& where) {
  StreamParams params;
  constexpr Source kGnet{Evidence::kMeasured,
                         "GNET-1, section 4.2: 1 MB writes from a 128 MB ring, 2 MB socket buffers"};
  params.length.value = units::MiB(1);
  params.length.source = kGnet;
  params.ring.value = units::MiB(128);
  params.ring.source = kGnet;
  params.window.value = units::MiB(2);
  params.window.source = kGnet;
  configure(params, json, where);
  return senders(params, label, host, where);
}

}  // namespace longhaul::host
