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
  /// Along a link.
  void advance(std::uint64_t next);
  /// The unit reads `bytes` here.
  void note(std::uint32_t bytes);
  void reset() { set(0); }
  /// From the lowest descriptor that was read since the pointer was written to the end of the
  /// highest.
  std::pair<std::uint64_t, std::uint64_t> memory() const { return {lowest_, highest_}; }

 private:
  void set(std::uint64_t address);

  std::function<void()> written_;
  std::uint64_t address_ = 0;
  std::uint64_t lowest_ = 0;
  std::uint64_t highest_ = 0;
  longhaul::Reg32 low_;
  longhaul::Reg32 high_;
};

}  // namespace tc9021
