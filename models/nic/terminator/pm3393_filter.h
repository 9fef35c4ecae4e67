// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <deque>

#include "models/common/register_bank.h"
#include "models/net/frame/ethernet_header.h"
#include "models/net/frame/frame.h"
#include "models/nic/terminator/pm3393_regs.h"

namespace longhaul::nic::terminator {

/// The address filter of RXXG: eight exact filters, a hash table of 64 bits for group addresses,
/// and promiscuous mode.
///
/// An exact filter compares destination or source address, and the VLAN if it is told to. Of the
/// filters that match, the one with the lowest number decides: it forwards the frame or drops it.
/// Broadcast has no rule of its own: cxgb gives it filter 0.
class Pm3393Filter {
 public:
  static constexpr std::uint32_t kExactFilters = 8;

  explicit Pm3393Filter(RegisterBank& bank);

  bool accepts(const Frame& frame) const;
  /// The bit of the hash table for an address: bits 23 to 28 of its CRC, the first bit on top
  /// (ether_crc() of the Linux kernel).
  static std::uint32_t hash_of(const MacAddress& address);

 private:
  enum class Verdict { kNone, kForward, kDrop };
  Verdict exact(const Frame& frame) const;
  bool matches(std::uint32_t filter, std::uint32_t control, const Frame& frame) const;
  std::uint32_t control(std::uint32_t filter) const;

  std::deque<Reg32> address_;  // three for each filter, low first
  std::deque<Reg32> vid_;
  std::deque<Reg32> hash_;
  Reg32 control0_;
  Reg32 control1_;
  Reg32 control2_;
};

/// The address in three registers, the low byte of the first on the wire first.
MacAddress address_in(const std::deque<Reg32>& registers, std::size_t first);

}  // namespace longhaul::nic::terminator
