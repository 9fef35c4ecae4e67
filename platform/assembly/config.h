// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <systemc>
#include <vector>

#include "models/common/param.h"
#include "models/common/units.h"
#include "platform/assembly/box_control.h"

namespace longhaul::assembly {

/// The simulator's configuration file (docs/interfaces.md, Simulator), read and checked member by
/// member. Parameters of models stay JSON until the model is built, which checks them against its
/// own list.
struct DeviceConfig {
  std::string type;
  std::string name;
  std::uint32_t slot = 0;
  std::uint32_t function = 0;
  nlohmann::json firmware;  ///< what firmware writes into its configuration space
  nlohmann::json params;
};

/// A real guest.
struct GuestConfig {
  std::string files;                   ///< directory that it sees at /run/longhaul
  std::vector<std::string> arguments;  ///< more kernel arguments
  std::string root;                    ///< image of a root of its own; empty: that of all guests
  // Of a kernel of its own; empty: those of all guests.
  std::string kernel;
  std::string kernel_blocks;
  std::string kernel_layout;
  bool console = false;  ///< its terminal is the user's
};

struct MachineConfig {
  std::string name;
  nlohmann::json cpu;
  nlohmann::json memory;
  nlohmann::json pcix;
  nlohmann::json bridge;
  nlohmann::json platform_bus;  ///< what platform devices lie on
  std::optional<GuestConfig> guest;
  nlohmann::json host;  ///< a modelled operating system (HostSoftware); null where there is a guest
  std::vector<DeviceConfig> devices;
};

struct SwitchConfig {
  std::string type;
  std::string name;
  std::uint32_t ports = 0;
  nlohmann::json params;
};

struct BoxConfig {
  std::string type;
  std::string name;
  nlohmann::json params;
};

struct LinkConfig {
  std::string name;
  std::string a;
  std::string b;
  nlohmann::json params;
};

struct ObserveConfig {
  sc_core::sc_time series_period{1, sc_core::SC_MS};  ///< zero: no series
  std::vector<std::string> pcap;                      ///< names of links
  std::uint32_t snaplen = 0;                          ///< bytes kept of a captured frame; zero: all
  bool timeline = false;
  bool record = false;        ///< every exchange, frame and event into record.bin
  std::string record_device;  ///< MACHINE.DEVICE whose accesses go into device.bin; empty: none
  sc_core::sc_time profile_period{
      20, sc_core::SC_US};         ///< simulated time between a guest's stack samples; zero: none
  std::vector<std::string> waves;  ///< what is traced: link, tcp, core, box, nic, rtl, pcix
  sc_core::sc_time waves_from;     ///< from the begin of the measured window
  sc_core::sc_time waves_length{
      100, sc_core::SC_US};        ///< of what is traced; after the trigger, if there is one
  bool coverage = false;           ///< what RTL by port maps has reached, into coverage/
  std::string waves_trigger;       ///< what the waveforms wait for (WaveTrigger); empty: nothing
  sc_core::sc_time waves_history;  ///< what is kept of the time before the trigger
  bool traces(const std::string& what) const {
    return std::find(waves.begin(), waves.end(), what) != waves.end();
  }
};

/// Which stretch of time is measured, when it is not the guests' marks that say so
/// (MeasuredWindow).
struct WindowConfig {
  std::string opens_at;  ///< MACHINE.DEVICE that the traffic goes to
  Bytes greeting;  ///< user data before the traffic: what the two programs tell each other first
  sc_core::sc_time warmup;  ///< from the traffic's first bytes to the window
  sc_core::sc_time length;
};

struct SimulationConfig {
  std::string name;
  std::uint64_t seed = 1;
  std::uint64_t layout = 0;  ///< where the guests' code lies (models/cpu/text_layout.h)
  std::string out;
  /// False: nothing is written, whatever is asked for (a check).
  bool writes = true;
  sc_core::sc_time limit;            ///< simulated time after which the run is given up
  sc_core::sc_time patience;         ///< the same after so long without progress; zero: for ever
  std::vector<std::string> plugins;  ///< shared objects with types of their own (plugins.h)
  std::string kernel;
  std::string
      kernel_layout;  ///< where the kernel keeps what waveforms show of TCP; empty: not known
  std::string
      kernel_blocks;  ///< the kernel's table of basic blocks; empty: executed code costs nothing
  std::string guest_root;
  std::vector<MachineConfig> machines;
  std::vector<SwitchConfig> switches;
  std::vector<BoxConfig> boxes;
  std::vector<LinkConfig> links;
  std::optional<WindowConfig> window;
  std::vector<ControlStep> control;
  ObserveConfig observe;

  /// Path of an output; empty, which is no file, where nothing is written.
  std::string output(const std::string& file) const { return writes ? out + "/" + file : ""; }
};

/// Reads a configuration and loads its plug-ins; throws ConfigError with the place of what is wrong
/// in it.
SimulationConfig read_config(const nlohmann::json& json);
/// The same of a text that comes from outside, within the limits of parse_json(); `name` is what a
/// message calls it.
SimulationConfig read_config_text(const std::string& text, const std::string& name);
/// The same of a file.
SimulationConfig read_config_file(const std::string& path);

}  // namespace longhaul::assembly
