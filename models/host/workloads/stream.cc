// SPDX-License-Identifier: Apache-2.0
// Programs that send or take one stream: iperf, netperf's TCP_STREAM, GNET-1's ring benchmark.
#include <fmt/format.h>

#include <algorithm>

#include "models/common/param_set.h"
#include "models/host/workloads/parameters.h"
#include "models/host/workloads/socket_program.h"

namespace longhaul::host {
namespace {

struct StreamParams : SocketParams {
  Param<Bytes> length{"length",
                      units::KiB(8),
                      "bytes of one call",
                      {Evidence::kDatasheet, "iperf 1.1.1, 2.0.2: -l, 8 KB a call"},
                      Range<Bytes>{{1}, {1U << 30U}}};
  Param<Bytes> ring{"ring",
                    {0},
                    "memory that the calls go through in turn; 0B is one buffer",
                    {Evidence::kChosen,
                     "user memory that the calls go round in; 0B: one buffer again and again"}};
  Param<sc_core::sc_time> duration{"duration",
                                   {10, sc_core::SC_SEC},
                                   "how long is sent; 0s is no limit",
                                   {Evidence::kDatasheet, "iperf: -t 10; 0s: no limit"}};
  Param<Bytes> bytes{"bytes",
                     {0},
                     "ends after so many bytes; 0B is no limit",
                     {Evidence::kChosen, "the user's: ends after so many; 0B: no limit"}};
  Param<sc_core::sc_time> interval{"interval",
                                   sc_core::SC_ZERO_TIME,
                                   "time from one report to the next; 0s is none",
                                   {Evidence::kChosen, "the user's: of reports; 0s: none"}};
  Param<std::uint32_t> streams{"streams",
                               1,
                               "connections side by side",
                               {Evidence::kDatasheet, "iperf: -P, a program each"},
                               Range<std::uint32_t>{1, 1024}};

  auto fields() {
    return std::tuple_cat(SocketParams::fields(),
                          std::tie(length, ring, duration, bytes, interval, streams));
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

/// Tick of the coarsest clock that a system may use for round trips, ps. 0: exact.
std::uint64_t rtt_tick(const tcp::TcpConfig& config) {
  return config.timestamps ? std::max(config.rtt_tick, config.timestamp_tick) : config.rtt_tick;
}

class StreamSender final : public SocketProgram {
 public:
  StreamSender(const std::string& name, const WorkloadHost& host, const StreamParams& params,
               const Address& peer)
      : SocketProgram(name, host, params), params_(params), peer_(peer) {}

 private:
  void run() override {
    const std::uint64_t length = params_.length().count;
    const std::uint64_t ring = std::max(params_.ring().count / length, std::uint64_t{1}) * length;
    const std::uint64_t user = user_memory(ring);
    if (!open(peer_)) return;
    Intervals intervals(to_ps(params_.interval()));
    intervals.begin();
    const std::uint64_t begin_ps = now_ps();
    const std::uint64_t end_ps = end_after(params_.duration());
    const std::uint64_t total =
        params_.bytes().count == 0 ? ~std::uint64_t{0} : params_.bytes().count;
    std::uint64_t sent = 0;
    while (sent < total && now_ps() < end_ps && !is_measured()) {
      const std::uint64_t want = std::min(length, total - sent);
      const std::uint64_t n = socket().send(*this, user + sent % ring, want);
      sent += n;
      intervals.add(n);
      if (n < want) break;
    }
    nlohmann::json result = transfer_result(sent, now_ps() - begin_ps);
    if (const auto sender = socket().snapshot().sender) add_sender(result, *sender);
    intervals.write(result);
    end(std::move(result));
  }

  void add_sender(nlohmann::json& result, const TcpSnapshot::Sender& sender) {
    result["retransmits"] = sender.retransmitted_segments;
    result["timeouts"] = sender.timeouts;
    result["srtt_ms"] = static_cast<double>(sender.srtt_ps) * 1e-9;
    result["rtt_tick_ms"] = static_cast<double>(rtt_tick(stack().tcp_config())) * 1e-9;
    result["cwnd_bytes"] = sender.cwnd;
    if (sender.cwnd_limit != ~std::uint64_t{0}) result["cwnd_limit_bytes"] = sender.cwnd_limit;
    result["snd_wnd_bytes"] = sender.largest_window;
  }

  const StreamParams params_;
  const Address peer_;
};

class StreamReceiver final : public SocketProgram {
 public:
  StreamReceiver(const std::string& name, const WorkloadHost& host, const StreamParams& params,
                 std::shared_ptr<Listening> shared)
      : SocketProgram(name, host, params), params_(params), shared_(std::move(shared)) {}

 private:
  void run() override {
    const std::uint64_t length = params_.length().count;
    const std::uint64_t ring = std::max(params_.ring().count / length, std::uint64_t{1}) * length;
    const std::uint64_t user = user_memory(ring);
    if (!accept(*shared_)) return;
    Intervals intervals(to_ps(params_.interval()));
    intervals.begin();
    const std::uint64_t begin_ps = now_ps();
    std::uint64_t last_ps = begin_ps;
    std::uint64_t received = 0;
    std::uint64_t place = 0;  // in the ring
    while (const std::uint64_t n = socket().receive(*this, user + place, length)) {
      received += n;
      place = (place + length) % ring;
      last_ps = now_ps();
      intervals.add(n);
      if (is_measured()) break;
    }
    nlohmann::json result = transfer_result(received, last_ps - begin_ps);
    intervals.write(result);
    end(std::move(result), *shared_);
  }

  const StreamParams params_;
  const std::shared_ptr<Listening> shared_;
};

/// Each interval needs one number in memory and in the report.
void check_interval(const StreamParams& params, const Making& making) {
  const sc_core::sc_time least{10, sc_core::SC_US};
  if (params.interval() == sc_core::SC_ZERO_TIME || params.interval() >= least) return;
  throw ConfigError(fmt::format("{}.interval: {} is out of range, wants 0s or {} at least",
                                making.where, longhaul::to_text(params.interval()),
                                longhaul::to_text(least)));
}

Workload senders(const StreamParams& params, const Making& making) {
  check_interval(params, making);
  return programs_of<StreamSender>(params.streams(), making, params,
                                   params.peer_address(making.where));
}

Workload receivers(const StreamParams& params, const Making& making) {
  check_interval(params, making);
  const auto shared = std::make_shared<Listening>(Listening{nullptr, params.streams()});
  return serving(params, programs_of<StreamReceiver>(params.streams(), making, params, shared));
}

StreamParams iperf_params() {
  StreamParams params;
  params.port.source = {Evidence::kDatasheet, "iperf: default port"};
  return params;
}

StreamParams netperf_stream_params() {
  StreamParams params;
  set(params.port, 12865, "netperf: default port of its control connection, which is not modelled");
  return params;
}

/// Returns the buffer size that getsockopt() reports: of the size set by the program, or of the
/// system's default.
std::uint64_t told_buffer(const StreamParams& params, const NetParams& net, bool sending) {
  if (params.window().count != 0) return params.window().count * (net.truesize() ? 2 : 1);
  if (sending) return net.send_buffer().count;
  return net.receive_ahead().count != 0 ? net.receive_ahead().count : net.receive_buffer().count;
}

/// Sets the length of a call to the socket's buffer. The calls use as many buffers as fill the
/// socket's buffer, plus one.
void size_calls(StreamParams& params, std::uint64_t buffer) {
  constexpr const char* kLength =
      "netperf 2.1, nettest_bsd.c: send_size and recv_size are the socket's buffer";
  constexpr const char* kRing =
      "netperf 2.1, nettest_bsd.c: send_width and recv_width are buffer / size + 1, 2 at least";
  if (!params.length.set_by_user) {
    set(params.length, {buffer}, kLength);
  }
  if (params.ring.set_by_user) return;
  const std::uint64_t width = std::max(buffer / params.length().count + 1, std::uint64_t{2});
  set(params.ring, {width * params.length().count}, kRing);
}

Workload netperf_senders(StreamParams& params, const Making& making) {
  size_calls(params, told_buffer(params, making.host.stack.params(), true));
  return senders(params, making);
}

Workload netperf_receivers(StreamParams& params, const Making& making) {
  size_calls(params, told_buffer(params, making.host.stack.params(), false));
  return receivers(params, making);
}

StreamParams ring_params() {
  StreamParams params = iperf_params();
  constexpr Source kGnet{
      Evidence::kMeasured,
      "GNET-1, section 4.2: 1 MB writes from a 128 MB ring, 2 MB socket buffers"};
  set(params.length, units::MiB(1), kGnet);
  set(params.ring, units::MiB(128), kGnet);
  set(params.window, units::MiB(2), kGnet);
  return params;
}

}  // namespace

LONGHAUL_PLUGIN(stream_workloads) {
  workload_types().add(workload_type<iperf_params, senders>(
      "iperf_client", "iperf 2's client: streams of bytes to a server"));
  workload_types().add(workload_type<iperf_params, receivers>("iperf_server", "iperf 2's server"));
  workload_types().add(workload_type<netperf_stream_params, netperf_senders>(
      "netperf_stream", "netperf's TCP_STREAM, sending"));
  workload_types().add(workload_type<netperf_stream_params, netperf_receivers>(
      "netserver_stream", "netperf's TCP_STREAM, receiving"));
  workload_types().add(workload_type<ring_params, senders>(
      "ring_sender", "GNET-1's writes of 1 MB from a ring in memory"));
}

}  // namespace longhaul::host
