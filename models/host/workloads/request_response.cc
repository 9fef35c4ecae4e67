// SPDX-License-Identifier: Apache-2.0
// Programs that ask and answer on one connection: netperf's TCP_RR, and a file read from a server block by block as SMB does.
#include <algorithm>

#include "models/host/workloads/kinds.h"

namespace longhaul::host {
namespace {

constexpr Source kUsers{Evidence::kChosen, "the user's"};

struct RequestParams : WorkloadParams {
  Param<std::string> peer{"peer", "10.0.0.2", kUsers};
  Param<std::uint32_t> port{"port", 12866, {Evidence::kChosen, "the user's"}, Range<std::uint32_t>{1, 65535}};
  Param<Bytes> window{"window", {0}, {Evidence::kChosen, "the user's: SO_SNDBUF and SO_RCVBUF; 0B: the system's own"}};
  Param<Bytes> request{
      "request", {1}, {Evidence::kDatasheet, "netperf: TCP_RR -r 1,1"}, Range<Bytes>{{1}, {1U << 30U}}};
  Param<Bytes> response{
      "response", {1}, {Evidence::kDatasheet, "netperf: TCP_RR -r 1,1"}, Range<Bytes>{{1}, {1U << 30U}}};
  Param<std::uint32_t> outstanding{
      "outstanding", 1, {Evidence::kChosen, "the user's: requests under way at once"}, Range<std::uint32_t>{1, 65536}};
  Param<Bytes> file{"file", {0}, {Evidence::kChosen, "the user's: ends after so many bytes of answers; 0B: no limit"}};
  Param<sc_core::sc_time> duration{
      "duration", {10, sc_core::SC_SEC}, {Evidence::kDatasheet, "netperf: -l 10; 0s: no limit"}};
  /// Where the asker copies each whole answer once more: from the file cache to the program that reads the file.
  Param<bool> copy_out{"copy_out", false, {Evidence::kChosen, "netperf: no; a redirector: yes"}};
  Param<bool> nodelay{"nodelay", false, {Evidence::kDatasheet, "netperf: -D"}};
  Param<bool> verify{"verify", false, {Evidence::kChosen, "the user's: every byte of both streams is checked"}};

  auto fields() {
    return std::tuple_cat(WorkloadParams::fields(), std::tie(peer, port, window, request, response, outstanding, file,
                                                             duration, copy_out, nodelay, verify));
  }
};

void set_up(TcpSocket& socket, const RequestParams& params) {
  if (params.window().count != 0) socket.set_buffers(params.window().count, params.window().count);
  socket.set_nodelay(params.nodelay());
  socket.set_verify(params.verify());
}

class Asker final : public WorkloadProgram {
 public:
  Asker(const std::string& name, const WorkloadHost& host, const RequestParams& params, const Address& peer)
      : WorkloadProgram(name, host, params), params_(params), peer_(peer) {}

 private:
  void run() override {
    const std::uint64_t request = params_.request().count;
    const std::uint64_t response = params_.response().count;
    const std::uint64_t out = user_memory(request);
    const std::uint64_t in = user_memory(response);
    const std::uint64_t file = params_.copy_out() ? user_memory(response) : 0;
    get_ready(&peer_);
    measuring(true);
    const auto socket = connected(peer_, [this](TcpSocket& fresh) { set_up(fresh, params_); });
    if (socket == nullptr) return;
    phase("connected");
    const std::uint64_t begin_ps = now_ps();
    const std::uint64_t end_ps =
        to_ps(params_.duration()) == 0 ? ~std::uint64_t{0} : begin_ps + to_ps(params_.duration());
    const std::uint64_t most =
        params_.file().count == 0 ? ~std::uint64_t{0} : (params_.file().count + response - 1) / response;
    std::uint64_t asked = 0;
    std::uint64_t answered = 0;
    for (;;) {
      const bool go_on = asked < most && now_ps() < end_ps && !is_measured();
      if (go_on && asked - answered < params_.outstanding()) {
        if (socket->send(*this, out, request) < request) break;
        ++asked;
        continue;
      }
      if (asked == answered || receive_all(*socket, in, response, response) < response) break;
      if (params_.copy_out()) copy(in, file, response);
      ++answered;
    }
    const std::uint64_t ps = now_ps() - begin_ps;
    measuring(false);
    nlohmann::json result = transfer_result(answered * response, ps);
    result["transactions"] = answered;
    result["transactions_per_s"] = ps == 0 ? 0.0 : static_cast<double>(answered) * 1e12 / static_cast<double>(ps);
    if (socket->error() && !is_measured()) result["error"] = to_text(*socket->error());
    if (socket->mismatch()) result["first_wrong_byte"] = *socket->mismatch();
    socket->close(*this);
    report(result);
  }

  const RequestParams params_;
  const Address peer_;
};

class Answerer final : public WorkloadProgram {
 public:
  Answerer(const std::string& name, const WorkloadHost& host, const RequestParams& params)
      : WorkloadProgram(name, host, params), params_(params) {}

 private:
  void run() override {
    const std::uint64_t request = params_.request().count;
    const std::uint64_t response = params_.response().count;
    const std::uint64_t in = user_memory(request);
    const std::uint64_t out = user_memory(response);
    const auto listener = stack().tcp_socket();
    set_up(*listener, params_);
    listener->listen(*this, static_cast<std::uint16_t>(params_.port()), 5);
    const auto socket = listener->accept(*this);
    if (socket == nullptr) return report({{"error", "port " + std::to_string(params_.port()) + " is taken"}});
    std::uint64_t answered = 0;
    while (receive_all(*socket, in, request, request) == request && socket->send(*this, out, response) == response) {
      ++answered;
    }
    nlohmann::json result{{"transactions", answered}};
    if (socket->mismatch()) result["first_wrong_byte"] = *socket->mismatch();
    socket->close(*this);
    listener->close(*this);
    report(result);
  }

  const RequestParams params_;
};

Workload asker(const RequestParams& params, const std::string& label, const WorkloadHost& host,
               const std::string& where) {
  Workload workload;
  workload.params = describe(params);
  workload.programs.push_back(std::make_unique<Asker>(
      label, host, params, address_from(params.peer(), static_cast<std::uint16_t>(params.port()), where + ".peer")));
  return workload;
}

Workload answerer(const RequestParams& params, const std::string& label, const WorkloadHost& host) {
  Workload workload;
  workload.params = describe(params);
  workload.programs.push_back(std::make_unique<Answerer>(label, host, params));
  return workload;
}

RequestParams smb_params() {
  RequestParams params;
  params.port.value = 445;
  params.port.source = {Evidence::kDatasheet, "SMB over TCP; over NetBIOS 139"};
  params.request.value = {63};
  params.request.source = {Evidence::kDatasheet,
                           "[MS-CIFS] 2.2.4.42.1: SMB_COM_READ_ANDX, with header and NetBIOS length"};
  params.response.value = {61440 + 63};
  params.response.source = {Evidence::kAssumed, "models/host/workloads/README.md#open-numbers"};
  params.copy_out.value = true;
  params.copy_out.source = {Evidence::kAssumed, "models/host/workloads/README.md#open-numbers"};
  params.nodelay.value = true;
  return params;
}

}  // namespace

Workload make_netperf_rr(const std::string& label, const WorkloadHost& host, const nlohmann::json& json,
                         const std::string& where) {
  RequestParams params;
  configure(params, json, where);
  return asker(params, label, host, where);
}

Workload make_netserver_rr(const std::string& label, const WorkloadHost& host, const nlohmann::json& json,
                           const std::string& where) {
  RequestParams params;
  configure(params, json, where);
  return answerer(params, label, host);
}

Workload make_smb_client(const std::string& label, const WorkloadHost& host, const nlohmann::json& json,
                         const std::string& where) {
  RequestParams params = smb_params();
  configure(params, json, where);
  return asker(params, label, host, where);
}

Workload make_smb_server(const std::string& label, const WorkloadHost& host, const nlohmann::json& json,
                         const std::string& where) {
  RequestParams params = smb_params();
  configure(params, json, where);
  return answerer(params, label, host);
}

}  // namespace longhaul::host
