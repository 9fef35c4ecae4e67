// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "models/common/ring_buffer.h"
#include "models/wan/gnet1/gnet1_regs.h"

namespace longhaul::wan {

/// The address table of GNET-1's switch: 16 addresses and their ports, as
/// rtl/gnet1/gnet1_mac_table.sv.
///
/// Calls come in the order of their clocks. An entry that no frame has refreshed during two ageing
/// periods is removed. A full table replaces learned entries in turn.
class Gnet1MacTable {
 public:
  using Address = std::uint64_t;  ///< 48 bits, first byte highest
  static constexpr Address kGroupBit = Address{1} << 40;

  /// A good frame from `address` was received at `port`. The table has it after the edge of
  /// `clock`, or later, because it learns one port a clock.
  void learn(std::uint64_t clock, Address address, std::uint32_t port);
  void set_static(std::uint64_t clock, std::uint32_t entry, bool valid, std::uint32_t port,
                  Address address);
  void flush(std::uint64_t clock);                                 ///< removes learned entries
  void set_age_period(std::uint64_t clock, std::uint32_t clocks);  ///< 0: entries do not age
  /// The ports, one bit each, to which a frame to `address` from `port` goes at the edge of
  /// `clock`. Never includes `port`.
  std::uint32_t ports_of(std::uint64_t clock, Address address, std::uint32_t port);
  /// The clock after whose edge the next address that is on its way is in the table; ~0 if there is
  /// none.
  std::uint64_t next_lesson() const {
    return lessons_.empty() ? ~std::uint64_t{0} : lessons_.front().clock;
  }
  std::uint32_t valid(std::uint64_t clock);  ///< entries in use, one bit each

 private:
  struct Entry {
    bool valid = false;
    bool fixed = false;
    bool fresh = false;  // seen in this ageing period
    std::uint32_t port = 0;
    Address address = 0;
  };
  struct Lesson {
    std::uint64_t clock = 0;
    Address address = 0;
    std::uint32_t port = 0;
  };
  void advance(std::uint64_t clock);
  void age_until(std::uint64_t clock);
  void enter(const Lesson& lesson);

  std::array<Entry, (gnet1_regs::kMacEntryEntryMask >> gnet1_regs::kMacEntryEntryShift) + 1>
      entries_{};
  std::size_t victim_ = 0;
  std::uint32_t period_ = 0;
  std::uint64_t age_zero_ = 0;  // clock after which the ageing counter was 0
  std::uint64_t clock_ = 0;
  RingBuffer<Lesson> lessons_;  // not yet in the table
  std::uint64_t last_lesson_ = 0;
};

}  // namespace longhaul::wan
