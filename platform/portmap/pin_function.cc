// SPDX-License-Identifier: Apache-2.0
#include "platform/portmap/pin_function.h"

#include <fmt/format.h>

#include <cstring>
#include <stdexcept>

#include "models/pcix/address_map.h"
#include "platform/portmap/bus_mode.h"

namespace longhaul::portmap {
namespace {

constexpr std::uint32_t kConfigBytes = 256;  // of a function that is not in mode 2 of PCI-X 2.0
constexpr std::uint32_t kFirstFree = 0x40;   // behind the header
constexpr std::uint32_t kPcixCapabilityBytes = 8;

}  // namespace

void PinFunction::start_of_simulation() {
  const BlockMap& map = block().map();
  const InterfaceEntry& interface = map.interface(map.pci->bus);
  const BusMode mode = bus() == nullptr ? BusMode::named(map.pci->slot) : BusMode::of(*bus());
  if (!mode.pcix) {
    throw std::runtime_error(
        fmt::format("{}: the bus is conventional PCI; the pins of {} are a PCI-X device's: wants "
                    "pcix.protocol 'pcix'",
                    name(), map.pci->bus));
  }
  block().start(bus() == nullptr ? 0 : bus()->period_ps(), interface.clock);
  cosim::PcixHostParams host;
  host.prefix = interface.name + ".";
  host.posted_writes = interface.outstanding;
  host.patience = interface.patience;
  host.wide = mode.bus64;
  // STOP# low: 100 or 133 MHz; TRDY# low: 66 or 133 MHz (PCI-X 1.0b, 6.2).
  host.stop_low = mode.pcix_speed != 0;
  host.trdy_low = mode.pcix_speed != 1;
  host.stalls = cosim::Stalls(params().stress.seed(), params().stress.stalls() * 256 / 100);
  host_ = make_pcix_side(block(), interface, *this, *this, std::move(host));
  cosim::InterruptClient& client = *this;
  interrupts_ = std::make_unique<cosim::InterruptPins>(
      block().rtl(), block().clock(interface.clock), block().pin(interface, "inta_oe"), client);
  wire().connect();
  block().board().show_bus(block(), mode);
  PinStart start(*host_, *map.pci, config(), name());
  block().power_up([&] { return start.done(); });
  pcix_capability_ = start.pcix_capability();
  host_->powered_up();
}

/// The copy takes what is written. Its PCI-X capability may lie elsewhere; the others it does not
/// need.
sc_core::sc_time PinFunction::access_config(tlm::tlm_generic_payload& payload) {
  const auto offset = static_cast<std::uint32_t>(payload.get_address());
  const std::uint32_t length = payload.get_data_length();
  if (offset % 4 + length > 4 || offset >= kConfigBytes) return PcixDevice::access_config(payload);
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
  if (payload.is_write()) {
    std::uint32_t value = 0;
    std::memcpy(&value, payload.get_data_ptr(), length);
    const std::uint32_t in_capability = offset - pcix_capability_;
    if (offset < kFirstFree) {
      config().write(offset, length, value);
    } else if (in_capability < kPcixCapabilityBytes) {
      const std::uint32_t place = block().map().pci->identity().pcix_capability_offset;
      config().write(place + in_capability, length, value);
    }
  }
  begin(payload, offset, true);
  return later();
}

sc_core::sc_time PinFunction::access_memory_bar(tlm::tlm_generic_payload& payload) {
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
  begin(payload, config().memory_bar(accessed_bar()) + payload.get_address(), false);
  return payload.is_write() ? sc_core::SC_ZERO_TIME : later();
}

void PinFunction::begin(const tlm::tlm_generic_payload& payload, std::uint64_t address,
                        bool config) {
  cosim::PcixAccess access;
  access.config = config;
  access.write = payload.is_write();
  access.address = address;
  access.bytes = payload.get_data_length();
  if (access.write) std::memcpy(access.data.data(), payload.get_data_ptr(), access.bytes);
  access.tag = open_access(payload, access.write && !config);
  host_->access(access);
}

void PinFunction::pcix_access_done(const cosim::PcixAccess& access) {
  close_access(access.tag, access.status, access.write ? nullptr : access.data.data());
}

void PinFunction::interrupts_changed(std::uint64_t levels, std::uint64_t) {
  log().interrupt_set(levels != 0);
  set_interrupt(levels != 0);
}

/// A message of the block is a write of its.
void PinFunction::write(std::uint64_t address, const std::uint8_t* data, std::uint32_t length,
                        cosim::MemoryClient& client, std::uint64_t tag) {
  if (pcix::address_map::is_msi(address)) {
    interrupts.add();
    log().interrupt_set(true);
    log().interrupt_set(false);
  }
  BlockFunction::write(address, data, length, client, tag);
}

}  // namespace longhaul::portmap
