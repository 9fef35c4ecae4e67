// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "models/host/net/icmp.h"
#include "models/host/workloads/parameters.h"

namespace longhaul::host {
namespace {

struct PingParams : WorkloadParams {
  Param<std::string> peer{
      "peer", "10.0.0.2", "address that is asked", {Evidence::kChosen, "the user's"}};
  Param<std::uint32_t> count{"count",
                             4,
                             "requests",
                             {Evidence::kChosen, "the user's: -c"},
                             Range<std::uint32_t>{1, 65535}};
  Param<std::uint32_t> size{"size",
                            56,
                            "bytes of data in a request",
                            {Evidence::kDatasheet, "ping: -s 56"},
                            Range<std::uint32_t>{0, 65000}};
  Param<sc_core::sc_time> interval{"interval",
                                   {1, sc_core::SC_SEC},
                                   "time from one request to the next",
                                   {Evidence::kDatasheet, "ping: -i 1"}};
  Param<sc_core::sc_time> timeout{"timeout",
                                  {10, sc_core::SC_SEC},
                                  "how long an answer is waited for",
                                  {Evidence::kDatasheet, "ping: -W 10"}};
  Param<std::uint32_t> id{"id",
                          1,
                          "identifier of its requests",
                          {Evidence::kChosen, "of its requests"},
                          Range<std::uint32_t>{0, 65535}};
  Param<std::uint32_t> before{
      "before",
      0,
      "requests before the measured ones",
      {Evidence::kChosen,
       "the user's: echoes before those that count, so that the neighbour is known"},
      Range<std::uint32_t>{0, 1000}};
  Param<bool> measured{"measured",
                       true,
                       "opens and closes the measured window",
                       {Evidence::kChosen,
                        "the user's: its echoes are what a run measures; false: beside a stream"}};
  auto fields() {
    return std::tuple_cat(WorkloadParams::fields(),
                          std::tie(peer, count, size, interval, timeout, id, before, measured));
  }
};

class Ping final : public WorkloadProgram {
 public:
  Ping(const std::string& name, const WorkloadHost& host, const PingParams& params,
       const Address& peer)
      : WorkloadProgram(name, host, params), params_(params), peer_(peer) {}

 private:
  void run() override {
    get_ready(&peer_);
    if (params_.measured()) measuring(true);
    Echo echo(stack(), static_cast<std::uint16_t>(params_.id()));
    std::vector<double> rtts_us;
    double sum = 0;
    const std::uint32_t all = params_.before() + params_.count();
    std::uint32_t sent = 0;
    for (std::uint32_t i = 0; i < all && !is_measured(); ++i) {
      if (i >= params_.before()) ++sent;
      const std::uint64_t next_ps = now_ps() + to_ps(params_.interval());
      const auto sequence = static_cast<std::uint16_t>(i + 1);
      std::optional<std::uint64_t> rtt;
      if (echo.send(*this, peer_, sequence, params_.size()))
        rtt = echo.wait(*this, sequence, to_ps(params_.timeout()));
      if (rtt && i >= params_.before()) {
        rtts_us.push_back(static_cast<double>(*rtt) * 1e-6);
        sum += rtts_us.back();
      }
      if (i + 1 < all && now_ps() < next_ps) sleep_for(next_ps - now_ps());
    }
    if (params_.measured()) measuring(false);
    nlohmann::json result{{"sent", sent}, {"received", rtts_us.size()}, {"rtt_us", rtts_us}};
    if (!rtts_us.empty()) {
      result["rtt_min_us"] = *std::min_element(rtts_us.begin(), rtts_us.end());
      result["rtt_max_us"] = *std::max_element(rtts_us.begin(), rtts_us.end());
      result["rtt_mean_us"] = sum / static_cast<double>(rtts_us.size());
    }
    report(result);
  }

  const PingParams params_;
  const Address peer_;
};

Workload ping(const PingParams& params, const Making& making) {
  return one_program<Ping>(making, params, address_from(params.peer(), 0, making.where + ".peer"));
}

PingParams ping_params() { return {}; }

}  // namespace

LONGHAUL_PLUGIN(ping_workloads) {
  workload_types().add(workload_type<ping_params, ping>("ping", "ICMP echoes to a peer"));
}

}  // namespace longhaul::host
