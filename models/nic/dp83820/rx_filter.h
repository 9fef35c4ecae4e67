// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "models/common/register_bank.h"
#include "models/net/frame/ethernet_header.h"
#include "models/net/frame/frame.h"
#include "models/nic/dp83820/regs.h"

namespace longhaul::nic::dp83820 {

/// The kind of a frame's destination, as in a receive descriptor's status.
enum class Destination : std::uint32_t {
  kRejected = 0,
  kStation = 1,
  kMulticast = 2,
  kBroadcast = 3
};

/// The receive filter. RFCR selects the accepted frames, and the word of the filter's memory that
/// RFDR accesses.
///
/// The memory has the station address (words at 0, 2, 4) and the hash table of 2048 bits (words at
/// 0x100 to 0x1fe). Other words store nothing: patterns and passwords never match.
class RxFilter {
 public:
  explicit RxFilter(RegisterBank& bank);

  /// Sets the station address, as from the EEPROM.
  void load(const MacAddress& address) { station_ = address; }
  /// The kind of the frame's destination; kRejected if no rule accepts the frame. Rejects all
  /// frames while the filter is off.
  Destination match(const Frame& frame) const;
  const MacAddress& station() const { return station_; }

  /// The bit of the hash table for an address: the upper 11 bits of its CRC.
  static std::uint32_t hash_of(const MacAddress& address);

 private:
  std::uint32_t data_now() const;
  void data_written(std::uint32_t value);
  bool in_hash(const MacAddress& address) const;
  bool has(std::uint32_t bit) const { return rfcr_.has(bit); }

  MacAddress station_{};
  std::array<std::uint16_t, 128> hash_{};
  Reg32 rfcr_;
  Reg32 rfdr_;
};

}  // namespace longhaul::nic::dp83820
