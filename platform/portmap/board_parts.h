// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <systemc>
#include <utility>
#include <vector>

#include "models/nic/blocks/mdio.h"
#include "platform/cosim/board/mdio_target.h"
#include "platform/cosim/board/microwire_eeprom.h"
#include "platform/portmap/block_map.h"
#include "platform/portmap/board_params.h"
#include "platform/portmap/bus_mode.h"

namespace longhaul::portmap {

class MappedBlock;

/// The carrier of a port to the wire, for devices of management buses.
class Carrier {
 public:
  virtual ~Carrier() = default;
  virtual bool has_carrier() const = 0;
  /// How often it was lost so far.
  virtual std::uint64_t carrier_losses() const = 0;
};

/// Several devices on one management bus, each at its port address.
class MdioDevices final : public nic::MdioDevice {
 public:
  void add(std::uint32_t address, std::unique_ptr<nic::MdioDevice> device) {
    devices_.emplace_back(address, std::move(device));
  }
  bool mdio_answers(std::uint32_t port, std::uint32_t device) const override;
  bool mdio_takes_short_preamble() const override;
  std::uint16_t mdio_read(std::uint32_t port, std::uint32_t device, std::uint16_t address) override;
  void mdio_write(std::uint32_t port, std::uint32_t device, std::uint16_t address,
                  std::uint16_t value) override;

 private:
  nic::MdioDevice* at(std::uint32_t port, std::uint32_t& own) const;
  std::vector<std::pair<std::uint32_t, std::unique_ptr<nic::MdioDevice>>> devices_;
};

/// Parts beside a block on its board, by the map: EEPROMs, devices of management buses, and the
/// mode of the bus in the slot.
class BoardParts final : public sc_core::sc_module {
 public:
  /// Throws ConfigError for a device that cannot be built.
  BoardParts(const sc_core::sc_module_name& name, const BlockMap& map, const BoardParams& params);

  /// A port to the wire, by the map's name.
  void add_port(const std::string& name, const Carrier& carrier) { ports_[name] = &carrier; }
  /// Joins all parts to the pins, after MappedBlock::start() has made the clocks.
  void connect(MappedBlock& block);
  /// Tells the block of its bus: `slot`, unless the parameter `bus` names another kind.
  void show_bus(MappedBlock& block, const BusMode& slot) const;

 private:
  void add_devices(const InterfaceEntry& interface);

  const BlockMap& map_;
  const BoardParams& params_;
  std::map<std::string, const Carrier*> ports_;
  std::map<std::string, std::unique_ptr<cosim::MicrowireEeprom>> eeproms_;  // by interface
  std::map<std::string, MdioDevices> devices_;                              // likewise
  std::map<std::string, std::unique_ptr<cosim::MdioTarget>> targets_;       // likewise
};

}  // namespace longhaul::portmap
