// SPDX-License-Identifier: Apache-2.0
#include "models/nic/terminator/pm3393_mstat.h"

#include <algorithm>
#include <utility>

#include "models/net/frame/ethernet_header.h"
#include "models/nic/blocks/cast.h"

namespace longhaul::nic::terminator {
namespace {

constexpr std::uint32_t kWords = 4;  // of rollover bits and of their mask
constexpr std::uint32_t kWordBits = 16;

/// The place of a destination in a group of counters: unicast, multicast, broadcast.
std::uint32_t place_of(const Frame& frame) {
  switch (cast_of(frame)) {
    case Cast::kUnicast: return 0;
    case Cast::kMulticast: return 1;
    case Cast::kBroadcast: break;
  }
  return 2;
}

std::uint64_t pauses_received(const EthMac& mac) {
  return mac.rx_xon.value() + mac.rx_xoff.value();
}
std::uint64_t pauses_sent(const EthMac& mac) { return mac.tx_xon.value() + mac.tx_xoff.value(); }

}  // namespace

Pm3393Mstat::Pm3393Mstat(RegisterBank& bank, const EthMac& mac, std::function<void(bool)> asks)
    : mac_(mac),
      asks_(std::move(asks)),
      control_(bank, pm::kMstatControl, [this](std::uint32_t bits) { command(bits); }),
      write_address_(bank, pm::kMstatWriteAddress) {
  for (std::uint32_t word = 0; word < kWords; ++word) {
    registers_.emplace_back(
        bank, pm::Spec{"MSTAT_COUNTER_ROLLOVER", pm::kMstatRollover + word, Access::kReadOnly},
        [this, word] { return take_rollover(word); });
    mask_.emplace_back(bank, pm::Spec{"MSTAT_INTERRUPT_MASK", pm::kMstatMask + word},
                       [this] { update(); });
  }
  for (std::uint32_t part = 0; part < 3; ++part)
    write_data_.emplace_back(bank,
                             pm::Spec{"MSTAT_COUNTER_WRITE_DATA", pm::kMstatWriteData + part});
  for (std::uint32_t counter = 0; counter < pm::kMstatCounters; ++counter) {
    for (std::uint32_t part = 0; part < 3; ++part)
      registers_.emplace_back(
          bank,
          pm::Spec{"MSTAT_COUNTER", pm::kMstatCounter + 4 * counter + part, Access::kReadOnly},
          [this, counter, part] {
            return static_cast<std::uint32_t>(shown_.at(counter) >> kWordBits * part & 0xffffU);
          });
  }
}

void Pm3393Mstat::add(std::uint32_t counter, std::uint64_t by) {
  std::uint64_t& value = live_.at(counter);
  value += by;
  if (value <= kMask) return;
  value &= kMask;
  rolled_live_ |= 1ULL << counter;
  update();
}

void Pm3393Mstat::add_size(std::uint32_t sizes, std::uint32_t jumbo_octets, std::uint32_t octets) {
  static constexpr std::array<std::uint32_t, 6> kLargest{64, 127, 255, 511, 1023, 1518};
  const auto* const range = std::find_if(kLargest.begin(), kLargest.end(),
                                         [octets](auto most) { return octets <= most; });
  add(sizes + static_cast<std::uint32_t>(range - kLargest.begin()), 1);
  if (range == kLargest.end()) add(jumbo_octets, octets);
}

void Pm3393Mstat::arrived(const Frame& frame) {
  add(kRxFrames, 1);
  add(kRxOctets, frame.octets());
}

void Pm3393Mstat::received(const Frame& frame) {
  add(kRxFramesOk, 1);
  add(kRxOctetsOk, frame.octets());
  add(kRxUnicast + place_of(frame), 1);
  if (ethernet::type(frame) == ethernet::kTypeVlan) add(kRxTagged, 1);
  add_size(kRxSizes, kRxJumboOctets, frame.octets());
}

void Pm3393Mstat::sent(const Frame& frame) {
  const std::uint32_t octets = std::max(frame.octets(), EthMac::kMinFrameBytes);
  add(kTxFramesOk, 1);
  add(kTxOctetsOk, octets);
  add(kTxOctets, octets);
  const std::uint32_t tried = kTxUnicastTried + 2 * place_of(frame);
  add(tried, 1);
  add(tried + 1, 1);
  add_size(kTxSizes, kTxJumboOctets, octets);
}

/// Adds what the MAC has counted since the last call.
void Pm3393Mstat::settle() {
  const std::uint64_t pauses = pauses_received(mac_);
  const std::uint64_t controls = pauses + mac_.rx_control.value();
  const std::uint64_t sent_pauses = pauses_sent(mac_);
  add(kRxPause, pauses - std::exchange(pauses_seen_, pauses));
  add(kRxControl, controls - std::exchange(controls_seen_, controls));
  const std::uint64_t sent_now = sent_pauses - std::exchange(sent_pauses_seen_, sent_pauses);
  add(kTxPause, sent_now);
  add(kTxControl, sent_now);
}

void Pm3393Mstat::command(std::uint32_t bits) {
  settle();
  if ((bits & pm::kMstatControlFields.clear) != 0) {
    live_.fill(0);
    shown_.fill(0);
    rolled_live_ = rolled_shown_ = 0;
  }
  if ((bits & pm::kMstatControlFields.write) != 0) {
    const std::uint32_t counter = write_address_.value() & 0x3fU;
    const std::uint64_t high = write_data_[2].value() & 0xffU;
    if (counter < pm::kMstatCounters)
      live_.at(counter) =
          high << 32 | std::uint64_t{write_data_[1].value()} << 16 | write_data_[0].value();
  }
  if ((bits & pm::kMstatControlFields.snap) != 0) {
    shown_ = live_;
    rolled_shown_ |= std::exchange(rolled_live_, 0);
  }
  update();
}

std::uint32_t Pm3393Mstat::take_rollover(std::uint32_t word) {
  const std::uint64_t bits = rolled_shown_ & 0xffffULL << kWordBits * word;
  rolled_shown_ ^= bits;
  update();
  return static_cast<std::uint32_t>(bits >> kWordBits * word);
}

void Pm3393Mstat::update() {
  std::uint64_t mask = 0;
  for (std::uint32_t word = 0; word < kWords; ++word)
    mask |= std::uint64_t{mask_[word].value()} << kWordBits * word;
  asks_(((rolled_live_ | rolled_shown_) & mask) != 0);
}

void Pm3393Mstat::reset() { command(pm::kMstatControlFields.clear); }

}  // namespace longhaul::nic::terminator
