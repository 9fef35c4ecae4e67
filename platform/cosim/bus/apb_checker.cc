// SPDX-License-Identifier: Apache-2.0
#include "platform/cosim/bus/apb_checker.h"

#include <utility>

namespace longhaul::cosim {

ApbChecker::ApbChecker(const ApbPins& pins, std::string prefix, CheckerSink& sink)
    : prefix_(std::move(prefix)), sink_(sink) {
  if (!pins.penable) {
    for (const Rule* rule : {&apb_rules::kSetup, &apb_rules::kAccess, &apb_rules::kHeld})
      unchecked_.push_back({rule, prefix_ + "penable"});
  }
  if (!pins.pstrb) unchecked_.push_back({&apb_rules::kReadStrobes, prefix_ + "pstrb"});
}

void ApbChecker::tell(const Rule& rule, std::uint64_t edge_ps, const char* signal,
                      const char* detail) {
  sink_.violated(rule, edge_ps, prefix_ + signal, detail);
}

void ApbChecker::check(const ApbSample& s, std::uint64_t edge_ps) {
  if (s.reset) {
    phase_ = Phase::kIdle;
    return;
  }
  const Phase before = std::exchange(phase_, Phase::kIdle);
  if (before == Phase::kIdle) {
    if (s.enable) return tell(apb_rules::kSetup, edge_ps, "penable", "high without a setup phase");
    if (!s.select) return;
    if (!s.request.write && s.request.strobes != 0)
      tell(apb_rules::kReadStrobes, edge_ps, "pstrb", "high in a read");
    request_ = s.request;
    phase_ = Phase::kSetup;
    return;
  }
  if (!s.select || !s.enable) {
    const bool setup = before == Phase::kSetup;
    tell(setup ? apb_rules::kAccess : apb_rules::kHeld, edge_ps, s.select ? "penable" : "psel",
         setup ? "low in the clock after setup" : "fell before PREADY");
    if (!s.select) return;
    request_ = s.request;
    phase_ = Phase::kSetup;
    return;
  }
  check_stable(s.request, edge_ps);
  request_ = s.request;
  phase_ = s.ready ? Phase::kIdle : Phase::kAccess;
}

void ApbChecker::check_stable(const ApbSample::Request& is, std::uint64_t edge_ps) {
  const auto changed = [&](bool differs, const char* signal) {
    if (differs) tell(apb_rules::kStable, edge_ps, signal, "changed within a transfer");
  };
  changed(is.address != request_.address, "paddr");
  changed(is.write != request_.write, "pwrite");
  changed(is.write && request_.write && is.write_data != request_.write_data, "pwdata");
  changed(is.strobes != request_.strobes, "pstrb");
  changed(is.protection != request_.protection, "pprot");
}

}  // namespace longhaul::cosim
