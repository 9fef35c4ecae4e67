// SPDX-License-Identifier: Apache-2.0
#include "models/nic/phy/phy45.h"

#include <utility>

namespace longhaul::nic {
namespace {

constexpr std::uint32_t kPort = 0;
constexpr std::uint16_t kNobodyAnswers = 0xffff;

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
constexpr std::uint16_t kStatus2RxFault = 1U << 10;
constexpr std::uint16_t kAbleTo10Gigabit = 1;
constexpr std::uint16_t kAbleTo10GbaseR = 1;
constexpr std::uint16_t kLanesAligned = 1U << 12;
constexpr std::uint16_t kAllLanesSynchronized = 0x0f;

}  // namespace

Phy45::Phy45(const Kind& kind, std::function<bool()> has_light)
    : kind_(kind), has_light_(std::move(has_light)) {}

bool Phy45::mdio_answers(std::uint32_t port, std::uint32_t device) const {
  return port == kPort && device < 16 && (kind_.devices >> device & 1U) != 0;
}

std::uint16_t Phy45::mdio_read(std::uint32_t port, std::uint32_t device, std::uint16_t address) {
  if (!mdio_answers(port, device)) return kNobodyAnswers;
  std::uint16_t value = 0;
  if (read_own(device, address, value)) return value;
  if (device == kPmaPmd) return read_pma(address);
  switch (address) {
    case kStatus1: return device == kPhyXs || has_light_() ? kStatus1Link : kStatus1Fault;
    case kSpeedAbility: return kAbleTo10Gigabit;
    case kDevicesInPackage: return kind_.devices;
    case kStatus2: return kStatus2Present | kAbleTo10GbaseR;
    case kLaneStatus: return device == kPhyXs ? kLanesAligned | kAllLanesSynchronized : 0;
    default: return 0;
  }
}

std::uint16_t Phy45::read_pma(std::uint16_t address) {
  const bool light = has_light_();
  if (!light) link_was_lost_ = true;
  switch (address) {
    case kControl1: return control_;
    case kStatus1: {
      const bool link = !std::exchange(link_was_lost_, !light);
      return link ? kStatus1Link : kStatus1Fault;
    }
    case kSpeedAbility: return kAbleTo10Gigabit;
    case kDevicesInPackage: return kind_.devices;
    case kControl2: return kind_.type;
    case kStatus2:
      return static_cast<std::uint16_t>(kStatus2Present | kind_.abilities |
                                        (light ? 0 : kStatus2RxFault));
    case kReceiveDetect: return light ? 1 : 0;
    default: return 0;
  }
}

void Phy45::mdio_write(std::uint32_t port, std::uint32_t device, std::uint16_t address,
                       std::uint16_t value) {
  if (!mdio_answers(port, device)) return;
  if (device != kPmaPmd || address != kControl1) return write_own(device, address, value);
  if ((value & kControl1Reset) != 0) return reset();
  control_ = value;
}

void Phy45::light_changed() {
  if (!has_light_()) link_was_lost_ = true;
}

void Phy45::reset() {
  control_ = 0;
  link_was_lost_ = true;
}

}  // namespace longhaul::nic
