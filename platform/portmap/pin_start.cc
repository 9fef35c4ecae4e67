// SPDX-License-Identifier: Apache-2.0
#include "platform/portmap/pin_start.h"

#include <fmt/format.h>

#include <cstring>
#include <stdexcept>
#include <utility>

namespace longhaul::portmap {
namespace {

// PCI 2.3, chapter 6, and PCI-X 1.0b, 7.2.
constexpr std::uint32_t kClass = 0x08;
constexpr std::uint32_t kLatencyTimer = 0x0d;
constexpr std::uint32_t kFirstBar = 0x10;
constexpr std::uint32_t kSubsystem = 0x2c;
constexpr std::uint32_t kFirstCapability = 0x34;
constexpr std::uint32_t kPcixCommand = 2;  // offset in the capability
constexpr std::uint32_t kBarTypeBits = 0xf;
constexpr std::uint64_t kTagOfBar = 0x100;  // of the read that follows all ones

constexpr std::uint32_t kQuietClocks = 32;
constexpr std::uint32_t kPatience = 100'000;  // calls of done()

}  // namespace

PinStart::PinStart(cosim::PcixHost& host, const PciEntry& entry, pcix::ConfigSpace& config,
                   std::string where)
    : host_(host), entry_(entry), config_(config), where_(std::move(where)) {}

bool PinStart::done() {
  if (++calls_ < kQuietClocks) return false;
  if (calls_ > kPatience)
    refuse("the device answers its configuration accesses with Retry, or not at all");
  if (stage_ == Stage::kWait) {
    ask();
    stage_ = Stage::kRead;
  }
  cosim::PcixAccess answered;
  while (host_.take_early(answered)) take(answered);
  if (open_ != 0) return false;
  if (stage_ == Stage::kFirmware) return true;
  compare();
  set_firmware();
  stage_ = Stage::kFirmware;
  return false;
}

void PinStart::ask() {
  for (std::uint32_t word = 0; word < kWords; ++word) read(4 * word);
  sizing_ = true;
  for (std::uint32_t bar = 0; bar < kBars; ++bar) {
    write(kFirstBar + 4 * bar, 4, ~0U);
    read(kFirstBar + 4 * bar);
    write(kFirstBar + 4 * bar, 4, 0);
  }
}

void PinStart::read(std::uint32_t offset) {
  cosim::PcixAccess access;
  access.config = true;
  access.address = offset;
  access.bytes = 4;
  access.tag = sizing_ ? kTagOfBar : 0;
  host_.access_early(access);
  ++open_;
}

void PinStart::write(std::uint32_t offset, std::uint32_t bytes, std::uint32_t value) {
  cosim::PcixAccess access;
  access.config = true;
  access.write = true;
  access.address = offset;
  access.bytes = bytes;
  std::memcpy(access.data.data(), &value, bytes);
  host_.access_early(access);
  ++open_;
}

void PinStart::take(const cosim::PcixAccess& access) {
  --open_;
  if (access.status == cosim::BusStatus::kDecodeError)
    refuse("no device answers configuration accesses at these pins");
  if (access.status != cosim::BusStatus::kOk)
    refuse(fmt::format("the device answers a configuration access at {:#x} with an error",
                       access.address));
  if (access.write) return;
  std::uint32_t value = 0;
  std::memcpy(&value, access.data.data(), sizeof value);
  if (access.tag == kTagOfBar) {
    sizes_[(access.address - kFirstBar) / 4] = value;
  } else {
    words_[access.address / 4] = value;
  }
}

void PinStart::compare() const {
  compare("vendor", words_[0] & 0xffffU, entry_.vendor);
  compare("device", words_[0] >> 16U, entry_.device);
  compare("revision", words_[kClass / 4] & 0xffU, entry_.revision);
  compare("class_code", words_[kClass / 4] >> 8U, entry_.class_code);
  compare("subsystem_vendor", words_[kSubsystem / 4] & 0xffffU, entry_.subsystem_vendor);
  compare("subsystem", words_[kSubsystem / 4] >> 16U, entry_.subsystem);
  if (capability(kPcixId) == 0) refuse("the device has no PCI-X capability");
  if ((capability(kMsiId) != 0) != entry_.msi) {
    refuse(fmt::format("the device has {} MSI capability; the port map has [pci] msi = {}",
                       entry_.msi ? "no" : "an", entry_.msi));
  }
  compare_bars();
}

void PinStart::compare(const char* what, std::uint32_t device, std::uint32_t map) const {
  if (device == map) return;
  refuse(
      fmt::format("the device's configuration space has {:#x}; the port map has [pci] {} = {:#x}",
                  device, what, map));
}

void PinStart::compare_bars() const {
  std::array<std::uint32_t, kBars> wanted{};
  for (const BarEntry& each : entry_.bars) {
    wanted.at(each.bar.index) = (~(each.bar.bytes - 1)) | each.bar.type_bits();
    if (each.bar.wide) wanted.at(each.bar.index + 1U) = ~0U;
  }
  for (std::uint32_t bar = 0; bar < kBars; ++bar) {
    if (sizes_[bar] == wanted[bar]) continue;
    const auto text = [](std::uint32_t value) -> std::string {
      if (value == 0) return "no BAR";
      if ((value & 1U) != 0 && value != ~0U) return "a BAR of I/O space";
      return fmt::format("a memory BAR that reads {:#010x} after ones, {} bytes", value,
                         ~(value & ~kBarTypeBits) + 1);
    };
    refuse(fmt::format("BAR {} of the device is {}; by the port map it is {}", bar,
                       text(sizes_[bar]), text(wanted[bar])));
  }
}

/// Writes what firmware has set in the copy (pcix/firmware.h).
void PinStart::set_firmware() {
  write(kLatencyTimer, 1, config_.latency_timer());
  const std::uint32_t place = entry_.identity().pcix_capability_offset;
  write(capability(kPcixId) + kPcixCommand, 2, config_.read(place + kPcixCommand, 2));
}

std::uint32_t PinStart::capability(std::uint8_t id) const {
  std::uint32_t at = words_[kFirstCapability / 4] & 0xfcU;
  for (std::uint32_t hops = 0; at != 0 && hops < kWords; ++hops) {
    if ((words_[at / 4] & 0xffU) == id) return at;
    at = words_[at / 4] >> 8U & 0xfcU;
  }
  return 0;
}

void PinStart::refuse(const std::string& what) const {
  throw std::runtime_error(where_ + ": " + what);
}

}  // namespace longhaul::portmap
