// SPDX-License-Identifier: Apache-2.0
#include "models/nic/terminator/pm3393_filter.h"

#include "models/net/frame/address_crc.h"

namespace longhaul::nic::terminator {
namespace {

// Bits of a filter's control: Linux 6.1 cxgb/suni1x10gexp_regs.h.
constexpr std::uint32_t kForward = 8;
constexpr std::uint32_t kByVlan = 4;
constexpr std::uint32_t kBySource = 2;
constexpr std::uint32_t kMatch = 1;
constexpr std::uint32_t kControlBits = 4;
constexpr std::uint32_t kFiltersOfARegister = 4;

}  // namespace

MacAddress address_in(const std::deque<Reg32>& registers, std::size_t first) {
  MacAddress address{};
  for (std::size_t i = 0; i < address.size(); ++i) {
    const std::uint32_t half = registers[first + i / 2].value();
    address.at(i) = static_cast<std::uint8_t>(i % 2 == 0 ? half : half >> 8);
  }
  return address;
}

Pm3393Filter::Pm3393Filter(RegisterBank& bank)
    : control0_(bank, pm::kFilterControl0),
      control1_(bank, pm::kFilterControl1),
      control2_(bank, pm::kFilterControl2) {
  for (std::uint32_t i = 0; i < 3 * kExactFilters; ++i)
    address_.emplace_back(bank, pm::Spec{"RXXG_EXACT_MATCH_ADDR", pm::kRxxgExactMatch + i});
  for (std::uint32_t i = 0; i < kExactFilters; ++i)
    vid_.emplace_back(bank, pm::Spec{"RXXG_EXACT_MATCH_VID", pm::kRxxgExactVid + i});
  for (std::uint32_t i = 0; i < 4; ++i)
    hash_.emplace_back(bank, pm::Spec{"RXXG_MULTICAST_HASH", pm::kRxxgHash + i});
}

std::uint32_t Pm3393Filter::hash_of(const MacAddress& address) {
  // Bit 23 of the register is bit 8 of the CRC, whose first bit is last.
  const std::uint32_t crc = ethernet::crc_of(address);
  std::uint32_t hash = 0;
  for (std::uint32_t bit = 0; bit < 6; ++bit) hash |= (crc >> (8 - bit) & 1U) << bit;
  return hash;
}

std::uint32_t Pm3393Filter::control(std::uint32_t filter) const {
  const Reg32& reg = filter < kFiltersOfARegister ? control0_ : control1_;
  return reg.value() >> kControlBits * (filter % kFiltersOfARegister);
}

bool Pm3393Filter::matches(std::uint32_t filter, std::uint32_t control, const Frame& frame) const {
  const MacAddress wanted = address_in(address_, std::size_t{3} * filter);
  const MacAddress seen =
      (control & kBySource) != 0 ? ethernet::source(frame) : ethernet::destination(frame);
  if (seen != wanted) return false;
  if ((control & kByVlan) == 0) return true;
  return ethernet::type(frame) == ethernet::kTypeVlan &&
         (read_be16(frame.head() + 14) & 0xfffU) == (vid_[filter].value() & 0xfffU);
}

Pm3393Filter::Verdict Pm3393Filter::exact(const Frame& frame) const {
  for (std::uint32_t filter = 0; filter < kExactFilters; ++filter) {
    const std::uint32_t bits = control(filter);
    if ((bits & kMatch) == 0 || !matches(filter, bits, frame)) continue;
    return (bits & kForward) != 0 ? Verdict::kForward : Verdict::kDrop;
  }
  return Verdict::kNone;
}

bool Pm3393Filter::accepts(const Frame& frame) const {
  if (control2_.has(pm::kFilterControl2Fields.pmode)) return true;
  const Verdict verdict = exact(frame);
  if (verdict != Verdict::kNone) return verdict == Verdict::kForward;
  const MacAddress to = ethernet::destination(frame);
  if (!control2_.has(pm::kFilterControl2Fields.mhash_en) || !ethernet::is_group(to)) return false;
  const std::uint32_t bit = hash_of(to);
  return (hash_[bit / 16].value() >> bit % 16 & 1U) != 0;
}

}  // namespace longhaul::nic::terminator
