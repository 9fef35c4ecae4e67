// SPDX-License-Identifier: Apache-2.0
// Programs that ask and answer on one connection: netperf's TCP_RR, and the reading of a file from
// a server, block by block, as in SMB.
#include "models/common/param_set.h"
#include "models/host/workloads/parameters.h"
#include "models/host/workloads/socket_program.h"

namespace longhaul::host {
namespace {

struct RequestParams : SocketParams {
  Param<Bytes> request{"request",
                       {1},
                       "bytes of a request",
                       {Evidence::kDatasheet, "netperf: TCP_RR -r 1,1"},
                       Range<Bytes>{{1}, {1U << 30U}}};
  Param<Bytes> response{"response",
                        {1},
                        "bytes of an answer",
                        {Evidence::kDatasheet, "netperf: TCP_RR -r 1,1"},
                        Range<Bytes>{{1}, {1U << 30U}}};
  Param<std::uint32_t> outstanding{"outstanding",
                                   1,
                                   "requests that are on the way at once",
                                   {Evidence::kChosen, "the user's: requests under way at once"},
                                   Range<std::uint32_t>{1, 65536}};
  Param<Bytes> file{
      "file",
      {0},
      "ends after so many bytes of answers; 0B is no limit",
      {Evidence::kChosen, "the user's: ends after so many bytes of answers; 0B: no limit"}};
  Param<sc_core::sc_time> duration{"duration",
                                   {10, sc_core::SC_SEC},
                                   "how long requests are sent; 0s is no limit",
                                   {Evidence::kDatasheet, "netperf: -l 10; 0s: no limit"}};
  /// Where the asker copies each whole answer once more: from the file cache to the program that
  /// reads the file.
  Param<bool> copy_out{"copy_out",
                       false,
                       "each whole answer is copied once more, from file cache to program",
                       {Evidence::kChosen, "netperf: no; a redirector: yes"}};
  Param<std::uint32_t> streams{"streams",
                               1,
                               "connections side by side",
                               {Evidence::kChosen, "the user's: connections, a program each"},
                               Range<std::uint32_t>{1, 1024}};

  auto fields() {
    return std::tuple_cat(SocketParams::fields(), std::tie(request, response, outstanding, file,
                                                           duration, copy_out, streams));
  }
};

class Asker final : public SocketProgram {
 public:
  Asker(const std::string& name, const WorkloadHost& host, const RequestParams& params,
        const Address& peer)
      : SocketProgram(name, host, params), params_(params), peer_(peer) {}

 private:
  void run() override {
    const std::uint64_t request = params_.request().count;
    const std::uint64_t response = params_.response().count;
    const std::uint64_t out = user_memory(request);
    const std::uint64_t in = user_memory(response);
    const std::uint64_t file = params_.copy_out() ? user_memory(response) : 0;
    if (!open(peer_)) return;
    const std::uint64_t begin_ps = now_ps();
    const std::uint64_t end_ps = end_after(params_.duration());
    const std::uint64_t most = params_.file().count == 0
                                   ? ~std::uint64_t{0}
                                   : (params_.file().count + response - 1) / response;
    std::uint64_t asked = 0;
    std::uint64_t answered = 0;
    for (;;) {
      const bool go_on = asked < most && now_ps() < end_ps && !is_measured();
      if (go_on && asked - answered < params_.outstanding()) {
        if (socket().send(*this, out, request) < request) break;
        ++asked;
        continue;
      }
      if (asked == answered || receive_all(socket(), in, response, response) < response) break;
      if (params_.copy_out()) copy(in, file, response);
      ++answered;
    }
    const std::uint64_t ps = now_ps() - begin_ps;
    nlohmann::json result = transfer_result(answered * response, ps);
    result["transactions"] = answered;
    result["transactions_per_s"] =
        ps == 0 ? 0.0 : static_cast<double>(answered) * 1e12 / static_cast<double>(ps);
    end(std::move(result));
  }

  const RequestParams params_;
  const Address peer_;
};

class Answerer final : public SocketProgram {
 public:
  Answerer(const std::string& name, const WorkloadHost& host, const RequestParams& params,
           std::shared_ptr<Listening> shared)
      : SocketProgram(name, host, params), params_(params), shared_(std::move(shared)) {}

 private:
  void run() override {
    const std::uint64_t request = params_.request().count;
    const std::uint64_t response = params_.response().count;
    const std::uint64_t in = user_memory(request);
    const std::uint64_t out = user_memory(response);
    if (!accept(*shared_)) return;
    std::uint64_t answered = 0;
    while (receive_all(socket(), in, request, request) == request &&
           socket().send(*this, out, response) == response) {
      ++answered;
    }
    end({{"transactions", answered}}, *shared_);
  }

  const RequestParams params_;
  const std::shared_ptr<Listening> shared_;
};

Workload askers(const RequestParams& params, const Making& making) {
  const Address peer = params.peer_address(making.where);
  return params.streams() == 1 ? one_program<Asker>(making, params, peer)
                               : programs_of<Asker>(params.streams(), making, params, peer);
}

Workload answerers(const RequestParams& params, const Making& making) {
  const auto shared = std::make_shared<Listening>(Listening{nullptr, params.streams()});
  return serving(params, params.streams() == 1
                             ? one_program<Answerer>(making, params, shared)
                             : programs_of<Answerer>(params.streams(), making, params, shared));
}

RequestParams netperf_rr_params() {
  RequestParams params;
  params.port.value = 12866;
  return params;
}

RequestParams smb_params() {
  RequestParams params;
  set(params.port, 445, "SMB over TCP; over NetBIOS 139");
  set(params.request, {63},
      "[MS-CIFS] 2.2.4.42.1: SMB_COM_READ_ANDX, with header and NetBIOS length");
  set(params.response, {61440 + 63},
      {Evidence::kAssumed, "models/host/workloads/README.md#open-numbers"});
  set(params.copy_out, true, {Evidence::kAssumed, "models/host/workloads/README.md#open-numbers"});
  params.nodelay.value = true;
  return params;
}

}  // namespace

LONGHAUL_PLUGIN(request_response_workloads) {
  workload_types().add(
      workload_type<netperf_rr_params, askers>("netperf_rr", "netperf's TCP_RR, asking"));
  workload_types().add(
      workload_type<netperf_rr_params, answerers>("netserver_rr", "netperf's TCP_RR, answering"));
  workload_types().add(
      workload_type<smb_params, askers>("smb_client", "reads a file block by block as SMB does"));
  workload_types().add(workload_type<smb_params, answerers>(
      "smb_server", "serves a file block by block as SMB does"));
}

}  // namespace longhaul::host
