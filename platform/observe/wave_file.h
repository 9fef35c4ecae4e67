// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <queue>
#include <string>
#include <systemc>
#include <vector>

#include "models/common/units.h"
#include "platform/observe/fst_file.h"
#include "platform/observe/wave_log.h"
#include "platform/observe/wave_scope.h"
#include "platform/observe/wave_stream.h"

namespace longhaul::observe {

/// A part of a WaveFile whose changes may lie further back than WaveFile::kLatenessPs, or that
/// listens only while it is recorded.
class WaveSource {
 public:
  virtual ~WaveSource() = default;
  /// Recording begins now: trace what stands.
  virtual void waves_begin() {}
  /// No later change of this source comes before this time.
  virtual std::uint64_t waves_horizon_ps() { return ~0ULL; }
  /// Recording has ended: trace what is still held back, and listen no more.
  virtual void waves_end() {}
};

/// Which stretch of simulated time a WaveFile holds, in picoseconds.
struct WaveWindow {
  std::uint64_t length_ps = 0;   ///< from the begin, or with a trigger from that
  bool triggered = false;        ///< nothing is kept for good before trigger() is called
  std::uint64_t history_ps = 0;  ///< with a trigger: what is kept of the time before it
};

/// The waveforms of one run in one FST file, whoever they come from, with a GTKWave layout beside
/// it.
///
/// Parts add variables through scopes at any time; changes may come out of order within bounds.
/// They are put in order, packed into a WaveLog, and written as FST at the end, when all variables
/// are known. With a trigger only the last `history` is held until it fires. Nothing here is seen
/// by a model: a run with waves gives the results of the run without.
class WaveFile {
 public:
  /// How far in the past a change may be reported: 16,388 bytes take 131 us at 1 Gb/s, a core's
  /// quantum less.
  static constexpr std::uint64_t kLatenessPs = 1'000'000'000;

  /// The file is made by close(), beside `layout_path`; it must be able to, unless `path` is empty
  /// and close() is never called. Throws SinkError.
  WaveFile(std::string path, std::string layout_path, const WaveWindow& window);
  WaveFile(const WaveFile&) = delete;
  WaveFile& operator=(const WaveFile&) = delete;

  /// The scope called `path` ("link.l0"). Groups of low rank stand above in the viewer, those from
  /// kClosedRank on are closed at first; `group` names one that several scopes share.
  WaveScope scope(const std::string& path, std::uint32_t rank = 0, const std::string& group = "") {
    return {*this, path, rank, group};
  }
  static constexpr std::uint32_t kClosedRank = 30;
  void add_source(WaveSource& source) { sources_.push_back(&source); }
  /// A way in for changes that come in order; it lives as long as the file.
  WaveStream& add_stream() { return streams_.emplace_back(*this); }

  /// Recording begins now, what is kept `delay` later; later calls do nothing.
  void begin(const sc_core::sc_time& delay = sc_core::SC_ZERO_TIME);
  /// What the window waits for has happened; ignored before its begin and after the first time.
  void trigger(const std::string& why) { trigger_at(now_ps(), why); }
  /// The same of a part that has run ahead of SystemC's time.
  void trigger_at(std::uint64_t ps, const std::string& why);
  /// The run fails now. What still waits for its trigger has it in this; what changes at this very
  /// instant belongs to the file.
  void fail(const std::string& why);
  bool waits_for_trigger() const { return window_.triggered && trigger_ps_ == kNever; }
  /// Whether a change at `ps` may end up in the file.
  bool records(std::uint64_t ps) const { return begun_ && ps < end_ps_; }
  /// Whether a change at `ps` may be traced in the file, rather than leave a value behind.
  bool traces(std::uint64_t ps) const { return begun_ && ps >= begin_ps_ && ps < end_ps_; }
  /// First instant of the file (as far as known), in ps.
  std::uint64_t begin_ps() const { return begin_ps_; }

  /// A row that explains the trigger: a viewer shows it once more in an open group above all
  /// others, which is named after the trigger.
  void show_cause(const Wave& wave) {
    cause_.push_back({wave.index(), variables_[wave.index()].show, false});
  }
  void show_cause(const Wave& wave, WaveShow show) {
    cause_.push_back({wave.index(), show, false});
  }
  /// The same of all numbers in the scope `path`, in those inside it, and in its parent itself, as
  /// curves with their full names; of those that change in the file.
  void show_cause_below(const std::string& path);
  /// The same of the variables of the scope `path` that have these names, in this order.
  void show_cause_called(const std::string& path, const std::vector<std::string>& names);
  /// The same of all variables of the scope `path`.
  void show_cause_in(const std::string& path);
  /// When what led to the trigger happened, a viewer's marker A, and in which part.
  void mark_cause(std::uint64_t ps, const std::string& place) {
    cause_ps_ = ps, cause_place_ = place;
  }
  const std::string& cause_place() const { return cause_place_; }

  /// Where a viewer of this file should open if nothing else says so, or if it is the trigger; the
  /// first one counts.
  void look_at(std::uint64_t ps, std::uint64_t span_ps) {
    if (look_ps_ == kNever) look_ps_ = ps, look_span_ps_ = span_ps;
  }

  /// Takes a change; see Wave.
  void push(WaveChange change);
  /// Packs what can no longer be preceded by anything; sources that hold changes back call it when
  /// they let go.
  void flush();
  /// Ends the recording, writes file and layout; further calls do nothing. Throws SinkError.
  void close();
  void check() const { log_.check(); }

  static constexpr std::uint64_t kNever = ~0ULL;
  /// What the file came to hold, for the run's summary; kNever for a begin or trigger that never
  /// came.
  std::uint64_t from_ps() const;
  std::uint64_t until_ps() const;
  std::uint64_t trigger_ps() const { return trigger_ps_; }
  const std::string& trigger_reason() const { return trigger_reason_; }

 private:
  friend class WaveScope;
  friend class WaveLayout;
  friend class WaveStream;
  struct Variable {
    std::string scope;
    std::string name;
    std::string group;
    std::string label;  // in the viewer; empty: the last part of its name
    std::uint32_t width;
    WaveShow show;
    std::uint32_t rank;
    WaveStates states;
    std::uint64_t period_ps;  // of a clock; else 0
    FstFile::Var var;
    std::uint32_t changes = 0;  // in the file, the value that stands at its begin included
  };
  struct CauseRow {
    std::uint32_t var;
    WaveShow show;
    bool if_it_changes;
  };
  struct Pending {
    WaveChange change;
    std::uint64_t number;  // of changes at one time, in order of telling
  };
  struct Later {
    bool operator()(const Pending& a, const Pending& b) const {
      return a.change.ps != b.change.ps ? a.change.ps > b.change.ps : a.number > b.number;
    }
  };
  std::uint32_t declare(Variable variable);
  /// Whether a change at `ps` is taken; if so, moves it to where it still has a place.
  bool takes(std::uint64_t& ps) const;
  void flush_if_due();
  void pack_until(std::uint64_t limit_ps);
  void end_recording();
  void declare_in(FstFile& file);
  void write_changes(FstFile& file);
  void write_empty_texts(FstFile& file) const;
  void write(FstFile& file, const WaveChange& change);

  const std::string path_;
  const std::string layout_path_;
  const WaveWindow window_;
  WaveLog log_;
  std::vector<Variable> variables_;
  std::vector<CauseRow> cause_;
  std::vector<WaveSource*> sources_;
  std::priority_queue<Pending, std::vector<Pending>, Later> pending_;
  std::deque<WaveStream> streams_;
  std::uint64_t number_ = 0;
  std::uint64_t packed_ps_ = 0;  // nothing earlier is taken any more
  std::uint64_t next_flush_ps_ = 0;
  bool begun_ = false;
  bool ended_ = false;
  bool closed_ = false;
  std::uint64_t begin_ps_ = kNever;
  std::uint64_t end_ps_ = kNever;
  std::uint64_t failed_ps_ = kNever;
  std::uint64_t trigger_ps_ = kNever;
  std::uint64_t look_ps_ = kNever;
  std::uint64_t look_span_ps_ = 0;
  std::uint64_t cause_ps_ = kNever;
  std::string cause_place_;
  std::string trigger_reason_;
};

}  // namespace longhaul::observe
