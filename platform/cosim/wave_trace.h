// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "platform/cosim/rtl_block.h"
#include "platform/cosim/trace_sink.h"
#include "platform/observe/wave_file.h"
#include "platform/observe/wave_scope.h"

namespace longhaul::cosim {

/// The name "gen_port[0]" as in waves: gen_port_0.
std::string without_brackets(const std::string& name);

/// The selection of a traced block's signals and how they are shown; part of its port map.
///
/// Names are those of the RTL with `_` for brackets (`gen_port_0`). Parameters, packages and loop
/// variables are not traced. Verilator's dumps do not distinguish parameters from signals.
struct TraceSelection {
  /// Scope of the block's top level, left out of the traced names ("gnet1.gnet1_top").
  std::string top;
  /// Scopes below the top that are traced, including generated ones and structs.
  std::uint32_t levels = 4;
  /// Scopes and signals, by their names without a number at the end.
  std::vector<std::string> leave_out;
  std::vector<std::string> decimal;  ///< signals that are shown as numbers, by the ends of their
                                     ///< names
  /// The names of parameters. If not set, the RTL is in house style: all names that begin with an
  /// upper-case letter are parameters, and no others.
  std::optional<std::set<std::string>> parameters;
  /// Names of states, by the signal's full name without numbers ("gen_port.u_tx.u_mac.state_q").
  std::map<std::string, observe::WaveStates> states;
  /// Where the viewer shows the signals of a scope: the group, and the prefix of their names in it.
  /// The prefix is a part of the scope, with slashes for dots.
  struct Place {
    std::string group;
    std::string label;
  };
  /// The place of a scope ("gen_port_0.u_channel.u_rx"); if it is not set, a group of the scope's
  /// The place of a scope ("gen_port_0.u_channel.u_rx"). If not set, the group has the scope's own
  /// name.
  Place (*place)(const std::string& scope) = nullptr;
};

/// Records a traced block's signals in a run's waves, in SystemC's time.
class WaveTrace final : public TraceSink {
 public:
  /// Signals are recorded below `scope`. `block` runs the traced model. Nothing before SystemC's
  /// zero is recorded.
  WaveTrace(const observe::WaveScope& scope, const RtlBlock& block, TraceSelection selection);

  std::uint32_t declare(const std::string& scope, const std::string& name,
                        std::uint32_t width) override;
  void change(std::uint32_t signal, std::uint64_t ps, std::uint64_t value) override {
    stream_.set_at(ps - block_.zero_ps(), waves_[signal], value);
  }
  bool records(std::uint64_t ps) const override {
    return ps >= block_.zero_ps() && scope_.file().traces(ps - block_.zero_ps());
  }

 private:
  /// The traced name of a scope; empty if it is left out.
  std::optional<std::string> traced_scope(const std::string& scope) const;
  bool is_parameter(const std::string& name) const;
  bool is_no_place(const std::string& name) const;
  bool leaves_out(const std::string& name) const;
  observe::Wave add(const observe::WaveScope& place, const std::string& path,
                    const std::string& name, std::uint32_t width) const;

  const observe::WaveScope scope_;
  const RtlBlock& block_;
  const TraceSelection selection_;
  observe::WaveStream& stream_;
  std::vector<observe::Wave> waves_;
};

}  // namespace longhaul::cosim
