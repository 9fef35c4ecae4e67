// SPDX-License-Identifier: Apache-2.0
#include "platform/cosim/board/microwire_checker.h"

#include <fmt/format.h>

#include <utility>

#include "platform/cosim/board/board_rules.h"

namespace longhaul::cosim {
namespace {

// Picoseconds, at 2.7 to 5.5 V.
constexpr std::uint64_t kLeastSkLevel = 250'000;
constexpr std::uint64_t kLeastSelect = 50'000;
constexpr std::uint64_t kLeastDeselect = 250'000;
constexpr std::uint64_t kLeastData = 100'000;

}  // namespace

MicrowireChecker::MicrowireChecker(std::string name, CheckerSink& sink)
    : name_(std::move(name)), sink_(sink) {}

void MicrowireChecker::check_least(const Rule& rule, const char* pin, std::uint64_t since_ps,
                                   std::uint64_t least_ps, std::uint64_t edge_ps) {
  if (since_ps == kLongAgo || edge_ps - since_ps >= least_ps) return;
  sink_.violated(rule, edge_ps, name_ + "." + pin,
                 fmt::format("{:g} ns", static_cast<double>(edge_ps - since_ps) / 1000));
}

void MicrowireChecker::check(bool select, bool clock, bool data, std::uint64_t edge_ps) {
  if (data != data_) {
    data_ = data;
    data_ps_ = edge_ps;
    if (select && select_ && clocked_)
      check_least(microwire_rules::kData, "di", rose_ps_, kLeastData, edge_ps);
  }
  if (select != select_) {
    select_ = select;
    if (select) {
      check_least(microwire_rules::kDeselect, "cs", deselected_ps_, kLeastDeselect, edge_ps);
      selected_ps_ = edge_ps;
      clocked_ = false;
    } else {
      deselected_ps_ = edge_ps;
    }
  }
  if (clock != clock_) check_clock(clock, edge_ps);
}

void MicrowireChecker::check_clock(bool clock, std::uint64_t edge_ps) {
  clock_ = clock;
  if (!clock) {
    if (select_ && clocked_)
      check_least(microwire_rules::kClock, "sk", rose_ps_, kLeastSkLevel, edge_ps);
    fell_ps_ = edge_ps;
    return;
  }
  if (select_) {
    if (clocked_) {
      check_least(microwire_rules::kClock, "sk", fell_ps_, kLeastSkLevel, edge_ps);
    } else {
      check_least(microwire_rules::kSelect, "cs", selected_ps_, kLeastSelect, edge_ps);
    }
    check_least(microwire_rules::kData, "di", data_ps_, kLeastData, edge_ps);
    clocked_ = true;
  }
  rose_ps_ = edge_ps;
}

}  // namespace longhaul::cosim
