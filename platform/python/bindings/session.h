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

/// What is wrong with a call, whatever it is about; the message says what would be right.
class CallError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The process's one simulation, as `longhaul.api.Simulation` uses it. Times are picoseconds; texts
/// of configurations are JSON.
class Session {
 public:
  using WatchId = std::uint64_t;
  using Access = std::pair<std::uint32_t, std::optional<std::uint32_t>>;

  /// Throws ConfigError as longhaul-sim would exit with 2, CallError for a second one in this
  /// process.
  explicit Session(const std::string& config);

  static std::uint64_t now();
  bool over() const { return simulation_->over(); }
  std::uint64_t limit() const;
  std::string whereabouts() const { return simulation_->whereabouts(); }

  /// "time", "over", or "asked" when `condition` (None: none), which is called after each instant,
  /// was true.
  const char* run(std::uint64_t duration_ps, const nanobind::object& condition);

  WatchId every(std::uint64_t period_ps, nanobind::callable look);
  WatchId on_change(std::size_t probe, nanobind::callable told);
  void remove(WatchId id);

  /// Name, kind, unit, description.
  std::vector<std::tuple<std::string, std::string, std::string, std::string>> probes() const;
  nanobind::object value(std::size_t probe) const { return value_of(*probes_->all.at(probe)); }
  /// Highest value of a level; None of another probe.
  std::optional<std::uint64_t> highest(std::size_t probe) const;

  std::string params() const { return simulation_->describe_params().dump(); }
  void change_param(const std::string& object, const std::string& name, const std::string& json);
  /// Registers of a box; what its bus does takes simulated time where the box has clocks (RTL).
  std::vector<std::optional<std::uint32_t>> access_box(const std::string& box,
                                                       const std::vector<Access>& accesses);
  /// Name and offset of an adapter's registers.
  std::vector<std::pair<std::string, std::uint32_t>> registers(const std::string& adapter) const;
  std::uint32_t read_register(const std::string& adapter, std::uint32_t offset, bool peek);
  void write_register(const std::string& adapter, std::uint32_t offset, std::uint32_t value);

  /// Writes sim.json once the run is over.
  void write_results();

 private:
  /// Throws CallError for a platform device, whose registers only its bus reaches.
  RegisterBank& bank_of(const std::string& adapter) const;

  /// What Python gave stays here, not in the stepper, which lets go of things without the
  /// interpreter's lock.
  struct Watching {
    WatchId id;
    nanobind::object look;
    std::unique_ptr<Subscription> subscription;
    assembly::Stepper::Watch* watch;  // null once removed
  };

  Watching& add();
  void sweep();
  /// Refuses what cannot be done while a piece of the run is under way, or after the run has
  /// failed.
  void check_idle() const;
  const char* run_unlocked(std::uint64_t duration_ps, const nanobind::object& condition);

  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  observe::Progress progress_{-1};  // whoever runs Python has descriptor 3 for himself
  std::unique_ptr<assembly::Simulation> simulation_;
  std::unique_ptr<assembly::Stepper> stepper_;
  std::unique_ptr<observe::ProbeWalk> probes_;
  std::list<Watching> watchings_;
  WatchId next_id_ = 1;
  std::string failure_;
};

}  // namespace longhaul::bindings
