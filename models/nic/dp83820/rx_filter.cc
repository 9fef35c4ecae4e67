// SPDX-License-Identifier: Apache-2.0
#include "models/nic/dp83820/rx_filter.h"

#include "models/net/frame/address_crc.h"

namespace longhaul::nic::dp83820 {
namespace {

using namespace regs;  // NOLINT: names of the registers

constexpr std::uint32_t kStationBytes = 6;
constexpr std::uint32_t kHashBegin = 0x100;
constexpr std::uint32_t kHashEnd = 0x200;
constexpr std::uint32_t kHashBits = 11;

}  // namespace

RxFilter::RxFilter(RegisterBank& bank)
    : rfcr_(bank, kRfcr), rfdr_(bank, kRfdr, this, &RxFilter::data_now, &RxFilter::data_written) {}

std::uint32_t RxFilter::data_now() const {
  const std::uint32_t at = rfcr_.get(kRfcrFields.rfaddr) & ~1U;
  if (at < kStationBytes) return station_.at(at) | station_.at(at + 1) << 8U;
  if (at >= kHashBegin && at < kHashEnd) return hash_.at((at - kHashBegin) / 2);
  return 0;
}

void RxFilter::data_written(std::uint32_t value) {
  const std::uint32_t at = rfcr_.get(kRfcrFields.rfaddr) & ~1U;
  if (at < kStationBytes) {
    station_.at(at) = static_cast<std::uint8_t>(value);
    station_.at(at + 1) = static_cast<std::uint8_t>(value >> 8);
  } else if (at >= kHashBegin && at < kHashEnd) {
    hash_.at((at - kHashBegin) / 2) = static_cast<std::uint16_t>(value);
  }
}

std::uint32_t RxFilter::hash_of(const MacAddress& address) {
  const std::uint32_t crc = ethernet::crc_of(address);
  std::uint32_t hash = 0;
  for (std::uint32_t bit = 0; bit < kHashBits; ++bit) hash = hash << 1 | (crc >> bit & 1U);
  return hash;
}

bool RxFilter::in_hash(const MacAddress& address) const {
  const std::uint32_t bit = hash_of(address);
  return (hash_.at(bit / 16) >> bit % 16 & 1U) != 0;
}

Destination RxFilter::match(const Frame& frame) const {
  if (!has(kRfcrFields.rfen)) return Destination::kRejected;
  static constexpr MacAddress kBroadcast{0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
  const MacAddress to = ethernet::destination(frame);
  const bool arp = has(kRfcrFields.aarp) && ethernet::type(frame) == ethernet::kTypeArp;
  if (to == kBroadcast)
    return has(kRfcrFields.aab) || arp ? Destination::kBroadcast : Destination::kRejected;
  if (ethernet::is_group(to)) {
    const bool accepted = has(kRfcrFields.aam) || (has(kRfcrFields.mhen) && in_hash(to)) || arp;
    return accepted ? Destination::kMulticast : Destination::kRejected;
  }
  const bool accepted = has(kRfcrFields.aau) || (has(kRfcrFields.apm) && to == station_) ||
                        (has(kRfcrFields.uhen) && in_hash(to)) || arp;
  return accepted ? Destination::kStation : Destination::kRejected;
}

}  // namespace longhaul::nic::dp83820
