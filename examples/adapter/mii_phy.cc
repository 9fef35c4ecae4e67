// SPDX-License-Identifier: Apache-2.0
#include "mii_phy.h"

#include <utility>

namespace tc9021 {
namespace {

using longhaul::nic::LinkPartner;

// IEEE 802.3, 22.2.4: registers and bits.
constexpr std::uint32_t kControl = 0;
constexpr std::uint32_t kStatus = 1;
constexpr std::uint32_t kAdvertisement = 4;
constexpr std::uint32_t kPartner = 5;
constexpr std::uint32_t kExtendedStatus = 15;
constexpr std::uint16_t kReset = 1U << 15;
constexpr std::uint16_t kNegotiate = 1U << 12;
constexpr std::uint16_t kRestart = 1U << 9;
constexpr std::uint16_t kFullDuplex = 1U << 8;
constexpr std::uint16_t kSpeed1000 = 1U << 6;
constexpr std::uint16_t kControlAfterReset = kNegotiate | kFullDuplex | kSpeed1000;
constexpr std::uint16_t kHasExtendedStatus = 1U << 8;
constexpr std::uint16_t kNegotiated = 1U << 5;
constexpr std::uint16_t kCanNegotiate = 1U << 3;
constexpr std::uint16_t kLink = 1U << 2;
constexpr std::uint16_t kHasExtendedRegisters = 1U << 0;
constexpr std::uint16_t k1000BaseXFull = 1U << 15;
// 37.2.1: the base page.
constexpr std::uint16_t kPageFullDuplex = 1U << 5;
constexpr std::uint16_t kPageAcknowledge = 1U << 14;

// 22.2.4.5: a management frame.
constexpr std::uint32_t kPreambleBits = 32;
constexpr std::uint32_t kCommandBits = 14;  // start, operation, port address, register
constexpr std::uint32_t kWriteBits = 18;    // turnaround, data
constexpr std::uint32_t kReadBits = 17;     // the turnaround's zero, data
constexpr std::uint32_t kRead = 0x6;        // start 01, operation 10
constexpr std::uint32_t kWrite = 0x5;       // start 01, operation 01

}  // namespace

MiiPhy::MiiPhy(const sc_core::sc_module_name& name, const sc_core::sc_time& negotiation,
               LinkPartner partner, std::function<void()> changed)
    : sc_module(name),
      partner_(partner),
      changed_(std::move(changed)),
      timer_("timer",
             [this] {
               complete_ = true;
               changed_();
             }),
      control_(kControlAfterReset),
      advertised_(kPageFullDuplex),
      negotiation_(negotiation) {}

void MiiPhy::drive(bool clock, bool data, bool from_mac) {
  if (std::exchange(clock_, clock) || !clock) return;  // no rising edge
  if (from_mac) {
    take_bit(data);
  } else {
    next_bit();
  }
}

void MiiPhy::take_bit(bool data) {
  out_ = true;
  if (phase_ == Phase::kReading) phase_ = Phase::kPreamble;  // the MAC has broken off
  if (phase_ == Phase::kPreamble) {
    const bool starts = !data && ones_ >= kPreambleBits;
    ones_ = data ? ones_ + 1 : 0;
    if (!starts) return;
    phase_ = Phase::kCommand;
    bits_ = 1;
    shift_ = 0;
    return;
  }
  shift_ = shift_ << 1 | (data ? 1U : 0U);
  ++bits_;
  if (phase_ == Phase::kCommand && bits_ == kCommandBits) {
    ones_ = 0;
    bits_ = 0;
    register_ = shift_ & 0x1f;
    const bool mine = (shift_ >> 5 & 0x1f) == kAddress;
    const std::uint32_t operation = shift_ >> 10;
    phase_ = Phase::kPreamble;
    if (mine && operation == kWrite) phase_ = Phase::kWriting;
    if (mine && operation == kRead) {
      phase_ = Phase::kReading;
      shift_ = read(register_);  // behind the turnaround's zero
    }
  } else if (phase_ == Phase::kWriting && bits_ == kWriteBits) {
    phase_ = Phase::kPreamble;
    write(register_, static_cast<std::uint16_t>(shift_));
  }
}

void MiiPhy::next_bit() {
  out_ = true;
  if (phase_ != Phase::kReading) return;
  if (bits_ == kReadBits) {
    phase_ = Phase::kPreamble;
    return;
  }
  out_ = (shift_ >> (kReadBits - 1 - bits_) & 1U) != 0;
  ++bits_;
}

std::uint16_t MiiPhy::read(std::uint32_t number) {
  switch (number) {
    case kControl: return control_;
    case kStatus: return status();
    case kAdvertisement: return advertised_;
    case kPartner: return partner_abilities();
    case kExtendedStatus: return k1000BaseXFull;
    default: return 0;
  }
}

void MiiPhy::write(std::uint32_t number, std::uint16_t value) {
  if (number == kAdvertisement) advertised_ = value;
  if (number != kControl) return;
  const bool negotiated = negotiates();
  control_ = (value & kReset) != 0 ? static_cast<std::uint16_t>(kControlAfterReset)
                                   : static_cast<std::uint16_t>((value & ~kRestart) | kSpeed1000);
  if ((value & (kReset | kRestart)) != 0 || negotiates() != negotiated) restart();
}

/// The link's bit tells of a loss until it has been read (22.2.4.2.13).
std::uint16_t MiiPhy::status() {
  const bool link = up() && !std::exchange(was_down_, !up());
  return static_cast<std::uint16_t>(kHasExtendedStatus | kCanNegotiate | kHasExtendedRegisters |
                                    (complete_ ? kNegotiated : 0U) | (link ? kLink : 0U));
}

std::uint16_t MiiPhy::partner_abilities() const {
  if (!complete_) return 0;
  const std::uint16_t page = partner_ == LinkPartner::kAlike ? advertised_ : kPageFullDuplex;
  return static_cast<std::uint16_t>(page | kPageAcknowledge);
}

bool MiiPhy::negotiates() const { return (control_ & kNegotiate) != 0; }

bool MiiPhy::up() const { return signal_ && (!negotiates() || complete_); }

void MiiPhy::set_signal(bool signal) {
  if (std::exchange(signal_, signal) != signal) restart();
}

void MiiPhy::restart() {
  complete_ = false;
  timer_.cancel();
  if (signal_ && negotiates() && partner_ != LinkPartner::kSilent) timer_.restart(negotiation_);
  if (!up()) was_down_ = true;
  changed_();
}

}  // namespace tc9021
