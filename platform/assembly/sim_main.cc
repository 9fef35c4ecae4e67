// SPDX-License-Identifier: Apache-2.0
// longhaul-sim: runs the simulation of one configuration file (docs/interfaces.md, Simulator).
#include <CLI/CLI.hpp>

#include <chrono>
#include <cstdio>
#include <memory>
#include <string>
#include <systemc>
#include <utility>
#include <vector>

#include "models/common/echo.h"
#include "models/common/plugin.h"
#include "platform/assembly/config.h"
#include "platform/assembly/plugins.h"
#include "platform/assembly/register_list.h"
#include "platform/assembly/simulation.h"
#include "platform/assembly/stop_signal.h"
#include "platform/assembly/type_list.h"
#include "platform/observe/progress.h"

namespace {

enum ExitCode { kDone = 0, kFailed = 1, kBadConfig = 2, kInterrupted = 130 };

ExitCode complain(const char* what, ExitCode code) {
  std::fprintf(stderr, "longhaul: %s\n", what);
  return code;
}

/// Builds the configuration, to report every error that a run would report. Starts nothing and
/// writes nothing.
ExitCode check(const std::string& path) {
  longhaul::observe::Progress progress;
  try {
    longhaul::assembly::SimulationConfig config = longhaul::assembly::read_config_file(path);
    config.writes = false;
    const longhaul::assembly::Simulation simulation(std::move(config), progress);
  } catch (const longhaul::ConfigError& error) {
    return complain(error.what(), kBadConfig);
  }
  return kDone;
}

/// Prints all types of models, including those of plug-ins, or the registers of an adapter's type.
ExitCode list(const std::vector<std::string>& plugins, const std::string& registers_of) {
  try {
    longhaul::add_built_in_types();
    for (const std::string& path : plugins) longhaul::assembly::load_plugin(path, "--plugin");
    const nlohmann::json listed = registers_of.empty()
                                      ? longhaul::assembly::type_list()
                                      : longhaul::assembly::register_list(registers_of);
    std::printf("%s\n", listed.dump().c_str());
  } catch (const longhaul::ConfigError& error) {
    return complain(error.what(), kBadConfig);
  }
  return kDone;
}

ExitCode simulate(const std::string& path) {
  const auto start = std::chrono::steady_clock::now();
  longhaul::observe::Progress progress;
  std::unique_ptr<longhaul::assembly::Simulation> simulation;
  try {
    simulation = std::make_unique<longhaul::assembly::Simulation>(
        longhaul::assembly::read_config_file(path), progress);
  } catch (const longhaul::ConfigError& error) {
    return complain(error.what(), kBadConfig);
  }
  longhaul::assembly::catch_stop_signals();
  const longhaul::assembly::RunEnd end = simulation->run();
  progress.tell();
  if (end == longhaul::assembly::RunEnd::kInterrupted) return complain("interrupted", kInterrupted);
  simulation->write_results(
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  return kDone;
}

}  // namespace

int sc_main(int argc, char** argv) {
  CLI::App app{"Runs one Longhaul simulation; `longhaul run` makes its configuration."};
  std::string config;
  auto* const file = app.add_option("config", config, "configuration file (JSON)");
  bool types = false;
  std::string registers_of;
  std::vector<std::string> plugins;
  auto* const lists = app.add_option_group("lists");
  lists->add_flag("--types", types, "print the types of all models as JSON and end")
      ->excludes(file);
  lists->add_option("--registers", registers_of, "print the registers of an adapter's type and end")
      ->type_name("TYPE")
      ->excludes(file);
  lists->require_option(0, 1);
  app.add_option("--plugin", plugins,
                 "with --types or --registers: a shared object with types of its own")
      ->excludes(file);
  bool check_only = false;
  app.add_flag("--check", check_only, "build the simulation and end; nothing is written");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);
    return complain((longhaul::echo(std::string(error.what())) + "; see --help").c_str(),
                    kBadConfig);
  }
  const bool lists_only = types || !registers_of.empty();
  if (!lists_only && config.empty()) return complain("config is required; see --help", kBadConfig);
  sc_core::sc_report_handler::set_actions(sc_core::SC_ID_NO_SC_START_ACTIVITY_,
                                          sc_core::SC_DO_NOTHING);
  sc_core::sc_report_handler::set_actions(sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
  try {
    if (lists_only) return list(plugins, registers_of);
    return check_only ? check(config) : simulate(config);
  } catch (const std::exception& error) {
    return complain(error.what(), kFailed);
  }
}
