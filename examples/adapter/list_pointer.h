// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <utility>

#include "models/common/register_bank.h"

namespace tc9021 {

/// TFDListPtr or RFDListPtr: where a unit stands in its linked list; zero is the end of the list.
class ListPointer {
 public:
  /// `written` is called after each write to one of the two registers.
  ListPointer(longhaul::RegisterBank& bank, const longhaul::RegisterSpec& low,
              const longhaul::RegisterSpec& high, std::function<void()> written);

  std::uint64_t address() const { return address_; }
  /// The unit reads the descriptor here, of so many bytes.
  void take(std::uint32_t bytes);
  /// Where the descriptor lies that was taken last, whatever has been written since.
  std::uint64_t in_hand() const { return in_hand_; }
  /// Along the link of the descriptor in hand, unless the pointer was written meanwhile.
  void advance(std::uint64_t next);
  void reset() { set(0); }
  /// From the lowest descriptor that was read since the pointer was written to the end of the
  /// highest.
  std::pair<std::uint64_t, std::uint64_t> memory() const { return {lowest_, highest_}; }

 private:
  void set(std::uint64_t address);

  std::function<void()> written_;
  std::uint64_t address_ = 0;
  std::uint64_t in_hand_ = 0;
  std::uint64_t lowest_ = 0;
  std::uint64_t highest_ = 0;
  longhaul::Reg32 low_;
  longhaul::Reg32 high_;
};

}  // namespace tc9021
