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
  nlohmann::json firmware;  ///< values that firmware writes into its configuration space
  nlohmann::json params;
};

/// A real guest.
struct GuestConfig {
  std::string files;                   ///< directory that the guest sees at /run/longhaul
  std::vector<std::string> arguments;  ///< additional kernel arguments
  std::string root;                    ///< image of its own root; empty: the root of all guests
  // For a guest with its own kernel; empty: those of all guests.
  std::string kernel;
  std::string kernel_blocks;
  std::string kernel_layout;
  bool console = false;  ///< its terminal is connected to the user
};

struct MachineConfig {
  std::string name;
  nlohmann::json cpu;
  nlohmann::json memory;
  nlohmann::json pcix;
  nlohmann::json bridge;
  nlohmann::json platform_bus;  ///< parameters of the bus of platform devices
  std::optional<GuestConfig> guest;
  nlohmann::json host;  ///< a modelled operating system (HostSoftware); null for a guest
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
  bool packets = false;       ///< follows each packet by its number, in packets.bin
  bool record = false;        ///< records every exchange, frame and event in record.bin
  std::string record_device;  ///< MACHINE.DEVICE whose accesses are recorded in device.bin; empty:
                              ///< none
  sc_core::sc_time profile_period{
      20, sc_core::SC_US};         ///< simulated time between a guest's stack samples; zero: none
  std::vector<std::string> waves;  ///< traced kinds: link, tcp, core, box, nic, rtl, pcix
  sc_core::sc_time waves_from;     ///< from the beginning of the measured window
  /// Length of the traced time; after the trigger, if there is one.
  sc_core::sc_time waves_length{100, sc_core::SC_US};
  bool coverage = false;           ///< writes the coverage of RTL by port maps into coverage/
  std::string waves_trigger;       ///< trigger of the waves (WaveTrigger); empty: none
  sc_core::sc_time waves_history;  ///< time before the trigger that is kept
  bool traces(const std::string& what) const {
    return std::find(waves.begin(), waves.end(), what) != waves.end();
  }
};

/// The measured time, if the guests' marks do not give it (MeasuredWindow).
struct WindowConfig {
  std::string opens_at;  ///< MACHINE.DEVICE that receives the traffic
  Bytes greeting;  ///< user data before the traffic: the first messages between the two programs
  sc_core::sc_time warmup;  ///< from the traffic's first bytes to the window
  sc_core::sc_time length;
};

struct SimulationConfig {
  std::string name;
  std::uint64_t seed = 1;
  std::uint64_t layout = 0;  ///< layout of the guests' code (models/cpu/text_layout.h)
  std::string out;
  /// False: no file is written, whatever outputs are configured (a check).
  bool writes = true;
  sc_core::sc_time limit;            ///< simulated time after which the run is ended with an error
  sc_core::sc_time patience;         ///< simulated time without progress after which the run is
                                     ///< ended with an error; zero: no limit
  std::vector<std::string> plugins;  ///< shared objects with further types (plugins.h)
  std::string kernel;
  /// Where the kernel keeps the TCP state that waves show; empty: not known.
  std::string kernel_layout;
  /// The kernel's table of basic blocks; empty: executed code costs nothing.
  std::string kernel_blocks;
  std::string guest_root;
  std::vector<MachineConfig> machines;
  std::vector<SwitchConfig> switches;
  std::vector<BoxConfig> boxes;
  std::vector<LinkConfig> links;
  std::optional<WindowConfig> window;
  std::vector<ControlStep> control;
  ObserveConfig observe;

  /// The path of an output; empty, which is no file, without `writes`.
  std::string output(const std::string& file) const { return writes ? out + "/" + file : ""; }
};

/// Reads a configuration and loads its plug-ins. Throws ConfigError with the place of an error.
SimulationConfig read_config(const nlohmann::json& json);
/// Reads a configuration from a text from outside, within the limits of parse_json(). `name` is
/// that of the text in messages.
SimulationConfig read_config_text(const std::string& text, const std::string& name);
/// Reads a configuration from a file.
SimulationConfig read_config_file(const std::string& path);

}  // namespace longhaul::assembly
