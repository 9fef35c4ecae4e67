// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <queue>
#include <string>
#include <vector>

#include "models/pcix/pcix_bus.h"
#include "models/pcix/pins.h"
#include "platform/observe/fst_file.h"

namespace longhaul::observe {

/// Draws PCI-X buses at signal level into one FST file, with a GTKWave layout beside it.
///
/// Each tenure that a bus reports is drawn clock by clock, with its REQ#, GNT#, parity, and rows of text that say what it is;
/// the bus itself has no event per clock. Only what begins in the window is drawn: from begin() and a delay on, for `length`. Changes wait
/// in order of time until no bus can have an earlier one.
class PcixWaves {
 public:
  /// `layout_path`: where the layout goes; it names the waveform file by its last part. The sink outlives the simulation.
  PcixWaves(const std::string& path, std::string layout_path, const sc_core::sc_time& length);
  PcixWaves(const PcixWaves&) = delete;
  PcixWaves& operator=(const PcixWaves&) = delete;
  ~PcixWaves();

  /// Adds a bus (before the simulation starts). `scope` names it; `slots` names the devices in it, "" for an empty slot.
  void watch(pcix::PcixBus& bus, const std::string& scope, const std::vector<std::string>& slots);
  /// The window begins `delay` from now; later calls do nothing.
  void begin(const sc_core::sc_time& delay = sc_core::SC_ZERO_TIME);
  /// Draws what is left, finishes the file and writes the layout.
  void close();

 private:
  class Bus;
  struct Change {
    std::uint64_t ps;
    std::uint64_t number;  // of changes at one time, in order of telling
    FstFile::Var var;
    enum class Kind : std::uint8_t { kBits, kHalves, kUndriven, kText } kind;
    std::uint32_t width;
    std::uint64_t value;
    bool driven_low;
    bool driven_high;
    std::string text;
  };
  struct Later {
    bool operator()(const Change& a, const Change& b) const { return a.ps != b.ps ? a.ps > b.ps : a.number > b.number; }
  };
  void push(Change change);
  void flush();
  void flush_until(std::uint64_t limit_ps);
  void clocks_until(std::uint64_t limit_ps);
  void write(const Change& change);
  bool in_window(std::uint64_t ps) const { return ps >= begin_ps_ && ps < end_ps_; }

  FstFile file_;
  const std::string path_;
  const std::string layout_path_;
  const std::uint64_t length_ps_;
  std::vector<std::unique_ptr<Bus>> buses_;
  std::priority_queue<Change, std::vector<Change>, Later> changes_;
  std::uint64_t number_ = 0;
  std::uint64_t begin_ps_ = ~0ULL;
  std::uint64_t end_ps_ = ~0ULL;
  std::uint64_t first_tenure_ps_ = ~0ULL;
  bool closed_ = false;
};

}  // namespace longhaul::observe
