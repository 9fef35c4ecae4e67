// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <deque>

#include "models/common/register_bank.h"
#include "models/net/mac/eth_mac.h"
#include "models/nic/genesis/rx_filter.h"

namespace longhaul::nic::genesis {

/// The XMAC's statistics: free-running counters, and the registers that show them. A register shows
/// the count at the last snapshot (STAT_CMD), or the present count if STAT_CMD copies it all the
/// time. Reads change nothing; 32-bit counters wrap.
///
/// Octets count from the destination address to the FCS, of good frames. The MAC handles PAUSE
/// frames; they count only in the counters for PAUSE. Collisions and code violations do not occur
/// in the model, so their counters stay zero.
class XmacStats {
 public:
  static constexpr std::uint32_t kCounters = 64;  ///< words from x = 0x280 to 0x37c
  /// The index of a register's counter: (x - 0x280) / 4.
  static constexpr std::uint32_t place(std::uint32_t x) { return (x - 0x280) / 4; }

  // Counters of faults, by x.
  static constexpr std::uint32_t kFifoOverflow = 0x334;
  static constexpr std::uint32_t kJabber = 0x338;  ///< too long, with a wrong FCS
  static constexpr std::uint32_t kLengthError = 0x340;
  static constexpr std::uint32_t kRunt = 0x34c;  ///< with a right or wrong FCS
  static constexpr std::uint32_t kLong = 0x350;
  static constexpr std::uint32_t kFcsError = 0x354;  ///< of a legal length

  /// `mac` counts PAUSE frames.
  XmacStats(RegisterBank& bank, const EthMac& mac);

  /// Counts a good frame that the filter passed and the FIFO took. `bytes` includes the FCS.
  void received(Cast cast, std::uint32_t bytes);
  /// Counts a sent frame. `bytes` includes padding and FCS.
  void sent(Cast cast, std::uint32_t bytes);
  /// Increments the counter at `x`.
  void count(std::uint32_t x) { ++live_.at(place(x)); }
  /// Executes a write to STAT_CMD at once. Returns the value that STAT_CMD then reads as.
  std::uint16_t command(std::uint16_t bits);
  void clear();  ///< GP_PORT's RES_STAT: clears the counters
  void reset();  ///< MAC reset: clears counters, snapshots and modes

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
  std::uint32_t received_pauses_seen_ = 0;  // the MAC's count at the last clear
  std::uint32_t received_controls_seen_ = 0;
  std::uint32_t sent_pauses_seen_ = 0;
  std::deque<Reg32> registers_;
};

}  // namespace longhaul::nic::genesis
