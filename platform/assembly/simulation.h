// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "models/net/link/link.h"
#include "models/net/switch/switch_type.h"
#include "models/wan/box_type.h"
#include "platform/assembly/box_control.h"
#include "platform/assembly/config.h"
#include "platform/assembly/machine.h"
#include "platform/assembly/measured_window.h"
#include "platform/assembly/rtl_coverage.h"
#include "platform/assembly/run_control.h"
#include "platform/assembly/sinks.h"
#include "platform/guest/host_time.h"
#include "platform/observe/ticker.h"

namespace longhaul::assembly {

/// The end of a run that is not an error.
enum class RunEnd { kDone, kInterrupted };

/// One simulation: builds the topology of a configuration, runs it, writes its raw results. There
/// is one per process.
class Simulation {
 public:
  /// Builds everything. Throws ConfigError for an illegal topology, std::system_error if the host
  /// lacks resources. Writes nothing unless the configuration `writes`; it refuses the same
  /// configurations either way.
  explicit Simulation(SimulationConfig config, observe::Progress& progress);

  /// Runs until all guests are done. Throws GuestError, SinkError, or std::runtime_error if the run
  /// does not end by itself. Then the waves so far are kept, and failed.json describes the end
  /// (platform/assembly/README.md).
  RunEnd run();
  /// Lets a stretch of simulated time pass (zero: one delta cycle), or less if the run ends in it.
  /// Throws like run(). Must not be called again after that, nor when the run is over().
  void advance(const sc_core::sc_time& duration);
  /// Whether all guests are done.
  bool over() const { return control_.all_off(); }
  /// Simulated time after which a run that does not end is ended with an error.
  const sc_core::sc_time& limit() const { return config_.limit; }
  /// The guests that still run and their last status.
  std::string whereabouts() const { return control_.whereabouts(); }
  /// Closes the sinks and writes sim.json, last and in one piece.
  void write_results(double wall_s);

  /// Every parameter: [{object, name, value, evidence, source, set}].
  nlohmann::json describe_params() const;
  void describe_unclaimed(nlohmann::json& results) const;
  /// Changes a parameter of a part, if it may change while the simulation runs. Throws ConfigError
  /// that names the parameters that may, or the error in the value.
  void change_param(const std::string& object, const std::string& name,
                    const nlohmann::json& value);
  /// The adapter MACHINE.DEVICE. Throws ConfigError that names the nearest one.
  nic::Adapter& adapter(const std::string& name) const;
  /// Null if no box has registers.
  BoxControl* box_control() { return box_control_.get(); }

 private:
  RunEnd run_to_end();
  void keep_failure(const std::string& why) const;
  void start(const sc_core::sc_time& duration);
  void build();
  void add_links();
  /// All adapters, by MACHINE.DEVICE.
  std::vector<std::pair<std::string, nic::Adapter*>> adapters() const;
  /// All parts with parameters that may change, by their names.
  std::vector<std::pair<std::string, Tunable*>> tunables() const;
  void add_window();
  void add_profiles();
  void add_host_times();
  void add_ends();
  void add_box_control();
  void write_file(const std::string& name, const std::string& text) const;

  const SimulationConfig config_;
  observe::Progress& progress_;
  RunControl control_;
  std::vector<std::unique_ptr<Machine>> machines_;
  std::vector<std::unique_ptr<EthSwitch>> switches_;
  std::vector<std::unique_ptr<wan::WanBox>> boxes_;
  std::vector<std::unique_ptr<Link>> links_;
  observe::Ticker ticker_{"ticker"};
  std::unique_ptr<observe::Summary> summary_;
  std::unique_ptr<MeasuredWindow> window_;
  std::unique_ptr<Sinks> sinks_;
  std::unique_ptr<RtlCoverage> coverage_;
  std::unique_ptr<BoxControl> box_control_;  // null if no box has registers
  guest::CpuSeconds own_begin_;              // CPU time of this process when the window began
  guest::CpuSeconds own_seconds_;            // CPU time of this process in the window
};

}  // namespace longhaul::assembly
