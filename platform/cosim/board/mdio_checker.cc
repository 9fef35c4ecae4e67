// SPDX-License-Identifier: Apache-2.0
#include "platform/cosim/board/mdio_checker.h"

#include <fmt/format.h>

#include <utility>

#include "platform/cosim/board/board_rules.h"

namespace longhaul::cosim {
namespace {

// Picoseconds.
constexpr std::uint64_t kLeastMdcLevel = 160'000;
constexpr std::uint64_t kLeastMdcPeriod = 400'000;
constexpr std::uint64_t kLeastMdioStable = 10'000;

}  // namespace

MdioChecker::MdioChecker(std::string name, CheckerSink& sink)
    : name_(std::move(name)), sink_(sink) {}

void MdioChecker::tell(const Rule& rule, const std::string& detail) {
  sink_.violated(rule, edge_ps_, name_ + ".mdio", detail);
}

void MdioChecker::check_least(const Rule& rule, const char* what, std::uint64_t since_ps,
                              std::uint64_t least_ps) {
  if (since_ps == kLongAgo || edge_ps_ - since_ps >= least_ps) return;
  sink_.violated(rule, edge_ps_, name_ + (&rule == &mdio_rules::kClock ? ".mdc" : ".mdio"),
                 fmt::format("{} {:g} ns", what, static_cast<double>(edge_ps_ - since_ps) / 1000));
}

void MdioChecker::check(bool clock, bool drives, bool level, std::uint64_t edge_ps) {
  edge_ps_ = edge_ps;
  const bool rises = clock && !clock_;
  if (rises) {
    check_least(mdio_rules::kClock, "low for", fell_ps_, kLeastMdcLevel);
    check_least(mdio_rules::kClock, "period", rose_ps_, kLeastMdcPeriod);
    rose_ps_ = edge_ps;
  } else if (!clock && clock_) {
    check_least(mdio_rules::kClock, "high for", rose_ps_, kLeastMdcLevel);
    fell_ps_ = edge_ps;
  }
  clock_ = clock;
  const bool changes = drives && drives_ && level != level_;
  if (changes) {
    check_least(mdio_rules::kStable, "changes after", rose_ps_, kLeastMdioStable);
    driven_ps_ = edge_ps;
  }
  if (rises && !changes)
    check_least(mdio_rules::kStable, "rise of MDC after", driven_ps_, kLeastMdioStable);
  drives_ = drives;
  level_ = level;
}

}  // namespace longhaul::cosim
