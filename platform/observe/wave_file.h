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

/// A part of a WaveFile whose changes may be reported later than WaveFile::kLatenessPs, or that
/// listens only while the file is recorded.
class WaveSource {
 public:
  virtual ~WaveSource() = default;
  /// Recording begins now: report the present values.
  virtual void waves_begin() {}
  /// This source will report no change before this time.
  virtual std::uint64_t waves_horizon_ps() { return ~0ULL; }
  /// Recording has ended: report the changes that are still held back, and stop listening.
  virtual void waves_end() {}
};

/// The stretch of simulated time that a WaveFile holds, in picoseconds.
struct WaveWindow {
  std::uint64_t length_ps = 0;   ///< from the beginning, or from the trigger if there is one
  bool triggered = false;        ///< nothing is kept permanently before trigger() is called
  std::uint64_t history_ps = 0;  ///< with a trigger: the time that is kept before it
};

/// The waves of one run, from all parts, in one FST file with a GTKWave layout beside it.
///
/// Parts add variables through scopes at any time. Changes may come out of order within bounds.
/// They are sorted, packed into a WaveLog, and written as FST at the end, when all variables are
/// known. With a trigger only the last `history` is held until it fires. No model sees any of this:
/// a run with waves gives the results of the run without.
class WaveFile {
 public:
  /// The largest delay of a report: 16,388 bytes take 131 us at 1 Gb/s, and a core's quantum takes
  /// less.
  static constexpr std::uint64_t kLatenessPs = 1'000'000'000;

  /// The file is made by close(), beside `layout_path`. Throws SinkError if that is not possible,
  /// unless `path` is empty and close() is never called.
  WaveFile(std::string path, std::string layout_path, const WaveWindow& window);
  WaveFile(const WaveFile&) = delete;
  WaveFile& operator=(const WaveFile&) = delete;

  /// The scope called `path` ("link.l0"). In the viewer, groups of low rank are at the top; those
  /// from kClosedRank on are closed at first. `group` names a group that several scopes share.
  WaveScope scope(const std::string& path, std::uint32_t rank = 0, const std::string& group = "") {
    return {*this, path, rank, group};
  }
  static constexpr std::uint32_t kClosedRank = 30;
  void add_source(WaveSource& source) { sources_.push_back(&source); }
  /// An input for changes that come in order. It lives as long as the file.
  WaveStream& add_stream() { return streams_.emplace_back(*this); }

  /// Recording begins now; the file begins `delay` later. Further calls do nothing.
  void begin(const sc_core::sc_time& delay = sc_core::SC_ZERO_TIME);
  /// The trigger fires now. Ignored before the recording begins and after the first time.
  void trigger(const std::string& why) { trigger_at(now_ps(), why); }
  /// The trigger fires at `ps`, for a part that has run ahead of SystemC's time.
  void trigger_at(std::uint64_t ps, const std::string& why);
  /// The run fails now. This triggers a file that still waits for its trigger. Changes at this very
  /// instant belong to the file.
  void fail(const std::string& why);
  bool waits_for_trigger() const { return window_.triggered && trigger_ps_ == kNever; }
  /// Whether a change at `ps` may be recorded in the file.
  bool records(std::uint64_t ps) const { return begun_ && ps < end_ps_; }
  /// Whether a change at `ps` may be in the file's window, and not only set the value at its
  /// beginning.
  bool traces(std::uint64_t ps) const { return begun_ && ps >= begin_ps_ && ps < end_ps_; }
  /// First instant of the file (as far as known), in ps.
  std::uint64_t begin_ps() const { return begin_ps_; }

  /// A row that explains the trigger. A viewer shows it again in an open group at the top, which is
  /// named after the trigger.
  void show_cause(const Wave& wave) {
    cause_.push_back({wave.index(), variables_[wave.index()].show, false});
  }
  void show_cause(const Wave& wave, WaveShow show) {
    cause_.push_back({wave.index(), show, false});
  }
  /// Shows, in the same way, all numbers that change in the scope `path`, in scopes inside it, and
  /// in its parent itself. They are shown as curves with their full names.
  void show_cause_below(const std::string& path);
  /// Shows, in the same way, the variables of the scope `path` with these names, in this order.
  void show_cause_called(const std::string& path, const std::vector<std::string>& names);
  /// Shows, in the same way, all variables of the scope `path`.
  void show_cause_in(const std::string& path);
  /// Sets the time of the trigger's cause, marker A of a viewer, and the part in which it happened.
  void mark_cause(std::uint64_t ps, const std::string& place) {
    cause_ps_ = ps, cause_place_ = place;
  }
  const std::string& cause_place() const { return cause_place_; }

  /// The place where a viewer opens this file, if it is the trigger or there is no other place. The
  /// first call counts.
  void look_at(std::uint64_t ps, std::uint64_t span_ps) {
    if (look_ps_ == kNever) look_ps_ = ps, look_span_ps_ = span_ps;
  }

  /// Takes a change; see Wave.
  void push(WaveChange change);
  /// Packs all changes that no earlier change can precede. A source that held changes back calls it
  /// after reporting them.
  void flush();
  /// Ends the recording, and writes file and layout. Further calls do nothing. Throws SinkError.
  void close();
  void check() const { log_.check(); }

  static constexpr std::uint64_t kNever = ~0ULL;
  /// The contents of the file for the run's summary; kNever for a beginning or trigger that did not
  /// come.
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
    std::uint64_t period_ps;  // of a clock; 0 for other variables
    FstFile::Var var;
    std::uint32_t changes = 0;  // in the file, including the value at its beginning
  };
  struct CauseRow {
    std::uint32_t var;
    WaveShow show;
    bool if_it_changes;
  };
  struct Pending {
    WaveChange change;
    std::uint64_t number;  // of changes at one time, in the order of the calls
  };
  struct Later {
    bool operator()(const Pending& a, const Pending& b) const {
      return a.change.ps != b.change.ps ? a.change.ps > b.change.ps : a.number > b.number;
    }
  };
  std::uint32_t declare(Variable variable);
  /// Whether a change at `ps` is taken. If so, moves a late one to the earliest time that is still
  /// possible.
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
  std::uint64_t packed_ps_ = 0;  // earlier changes are not taken
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
