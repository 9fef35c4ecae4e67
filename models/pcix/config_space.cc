// SPDX-License-Identifier: Apache-2.0
#include "models/pcix/config_space.h"

#include <stdexcept>
#include <string>

#include "models/common/units.h"

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
constexpr std::uint32_t kLastBar = 5;
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
// Memory, master, write-and-invalidate, parity response, SERR#, INTx disable. I/O is writable, too,
// if there is an I/O BAR.
constexpr std::uint16_t kCommandWritable = 0x0556;
constexpr std::uint16_t kStatusInterrupt = 1U << 3;
constexpr std::uint16_t kStatusCapabilities = 1U << 4;
constexpr std::uint16_t kStatus66Mhz = 1U << 5;
constexpr std::uint16_t kStatusMediumDevsel = 1U << 9;

// PCI-X 1.0b, chapter 7: the latency timer resets to 64 clocks in PCI-X mode.
constexpr std::uint8_t kPcixLatencyTimerReset = 64;

constexpr std::uint8_t kPowerId = 0x01;
constexpr std::uint8_t kVpdId = 0x03;
constexpr std::uint8_t kPcixId = 0x07;
// PCI Power Management 1.1, 3.2: offsets in the capability, and bits.
constexpr std::uint32_t kPowerControl = 4;
constexpr std::uint32_t kPowerState = 3;
constexpr std::uint16_t kPmeEnable = 1U << 8;
constexpr std::uint16_t kPmeStatus = 1U << 15;
constexpr std::uint16_t kPmcD1 = 1U << 9;
constexpr std::uint16_t kPmcD2 = 1U << 10;
constexpr std::uint16_t kPmcPme = 0xf800;
// PCI 2.2, appendix I: offsets in the capability, and bits.
constexpr std::uint32_t kVpdAddress = 2;
constexpr std::uint32_t kVpdFlagByte = 3;
constexpr std::uint32_t kVpdData = 4;
constexpr std::uint8_t kVpdFlag = 0x80;
constexpr std::uint32_t kVpdAddressMask = 0x7ffc;  // whole DWORDs

constexpr std::uint16_t kPcixRelaxedOrdering = 1U << 1;  // set at reset
constexpr std::uint16_t kPcixCommandWritable = 0x007f;
constexpr std::uint32_t kPcixStatusClearable = (1U << 18) | (1U << 19) | (1U << 29);

constexpr std::uint32_t bar(std::uint32_t index) { return kBar0 + 4 * index; }

void require(bool fits, const char* why) {
  if (!fits) throw std::logic_error(std::string("configuration space: ") + why);
}

}  // namespace

ConfigSpace::ConfigSpace(const ConfigIdentity& identity)
    : identity_(identity), messages_(bytes_, identity_) {
  const std::uint32_t pcix = identity.pcix_capability_offset;
  const std::uint32_t msi = identity.msi_capability_offset;
  if (identity_.bars[0].bytes == 0)
    identity_.bars[0] = {identity.memory_bar, identity.memory_size, false, false};
  while (bar_count_ < identity_.bars.size() && identity_.bars[bar_count_].bytes != 0) ++bar_count_;
  const bool has_io = identity.io_size != 0;
  require(!has_io || (identity.io_bar <= kLastBar && identity.io_size >= 4 &&
                      (identity.io_size & (identity.io_size - 1)) == 0),
          "the I/O BAR must be another one of 0 to 5, and its size a power of two, 4 at least");
  require(pcix == 0 || (pcix >= kHeaderEnd && pcix % 4 == 0 && pcix <= 0xf8),
          "the PCI-X capability does not fit");
  const std::uint32_t pm = identity.power_capability_offset;
  const std::uint32_t vpd = identity.vpd_capability_offset;
  require(pm == 0 || (pm >= kHeaderEnd && pm % 4 == 0 && pm <= 0xf8),
          "the power management capability does not fit");
  require(vpd == 0 || (vpd >= kHeaderEnd && vpd % 4 == 0 && vpd <= 0xf8),
          "the VPD capability does not fit");
  require(msi == 0 || (msi >= kHeaderEnd && msi % 4 == 0 && msi <= 0xf0),
          "the MSI capability does not fit");

  bytes_.put(kVendorId, 2, identity.vendor_id);
  bytes_.put(kDeviceId, 2, identity.device_id);
  bytes_.put(kCommand, 2, 0, kCommandWritable | (has_io ? kCommandIo : 0U));
  const std::uint32_t msix = identity.msix_capability_offset;
  const bool has_capabilities = pm != 0 || vpd != 0 || pcix != 0 || msi != 0 || msix != 0;
  bytes_.put(kStatus, 2,
             (has_capabilities ? kStatusCapabilities : 0U) | kStatus66Mhz | kStatusMediumDevsel, 0,
             status::kErrors);
  bytes_.put(kRevisionAndClass, 4, identity.revision | identity.class_code << 8);
  bytes_.put(kCacheLineSize, 1, 0, 0xff);
  bytes_.put(kLatencyTimer, 1, pcix != 0 ? kPcixLatencyTimerReset : 0U, 0xff);
  put_memory_bars();
  if (has_io) bytes_.put(bar(identity.io_bar), 4, kBarIsIo, ~(identity.io_size - 1));
  bytes_.put(kSubsystemVendorId, 2, identity.subsystem_vendor_id);
  bytes_.put(kSubsystemId, 2, identity.subsystem_id);
  bytes_.put(kInterruptLine, 1, 0, 0xff);
  bytes_.put(kInterruptPin, 1, identity.interrupt_pin);

  std::uint8_t next = messages_.put();
  const auto chain = [&](std::uint8_t offset, void (ConfigSpace::*put_capability)(std::uint8_t)) {
    if (offset == 0) return;
    (this->*put_capability)(next);
    next = offset;
  };
  chain(identity.pcix_capability_offset, &ConfigSpace::put_pcix_capability);
  chain(identity.vpd_capability_offset, &ConfigSpace::put_vpd_capability);
  chain(identity.power_capability_offset, &ConfigSpace::put_power_capability);
  bytes_.put(kCapabilityPointer, 1, next);
}

void ConfigSpace::put_power_capability(std::uint8_t next) {
  const std::uint32_t at = identity_.power_capability_offset;
  const bool pme = (identity_.power_capabilities & kPmcPme) != 0;
  bytes_.put(at, 1, kPowerId);
  bytes_.put(at + 1, 1, next);
  bytes_.put(at + 2, 2, identity_.power_capabilities);
  bytes_.put(at + kPowerControl, 2, 0, kPowerState | (pme ? kPmeEnable : 0U), kPmeStatus);
}

void ConfigSpace::put_vpd_capability(std::uint8_t next) {
  const std::uint32_t at = identity_.vpd_capability_offset;
  bytes_.put(at, 1, kVpdId);
  bytes_.put(at + 1, 1, next);
  bytes_.put(at + kVpdAddress, 2, 0, kVpdAddressMask | kVpdFlag << 8);
  bytes_.put(at + kVpdData, 4, 0, 0xffff'ffff);
}

void ConfigSpace::put_pcix_capability(std::uint8_t next) {
  const std::uint32_t at = identity_.pcix_capability_offset;
  bytes_.put(at, 1, kPcixId);
  bytes_.put(at + 1, 1, next);
  bytes_.put(at + 2, 2, kPcixRelaxedOrdering, kPcixCommandWritable);
  bytes_.put(at + 4, 4, 0, 0, kPcixStatusClearable);
}

void ConfigSpace::put_memory_bars() {
  std::uint32_t taken = identity_.io_size != 0 ? 1U << identity_.io_bar : 0U;
  for (std::size_t i = 0; i < bar_count_; ++i) {
    const MemoryBar& each = identity_.bars[i];
    require(each.bytes >= 16 && (each.bytes & (each.bytes - 1)) == 0,
            "the size of a memory BAR must be a power of two, 16 at least");
    const std::uint32_t registers = (each.wide ? 3U : 1U) << each.index;
    require(registers < 1U << (kLastBar + 1) && (taken & registers) == 0,
            "a memory BAR must be one of 0 to 5, another one than the others");
    taken |= registers;
    bytes_.put(bar(each.index), 4, each.type_bits(), ~(each.bytes - 1));
    if (each.wide) bytes_.put(bar(each.index + 1U), 4, 0, 0xffff'ffff);
  }
}

std::uint32_t ConfigSpace::read(std::uint32_t offset, std::uint32_t size) const {
  std::uint32_t value = bytes_.read(offset, size);
  const std::uint32_t flag = identity_.vpd_capability_offset + kVpdFlagByte;
  if (flag >= offset && flag < offset + size && now_ps() < vpd_done_ps_ &&
      ConfigBytes::holds(offset, size)) {
    value ^= static_cast<std::uint32_t>(kVpdFlag) << (8 * (flag - offset));
  }
  return value;
}

void ConfigSpace::write(std::uint32_t offset, std::uint32_t size, std::uint32_t value) {
  if (!ConfigBytes::holds(offset, size)) return;
  const std::uint32_t power_before = power_state();
  bytes_.write(offset, size, value);
  const std::uint32_t flag = identity_.vpd_capability_offset + kVpdFlagByte;
  if (identity_.vpd_capability_offset != 0 && flag >= offset && flag < offset + size) start_vpd();
  keep_known_power_state(power_before);
  if (power_before == power::kD3hot && in_d0()) {
    bytes_.reset();
    vpd_done_ps_ = 0;
    if (woken_) woken_();
  }
  if (changed_) changed_();
}

std::uint32_t ConfigSpace::power_state() const {
  if (identity_.power_capability_offset == 0) return power::kD0;
  return bytes_[identity_.power_capability_offset + kPowerControl] & kPowerState;
}

/// Discards a write of a power state that the device does not have (PCI Power Management 1.1,
/// 3.2.4).
void ConfigSpace::keep_known_power_state(std::uint32_t before) {
  const std::uint32_t state = power_state();
  const bool known = state == power::kD0 || state == power::kD3hot ||
                     (identity_.power_capabilities & (state == power::kD1 ? kPmcD1 : kPmcD2)) != 0;
  if (known) return;
  std::uint8_t& control = bytes_[identity_.power_capability_offset + kPowerControl];
  control = static_cast<std::uint8_t>((control & ~kPowerState) | before);
}

/// Handles a write to the VPD address register: with the flag it stores the data register, without
/// the flag it fetches it. The flag reads as its opposite when the transfer has ended. Until then
/// the data register is undefined, so it changes at once.
void ConfigSpace::start_vpd() {
  const std::uint32_t at = identity_.vpd_capability_offset;
  const bool store = (bytes_[at + kVpdFlagByte] & kVpdFlag) != 0;
  const std::uint32_t address = read(at + kVpdAddress, 2) & kVpdAddressMask;
  for (std::uint32_t i = 0; i < 4; ++i) {
    std::uint8_t& data = bytes_[at + kVpdData + i];
    const bool there = address + i < vpd_.bytes.size();
    if (!store) {
      data = there ? vpd_.bytes[address + i] : 0xff;
    } else if (there) {
      vpd_.bytes[address + i] = data;
    }
  }
  bytes_[at + kVpdFlagByte] ^= kVpdFlag;
  vpd_done_ps_ = now_ps() + to_ps(store ? vpd_.write_time : vpd_.read_time);
}

void ConfigSpace::set_device_register(std::uint32_t offset, std::uint32_t value,
                                      std::uint32_t writable_mask,
                                      std::uint32_t write_one_to_clear_mask) {
  require(offset >= kHeaderEnd && offset % 4 == 0 && offset < ConfigBytes::kBytes,
          "no DWORD of the device's own");
  bytes_.put(offset, 4, value, writable_mask, write_one_to_clear_mask);
}

void ConfigSpace::note_device(std::uint32_t offset, std::uint32_t bits) {
  for (std::uint32_t i = 0; i < 4; ++i)
    bytes_[offset + i] |= static_cast<std::uint8_t>(bits >> (8 * i));
  if (changed_) changed_();
}

void ConfigSpace::set_listeners(std::function<void()> changed, std::function<void()> woken) {
  changed_ = std::move(changed);
  woken_ = std::move(woken);
}

std::uint64_t ConfigSpace::memory_bar(std::size_t number) const {
  const MemoryBar& each = identity_.bars[number];
  const std::uint64_t low = word(bar(each.index)) & 0xffff'fff0U;
  return each.wide ? low | std::uint64_t{word(bar(each.index + 1U))} << 32U : low;
}

std::size_t ConfigSpace::memory_bar_at(std::uint32_t index) const {
  std::size_t number = 0;
  while (number < bar_count_ && identity_.bars[number].index != index) ++number;
  return number;
}

std::size_t ConfigSpace::claiming_bar(std::uint64_t address) const {
  if (!memory_enabled()) return bar_count_;
  std::size_t number = 0;
  for (; number < bar_count_; ++number) {
    const std::uint64_t begin = memory_bar(number);
    if (address >= begin && address - begin < memory_size(number)) break;
  }
  return number;
}

std::uint64_t ConfigSpace::io_bar() const {
  return identity_.io_size == 0 ? 0 : word(bar(identity_.io_bar)) & 0xffff'fffcU;
}

bool ConfigSpace::io_enabled() const { return in_d0() && (bytes_[kCommand] & kCommandIo) != 0; }
bool ConfigSpace::memory_enabled() const {
  return in_d0() && (bytes_[kCommand] & kCommandMemory) != 0;
}
bool ConfigSpace::master_enabled() const {
  return in_d0() && (bytes_[kCommand] & kCommandMaster) != 0;
}
bool ConfigSpace::intx_disabled() const {
  return !in_d0() || (word(kCommand) & kCommandIntxDisable) != 0;
}

bool ConfigSpace::claims_io(std::uint64_t port) const {
  const std::uint64_t first = io_bar();
  return io_enabled() && first != 0 && port >= first && port - first < identity_.io_size;
}

std::uint32_t ConfigSpace::max_memory_read_bytes() const {
  if (identity_.pcix_capability_offset == 0) return identity_.max_read_bytes;
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
  bytes_.put(identity_.pcix_capability_offset + 4U, 4, status & ~kPcixStatusClearable, 0,
             kPcixStatusClearable);
}

void ConfigSpace::note_status(std::uint16_t bits) {
  const std::uint16_t noted = bits & status::kErrors;
  bytes_[kStatus] |= static_cast<std::uint8_t>(noted);
  bytes_[kStatus + 1] |= static_cast<std::uint8_t>(noted >> 8);
  if (changed_) changed_();
}

std::uint16_t ConfigSpace::status_errors() const {
  return static_cast<std::uint16_t>(read(kStatus, 2) & status::kErrors);
}

void ConfigSpace::set_interrupt_status(bool pending) {
  bytes_[kStatus] = static_cast<std::uint8_t>((bytes_[kStatus] & ~kStatusInterrupt) |
                                              (pending ? kStatusInterrupt : 0U));
}

void ConfigSpace::set_multifunction() { bytes_.put(kHeaderType, 1, kMultifunction); }
std::uint32_t ConfigSpace::interrupt_pin() const { return bytes_[kInterruptPin]; }

std::uint32_t ConfigSpace::word(std::uint32_t offset) const { return read(offset, 4); }

}  // namespace longhaul::pcix
