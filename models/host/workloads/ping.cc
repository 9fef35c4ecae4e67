// SPDX-License-Identifier: Apache-2.0
#include "models/host/workloads/ping.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/host/net/icmp.h"

namespace longhaul::host {
namespace {

constexpr std::uint16_t kId = 1;  // requests of one program a host

}  // namespace

Ping::Ping(const ProgramRequest& request) : Program(request) {
  configure(params_, request.params, request.where);
  to_ = address_from(params_.to(), 0, request.where + ".to");
}

void Ping::run() {
  phase("measure-begin");
  Echo echo(stack_, kId);
  const std::uint64_t until = now() + to_ps(params_.duration());
  std::uint64_t sent = 0;
  std::uint64_t received = 0;
  std::uint64_t sum = 0;
  std::uint64_t least = ~std::uint64_t{0};
  std::uint64_t most = 0;
  do {
    const std::uint64_t next = now() + to_ps(params_.interval());
    const auto sequence = static_cast<std::uint16_t>(++sent);
    if (!echo.send(*this, to_, sequence, static_cast<std::uint32_t>(params_.size().count)))
      return fail(fmt::format("{} is not reachable", to_text(to_)));
    if (const auto rtt = echo.wait(*this, sequence, to_ps(params_.timeout()))) {
      ++received;
      sum += *rtt;
      least = std::min(least, *rtt);
      most = std::max(most, *rtt);
    }
    if (next >= until) break;
    const Syscall call(*this);
    if (next > now()) sleep(next - now());
  } while (now() < until);
  phase("measure-end");
  nlohmann::json results = {{"sent", sent}, {"received", received}};
  if (received != 0) {
    const auto ms = [](double ps) { return ps / 1e9; };
    results["rtt_ms"] = {{"min", ms(static_cast<double>(least))},
                         {"avg", ms(static_cast<double>(sum) / static_cast<double>(received))},
                         {"max", ms(static_cast<double>(most))}};
  }
  report(results);
}

}  // namespace longhaul::host
