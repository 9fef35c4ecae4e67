// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nanobind/nanobind.h>

#include <chrono>
#include <cstdint>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "platform/assembly/simulation.h"
#include "platform/assembly/stepper.h"
#include "platform/observe/probe_walk.h"
#include "platform/observe/progress.h"
#include "platform/python/bindings/watching.h"

namespace longhaul::bindings {

/// An error in a call. The message tells what would be right.
class CallError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The process's one simulation, for `longhaul.api.Simulation`. Times are picoseconds; texts of
/// configurations are JSON.
class Session {
 public:
  using WatchId = std::uint64_t;
  using Access = std::pair<std::uint32_t, std::optional<std::uint32_t>>;

  /// Throws ConfigError when longhaul-sim would exit with 2, CallError for a second session in this
  /// process.
  explicit Session(const std::string& config);

  static std::uint64_t now();
  bool over() const { return simulation_->over(); }
  std::uint64_t limit() const;
  std::string whereabouts() const { return simulation_->whereabouts(); }

  /// Returns "time", "over", or "asked" if `condition` (None: none), which is called after each
  /// instant, was true.
  const char* run(std::uint64_t duration_ps, const nanobind::object& condition);

  WatchId every(std::uint64_t period_ps, nanobind::callable look);
  WatchId on_change(std::size_t probe, nanobind::callable told);
  void remove(WatchId id);

  /// Name, kind, unit and description of each probe.
  std::vector<std::tuple<std::string, std::string, std::string, std::string>> probes() const;
  nanobind::object value(std::size_t probe) const { return value_of(*probes_->all.at(probe)); }
  /// Highest value of a level; None for another probe.
  std::optional<std::uint64_t> highest(std::size_t probe) const;

  std::string params() const { return simulation_->describe_params().dump(); }
  void change_param(const std::string& object, const std::string& name, const std::string& json);
  /// Accesses registers of a box. If the box has clocks (RTL), its bus takes simulated time.
  std::vector<std::optional<std::uint32_t>> access_box(const std::string& box,
                                                       const std::vector<Access>& accesses);
  /// Names and offsets of an adapter's registers.
  std::vector<std::pair<std::string, std::uint32_t>> registers(const std::string& adapter) const;
  std::uint32_t read_register(const std::string& adapter, std::uint32_t offset, bool peek);
  void write_register(const std::string& adapter, std::uint32_t offset, std::uint32_t value);

  /// Writes sim.json once the run is over.
  void write_results();

 private:
  /// Throws CallError for a platform device, whose registers can be reached by its bus only.
  RegisterBank& bank_of(const std::string& adapter) const;

  /// Python's objects are kept here, not in the stepper, which drops callbacks without the
  /// interpreter's lock.
  struct Watching {
    WatchId id;
    nanobind::object look;
    std::unique_ptr<Subscription> subscription;
    assembly::Stepper::Watch* watch;  // null once removed
  };

  Watching& add();
  void sweep();
  /// Throws for a call that is not possible during a piece of the run, or after the run has failed.
  void check_idle() const;
  const char* run_unlocked(std::uint64_t duration_ps, const nanobind::object& condition);

  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  observe::Progress progress_{-1};  // descriptor 3 belongs to the program that runs Python
  std::unique_ptr<assembly::Simulation> simulation_;
  std::unique_ptr<assembly::Stepper> stepper_;
  std::unique_ptr<observe::ProbeWalk> probes_;
  std::list<Watching> watchings_;
  WatchId next_id_ = 1;
  std::string failure_;
};

}  // namespace longhaul::bindings
