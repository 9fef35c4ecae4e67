// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <deque>

#include "models/common/register_bank.h"
#include "models/net/mac/eth_mac.h"
#include "models/nic/genesis/rx_filter.h"

namespace longhaul::nic::genesis {

/// The XMAC's statistics: free-running counters, and the registers that show what they were at the
/// last snapshot (STAT_CMD), or are, where STAT_CMD has them copied all the time. Reading changes
/// nothing; 32-bit counters wrap.
///
/// Octets count from the destination address to the FCS, of good frames. PAUSE frames are the MAC's
/// own, and in none of the others. Collisions and code violations do not happen here: their
/// counters stay zero.
class XmacStats {
 public:
  static constexpr std::uint32_t kCounters = 64;  ///< words from x = 0x280 to 0x37c
  /// One counter for each register, by its place: (x - 0x280) / 4.
  static constexpr std::uint32_t place(std::uint32_t x) { return (x - 0x280) / 4; }

  // Counters of faults, by x.
  static constexpr std::uint32_t kFifoOverflow = 0x334;
  static constexpr std::uint32_t kJabber = 0x338;  ///< too long, and damaged
  static constexpr std::uint32_t kLengthError = 0x340;
  static constexpr std::uint32_t kRunt = 0x34c;  ///< damaged or not
  static constexpr std::uint32_t kLong = 0x350;
  static constexpr std::uint32_t kFcsError = 0x354;  ///< of a legal length

  /// `mac` counts PAUSE frames.
  XmacStats(RegisterBank& bank, const EthMac& mac);

  /// A good frame that the filter passed and the FIFO took; bytes with the FCS.
  void received(Cast cast, std::uint32_t bytes);
  /// A frame that was sent; bytes with padding and FCS.
  void sent(Cast cast, std::uint32_t bytes);
  /// One more of the counter at `x`.
  void count(std::uint32_t x) { ++live_.at(place(x)); }
  /// STAT_CMD as written; returns what it reads as afterwards: commands are done at once.
  std::uint16_t command(std::uint16_t bits);
  void clear();  ///< GP_PORT's RES_STAT: the counters
  void reset();  ///< MAC reset: counters, snapshots and modes

 private:
  using Values = std::array<std::uint32_t, kCounters>;
  std::uint32_t live(std::uint32_t at) const;
  std::uint32_t shown(std::uint32_t at) const;
  void snap(std::uint32_t begin, std::uint32_t end);
  void clear_receive();
  void clear_transmit();
  void add_octets(std::uint32_t high_x, std::uint32_t bytes);

  const EthMac& mac_;
  Values live_{};
  Values snapshot_{};
  bool follow_receive_ = false;
  bool follow_transmit_ = false;
  std::uint32_t received_pauses_seen_ = 0;  // of the MAC, at the last clear
  std::uint32_t received_controls_seen_ = 0;
  std::uint32_t sent_pauses_seen_ = 0;
  std::deque<Reg32> registers_;
};

}  // namespace longhaul::nic::genesis
