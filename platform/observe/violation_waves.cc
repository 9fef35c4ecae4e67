// SPDX-License-Identifier: Apache-2.0
#include "platform/observe/violation_waves.h"

#include <fmt/format.h>

#include <algorithm>

namespace longhaul::observe {
namespace {

constexpr const char* kViolationsGroup = "violations";
/// Time that a viewer shows at first: some hundred clocks, most of them before the violation.
constexpr std::uint64_t kShownPs = 2'000'000;

}  // namespace

ViolationWaves::ViolationWaves(WaveFile& file, std::uint32_t rank, std::vector<ViolationTap*> taps,
                               bool triggers)
    : file_(file), rank_(rank), taps_(std::move(taps)), triggers_(triggers) {
  file_.add_source(*this);
}

void ViolationWaves::waves_begin() {
  for (ViolationTap* tap : taps_) tap->listen(this);
}

void ViolationWaves::waves_end() {
  for (ViolationTap* tap : taps_) tap->ignore(this);
  for (const Rows& rows : rows_) {
    if (rows.ps < file_.begin_ps()) continue;  // the waves show none of them
    file_.show_cause(rows.pulse);
    file_.show_cause(rows.last);
    file_.show_cause_called(rows.part + ".rtl", rows.ports);
    if (!rows.scope.empty()) file_.show_cause_in(rows.part + ".rtl." + rows.scope);
  }
}

ViolationWaves::Rows& ViolationWaves::rows_of(const std::string& part) {
  const auto known =
      std::find_if(rows_.begin(), rows_.end(), [&](const Rows& rows) { return rows.part == part; });
  if (known != rows_.end()) return *known;
  std::string label = part + " ";
  std::replace(label.begin(), label.end(), '.', ' ');  // a viewer shows only the text after the
                                                       // last dot
  const WaveScope scope = file_.scope(part, rank_).in_group(kViolationsGroup, label);
  return rows_.emplace_back(
      Rows{part, scope.add_event("violation"), scope.add_text("last_violation"), 0, {}, {}});
}

void ViolationWaves::on_violation(const ViolationTap& tap, const Violation& violation) {
  if (!file_.records(violation.ps)) return;
  const std::string part = tap.part();
  Rows& rows = rows_of(part);
  rows.ps = violation.ps;
  if (rows.ports.empty() && rows.scope.empty()) {
    rows.ports = violation.ports;
    rows.scope = violation.scope;
  }
  const std::string what =
      violation.rule + (violation.signal.empty() ? "" : fmt::format(" ({})", violation.signal));
  rows.pulse.pulse_at(violation.ps);
  rows.last.text_at(violation.ps, what);
  if (!triggers_) return;
  file_.trigger_at(violation.ps, fmt::format("{} breaks {}", part, what));
  if (file_.trigger_ps() == violation.ps) file_.look_at(violation.ps, kShownPs);
}

}  // namespace longhaul::observe
