// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace longhaul::observe {

class WaveFile;

/// Names of a variable's values.
using WaveStates = std::vector<std::pair<std::uint64_t, std::string>>;

/// How a viewer first shows a variable. A curve is lower than a plot.
enum class WaveShow : std::uint8_t { kBit, kHex, kUnsigned, kPlot, kCurve, kText, kStates, kEvent };

/// One variable of a file of waves; cheap to copy. Changes outside of the recorded time are
/// dropped. Times are simulated picoseconds, at most WaveFile::kLatenessPs in the past; they may be
/// in the future.
class Wave {
 public:
  Wave() = default;

  void set(std::uint64_t value) const;  ///< now
  void set_at(std::uint64_t ps, std::uint64_t value) const;
  void text_at(std::uint64_t ps, std::string text) const;  ///< for a text
  void pulse_at(std::uint64_t ps) const;                   ///< for an event
  /// Sets 64 bits, of which only the given halves (31:0, 63:32) are driven; the others are z.
  void halves_at(std::uint64_t ps, std::uint64_t value, bool driven_low, bool driven_high) const;
  void undriven_at(std::uint64_t ps) const;
  std::uint32_t index() const { return var_; }

 private:
  friend class WaveScope;
  Wave(WaveFile& file, std::uint32_t var) : file_(&file), var_(var) {}

  WaveFile* file_ = nullptr;
  std::uint32_t var_ = 0;
};

/// A place in the hierarchy of a file of waves. A part adds its variables to it, before or during
/// the simulation.
///
/// A model needs to know only this: the scope that it gets is named after it. A part whose changes
/// do not come by Wave::set (a clock, pin-level signals) is also a WaveSource of the file.
class WaveScope {
 public:
  /// `group` is the viewer's group for its variables. Empty: one group for each scope, with its
  /// name.
  WaveScope(WaveFile& file, std::string path, std::uint32_t rank, std::string group)
      : file_(&file), path_(std::move(path)), rank_(rank), group_(std::move(group)) {}

  /// The scope `name` inside this one. Dots separate nested scopes.
  WaveScope scope(const std::string& name) const;
  /// The same place, with its variables in the viewer's group `group`, where each is called `label`
  /// and its name. GTKWave shows only the part of a label after its last dot.
  WaveScope in_group(const std::string& group, const std::string& label) const {
    WaveScope place(*file_, path_, rank_, group);
    place.label_ = label;
    return place;
  }
  Wave add_bits(const std::string& name, std::uint32_t width,
                WaveShow show = WaveShow::kHex) const;  ///< 1 to 64
  Wave add_bit(const std::string& name) const { return add_bits(name, 1, WaveShow::kBit); }
  Wave add_text(const std::string& name) const;
  Wave add_event(const std::string& name) const;
  Wave add_states(const std::string& name, std::uint32_t width, WaveStates names) const;
  /// A bit that rises at every multiple of `period_ps` and falls half a period later, without
  /// reported changes.
  void add_clock(const std::string& name, std::uint64_t period_ps) const;

  WaveFile& file() const { return *file_; }
  const std::string& path() const { return path_; }

 private:
  std::uint32_t declare(const std::string& name, std::uint32_t width, WaveShow show,
                        WaveStates states, std::uint64_t period_ps) const;

  WaveFile* file_;
  std::string path_;    // "sender.tcp"
  std::uint32_t rank_;  // groups of low rank are at the top of the viewer
  std::string group_;
  std::string label_;  // before the name in the viewer; empty: the viewer's default
};

}  // namespace longhaul::observe
