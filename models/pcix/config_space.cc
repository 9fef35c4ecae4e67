// SPDX-License-Identifier: Apache-2.0
#include "models/pcix/config_space.h"

#include <stdexcept>
#include <string>

namespace longhaul::pcix {
namespace {

// Offsets of a type 0 header: PCI 2.3, figure 6-1.
constexpr std::uint32_t kVendorId = 0x00;
constexpr std::uint32_t kDeviceId = 0x02;
constexpr std::uint32_t kCommand = 0x04;
constexpr std::uint32_t kStatus = 0x06;
constexpr std::uint32_t kRevisionAndClass = 0x08;
constexpr std::uint32_t kCacheLineSize = 0x0c;
constexpr std::uint32_t kLatencyTimer = 0x0d;
constexpr std::uint32_t kHeaderType = 0x0e;
constexpr std::uint32_t kBar0 = 0x10;
constexpr std::uint32_t kBarIsIo = 1;
constexpr std::uint32_t kMultifunction = 0x80;
constexpr std::uint32_t kSubsystemVendorId = 0x2c;
constexpr std::uint32_t kSubsystemId = 0x2e;
constexpr std::uint32_t kCapabilityPointer = 0x34;
constexpr std::uint32_t kInterruptLine = 0x3c;
constexpr std::uint32_t kInterruptPin = 0x3d;
constexpr std::uint32_t kHeaderEnd = 0x40;

constexpr std::uint16_t kCommandIo = 1U << 0;
constexpr std::uint16_t kCommandMemory = 1U << 1;
constexpr std::uint16_t kCommandMaster = 1U << 2;
constexpr std::uint16_t kCommandIntxDisable = 1U << 10;
// Memory, master, write-and-invalidate, parity response, SERR#, INTx disable; with an I/O BAR, I/O too.
constexpr std::uint16_t kCommandWritable = 0x0556;
constexpr std::uint16_t kStatusInterrupt = 1U << 3;
constexpr std::uint16_t kStatusCapabilities = 1U << 4;
constexpr std::uint16_t kStatus66Mhz = 1U << 5;
constexpr std::uint16_t kStatusMediumDevsel = 1U << 9;
constexpr std::uint16_t kStatusClearable = 0xf900;

// PCI-X 1.0b, chapter 7: the latency timer resets to 64 clocks in PCI-X mode.
constexpr std::uint8_t kPcixLatencyTimerReset = 64;

constexpr std::uint8_t kMsiId = 0x05;
constexpr std::uint8_t kPcixId = 0x07;
constexpr std::uint16_t kPcixRelaxedOrdering = 1U << 1;  // set at reset
constexpr std::uint16_t kPcixCommandWritable = 0x007f;
constexpr std::uint32_t kPcixStatusClearable = (1U << 18) | (1U << 19) | (1U << 29);
constexpr std::uint16_t kMsi64Bit = 1U << 7;
constexpr std::uint16_t kMsiControlWritable = 0x0071;  // enable, multiple message enable

void require(bool fits, const char* why) {
  if (!fits) throw std::logic_error(std::string("configuration space: ") + why);
}

}  // namespace

ConfigSpace::ConfigSpace(const ConfigIdentity& identity) : identity_(identity) {
  const std::uint32_t pcix = identity.pcix_capability_offset;
  const std::uint32_t msi = identity.msi_capability_offset;
  require(identity.bar0_size >= 16 && (identity.bar0_size & (identity.bar0_size - 1)) == 0,
          "the size of BAR 0 must be a power of two, 16 at least");
  require(identity.io_bar == 0 ||
              (identity.io_bar <= 5 && identity.io_size >= 4 && (identity.io_size & (identity.io_size - 1)) == 0),
          "the I/O BAR must be one of 1 to 5, and its size a power of two, 4 at least");
  require(pcix == 0 || (pcix >= kHeaderEnd && pcix % 4 == 0 && pcix <= 0xf8), "the PCI-X capability does not fit");
  require(msi == 0 || (msi >= kHeaderEnd && msi % 4 == 0 && msi <= 0xf0), "the MSI capability does not fit");

  put(kVendorId, 2, identity.vendor_id);
  put(kDeviceId, 2, identity.device_id);
  put(kCommand, 2, 0, kCommandWritable | (identity.io_bar != 0 ? kCommandIo : 0U));
  const bool has_capabilities = pcix != 0 || msi != 0;
  put(kStatus, 2, (has_capabilities ? kStatusCapabilities : 0U) | kStatus66Mhz | kStatusMediumDevsel, 0,
      kStatusClearable);
  put(kRevisionAndClass, 4, identity.revision | identity.class_code << 8);
  put(kCacheLineSize, 1, 0, 0xff);
  put(kLatencyTimer, 1, pcix != 0 ? kPcixLatencyTimerReset : 0U, 0xff);
  put(kBar0, 4, 0, ~(identity.bar0_size - 1));
  if (identity.io_bar != 0) put(kBar0 + 4U * identity.io_bar, 4, kBarIsIo, ~(identity.io_size - 1));
  put(kSubsystemVendorId, 2, identity.subsystem_vendor_id);
  put(kSubsystemId, 2, identity.subsystem_id);
  put(kCapabilityPointer, 1, pcix != 0 ? pcix : msi);
  put(kInterruptLine, 1, 0, 0xff);
  put(kInterruptPin, 1, identity.interrupt_pin);
  if (pcix != 0) put_pcix_capability(identity.msi_capability_offset);
  if (msi != 0) put_msi_capability();
}

void ConfigSpace::put_pcix_capability(std::uint8_t next) {
  const std::uint32_t at = identity_.pcix_capability_offset;
  put(at, 1, kPcixId);
  put(at + 1, 1, next);
  put(at + 2, 2, kPcixRelaxedOrdering, kPcixCommandWritable);
  put(at + 4, 4, 0, 0, kPcixStatusClearable);
}

void ConfigSpace::put_msi_capability() {
  const std::uint32_t at = identity_.msi_capability_offset;
  put(at, 1, kMsiId);
  put(at + 1, 1, 0);
  put(at + 2, 2, kMsi64Bit, kMsiControlWritable);
  put(at + 4, 4, 0, 0xffff'fffc);
  put(at + 8, 4, 0, 0xffff'ffff);
  put(at + 12, 2, 0, 0xffff);
}

std::uint32_t ConfigSpace::read(std::uint32_t offset, std::uint32_t size) const {
  if (offset >= bytes_.size() || size > 4 || offset + size > bytes_.size()) return 0xffff'ffff;
  std::uint32_t value = 0;
  for (std::uint32_t i = 0; i < size; ++i) value |= static_cast<std::uint32_t>(bytes_[offset + i]) << (8 * i);
  return value;
}

void ConfigSpace::write(std::uint32_t offset, std::uint32_t size, std::uint32_t value) {
  if (offset >= bytes_.size() || size > 4 || offset + size > bytes_.size()) return;
  for (std::uint32_t i = 0; i < size; ++i) {
    const auto written = static_cast<std::uint8_t>(value >> (8 * i));
    std::uint8_t& byte = bytes_[offset + i];
    const std::uint8_t mask = writable_[offset + i];
    byte = static_cast<std::uint8_t>((byte & ~mask) | (written & mask));
    byte = static_cast<std::uint8_t>(byte & ~(written & write_one_to_clear_[offset + i]));
  }
}

std::uint64_t ConfigSpace::bar0() const { return word(kBar0) & 0xffff'fff0U; }

std::uint64_t ConfigSpace::io_bar() const {
  return identity_.io_bar == 0 ? 0 : word(kBar0 + 4U * identity_.io_bar) & 0xffff'fffcU;
}

bool ConfigSpace::io_enabled() const { return (bytes_[kCommand] & kCommandIo) != 0; }
bool ConfigSpace::memory_enabled() const { return (bytes_[kCommand] & kCommandMemory) != 0; }
bool ConfigSpace::master_enabled() const { return (bytes_[kCommand] & kCommandMaster) != 0; }
bool ConfigSpace::intx_disabled() const { return (word(kCommand) & kCommandIntxDisable) != 0; }

bool ConfigSpace::claims_memory(std::uint64_t address) const {
  return memory_enabled() && address >= bar0() && address - bar0() < bar0_size();
}

bool ConfigSpace::claims_io(std::uint64_t port) const {
  const std::uint64_t first = io_bar();
  return io_enabled() && first != 0 && port >= first && port - first < identity_.io_size;
}

std::uint32_t ConfigSpace::max_memory_read_bytes() const {
  if (identity_.pcix_capability_offset == 0) return 512;
  return 512U << (bytes_[identity_.pcix_capability_offset + 2U] >> 2 & 3U);
}

std::uint32_t ConfigSpace::max_outstanding_splits() const {
  static constexpr std::array<std::uint32_t, 8> kCounts{1, 2, 3, 4, 8, 12, 16, 32};
  if (identity_.pcix_capability_offset == 0) return 1;
  return kCounts[bytes_[identity_.pcix_capability_offset + 2U] >> 4 & 7U];
}

bool ConfigSpace::relaxed_ordering_enabled() const {
  return identity_.pcix_capability_offset != 0 &&
         (bytes_[identity_.pcix_capability_offset + 2U] & kPcixRelaxedOrdering) != 0;
}

std::uint8_t ConfigSpace::latency_timer() const { return bytes_[kLatencyTimer]; }

void ConfigSpace::set_pcix_status(std::uint32_t status) {
  if (identity_.pcix_capability_offset == 0) return;
  put(identity_.pcix_capability_offset + 4U, 4, status & ~kPcixStatusClearable, 0, kPcixStatusClearable);
}

void ConfigSpace::note_status(std::uint16_t bits) {
  const std::uint16_t noted = bits & kStatusClearable;
  bytes_[kStatus] |= static_cast<std::uint8_t>(noted);
  bytes_[kStatus + 1] |= static_cast<std::uint8_t>(noted >> 8);
}

void ConfigSpace::set_interrupt_status(bool pending) {
  bytes_[kStatus] =
      static_cast<std::uint8_t>((bytes_[kStatus] & ~kStatusInterrupt) | (pending ? kStatusInterrupt : 0U));
}

void ConfigSpace::set_multifunction() { put(kHeaderType, 1, kMultifunction); }
std::uint32_t ConfigSpace::interrupt_pin() const { return bytes_[kInterruptPin]; }

bool ConfigSpace::msi_enabled() const {
  return identity_.msi_capability_offset != 0 && (bytes_[identity_.msi_capability_offset + 2U] & 1U) != 0;
}

std::uint64_t ConfigSpace::msi_address() const {
  if (identity_.msi_capability_offset == 0) return 0;
  const std::uint32_t at = identity_.msi_capability_offset;
  return word(at + 4) | static_cast<std::uint64_t>(word(at + 8)) << 32;
}

std::uint16_t ConfigSpace::msi_data() const {
  if (identity_.msi_capability_offset == 0) return 0;
  return static_cast<std::uint16_t>(read(identity_.msi_capability_offset + 12U, 2));
}

std::uint32_t ConfigSpace::word(std::uint32_t offset) const { return read(offset, 4); }

void ConfigSpace::put(std::uint32_t offset, std::uint32_t size, std::uint32_t value, std::uint32_t writable_mask,
                      std::uint32_t write_one_to_clear_mask) {
  for (std::uint32_t i = 0; i < size; ++i) {
    bytes_[offset + i] = static_cast<std::uint8_t>(value >> (8 * i));
    writable_[offset + i] = static_cast<std::uint8_t>(writable_mask >> (8 * i));
    write_one_to_clear_[offset + i] = static_cast<std::uint8_t>(write_one_to_clear_mask >> (8 * i));
  }
}

}  // namespace longhaul::pcix
