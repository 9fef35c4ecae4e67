// SPDX-License-Identifier: Apache-2.0
#include "platform/observe/loss_waves.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "platform/observe/tcp_segment.h"

namespace longhaul::observe {
namespace {

constexpr const char* kGroup = "lost frames";

}  // namespace

LossWaves::LossWaves(WaveFile& file, std::uint32_t rank, LossWatch& watch,
                     const SequenceOrigins& origins,
                     std::unordered_map<const FrameTap*, Place> places)
    : file_(file), rank_(rank), watch_(watch), origins_(origins), places_(std::move(places)) {
  file_.add_source(*this);
}

LossWaves::Rows& LossWaves::rows_of(const Loss& loss) {
  const auto [known, is_new] = index_.emplace(&loss.tap, rows_.size());
  if (!is_new) return rows_[known->second];
  const auto named = places_.find(&loss.tap);
  const Place place = named == places_.end() ? Place{loss.place, ""} : named->second;
  std::string label = place.scope + " ";
  std::replace(label.begin(), label.end(), '.', ' ');  // a viewer shows only the text after the
                                                       // last dot
  const WaveScope scope = file_.scope(place.scope, rank_).in_group(kGroup, label);
  return rows_.emplace_back(Rows{&loss.place, place.scope, scope.add_event(place.prefix + "lost"),
                                 scope.add_text(place.prefix + "last_lost")});
}

void LossWaves::on_loss(const Loss& loss) {
  if (!file_.records(loss.ps)) return;
  Rows& rows = rows_of(loss);
  rows.ps = loss.ps;
  rows.lost.pulse_at(loss.ps);
  rows.last.text_at(loss.ps,
                    fmt::format("{}: {}", loss.why, describe_frame(*loss.frame, origins_)));
}

void LossWaves::waves_end() {
  watch_.ignore(this);
  for (const bool at_fault : {true, false}) {
    for (const Rows& rows : rows_) {
      if ((*rows.part == file_.cause_place()) == at_fault) explain(rows);
    }
  }
}

void LossWaves::explain(const Rows& rows) {
  if (rows.ps < file_.begin_ps()) return;  // the waves show none of its losses
  file_.show_cause(rows.lost);
  file_.show_cause(rows.last);
  file_.show_cause_below(rows.scope);
}

}  // namespace longhaul::observe
