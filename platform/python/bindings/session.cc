// SPDX-License-Identifier: Apache-2.0
#include "platform/python/bindings/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <systemc>

#include "models/common/echo.h"
#include "models/common/units.h"
#include "models/nic/adapter.h"
#include "models/pcix/pcix_device.h"
#include "platform/assembly/box_control.h"
#include "platform/assembly/config.h"
#include "platform/json/json_text.h"

namespace nb = nanobind;

namespace longhaul::bindings {
namespace {

/// Longest time to wait for the answer of a box. It answers within some of its clocks.
const sc_core::sc_time kBoxPatience{1, sc_core::SC_MS};

bool g_opened = false;

void check_signals() {
  const nb::gil_scoped_acquire lock;
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

}  // namespace

Session::Session(const std::string& config) {
  if (g_opened)
    throw CallError(
        "this process has had its simulation: SystemC cannot begin again; start a process for "
        "each");
  sc_core::sc_report_handler::set_actions(sc_core::SC_ID_NO_SC_START_ACTIVITY_,
                                          sc_core::SC_DO_NOTHING);
  sc_core::sc_report_handler::set_actions(sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
  simulation_ = std::make_unique<assembly::Simulation>(
      assembly::read_config_text(config, "the configuration"), progress_);
  g_opened = true;
  stepper_ = std::make_unique<assembly::Stepper>(*simulation_);
  probes_ = std::make_unique<observe::ProbeWalk>();
}

std::uint64_t Session::now() { return now_ps(); }

std::uint64_t Session::limit() const { return to_ps(simulation_->limit()); }

void Session::check_idle() const {
  if (stepper_->running()) throw CallError("not from a callback: the simulation is running");
  if (!failure_.empty()) throw CallError("the run has failed: " + failure_);
}

const char* Session::run(std::uint64_t duration_ps, const nb::object& condition) {
  check_idle();
  if (over()) throw CallError(fmt::format("the run is over since {}", to_text(from_ps(now_ps()))));
  sweep();
  try {
    return run_unlocked(duration_ps, condition);
  } catch (const nb::python_error&) {
    throw;  // an exception of a callback: the simulation can continue
  } catch (const std::exception& error) {
    failure_ = error.what();
    throw;
  }
}

const char* Session::run_unlocked(std::uint64_t duration_ps, const nb::object& condition) {
  assembly::Stepper::Watch* watch = nullptr;
  if (!condition.is_none()) {
    watch = &stepper_->each_instant([this, &condition] {
      const nb::gil_scoped_acquire lock;
      const int holds = PyObject_IsTrue(condition().ptr());
      if (holds < 0) throw nb::python_error();
      if (holds > 0) stepper_->stop();
    });
  }
  const auto forget = [this](assembly::Stepper::Watch* which) {
    if (which != nullptr) stepper_->remove(*which);
  };
  const std::unique_ptr<assembly::Stepper::Watch, decltype(forget)> removed(watch, forget);
  const nb::gil_scoped_release unlocked;
  switch (stepper_->run(from_ps(duration_ps), check_signals)) {
    case assembly::Stepper::Stop::kTime: return "time";
    case assembly::Stepper::Stop::kAsked: return "asked";
    case assembly::Stepper::Stop::kOver: break;
  }
  return "over";
}

Session::Watching& Session::add() {
  watchings_.push_back({next_id_++, {}, nullptr, nullptr});
  return watchings_.back();
}

Session::WatchId Session::every(std::uint64_t period_ps, nb::callable look) {
  Watching& added = add();
  added.look = std::move(look);
  added.watch = &stepper_->every(period_ps, [&added] {
    const nb::gil_scoped_acquire lock;
    added.look(now_ps());
  });
  return added.id;
}

Session::WatchId Session::on_change(std::size_t probe, nb::callable told) {
  Watching& added = add();
  added.subscription = Subscription::to(*probes_->all.at(probe), std::move(told));
  added.watch = &stepper_->each_instant([&added] { added.subscription->drain(); });
  return added.id;
}

void Session::remove(WatchId id) {
  for (Watching& each : watchings_) {
    if (each.id != id || each.watch == nullptr) continue;
    stepper_->remove(*each.watch);
    each.watch = nullptr;
  }
  if (!stepper_->running()) sweep();  // else the removed watch may be running
}

void Session::sweep() {
  watchings_.remove_if([](const Watching& each) { return each.watch == nullptr; });
}

std::vector<std::tuple<std::string, std::string, std::string, std::string>> Session::probes()
    const {
  std::vector<std::tuple<std::string, std::string, std::string, std::string>> all;
  for (const observe::Probe* probe : probes_->all)
    all.emplace_back(probe->name(), kind_of(*probe), probe->unit(), probe->description());
  return all;
}

std::optional<std::uint64_t> Session::highest(std::size_t probe) const {
  const auto* const level = dynamic_cast<const observe::Level*>(probes_->all.at(probe));
  if (level == nullptr) return std::nullopt;
  return level->highest();
}

void Session::change_param(const std::string& object, const std::string& name,
                           const std::string& json) {
  const auto [value, wrong] = parse_json(json);
  if (!wrong.empty()) throw ConfigError(fmt::format("{}.{}: {}", echo(object), echo(name), wrong));
  simulation_->change_param(object, name, value);
}

std::vector<std::optional<std::uint32_t>> Session::access_box(const std::string& box,
                                                              const std::vector<Access>& accesses) {
  check_idle();
  if (over()) throw CallError("the run is over: registers can be looked at no more");
  assembly::BoxControl* const control = simulation_->box_control();
  if (control == nullptr) throw CallError("no box here has registers");
  std::vector<assembly::RegisterAccess> wanted;
  wanted.reserve(accesses.size());
  for (const auto& [address, value] : accesses) wanted.push_back({address, value});
  std::optional<assembly::RegisterValues> values;
  control->request(box, std::move(wanted),
                   [&values](assembly::RegisterValues all) { values = std::move(all); });
  const std::uint64_t end_ps = now_ps() + to_ps(kBoxPatience);
  // The box answers in the present instant, or else after some of its clocks.
  while (!values && now_ps() < end_ps && sc_core::sc_pending_activity()) {
    simulation_->advance(sc_core::sc_pending_activity_at_current_time()
                             ? sc_core::SC_ZERO_TIME
                             : sc_core::sc_time_to_pending_activity());
  }
  if (!values) throw CallError(fmt::format("box '{}' does not answer", box));
  return *values;
}

RegisterBank& Session::bank_of(const std::string& adapter) const {
  pcix::PcixDevice* const function = simulation_->adapter(adapter).function();
  if (function == nullptr)
    throw CallError(fmt::format(
        "'{}' is a platform device, whose registers no one but its processor reaches", adapter));
  return function->bank();
}

std::vector<std::pair<std::string, std::uint32_t>> Session::registers(
    const std::string& adapter) const {
  std::vector<std::pair<std::string, std::uint32_t>> all;
  for (const Reg32* reg : bank_of(adapter).registers())
    all.emplace_back(reg->name(), reg->offset());
  return all;
}

std::uint32_t Session::read_register(const std::string& adapter, std::uint32_t offset, bool peek) {
  RegisterBank& bank = bank_of(adapter);
  return peek ? bank.peek(offset) : bank.read(offset);
}

void Session::write_register(const std::string& adapter, std::uint32_t offset,
                             std::uint32_t value) {
  bank_of(adapter).write(offset, value);
}

void Session::write_results() {
  check_idle();
  if (!over()) throw CallError("the run is not over: " + whereabouts());
  simulation_->write_results(
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count());
}

}  // namespace longhaul::bindings
