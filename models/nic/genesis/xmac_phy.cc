// SPDX-License-Identifier: Apache-2.0
#include "models/nic/genesis/xmac_phy.h"

#include <utility>

namespace longhaul::nic::genesis {
namespace {

namespace pcs {

enum Register : std::uint32_t {
  kControl = 0,
  kStatus = 1,
  kId1 = 2,
  kId2 = 3,
  kAdvertisement = 4,
  kPartnerAbility = 5,
  kExpansion = 6,
  kNextPage = 7,
  kExtendedStatus = 15,
  kResolvedAbility = 16,
};

// Control (IEEE 802.3, 22.2.4.1)
constexpr std::uint16_t kReset = 0x8000;
constexpr std::uint16_t kNegotiate = 0x1000;
constexpr std::uint16_t kRestart = 0x0200;
constexpr std::uint16_t kFullDuplex = 0x0100;
constexpr std::uint16_t kGigabit = 0x0040;  // it knows no other speed
constexpr std::uint16_t kControlKept = 0x4000 | kNegotiate | kFullDuplex;
// Status (22.2.4.2): extended status, preamble suppression, negotiation, extended registers
constexpr std::uint16_t kStatusFixed = 0x0149;
constexpr std::uint16_t kNegotiated = 0x0020;
constexpr std::uint16_t kSynchronised = 0x0004;
// Identifier: as FreeBSD sys/dev/mii/xmphy.c recognises it
constexpr std::uint16_t kId1Value = 0xd41c;
constexpr std::uint16_t kId2Value = 0x0002;
// Configuration words (37.2.1)
constexpr std::uint16_t kAcknowledge = 0x4000;
constexpr std::uint16_t kAsymPause = 0x0100;
constexpr std::uint16_t kSymPause = 0x0080;
constexpr std::uint16_t kHalf = 0x0040;
constexpr std::uint16_t kFull = 0x0020;
constexpr std::uint16_t kAbilities = kAsymPause | kSymPause | kHalf | kFull;
constexpr std::uint16_t kAdvertisementKept = 0xb000 | kAbilities;  // next page and remote fault too
constexpr std::uint16_t kPageReceived = 0x0002;
constexpr std::uint16_t kExtendedBoth = 0xc000;  // 1000BASE-X full and half duplex
// Resolved abilities, beside kHalf and kFull (skge.h: PHY_X_RS_PAUSE and those below)
constexpr std::uint16_t kResolvedBothWays = 0x0080;
constexpr std::uint16_t kAbilityMismatch = 0x0010;

}  // namespace pcs
}  // namespace

XmacPhy::XmacPhy(const sc_core::sc_module_name& name, const Settings& settings,
                 std::function<void()> changed, std::function<void()> negotiated)
    : sc_module(name),
      settings_(settings),
      changed_(std::move(changed)),
      negotiated_(std::move(negotiated)),
      timer_("timer", [this] { complete(); }) {
  set_defaults();
}

void XmacPhy::set_defaults() {
  control_ = pcs::kNegotiate | pcs::kFullDuplex;
  advertised_ = pcs::kAbilities;
  next_page_ = 0;
  page_received_ = false;
}

bool XmacPhy::negotiates() const { return (control_ & pcs::kNegotiate) != 0; }
bool XmacPhy::negotiating() const { return synchronised() && negotiates() && !complete_; }
bool XmacPhy::passes_frames() const { return synchronised() && (complete_ || !negotiates()); }

void XmacPhy::set_signal(bool signal) {
  if (std::exchange(signal_, signal) == signal) return;
  if (!signal) sync_was_lost_ = true;
  restart();
}

void XmacPhy::set_reset(bool on) {
  in_reset_ = on;
  sync_was_lost_ = true;
  if (on) set_defaults();
  restart();
}

void XmacPhy::restart() {
  complete_ = false;
  timer_.cancel();
  const bool can = synchronised() && negotiates() && settings_.partner != LinkPartner::kSilent;
  if (can) timer_.restart(settings_.negotiation);
  changed_();
}

void XmacPhy::complete() {
  complete_ = true;
  page_received_ = true;
  negotiated_();
  changed_();
}

std::uint16_t XmacPhy::status() {
  const bool lost = std::exchange(sync_was_lost_, false);
  const bool shows_sync = synchronised() && !lost;
  return static_cast<std::uint16_t>(pcs::kStatusFixed | (complete_ ? pcs::kNegotiated : 0) |
                                    (shows_sync ? pcs::kSynchronised : 0));
}

std::uint16_t XmacPhy::partner_word() const {
  if (!complete_) return 0;
  const bool alike = settings_.partner == LinkPartner::kAlike;
  return static_cast<std::uint16_t>(pcs::kAcknowledge |
                                    (alike ? advertised_ & pcs::kAbilities : pcs::kFull));
}

std::uint16_t XmacPhy::resolved() const {
  if (!complete_) return 0;
  const std::uint16_t there = partner_word();
  const auto common = static_cast<std::uint16_t>(advertised_ & there);
  if ((common & (pcs::kFull | pcs::kHalf)) == 0) return pcs::kAbilityMismatch;
  const PauseModes pause =
      resolve_pause((advertised_ & pcs::kSymPause) != 0, (advertised_ & pcs::kAsymPause) != 0,
                    (there & pcs::kSymPause) != 0, (there & pcs::kAsymPause) != 0);
  std::uint16_t word = (common & pcs::kFull) != 0 ? pcs::kFull : pcs::kHalf;
  if (pause.send && pause.honour)
    word |= pcs::kResolvedBothWays;  // no other result is possible with these partners
  return word;
}

std::uint16_t XmacPhy::read(std::uint32_t address) {
  switch (address) {
    case pcs::kControl: return control_ | pcs::kGigabit;
    case pcs::kStatus: return status();
    case pcs::kId1: return pcs::kId1Value;
    case pcs::kId2: return pcs::kId2Value;
    case pcs::kAdvertisement: return advertised_;
    case pcs::kPartnerAbility: return partner_word();
    case pcs::kExpansion:
      return std::exchange(page_received_, false) ? pcs::kPageReceived : std::uint16_t{0};
    case pcs::kNextPage: return next_page_;
    case pcs::kExtendedStatus: return pcs::kExtendedBoth;
    case pcs::kResolvedAbility: return resolved();
    default: return 0;
  }
}

void XmacPhy::write(std::uint32_t address, std::uint16_t value) {
  if (in_reset_) return;
  switch (address) {
    case pcs::kControl: {
      const bool reset = (value & pcs::kReset) != 0;
      if (reset) set_defaults();
      const std::uint16_t before = control_;
      if (!reset) control_ = value & pcs::kControlKept;
      const bool changes = ((before ^ control_) & pcs::kNegotiate) != 0;
      if (reset || changes || (negotiates() && (value & pcs::kRestart) != 0)) restart();
      break;
    }
    case pcs::kAdvertisement: advertised_ = value & pcs::kAdvertisementKept; break;
    case pcs::kNextPage: next_page_ = value; break;
    default: break;
  }
}

}  // namespace longhaul::nic::genesis
