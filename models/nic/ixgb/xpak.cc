// SPDX-License-Identifier: Apache-2.0
#include "models/nic/ixgb/xpak.h"

#include <utility>

namespace longhaul::nic::ixgb {
namespace {

constexpr std::uint32_t kPort = 0;
constexpr std::uint32_t kPmaPmd = 1;
constexpr std::uint32_t kPcs = 3;
constexpr std::uint32_t kPhyXs = 4;
constexpr std::uint16_t kNobody = 0xffff;

// Registers common to the MMDs, clause 45.
constexpr std::uint16_t kControl1 = 0;
constexpr std::uint16_t kStatus1 = 1;
constexpr std::uint16_t kSpeedAbility = 4;
constexpr std::uint16_t kDevicesInPackage = 5;
constexpr std::uint16_t kControl2 = 7;
constexpr std::uint16_t kStatus2 = 8;
constexpr std::uint16_t kReceiveDetect = 10;
constexpr std::uint16_t kLaneStatus = 24;

constexpr std::uint16_t kControl1Reset = 1U << 15;
constexpr std::uint16_t kStatus1Link = 1U << 2;
constexpr std::uint16_t kStatus1Fault = 1U << 7;
constexpr std::uint16_t kStatus2Present = 1U << 15;
constexpr std::uint16_t kStatus2AbleLr = 1U << 6;
constexpr std::uint16_t kStatus2AbleSr = 1U << 7;
constexpr std::uint16_t kStatus2RxFault = 1U << 10;
constexpr std::uint16_t kTypeLr = 6;
constexpr std::uint16_t kTypeSr = 7;
constexpr std::uint16_t kLanesAligned = 1U << 12;
constexpr std::uint16_t kAllLanesSynchronized = 0x0f;

constexpr std::uint16_t kVendorName = 0x803a;
constexpr std::uint16_t kVendorNameBytes = 16;
constexpr std::uint16_t kVendorSpecific1 = 0xc001;

}  // namespace

Xpak::Xpak(std::string vendor, bool long_reach, std::function<bool()> has_light)
    : vendor_(std::move(vendor)), long_reach_(long_reach), has_light_(std::move(has_light)) {}

bool Xpak::mdio_answers(std::uint32_t port, std::uint32_t device) const {
  return port == kPort && (device == kPmaPmd || device == kPcs || device == kPhyXs);
}

std::uint16_t Xpak::mdio_read(std::uint32_t port, std::uint32_t device, std::uint16_t address) {
  if (!mdio_answers(port, device)) return kNobody;
  if (device == kPmaPmd) return read_pma(address);
  const bool light = has_light_();
  switch (address) {
    case kStatus1: return device == kPhyXs || light ? kStatus1Link : kStatus1Fault;
    case kSpeedAbility: return 1;  // 10 Gb/s
    case kDevicesInPackage: return 1U << kPmaPmd | 1U << kPcs | 1U << kPhyXs;
    case kStatus2: return kStatus2Present | 1;  // able to do 10GBASE-R
    case kLaneStatus: return device == kPhyXs ? kLanesAligned | kAllLanesSynchronized : 0;
    default: return 0;
  }
}

std::uint16_t Xpak::read_pma(std::uint16_t address) {
  const bool light = has_light_();
  if (!light) link_was_lost_ = true;
  if (address >= kVendorName && address < kVendorName + kVendorNameBytes) {
    const std::size_t at = address - kVendorName;
    return at < vendor_.size() ? static_cast<std::uint8_t>(vendor_[at]) : std::uint16_t{' '};
  }
  switch (address) {
    case kControl1: return control_;
    case kStatus1: {
      const bool link = !std::exchange(link_was_lost_, !light);
      return link ? kStatus1Link : kStatus1Fault;
    }
    case kSpeedAbility: return 1;
    case kDevicesInPackage: return 1U << kPmaPmd | 1U << kPcs | 1U << kPhyXs;
    case kControl2: return long_reach_ ? kTypeLr : kTypeSr;
    case kStatus2:
      return static_cast<std::uint16_t>(kStatus2Present |
                                        (long_reach_ ? kStatus2AbleLr : kStatus2AbleSr) |
                                        (light ? 0 : kStatus2RxFault));
    case kReceiveDetect: return light ? 1 : 0;
    case kVendorSpecific1: return vendor_specific_;
    default: return 0;
  }
}

void Xpak::mdio_write(std::uint32_t port, std::uint32_t device, std::uint16_t address,
                      std::uint16_t value) {
  if (port != kPort || device != kPmaPmd) return;
  if (address == kControl1) {
    control_ = value & static_cast<std::uint16_t>(~kControl1Reset);  // reset clears itself
    if ((value & kControl1Reset) != 0) {
      control_ = 0;
      link_was_lost_ = true;
    }
  }
  if (address == kVendorSpecific1) vendor_specific_ = value;
}

}  // namespace longhaul::nic::ixgb
