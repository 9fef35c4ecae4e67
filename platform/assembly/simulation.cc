// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/simulation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "models/common/address_sanitizer.h"
#include "models/common/event_queue.h"
#include "models/common/param_json.h"
#include "models/common/split_mix.h"
#include "platform/assembly/config_check.h"
#include "platform/assembly/json_object.h"
#include "platform/assembly/out_folder.h"
#include "platform/assembly/ports.h"
#include "platform/assembly/stop_signal.h"
#include "platform/guest/guest_error.h"
#include "platform/observe/output_file.h"
#include "platform/observe/waiting_part.h"

namespace longhaul::assembly {
namespace {

/// The compiler of this program. `sim.json` names it, because a result may depend on it (`longhaul
/// golden`).
constexpr const char* kCompiler = "GCC " __VERSION__;

/// Simulated time between two checks of the progress line and of stop signals.
const sc_core::sc_time kProgressPeriod{1, sc_core::SC_MS};

std::vector<std::string> machine_names(const SimulationConfig& config) {
  std::vector<std::string> names;
  for (const MachineConfig& machine : config.machines) names.push_back(machine.name);
  return names;
}

/// Returns the seed of a part, so that each part has its own random numbers. It depends on the
/// run's seed and on the part's number in the configuration.
std::uint64_t part_seed(std::uint64_t seed, std::uint64_t part) {
  return split_mix(seed + part * kSplitMixIncrement);
}

/// Reports errors of files and folders before anything is built or replaced. If the configuration
/// cannot be built, the output of an earlier run in its folder is lost.
SimulationConfig ready(SimulationConfig config) {
  check_files(config);
  check_out_folder(config);
  if (config.writes) claim_out_folder(config);
  return config;
}

/// Reports two parts with the same hierarchical name. SystemC would rename the second one, and a
/// look-up by name would find the first.
[[noreturn]] void fail_same_name(const sc_core::sc_report& report) {
  const std::string said = report.get_msg();
  const std::string name = said.substr(0, said.find(". "));
  throw ConfigError(
      fmt::format("'{}' is the name of two parts; wants another name", echo(name, kMostPath)));
}

nlohmann::json json_of(const guest::CpuSeconds& seconds) {
  return {{"user", seconds.user}, {"system", seconds.system}};
}

}  // namespace

Simulation::Simulation(SimulationConfig config, observe::Progress& progress)
    : config_(ready(std::move(config))),
      progress_(progress),
      control_(machine_names(config_), config_.out, progress) {
  // SystemC keeps the names of processes of a simulation that could not be built. A later
  // simulation uses the same names.
  static bool is_first = true;
  const auto when_name_exists = [](sc_core::sc_actions actions) {
    sc_core::sc_report_handler::set_actions(sc_core::SC_ID_INSTANCE_EXISTS_, actions);
  };
  if (is_first) when_name_exists(sc_core::SC_THROW);
  is_first = false;
  try {
    build();
    when_name_exists(sc_core::SC_DO_NOTHING);
  } catch (const sc_core::sc_report& report) {
    when_name_exists(sc_core::SC_DO_NOTHING);
    if (std::string(report.get_msg_type()) == sc_core::SC_ID_INSTANCE_EXISTS_)
      fail_same_name(report);
    throw;
  } catch (...) {
    when_name_exists(sc_core::SC_DO_NOTHING);
    throw;
  }
}

void Simulation::build() {
  std::uint32_t next_adapter = 0;
  std::uint64_t part = 0;
  for (const MachineConfig& machine : config_.machines) {
    machines_.push_back(at_place(machine.name, [&] {
      return std::make_unique<Machine>(machine.name.c_str(), machine, config_,
                                       part_seed(config_.seed, part++), next_adapter, control_);
    }));
  }
  for (const SwitchConfig& item : config_.switches) {
    const SwitchType& type = switch_types().find(item.type, item.name);
    switches_.push_back(type.make({item.name.c_str(), item.ports, item.params, item.name}));
  }
  for (const BoxConfig& box : config_.boxes) {
    const wan::BoxType& type = wan::box_types().find(box.type, box.name);
    boxes_.push_back(
        type.make({box.name.c_str(), box.params, box.name, part_seed(config_.seed, part++)}));
  }
  add_links();
  add_window();
  ticker_.every(kProgressPeriod, [this] {
    progress_.poll();
    control_.look_for_progress();
    control_.should_stop();
  });
  control_.set_patience(config_.patience, [this] {
    std::uint64_t bytes = 0;
    for (const auto& machine : machines_) {
      for (const std::string& device : machine->device_names())
        bytes += machine->payload_meter(device)->received();
    }
    return bytes;
  });
  sinks_ = std::make_unique<Sinks>(config_, machines_, boxes_, links_, ticker_, *window_);
  coverage_ = std::make_unique<RtlCoverage>(config_, machines_, boxes_);
  add_profiles();
  add_host_times();
  add_ends();
  add_box_control();
}

void Simulation::add_links() {
  Ports ports(config_, machines_, switches_, boxes_);
  for (const LinkConfig& item : config_.links) {
    LinkParams params;
    configure(params, item.params, item.name);
    links_.push_back(std::make_unique<Link>(item.name.c_str(), params));
    EthPort& a = ports.take(item.a, item.name + ".a");
    EthPort& b = ports.take(item.b, item.name + ".b");
    links_.back()->connect(a, b);
  }
}

void Simulation::add_window() {
  summary_ = std::make_unique<observe::Summary>();
  if (!config_.window) {
    window_ = std::make_unique<MeasuredWindow>("window", *summary_, progress_);
  } else {
    const std::string& at = config_.window->opens_at;
    const std::size_t dot = at.find('.');
    observe::PayloadMeter* meter = nullptr;
    for (std::size_t i = 0; i < machines_.size() && dot != std::string::npos; ++i) {
      if (config_.machines[i].name == at.substr(0, dot))
        meter = machines_[i]->payload_meter(at.substr(dot + 1));
    }
    if (meter == nullptr) {
      throw ConfigError(fmt::format(
          "window.opens_at: '{}' is no adapter of a machine, wants MACHINE.DEVICE", echo(at)));
    }
    window_ =
        std::make_unique<MeasuredWindow>("window", *summary_, progress_, *config_.window, *meter);
  }
  control_.set_window(*window_);
}

void Simulation::add_profiles() {
  for (const auto& machine : machines_) {
    guest::BlockProfile* const profile = machine->software().profile();
    if (profile == nullptr) continue;
    window_->on_change(
        [profile](bool opens) { opens ? profile->begin_window() : profile->end_window(); });
  }
}

void Simulation::add_host_times() {
  window_->on_change([this](bool opens) {
    if (opens) own_begin_ = guest::own_seconds();
    own_seconds_ = guest::own_seconds() - own_begin_;
  });
  for (const auto& machine : machines_) {
    guest::GuestProcess* const guest = machine->software().guest();
    if (guest == nullptr) continue;
    window_->on_change(
        [guest](bool opens) { opens ? guest->begin_window() : guest->end_window(); });
  }
}

void Simulation::add_ends() {
  for (const auto& machine : machines_) {
    Software& software = machine->software();
    window_->on_change([&software](bool opens) {
      if (!opens) software.measured();
    });
  }
}

void Simulation::add_box_control() {
  BoxControl::Targets targets;
  for (std::size_t i = 0; i < boxes_.size(); ++i) {
    if (ControlSocket* const target = boxes_[i]->control()) targets[config_.boxes[i].name] = target;
  }
  if (targets.empty() && config_.control.empty()) return;
  box_control_ = std::make_unique<BoxControl>("box_control", targets, config_.control, config_.out,
                                              ticker_, config_.writes);
  window_->on_change([this](bool opens) {
    if (opens) box_control_->window_opened();
  });
  sinks_->follow(*box_control_);
}

void Simulation::write_file(const std::string& name, const std::string& text) const {
  observe::OutputFile file(config_.output(name));
  file.write(text.data(), text.size());
  file.close();
}

void Simulation::start(const sc_core::sc_time& duration) {
  try {
    EventQueue::get().go_ahead(now_ps() + to_ps(duration));
    sc_core::sc_start(duration);
    back_on_the_main_stack();  // the code below may throw
  } catch (const sc_core::sc_report& report) {
    back_on_the_main_stack();
    control_.check();
    sinks_->check();
    // The text of a process's exception, without SystemC's text around it.
    throw std::runtime_error(report.get_msg());
  }
}

RunEnd Simulation::run() {
  try {
    const RunEnd end = run_to_end();
    coverage_->write();
    return end;
  } catch (const std::exception& error) {
    if (config_.writes) keep_failure(error.what());
    throw;
  }
}

void Simulation::keep_failure(const std::string& why) const {
  nlohmann::json failed = {{"at_ps", now_ps()}, {"ended_by", sinks_->violations().end()}};
  if (failed["ended_by"].is_null()) {
    failed["waiting"] = nlohmann::json::array();
    for (const auto& [place, adapter] : adapters()) {
      const auto* const part = dynamic_cast<const observe::WaitingPart*>(adapter);
      if (part != nullptr) failed["waiting"].push_back(place + ": " + part->waiting());
    }
  }
  try {
    sinks_->fail("the run fails: " + why.substr(0, why.find('\n')));
    sinks_->describe(failed);
    describe_unclaimed(failed);
    write_file("failed.json", failed.dump(1));
    coverage_->write();
  } catch (const std::exception& second) {
    std::fprintf(stderr, "what the run leaves behind is not whole: %s\n", second.what());
  }
}

RunEnd Simulation::run_to_end() {
  start(config_.limit);
  if (stop_signal() != 0) return RunEnd::kInterrupted;
  control_.check();
  sinks_->check();
  if (!over()) {
    const bool limit = sc_core::sc_time_stamp() >= config_.limit;
    throw std::runtime_error(
        fmt::format("the run {} at simulated time {}; {}",
                    limit ? "was given up (its limit)" : "stands still: nothing is left to happen",
                    guest::now_text(), whereabouts()));
  }
  return RunEnd::kDone;
}

void Simulation::advance(const sc_core::sc_time& duration) {
  start(duration);
  control_.check();
  sinks_->check();
}

std::vector<std::pair<std::string, nic::Adapter*>> Simulation::adapters() const {
  std::vector<std::pair<std::string, nic::Adapter*>> all;
  for (const auto& machine : machines_) {
    for (const auto& [device, adapter] : machine->adapters())
      all.emplace_back(machine->name() + ("." + device), adapter);
  }
  return all;
}

nic::Adapter& Simulation::adapter(const std::string& name) const {
  std::vector<std::string> names;
  for (const auto& [place, adapter] : adapters()) {
    if (place == name) return *adapter;
    names.push_back(place);
  }
  fail_unknown_name("adapter", name, names, "registers");
}

std::vector<std::pair<std::string, Tunable*>> Simulation::tunables() const {
  std::vector<std::pair<std::string, Tunable*>> all;
  for (std::size_t i = 0; i < boxes_.size(); ++i)
    all.emplace_back(config_.boxes[i].name, boxes_[i].get());
  for (const auto& [place, adapter] : adapters()) all.emplace_back(place, adapter);
  return all;
}

void Simulation::change_param(const std::string& object, const std::string& name,
                              const nlohmann::json& value) {
  const auto refuse = [&](const std::string& which) {
    throw ConfigError(fmt::format("{}.{}: cannot change while the simulation runs; {}",
                                  echo(object), echo(name), which));
  };
  std::vector<std::string> places;
  for (const auto& [place, part] : tunables()) {
    const std::vector<std::string> names = part->changeable();
    if (names.empty()) continue;
    if (place == object) {
      if (std::find(names.begin(), names.end(), name) == names.end())
        refuse(fmt::format("of its parameters these can: {}", fmt::join(names, ", ")));
      return part->change(name, value, object);
    }
    places.push_back(place);
  }
  refuse(places.empty() ? "nothing here can" : "parameters of these can: " + echo(places));
}

nlohmann::json Simulation::describe_params() const {
  nlohmann::json list = nlohmann::json::array();
  for (const auto& machine : machines_) machine->describe_params(list);
  for (const auto& item : switches_) append_params(list, item->name(), item->describe_params());
  for (std::size_t i = 0; i < boxes_.size(); ++i)
    append_params(list, config_.boxes[i].name, boxes_[i]->describe_params());
  for (const auto& link : links_) append_params(list, link->name(), describe(link->params()));
  return list;
}

void Simulation::describe_unclaimed(nlohmann::json& results) const {
  nlohmann::json list = nlohmann::json::array();
  for (const auto& machine : machines_) machine->describe_unclaimed(list);
  if (!list.empty()) results["unclaimed"] = std::move(list);
}

void Simulation::write_results(double wall_s) {
  sinks_->close();
  coverage_->write();
  nlohmann::json results = summary_->json();
  results["simulated_s"] = sc_core::sc_time_stamp().to_seconds();
  results["compiler"] = kCompiler;
  results["wall_s"] = wall_s;
  results["window_wall_s"] = window_->wall_s();
  results["params"] = describe_params();
  sinks_->describe(results);
  describe_unclaimed(results);
  results["guests"] = nlohmann::json::object();
  nlohmann::json& host = results["host_s"];
  host = {{"simulator", json_of(own_seconds_)}, {"guests", nlohmann::json::object()}};
  for (const auto& [guest, files] : control_.reports()) results["guests"][guest]["reports"] = files;
  for (std::size_t i = 0; i < machines_.size(); ++i) {
    const guest::GuestProcess* const guest = machines_[i]->software().guest();
    if (guest != nullptr) host["programs_by"][config_.machines[i].name] = guest->programs_by();
    const auto taken = guest == nullptr ? std::nullopt : guest->host_time().seconds();
    if (taken)
      host["guests"][config_.machines[i].name] = {{"kernel", json_of(taken->kernel)},
                                                  {"programs", json_of(taken->programs)}};
    const guest::BlockProfile* const profile = machines_[i]->software().profile();
    if (profile == nullptr) continue;
    const std::string& name = config_.machines[i].name;
    write_file("profile-" + name + ".blocks", profile->blocks_text());
    write_file("profile-" + name + ".stacks", profile->stacks_text());
    write_file("profile-" + name + ".symbols", profile->symbols_text());
  }
  write_file("connections.json", sinks_->connections().json().dump(1));
  write_file("sim.json", results.dump(1));
}

}  // namespace longhaul::assembly
