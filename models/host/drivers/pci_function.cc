// SPDX-License-Identifier: Apache-2.0
#include "models/host/drivers/pci_function.h"

#include "models/pcix/address_map.h"

namespace longhaul::host {
namespace {

namespace map = pcix::address_map;

// Type 0 header: PCI 2.3, figure 6-1.
constexpr std::uint32_t kIds = 0x00;
constexpr std::uint32_t kCommand = 0x04;
constexpr std::uint32_t kHeaderType = 0x0e;
constexpr std::uint32_t kBar0 = 0x10;
constexpr std::uint32_t kInterruptLine = 0x3c;
constexpr std::uint32_t kInterruptPin = 0x3d;

constexpr std::uint32_t kCommandIo = 1U << 0;
constexpr std::uint32_t kCommandMemory = 1U << 1;
constexpr std::uint32_t kCommandMaster = 1U << 2;
constexpr std::uint32_t kMultifunction = 1U << 7;
constexpr std::uint32_t kBarIo = 1U << 0;
constexpr std::uint32_t kBarTypeMask = 3U << 1;
constexpr std::uint32_t kBarType64 = 2U << 1;

}  // namespace

std::uint64_t PciFunction::address(std::uint32_t offset) const {
  return map::kConfigBegin + slot_ * map::kConfigBytes + function_ * map::kFunctionBytes + offset;
}

std::uint32_t PciFunction::read(std::uint32_t offset, std::uint32_t size) const {
  const std::uint64_t value = Processor::current()->read(address(offset), size);
  return static_cast<std::uint32_t>(size < 4 ? value & ((1U << (8 * size)) - 1) : value);
}

void PciFunction::write(std::uint32_t offset, std::uint32_t value, std::uint32_t size) const {
  Processor::current()->write(address(offset), value, size);
}

bool PciFunction::probe() {
  const std::uint32_t ids = read(kIds, 4);
  vendor_id_ = static_cast<std::uint16_t>(ids);
  device_id_ = static_cast<std::uint16_t>(ids >> 16);
  if (vendor_id_ == 0xffff) return false;
  multifunction_ = (read(kHeaderType, 1) & kMultifunction) != 0;
  const std::uint32_t pin = read(kInterruptPin, 1);
  line_ = pin == 0 ? 0 : slot_ + pin - 1;
  return true;
}

void PciFunction::size_bars() {
  write(kCommand, read(kCommand, 2) & ~(kCommandIo | kCommandMemory), 2);
  for (std::uint32_t i = 0; i < kBars; ++i) {
    const std::uint32_t at = kBar0 + 4 * i;
    write(at, 0xffff'ffff, 4);
    const std::uint32_t found = read(at, 4);
    write(at, 0, 4);
    Bar& bar = bars_[i];
    bar = {};
    bar.io = (found & kBarIo) != 0;
    const std::uint32_t mask = found & (bar.io ? ~3U : ~15U);
    if (mask == 0) continue;
    bar.bytes =
        mask & (~mask + 1);  // its lowest bit: ports may leave the upper 16 zero (PCI 2.3, 6.2.5.1)
    bar.wide = !bar.io && (found & kBarTypeMask) == kBarType64;
    if (bar.wide) ++i;  // nothing here is of 4 GB or above it: the upper half stays zero
  }
}

void PciFunction::place(std::uint32_t bar, std::uint64_t place) {
  Bar& placed = bars_[bar];
  placed.address = place;
  write(kBar0 + 4 * bar, static_cast<std::uint32_t>(placed.io ? place - map::kIoBegin : place), 4);
  if (placed.wide) write(kBar0 + 4 * bar + 4, static_cast<std::uint32_t>(place >> 32), 4);
}

void PciFunction::enable() {
  std::uint32_t command = read(kCommand, 2) | kCommandMaster;
  for (const Bar& bar : bars_) {
    if (bar.address != 0) command |= bar.io ? kCommandIo : kCommandMemory;
  }
  write(kInterruptLine, line_, 1);
  write(kCommand, command, 2);
}

}  // namespace longhaul::host
