// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "models/common/ring_map.h"
#include "platform/portmap/compiled_params.h"
#include "platform/portmap/input_params.h"
#include "platform/portmap/pci_entry.h"
#include "platform/portmap/pin_place.h"

namespace longhaul::portmap {

struct ClockEntry {
  std::string name;
  PinPlace pin;
  std::uint64_t hertz = 0;
  double ppm = 0;
  std::uint64_t phase_ps = 0;
  bool gating = false;              ///< may stop while nothing happens at its interfaces
  std::uint32_t settle = 0;         ///< clocks that it continues before it stops
  std::optional<PinPlace> request;  ///< an output that is high while the clock must not stop
  bool slot = false;                ///< on a bus, the frequency is that of the bus
};

struct ResetEntry {
  PinPlace pin;
  bool active_high = false;
  std::string clock;
  std::uint32_t clocks = 0;  ///< clocks for which it is active from power-up
};

struct ConstantEntry {
  PinPlace pin;
  std::uint64_t value = 0;
};

/// The content of an EEPROM.
struct EepromEntry {
  std::vector<std::uint16_t> words;
  std::optional<std::uint32_t> mac_word;  ///< first of three words with the Ethernet address
  std::vector<std::uint8_t> mac_maker;    ///< its first three bytes, if no parameter sets it
  std::optional<std::uint32_t> checksum_word;
  std::uint32_t checksum = 0;  ///< sum of all words
};

/// A device of a management bus.
struct MdioDeviceEntry {
  std::string name;
  std::string type;
  std::uint32_t address = 0;  ///< its port address on the bus
  std::string port;           ///< the port to the wire whose carrier it sees
  nlohmann::json params;
  std::map<std::uint16_t, std::uint16_t> registers;
};

/// An interface. `kind` and the signals of `pins` are those of longhaul.portmap.kinds. Signals that
/// the block does not have are absent.
struct InterfaceEntry {
  std::string name;
  std::string kind;
  std::string role;
  std::string clock;
  std::string tx_clock;
  std::string rx_clock;
  bool checker = true;
  bool pipelined = false;         ///< Wishbone only
  bool word_addresses = false;    ///< Wishbone only: ADR counts words of the bus
  std::uint32_t outstanding = 0;  ///< managers only: requests of each direction that are accepted
                                  ///< at once
  std::uint32_t patience = 0;     ///< clocks within which the block must answer, or take an answer
  bool edge = false;              ///< interrupts only: each rise is a request
  std::map<std::string, PinPlace> pins;
  std::optional<EepromEntry> eeprom;     ///< Microwire only
  std::vector<MdioDeviceEntry> devices;  ///< management buses only
};

/// A port to the wire that consists of two AXI4-Streams, by the interfaces' names.
struct StreamEntry {
  std::string transmit;  ///< from the block
  std::string receive;
  std::uint64_t bits_per_s = 0;
  bool fcs = false;          ///< the FCS is in the stream
  std::uint64_t buffer = 0;  ///< bytes of frames that wait for the block
};

/// The block as a platform device, and the contents of its device-tree node.
struct PlatformEntry {
  struct Region {
    std::string name;
    std::uint64_t offset = 0;  ///< in the window
    std::uint64_t bytes = 0;
  };
  std::uint64_t window = 0;  ///< bytes
  std::uint64_t base = 0;    ///< address of the window's start on the block's interface
  std::string node;
  std::vector<std::string> compatible;
  std::vector<Region> regions;
  std::vector<std::string> properties;  ///< in the form of a device tree's source
  std::string registers;
  std::string memory;
  std::string interrupts;
  std::string port;
};

struct DriverEntry {
  std::string module;
  std::string folder;  ///< in the kernel's sources; empty for a user's own module
  std::string option;
  std::uint32_t least_mtu = 0;
  std::uint32_t largest_mtu = 0;
};

/// A port map as `longhaul.portmap` passes it: checked, with each pin's place. One of `pci`,
/// `platform` and `box_ports` is set.
struct BlockMap {
  std::string name;
  std::string title;
  std::string top;
  std::vector<ClockEntry> clocks;
  std::vector<ResetEntry> resets;
  std::vector<ConstantEntry> constants;
  std::vector<InputEntry> inputs;
  std::vector<CompiledEntry> compiled;
  std::vector<InterfaceEntry> interfaces;
  std::map<std::string, StreamEntry> streams;  ///< by name
  std::optional<PciEntry> pci;
  std::optional<RingMap> rings;  ///< of `pci`; none: what the map does not say
  std::optional<PlatformEntry> platform;
  std::map<std::string, std::string> box_ports;  ///< interfaces by port
  std::optional<DriverEntry> driver;
  std::vector<std::string> parameters;  ///< names in a traced block that are not signals

  /// Throws ConfigError whose message starts with `where` for a text that is not a map: another
  /// Longhaul made it.
  static BlockMap parse(const char* text, const std::string& where);
  /// The interface of that name, which must exist.
  const InterfaceEntry& interface(const std::string& wanted) const;
};

}  // namespace longhaul::portmap
