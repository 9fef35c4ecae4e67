// SPDX-License-Identifier: Apache-2.0
#include "models/nic/phy/phy22.h"

#include <utility>

namespace longhaul::nic::phy {
namespace {

constexpr std::uint16_t kNobody = 0xffff;
constexpr std::uint16_t kControl = 0;
constexpr std::uint16_t kStatus = 1;
constexpr std::uint16_t kId1 = 2;
constexpr std::uint16_t kId2 = 3;
constexpr std::uint16_t kPartnerAbility = 5;
constexpr std::uint16_t kExpansion = 6;
constexpr std::uint16_t kGigabitStatus = 10;
constexpr std::uint16_t kExtendedStatus = 15;

constexpr std::uint16_t kControlReset = 1U << 15;
constexpr std::uint16_t kControlNegotiates = 1U << 12;
constexpr std::uint16_t kControlRestart = 1U << 9;
constexpr std::uint16_t kStatusShortPreamble = 1U << 6;
constexpr std::uint16_t kStatusNegotiated = 1U << 5;
constexpr std::uint16_t kStatusLink = 1U << 2;

Phy22::Registers first_values(const Phy22Params& params,
                              const std::map<std::uint16_t, std::uint16_t>& registers) {
  Phy22::Registers values{};
  for (const auto& [number, value] : registers) values.at(number) = value;
  values[kControl] = static_cast<std::uint16_t>(params.control());
  values[kStatus] =
      static_cast<std::uint16_t>(params.ability() & ~(kStatusLink | kStatusNegotiated));
  values[kId1] = static_cast<std::uint16_t>(params.id() >> 16);
  values[kId2] = static_cast<std::uint16_t>(params.id());
  return values;
}

bool is_read_only(std::uint16_t address) {
  return (address >= kStatus && address <= kId2) || address == kPartnerAbility ||
         address == kExpansion || address == kGigabitStatus || address == kExtendedStatus;
}

}  // namespace

Phy22::Phy22(const Phy22Params& params, const std::map<std::uint16_t, std::uint16_t>& registers,
             std::function<bool()> has_carrier, std::function<std::uint64_t()> carrier_losses)
    : first_(first_values(params, registers)),
      registers_(first_),
      has_carrier_(std::move(has_carrier)),
      carrier_losses_(std::move(carrier_losses)) {}

bool Phy22::mdio_takes_short_preamble() const {
  return (registers_[kStatus] & kStatusShortPreamble) != 0;
}

std::uint16_t Phy22::status() {
  const bool carrier = has_carrier_();
  const std::uint64_t losses = carrier_losses_();
  if (!carrier || std::exchange(seen_losses_, losses) != losses) link_was_lost_ = true;
  const bool lost = std::exchange(link_was_lost_, !carrier);
  const bool negotiated = carrier && (registers_[kControl] & kControlNegotiates) != 0;
  return static_cast<std::uint16_t>(registers_[kStatus] | (lost ? 0 : kStatusLink) |
                                    (negotiated ? kStatusNegotiated : 0));
}

std::uint16_t Phy22::mdio_read(std::uint32_t port, std::uint32_t device, std::uint16_t address) {
  if (!mdio_answers(port, device)) return kNobody;
  return address == kStatus ? status() : registers_.at(address);
}

void Phy22::mdio_write(std::uint32_t port, std::uint32_t device, std::uint16_t address,
                       std::uint16_t value) {
  if (!mdio_answers(port, device) || is_read_only(address)) return;
  if (address == kControl && (value & kControlReset) != 0) {
    registers_ = first_;
    link_was_lost_ = true;
    return;
  }
  if (address == kControl) value &= static_cast<std::uint16_t>(~kControlRestart);
  registers_.at(address) = value;
}

}  // namespace longhaul::nic::phy
