// SPDX-License-Identifier: Apache-2.0
#include "platform/portmap/pci_entry.h"

#include <nlohmann/json.hpp>

#include "models/pcix/msix_table.h"

namespace longhaul::portmap {
namespace {

using Json = nlohmann::json;

constexpr std::uint8_t kPcixCapability = 0x50;
constexpr std::uint8_t kMsiCapability = 0x58;
constexpr std::uint8_t kMsixCapability = 0x68;

BarEntry bar_of(const Json& json) {
  BarEntry entry;
  entry.bar.index = json.at("index");
  entry.bar.bytes = json.at("bytes");
  entry.bar.wide = json.at("wide");
  entry.bar.prefetchable = json.at("prefetchable");
  entry.registers = json.at("registers");
  entry.offset = json.at("offset");
  return entry;
}

}  // namespace

PciEntry PciEntry::read(const Json& json) {
  PciEntry entry;
  entry.vendor = json.at("vendor");
  entry.device = json.at("device");
  entry.subsystem_vendor = json.at("subsystem_vendor");
  entry.subsystem = json.at("subsystem");
  entry.revision = json.at("revision");
  entry.class_code = json.at("class_code");
  for (const Json& bar : json.at("bars")) entry.bars.push_back(bar_of(bar));
  entry.msi = json.at("msi");
  entry.vectors = json.at("vectors");
  entry.msix_vectors = json.at("msix_vectors");
  entry.msix_bar = json.at("msix_bar");
  entry.intx = json.at("intx");
  entry.slot = json.at("slot");
  entry.max_read = json.at("max_read");
  entry.memory = json.at("memory");
  entry.interrupts = json.at("interrupts");
  entry.port = json.at("port");
  entry.bus = json.value("bus", "");
  return entry;
}

pcix::ConfigIdentity PciEntry::identity() const {
  pcix::ConfigIdentity identity{};
  identity.vendor_id = vendor;
  identity.device_id = device;
  identity.revision = revision;
  identity.class_code = class_code;
  identity.subsystem_vendor_id = subsystem_vendor;
  identity.subsystem_id = subsystem;
  identity.pcix_capability_offset = slot.rfind("pcix", 0) == 0 ? kPcixCapability : 0;
  identity.msi_capability_offset = msi ? kMsiCapability : 0;
  identity.msi_vectors = vectors;
  std::size_t number = 0;
  for (const BarEntry& entry : bars) identity.bars.at(number++) = entry.bar;
  if (msix_vectors != 0) {
    identity.msix_capability_offset = kMsixCapability;
    identity.msix_vectors = msix_vectors;
    identity.msix_bar = msix_bar;
    identity.bars.at(number) = {msix_bar, pcix::MsixTable::kBarBytes, false, false};
  }
  identity.interrupt_pin = intx ? 1 : 0;
  identity.max_read_bytes = max_read;
  return identity;
}

}  // namespace longhaul::portmap
