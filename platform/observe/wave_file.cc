// SPDX-License-Identifier: Apache-2.0
#include "platform/observe/wave_file.h"

#include <algorithm>
#include <map>
#include <utility>

#include "models/common/units.h"
#include "platform/observe/wave_layout.h"

namespace longhaul::observe {
namespace {

/// Simulated time between packings of changes, if no source asks for one.
constexpr std::uint64_t kFlushEveryPs = WaveFile::kLatenessPs / 4;

/// Time that the file of a failed run continues after the run's end. A viewer shows the last
/// changes only if the file continues for some of its width.
constexpr std::uint64_t kBehindFailurePs = 1'000'000;

std::uint64_t before(std::uint64_t ps, std::uint64_t by) { return ps - std::min(ps, by); }

std::vector<std::string> parts_of(const std::string& path) {
  std::vector<std::string> parts;
  for (std::size_t from = 0; from <= path.size();) {
    const std::size_t dot = std::min(path.find('.', from), path.size());
    if (dot > from) parts.push_back(path.substr(from, dot - from));
    from = dot + 1;
  }
  return parts;
}

}  // namespace

WaveFile::WaveFile(std::string path, std::string layout_path, const WaveWindow& window)
    : path_(std::move(path)),
      layout_path_(std::move(layout_path)),
      window_(window),
      log_(path_.empty() ? path_ : path_ + ".spool") {
  if (!window_.triggered) log_.keep_all();
}

std::uint32_t WaveFile::declare(Variable variable) {
  variables_.push_back(std::move(variable));
  return static_cast<std::uint32_t>(variables_.size() - 1);
}

void WaveFile::show_cause_below(const std::string& path) {
  const std::string parent = path.substr(0, path.rfind('.'));
  for (std::uint32_t i = 0; i < variables_.size(); ++i) {
    const Variable& v = variables_[i];
    const bool inside = v.scope == path || v.scope == parent ||
                        v.scope.compare(0, path.size() + 1, path + ".") == 0;
    if (inside && v.show == WaveShow::kUnsigned) cause_.push_back({i, WaveShow::kCurve, true});
  }
}

void WaveFile::begin(const sc_core::sc_time& delay) {
  if (begun_) return;
  begun_ = true;
  begin_ps_ = now_ps() + to_ps(delay);
  if (!window_.triggered) end_ps_ = begin_ps_ + window_.length_ps;
  for (WaveSource* source : sources_) source->waves_begin();
}

void WaveFile::show_cause_called(const std::string& path, const std::vector<std::string>& names) {
  std::map<std::string, std::uint32_t> there;
  for (std::uint32_t i = 0; i < variables_.size(); ++i) {
    const Variable& v = variables_[i];
    if (v.scope == path) there[v.name.substr(0, v.name.find('['))] = i;
  }
  for (const std::string& name : names) {
    const auto found = there.find(name);
    if (found != there.end())
      cause_.push_back({found->second, variables_[found->second].show, false});
  }
}

void WaveFile::show_cause_in(const std::string& path) {
  for (std::uint32_t i = 0; i < variables_.size(); ++i) {
    if (variables_[i].scope == path) cause_.push_back({i, variables_[i].show, false});
  }
}

void WaveFile::trigger_at(std::uint64_t ps, const std::string& why) {
  if (!waits_for_trigger() || !begun_ || ps < begin_ps_) return;
  trigger_ps_ = ps;
  trigger_reason_ = why;
  begin_ps_ = std::max(begin_ps_, before(ps, window_.history_ps));
  end_ps_ = ps + window_.length_ps;
  log_.forget_before(begin_ps_);
  log_.keep_all();
}

bool WaveFile::takes(std::uint64_t& ps) const {
  if (!records(ps) || ended_) return false;
  ps = std::max(ps, packed_ps_);
  return true;
}

void WaveFile::flush_if_due() {
  if (now_ps() >= next_flush_ps_) flush();
}

void WaveFile::push(WaveChange change) {
  if (!takes(change.ps)) return;
  pending_.push({std::move(change), number_++});
  flush_if_due();
}

void WaveStream::set_at(std::uint64_t ps, const Wave& wave, std::uint64_t value) {
  if (!file_.takes(ps)) return;
  changes_.push_back({ps, value, wave.index()});
  file_.flush_if_due();
}

void WaveFile::flush() {
  if (!begun_ || ended_) return;
  const std::uint64_t now = now_ps();
  next_flush_ps_ = now + kFlushEveryPs;
  std::uint64_t limit_ps = before(now, kLatenessPs);
  for (WaveSource* source : sources_) limit_ps = std::min(limit_ps, source->waves_horizon_ps());
  pack_until(limit_ps);
  if (waits_for_trigger()) log_.forget_before(before(now, window_.history_ps + kLatenessPs));
  if (now >= end_ps_ && now - end_ps_ > kLatenessPs) end_recording();
}

void WaveFile::pack_until(std::uint64_t limit_ps) {
  WaveChange ordered;
  const auto pack_streams = [&](std::uint64_t end_ps) {
    for (;;) {
      WaveStream* first = nullptr;
      for (WaveStream& stream : streams_) {
        if (stream.changes_.empty() || stream.changes_.front().ps >= end_ps) continue;
        if (first == nullptr || stream.changes_.front().ps < first->changes_.front().ps)
          first = &stream;
      }
      if (first == nullptr) return;
      const WaveStream::Change change = first->changes_.pop_front();
      ordered.ps = change.ps;
      ordered.var = change.var;
      ordered.value = change.value;
      log_.append(ordered);
    }
  };
  while (!pending_.empty() && pending_.top().change.ps < limit_ps) {
    pack_streams(pending_.top().change.ps);
    log_.append(pending_.top().change);
    pending_.pop();
  }
  pack_streams(limit_ps);
  packed_ps_ = std::max(packed_ps_, limit_ps);
}

void WaveFile::end_recording() {
  if (ended_ || !begun_) return;
  for (WaveSource* source : sources_) source->waves_end();
  ended_ = true;
  pack_until(kNever);
}

void WaveFile::fail(const std::string& why) {
  trigger(why);
  failed_ps_ = now_ps();
}

std::uint64_t WaveFile::from_ps() const {
  return !begun_ || waits_for_trigger() ? kNever : begin_ps_;
}

std::uint64_t WaveFile::until_ps() const {
  if (from_ps() == kNever) return kNever;
  return std::min(end_ps_, failed_ps_ == kNever ? now_ps() : failed_ps_ + 1);
}

void WaveFile::close() {
  if (closed_) return;
  end_recording();
  closed_ = true;
  if (variables_.empty()) scope("waves").add_bit("nothing");  // readers refuse a file without bits
  FstFile file(path_);
  declare_in(file);
  if (from_ps() != kNever) write_changes(file);
  file.close();
  WaveLayout(*this).write(layout_path_);
}

void WaveFile::declare_in(FstFile& file) {
  // Scopes in the order of their first variable, each once, with its children and variables.
  struct Node {
    std::vector<std::pair<std::string, std::size_t>> children;
    std::vector<std::size_t> variables;
  };
  std::vector<Node> nodes(1);
  for (std::size_t i = 0; i < variables_.size(); ++i) {
    std::size_t at = 0;
    for (const std::string& part : parts_of(variables_[i].scope)) {
      const auto& children = nodes[at].children;
      const auto found = std::find_if(children.begin(), children.end(),
                                      [&](const auto& c) { return c.first == part; });
      if (found != children.end()) {
        at = found->second;
        continue;
      }
      nodes[at].children.emplace_back(part, nodes.size());
      at = nodes.size();
      nodes.emplace_back();
    }
    nodes[at].variables.push_back(i);
  }
  const std::function<void(std::size_t)> emit = [&](std::size_t node) {
    for (const std::size_t i : nodes[node].variables) {
      Variable& v = variables_[i];
      switch (v.show) {
        case WaveShow::kText: v.var = file.add_text(v.name); break;
        case WaveShow::kEvent: v.var = file.add_event(v.name); break;
        case WaveShow::kStates: v.var = file.add_states(v.name, v.width, v.states); break;
        default: v.var = file.add_bits(v.name, v.width);
      }
    }
    for (const auto& [name, child] : nodes[node].children) {
      file.enter(name);
      emit(child);
      file.leave();
    }
  };
  emit(0);
}

void WaveFile::write_changes(FstFile& file) {
  // Inserts the edges of clocks between the other changes, in order of time.
  struct Clock {
    const Variable* variable;
    std::uint64_t edge_ps;
    bool rises;
  };
  const std::uint64_t until = until_ps();
  std::vector<Clock> clocks;
  for (const Variable& v : variables_) {
    if (v.period_ps != 0)
      clocks.push_back({&v, (begin_ps_ + v.period_ps - 1) / v.period_ps * v.period_ps, true});
  }
  const auto clocks_until = [&](std::uint64_t limit_ps) {
    for (;;) {
      const auto next =
          std::min_element(clocks.begin(), clocks.end(),
                           [](const Clock& a, const Clock& b) { return a.edge_ps < b.edge_ps; });
      if (next == clocks.end() || next->edge_ps > limit_ps) return;
      file.at(next->edge_ps);
      file.set(next->variable->var, 1, next->rises ? 1 : 0);
      const std::uint64_t high_ps = next->variable->period_ps / 2;
      next->edge_ps += next->rises ? high_ps : next->variable->period_ps - high_ps;
      next->rises = !next->rises;
    }
  };
  bool begins = true;
  log_.replay(begin_ps_, until, [&](const WaveChange& change) {
    if (begins && change.ps > begin_ps_) write_empty_texts(file), begins = false;
    clocks_until(change.ps);
    write(file, change);
  });
  if (begins && until > begin_ps_) write_empty_texts(file);
  if (until > begin_ps_) clocks_until(until - 1);
  if (file.has_changes()) file.at(failed_ps_ == kNever ? until : until + kBehindFailurePs);
}

/// Sets each text that has no value yet to an empty text. Viewers would show it as undefined.
void WaveFile::write_empty_texts(FstFile& file) const {
  for (const Variable& v : variables_) {
    if (v.show != WaveShow::kText || v.changes > 0) continue;
    file.at(begin_ps_);
    file.set_text(v.var, "");
  }
}

void WaveFile::write(FstFile& file, const WaveChange& change) {
  Variable& v = variables_[change.var];
  ++v.changes;
  file.at(change.ps);
  switch (change.kind) {
    case WaveChange::Kind::kBits: file.set(v.var, v.width, change.value); break;
    case WaveChange::Kind::kHalves:
      file.set_halves(v.var, change.value, change.driven_low, change.driven_high);
      break;
    case WaveChange::Kind::kUndriven: file.set_undriven(v.var, v.width); break;
    case WaveChange::Kind::kText: file.set_text(v.var, change.text); break;
    case WaveChange::Kind::kEvent: file.set_event(v.var); break;
  }
}

}  // namespace longhaul::observe
