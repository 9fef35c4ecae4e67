// SPDX-License-Identifier: Apache-2.0
#include "platform/portmap/board_parts.h"

#include <algorithm>

#include "models/nic/blocks/mdio_device_type.h"
#include "platform/portmap/mapped_block.h"

namespace longhaul::portmap {

/// The device that answers at a port of the bus, and the port as the device numbers it.
nic::MdioDevice* MdioDevices::at(std::uint32_t port, std::uint32_t& own) const {
  for (const auto& [address, device] : devices_) {
    if (address != port) continue;
    own = 0;
    return device.get();
  }
  return nullptr;
}

bool MdioDevices::mdio_answers(std::uint32_t port, std::uint32_t device) const {
  std::uint32_t own = 0;
  const nic::MdioDevice* const there = at(port, own);
  return there != nullptr && there->mdio_answers(own, device);
}

bool MdioDevices::mdio_takes_short_preamble() const {
  return std::all_of(devices_.begin(), devices_.end(),
                     [](const auto& each) { return each.second->mdio_takes_short_preamble(); });
}

std::uint16_t MdioDevices::mdio_read(std::uint32_t port, std::uint32_t device,
                                     std::uint16_t address) {
  std::uint32_t own = 0;
  nic::MdioDevice* const there = at(port, own);
  return there == nullptr ? 0xffff : there->mdio_read(own, device, address);
}

void MdioDevices::mdio_write(std::uint32_t port, std::uint32_t device, std::uint16_t address,
                             std::uint16_t value) {
  std::uint32_t own = 0;
  if (nic::MdioDevice* const there = at(port, own)) there->mdio_write(own, device, address, value);
}

BoardParts::BoardParts(const sc_core::sc_module_name& name, const BlockMap& map,
                       const BoardParams& params)
    : sc_core::sc_module(name), map_(map), params_(params) {
  for (const InterfaceEntry& interface : map.interfaces) {
    if (interface.eeprom) {
      eeproms_[interface.name] = std::make_unique<cosim::MicrowireEeprom>(
          interface.name.c_str(), params.content(*interface.eeprom), params.eeprom(interface.name));
    }
    if (interface.kind == "mdio") add_devices(interface);
  }
}

void BoardParts::add_devices(const InterfaceEntry& interface) {
  MdioDevices& bus = devices_[interface.name];
  for (const MdioDeviceEntry& entry : interface.devices) {
    const std::string where = params_.where() + "." + entry.name;
    const std::string port = entry.port;
    const nic::MdioDeviceRequest request{
        params_.device(entry), where, entry.registers,
        [this, port] { return ports_.at(port)->has_carrier(); },
        [this, port] { return ports_.at(port)->carrier_losses(); }};
    bus.add(entry.address, nic::mdio_device_types().find(entry.type, where).make(request));
  }
  targets_[interface.name] = std::make_unique<cosim::MdioTarget>(interface.name.c_str(), bus);
}

void BoardParts::connect(MappedBlock& block) {
  for (const InterfaceEntry& interface : map_.interfaces) {
    const auto pin = [&](const char* signal) { return block.pin(interface, signal); };
    if (interface.eeprom) {
      eeproms_.at(interface.name)
          ->connect(block.rtl(), block.clock(interface.clock),
                    {pin("cs"), pin("sk"), pin("di"), pin("do")}, interface.name,
                    block.sink_of(interface));
    }
    if (interface.kind != "mdio") continue;
    cosim::MdioPins pins;
    pins.clock = pin("mdc");
    pins.out = pin("mdio_out");
    pins.enable_low = interface.pins.count("mdio_t") != 0;
    pins.enable = pin(pins.enable_low ? "mdio_t" : "mdio_oe");
    pins.in = pin("mdio_in");
    pins.drive = pin("mdio_drive");
    targets_.at(interface.name)
        ->connect(block.rtl(), block.clock(interface.clock), pins, interface.name,
                  block.sink_of(interface));
  }
}

void BoardParts::show_bus(MappedBlock& block, const BusMode& slot) const {
  const std::string bus = params_.bus();
  const BusMode mode = bus == BoardParams::kSlot ? slot : BusMode::named(bus);
  for (const InterfaceEntry& interface : map_.interfaces) {
    if (interface.kind != "bus-mode") continue;
    block.pin(interface, "pci66").set(mode.pci66 ? 1 : 0);
    block.pin(interface, "bus64").set(mode.bus64 ? 1 : 0);
    block.pin(interface, "pcix").set(mode.pcix ? 1 : 0);
    block.pin(interface, "pcix_speed").set(mode.pcix_speed);
  }
}

}  // namespace longhaul::portmap
