// SPDX-License-Identifier: Apache-2.0
#include "models/nic/ixgb/xpak.h"

#include <utility>

namespace longhaul::nic::ixgb {
namespace {

// PMA/PMD types and abilities, IEEE 802.3, 45.2.1.6 and 45.2.1.7.
constexpr std::uint16_t kTypeLr = 6;
constexpr std::uint16_t kTypeSr = 7;
constexpr std::uint16_t kAbleLr = 1U << 6;
constexpr std::uint16_t kAbleSr = 1U << 7;

constexpr std::uint16_t kVendorName = 0x803a;
constexpr std::uint16_t kVendorNameBytes = 16;
constexpr std::uint16_t kVendorSpecific1 = 0xc001;

constexpr std::uint16_t kMmds = 1U << Phy45::kPmaPmd | 1U << Phy45::kPcs | 1U << Phy45::kPhyXs;
constexpr Phy45::Kind kLongReach{kMmds, kTypeLr, kAbleLr};
constexpr Phy45::Kind kShortReach{kMmds, kTypeSr, kAbleSr};

}  // namespace

Xpak::Xpak(std::string vendor, bool long_reach, std::function<bool()> has_light)
    : Phy45(long_reach ? kLongReach : kShortReach, std::move(has_light)),
      vendor_(std::move(vendor)) {}

bool Xpak::read_own(std::uint32_t device, std::uint16_t address, std::uint16_t& value) {
  if (device != kPmaPmd) return false;
  if (address >= kVendorName && address < kVendorName + kVendorNameBytes) {
    const std::size_t at = address - kVendorName;
    value = at < vendor_.size() ? static_cast<std::uint8_t>(vendor_[at]) : std::uint16_t{' '};
    return true;
  }
  if (address != kVendorSpecific1) return false;
  value = vendor_specific_;
  return true;
}

void Xpak::write_own(std::uint32_t device, std::uint16_t address, std::uint16_t value) {
  if (device == kPmaPmd && address == kVendorSpecific1) vendor_specific_ = value;
}

}  // namespace longhaul::nic::ixgb
