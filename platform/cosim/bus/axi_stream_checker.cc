// SPDX-License-Identifier: Apache-2.0
#include "platform/cosim/bus/axi_stream_checker.h"

#include <fmt/format.h>

#include <cstring>
#include <stdexcept>
#include <utility>

namespace longhaul::cosim {

void AxiStreamPins::require_widths(const std::string& prefix) const {
  const std::uint32_t bits = tdata.width();
  const bool power = bits >= 8 && bits <= 8 * kMostBytes && (bits & (bits - 1)) == 0;
  if (tdata && power && (!tkeep || tkeep.width() == bits / 8)) return;
  throw std::invalid_argument(
      fmt::format("{0}tdata of {1} bits, {0}tkeep of {2}: data has 8, 16, ... 512 bits, and TKEEP "
                  "one for each byte",
                  prefix, bits, tkeep.width()));
}

AxiStreamChecker::AxiStreamChecker(const AxiStreamPins& pins, std::string prefix, CheckerSink& sink)
    : prefix_(std::move(prefix)), sink_(sink), bytes_(pins.bytes()), all_kept_(pins.all_kept()) {
  if (!pins.reset.pin) unchecked_.push_back({&axi_stream_rules::kReset, prefix_ + "aresetn"});
  if (!pins.tkeep) unchecked_.push_back({&axi_stream_rules::kKeep, prefix_ + "tkeep"});
  if (!pins.tready) {
    for (const Rule* rule : {&axi_stream_rules::kValidStable, &axi_stream_rules::kPayloadStable})
      unchecked_.push_back({rule, prefix_ + "tready"});
  }
}

void AxiStreamChecker::tell(const Rule& rule, const char* signal, const std::string& detail) {
  sink_.violated(rule, edge_ps_, prefix_ + signal, detail);
}

void AxiStreamChecker::check(const AxiStreamSample& s, std::uint64_t edge_ps) {
  edge_ps_ = edge_ps;
  if (check_reset(s)) return;
  check_held(s);
  if (s.valid && !held_) {
    const bool low_lanes = (s.keep & (s.keep + 1)) == 0;
    if (s.keep == 0 || !low_lanes || (!s.last && s.keep != all_kept_)) {
      tell(axi_stream_rules::kKeep, "tkeep",
           fmt::format("0x{:x} in {} beat", s.keep, s.last ? "the last" : "another"));
    }
  }
  held_ = s.valid && !s.ready;
  if (held_) was_ = s;
}

bool AxiStreamChecker::check_reset(const AxiStreamSample& s) {
  if (s.reset) {
    held_ = false;
    if (reset_edges_++ == 0) {
      told_in_reset_ = false;
    } else if (s.valid && !std::exchange(told_in_reset_, true)) {
      tell(axi_stream_rules::kReset, "tvalid", "high in reset");
    }
    return true;
  }
  if (std::exchange(reset_edges_, 0) != 0 && s.valid)
    tell(axi_stream_rules::kReset, "tvalid", "high at the first edge after reset");
  return false;
}

void AxiStreamChecker::check_held(const AxiStreamSample& s) {
  if (!held_) return;
  if (!s.valid) return tell(axi_stream_rules::kValidStable, "tvalid", "fell without TREADY");
  const auto changed = [this](bool differs, const char* signal) {
    if (differs) tell(axi_stream_rules::kPayloadStable, signal, "changed before TREADY");
  };
  changed(s.last != was_.last, "tlast");
  changed(s.user != was_.user, "tuser");
  changed(s.keep != was_.keep, "tkeep");
  changed(std::memcmp(s.data.data(), was_.data.data(), bytes_) != 0, "tdata");
}

}  // namespace longhaul::cosim
