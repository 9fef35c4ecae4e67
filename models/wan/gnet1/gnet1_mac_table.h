// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "models/common/ring_buffer.h"
#include "models/wan/gnet1/gnet1_regs.h"

namespace longhaul::wan {

/// The switch's table of GNET-1: 16 addresses and the ports behind them, as
/// rtl/gnet1/gnet1_mac_table.sv.
///
/// Calls come in the order of their clocks. An entry that no frame has refreshed during two ageing
/// periods leaves; a full table replaces learned entries in turn.
class Gnet1MacTable {
 public:
  using Address = std::uint64_t;  ///< 48 bits, first byte highest
  static constexpr Address kGroupBit = Address{1} << 40;

  /// A good frame from `address` was received at `port`: known after the edge of `clock`, or, as
  /// one port learns a clock, a later one.
  void learn(std::uint64_t clock, Address address, std::uint32_t port);
  void set_static(std::uint64_t clock, std::uint32_t entry, bool valid, std::uint32_t port,
                  Address address);
  void flush(std::uint64_t clock);                                 ///< learned entries leave
  void set_age_period(std::uint64_t clock, std::uint32_t clocks);  ///< 0: entries do not age
  /// Ports, a bit each, that a frame to `address` from `port` goes to at the edge of `clock`: never
  /// back.
  std::uint32_t ports_of(std::uint64_t clock, Address address, std::uint32_t port);
  /// Clock after whose edge the next address that is on its way will be known; ~0 if there is none.
  std::uint64_t next_lesson() const {
    return lessons_.empty() ? ~std::uint64_t{0} : lessons_.front().clock;
  }
  std::uint32_t valid(std::uint64_t clock);  ///< entries in use, a bit each

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
  std::uint64_t age_zero_ = 0;  // the clock after which the ageing counter was 0
  std::uint64_t clock_ = 0;
  RingBuffer<Lesson> lessons_;  // not yet in the table
  std::uint64_t last_lesson_ = 0;
};

}  // namespace longhaul::wan
