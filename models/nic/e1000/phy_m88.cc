// SPDX-License-Identifier: Apache-2.0
#include "models/nic/e1000/phy_m88.h"

#include <utility>

namespace longhaul::nic::e1000 {
namespace {

enum Register : std::uint16_t {
  kControl = 0,
  kStatus = 1,
  kId1 = 2,
  kId2 = 3,
  kAdvertisement = 4,
  kPartnerAbility = 5,
  kExpansion = 6,
  kGigabitControl = 9,
  kGigabitStatus = 10,
  kExtendedStatus = 15,
  kSpecificControl = 16,
  kSpecificStatus = 17,
  kPageSelect = 29,
  kPaged = 30,
};

// Control (IEEE 802.3, 22.2.4.1)
constexpr std::uint16_t kReset = 0x8000;
constexpr std::uint16_t kLoopback = 0x4000;
constexpr std::uint16_t kNegotiate = 0x1000;
constexpr std::uint16_t kPowerDown = 0x0800;
constexpr std::uint16_t kRestart = 0x0200;
constexpr std::uint16_t kControlDefault = kNegotiate | 0x0140;  // 1000 Mb/s, full duplex
// Status (22.2.4.2): all 10 and 100 Mb/s modes, extended status, preamble suppression, negotiation
constexpr std::uint16_t kStatusFixed = 0x7949;
constexpr std::uint16_t kLinkUp = 0x0004;
constexpr std::uint16_t kNegotiated = 0x0020;
// Advertisement and ability (28.2.4.1.3)
constexpr std::uint16_t kModes = 0x01e1;
constexpr std::uint16_t kPauseBits = 0x0c00;
constexpr std::uint16_t kAcknowledge = 0x4000;
constexpr std::uint16_t kPartnerNegotiates = 0x0001;
// 1000BASE-T (40.5.1.1)
constexpr std::uint16_t kGigabitDefault = 0x0300;
constexpr std::uint16_t kGigabitLinked = 0x3800;  // both receivers good, partner full duplex
constexpr std::uint16_t kGigabitExtended = 0x3000;
// Specific status: 1000 Mb/s, full duplex, page received, resolved, link
constexpr std::uint16_t kSpecificLinked = 0x8000 | 0x2000 | 0x1000 | 0x0800 | 0x0400;
constexpr std::uint16_t kSpecificDefault = 0x0068;
constexpr std::uint16_t kRevision = 4;  // Linux e1000_hw.h: M88E1011_I_REV_4

}  // namespace

PhyM88::PhyM88(const sc_core::sc_module_name& name, const Settings& settings,
               std::function<void()> changed)
    : sc_module(name), settings_(settings), changed_(std::move(changed)), timer_("timer", [this] {
        complete_ = true;
        changed_();
      }) {
  set_defaults();
}

void PhyM88::set_defaults() {
  registers_ = {};
  registers_[kControl] = kControlDefault;
  registers_[kAdvertisement] = kModes | kPauseBits;
  registers_[kGigabitControl] = kGigabitDefault;
  registers_[kSpecificControl] = kSpecificDefault;
}

void PhyM88::hardware_reset() {
  set_defaults();
  restart();
}

void PhyM88::set_signal(bool signal) {
  if (std::exchange(signal_, signal) != signal) restart();
}

bool PhyM88::loops() const {
  return (registers_[kControl] & kLoopback) != 0 && (registers_[kControl] & kPowerDown) == 0;
}

void PhyM88::restart() {
  if (complete_) link_was_lost_ = true;
  complete_ = false;
  timer_.cancel();
  const bool can = signal_ && (registers_[kControl] & (kPowerDown | kLoopback)) == 0 &&
                   settings_.partner != LinkPartner::kSilent;
  if (can) timer_.restart(settings_.negotiation);
  changed_();
}

std::uint16_t PhyM88::status() {
  const bool lost = std::exchange(link_was_lost_, false);
  const bool shows_link = complete_ && !lost;
  return static_cast<std::uint16_t>(kStatusFixed | (shows_link ? kLinkUp : 0) |
                                    (complete_ ? kNegotiated : 0));
}

std::uint16_t PhyM88::partner_ability() const {
  if (!complete_) return 0;
  const std::uint16_t pause = settings_.partner == LinkPartner::kAlike
                                  ? registers_[kAdvertisement] & kPauseBits
                                  : std::uint16_t{0};
  return static_cast<std::uint16_t>(kAcknowledge | kModes | pause);
}

std::uint16_t PhyM88::mdio_read(std::uint32_t port, std::uint32_t device, std::uint16_t address) {
  if (!mdio_answers(port, device) || address >= registers_.size()) return 0xffff;
  switch (address) {
    case kStatus: return status();
    case kId1: return kIdentifier >> 16;
    case kId2: return static_cast<std::uint16_t>(kIdentifier & 0xffff) | kRevision;
    case kPartnerAbility: return partner_ability();
    case kExpansion: return complete_ ? kPartnerNegotiates : std::uint16_t{0};
    case kGigabitStatus: return complete_ ? kGigabitLinked : std::uint16_t{0};
    case kExtendedStatus: return kGigabitExtended;
    case kSpecificStatus: return complete_ ? kSpecificLinked : std::uint16_t{0};
    case kPaged: return paged_.at(registers_[kPageSelect] & 0xff);
    default: return registers_.at(address);
  }
}

void PhyM88::mdio_write(std::uint32_t port, std::uint32_t device, std::uint16_t address,
                        std::uint16_t value) {
  if (!mdio_answers(port, device) || address >= registers_.size()) return;
  switch (address) {
    case kControl: {
      const std::uint16_t before = registers_[kControl];
      registers_[kControl] = static_cast<std::uint16_t>(value & ~(kReset | kRestart));
      const bool other = ((before ^ value) & (kPowerDown | kLoopback)) != 0;
      if ((value & (kReset | kRestart)) != 0 || other) restart();
      break;
    }
    case kPaged: paged_.at(registers_[kPageSelect] & 0xff) = value; break;
    default:  // registers that software cannot write are never read from here
      registers_.at(address) = value;
  }
}

}  // namespace longhaul::nic::e1000
