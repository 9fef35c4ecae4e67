// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <systemc>
#include <vector>

#include "models/common/observe/probe.h"
#include "platform/cosim/bus/rule.h"
#include "platform/cosim/object/rtl_object.h"
#include "platform/cosim/pin.h"
#include "platform/cosim/rtl_block.h"
#include "platform/cosim/wave_trace.h"
#include "platform/cosim/zbt_sram.h"
#include "platform/observe/violation_tap.h"
#include "platform/observe/wave_scope.h"
#include "platform/portmap/block_map.h"
#include "platform/portmap/block_params.h"
#include "platform/portmap/board_parts.h"
#include "platform/portmap/bus_coverage.h"

namespace longhaul::portmap {

/// A block of an RTL object in the simulation: its clocks, resets and constants, and the reports of
/// its checkers and its own assertions.
///
/// start() makes the block. Its owner then joins transactors to clocks and pins and calls
/// power_up(), all from start_of_simulation(). The first broken rule or failed assertion ends the
/// simulation by a std::runtime_error that names time, rule and signal, unless the parameter
/// `rules` makes it count them only. The block's prints go to standard error, with the module's
/// name.
class MappedBlock final : public sc_core::sc_module,
                          public cosim::CheckerSink,
                          private cosim::RtlListener,
                          private cosim::Transactor {
 public:
  MappedBlock(const sc_core::sc_module_name& name, const BlockMap& map,
              const cosim::RtlObject& object, const BlockParams& params);

  const BlockMap& map() const { return map_; }
  const BlockParams& params() const { return params_; }
  cosim::RtlBlock& rtl() { return rtl_; }
  BoardParts& board() { return board_; }
  /// Traces the block's signals in the scope `rtl`, if the object was compiled for it. Before
  /// start().
  void trace(const observe::WaveScope& scope);

  /// Whether the object was compiled to count coverage.
  bool covered() const { return object_.covered; }
  /// See observe::CoveredPart. After start().
  bool write_coverage(const std::string& path) const {
    return instance_ && instance_->write_coverage(path.c_str());
  }
  /// Coverage of the block's buses; null if it is not counted.
  BusCoverage* buses() { return buses_.get(); }
  nlohmann::json bus_coverage() const { return buses_ ? buses_->json() : nlohmann::json::object(); }

  /// `slot_ps` is the period of the adapter's bus, in picoseconds, for the clocks that follow it.
  /// With 0 these have the map's frequency. `bus_clock` names one that is the bus's own.
  void start(std::uint64_t slot_ps = 0, const std::string& bus_clock = {});
  /// Runs the clocks until the resets are over, and until `ready` returns true.
  void power_up(const std::function<bool()>& ready = {});

  // After start().
  cosim::ClockDomain& clock(const std::string& name) { return *clocks_.at(name); }
  /// The first bit of a signal, for code that accesses bits and bytes in their port.
  cosim::BitPin first_bit(const InterfaceEntry& interface, const std::string& signal,
                          cosim::BitPin otherwise) const;
  /// The pin of a signal; `otherwise` if the block does not have it.
  cosim::Pin pin(const InterfaceEntry& interface, const std::string& signal,
                 cosim::Pin otherwise = {});
  /// The reset that belongs to a clock, if there is one.
  cosim::ResetPin reset_of(const std::string& clock);
  /// The sink for broken rules of an interface; null if it is not checked.
  cosim::CheckerSink* sink_of(const InterfaceEntry& interface) {
    return interface.checker ? this : nullptr;
  }

  observe::Counter violations{"violations", "1", "broken rules of the block's interfaces"};
  observe::Counter failures{"failures", "1", "failed assertions, $error, $stop and $fatal"};
  observe::ViolationTap broken{"broken", "each broken rule and failed assertion"};

 private:
  // CheckerSink, RtlListener, Transactor.
  void violated(const cosim::Rule& rule, std::uint64_t ps, const std::string& signal,
                const std::string& detail) override;
  void printed(const char* text) override;
  void failed(const char* file, int line, const char* hierarchy, const char* message) override;
  void finished(const char* file, int line) override;
  void clocked(std::uint64_t) override {}
  void deliver() override { end_if_wrong(); }

  cosim::BitPin bit_at(const PinPlace& place) const;
  cosim::Pin pin_at(const PinPlace& place) const;
  std::string at(std::uint64_t ps) const;
  void add_memories();
  std::uint64_t hertz_of(const ClockEntry& clock) const;
  /// Rounded up.
  std::uint64_t period_ps(const ClockEntry& clock) const;
  /// The module of an assertion in Verilator's message, named as in the waves; empty: the top
  /// level.
  std::string module_of(const std::string& said) const;
  /// The ports of an interface that a signal ("host_memory.wlast") belongs to: its clocks, that
  /// signal, those with the same prefix, which are its channel, and the others.
  std::vector<std::string> ports_around(const std::string& signal) const;
  /// `violation` has all members except its time and the beginning of its text.
  void note_wrong(std::uint64_t ps, observe::Violation violation);
  void end_if_wrong() const;

  const BlockMap& map_;
  const cosim::RtlObject& object_;
  BlockParams params_;
  std::unique_ptr<cosim::WaveTrace> trace_;  // null if it is not traced; outlives the block
  std::unique_ptr<cosim::RtlInstance> instance_;
  cosim::RtlBlock rtl_{"rtl"};
  BoardParts board_{"board", map_, params_.board};
  std::map<std::string, cosim::RtlPort> ports_;
  std::map<std::string, cosim::ClockDomain*> clocks_;
  std::unique_ptr<BusCoverage> buses_;  // null if the object does not count coverage
  std::vector<std::unique_ptr<cosim::ZbtSram>> memories_;  // at pins of the block only
  std::uint64_t slot_ps_ = 0;
  std::string bus_clock_;
  bool powered_ = false;
  std::string wrong_;  // the first error, if it ends the simulation
  std::string line_;   // the beginning of a line that the block has printed
  std::string last_line_;
};

}  // namespace longhaul::portmap
