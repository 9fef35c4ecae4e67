// SPDX-License-Identifier: Apache-2.0
#include "list_pointer.h"

#include <algorithm>

#include "regs.h"

namespace tc9021 {

ListPointer::ListPointer(longhaul::RegisterBank& bank, const longhaul::RegisterSpec& low,
                         const longhaul::RegisterSpec& high, std::function<void()> written)
    : written_(std::move(written)),
      low_(
          bank, low, [this] { return static_cast<std::uint32_t>(address_); },
          [this](std::uint32_t value) {
            set((address_ >> 32 << 32) | (value & ~7U));
            written_();
          }),
      high_(
          bank, high, [this] { return static_cast<std::uint32_t>(address_ >> 32); },
          [this](std::uint32_t value) {
            set((std::uint64_t{value} << 32 | (address_ & 0xffff'ffff)) &
                regs::descriptor::kAddress);
            written_();
          }) {}

void ListPointer::set(std::uint64_t address) {
  if (address == address_) return;
  address_ = address;
  lowest_ = highest_ = 0;
}

void ListPointer::advance(std::uint64_t next) {
  if (address_ == in_hand_) address_ = next & regs::descriptor::kAddress & ~7ULL;
}

void ListPointer::take(std::uint32_t bytes) {
  in_hand_ = address_;
  lowest_ = highest_ == 0 ? address_ : std::min(lowest_, address_);
  highest_ = std::max(highest_, address_ + bytes);
}

}  // namespace tc9021
