// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>

#include "models/common/register_bank.h"
#include "models/net/frame/frame.h"
#include "models/net/mac/eth_mac.h"
#include "models/nic/terminator/pm3393_regs.h"

namespace longhaul::nic::terminator {

/// MSTAT, the statistics of the PM3393: 54 counters of 40 bits, and a bit for each that tells that
/// the counter has rolled over.
///
/// Registers show counters and rollover bits as of the last MSTAT_SNAP. Rollover bits are cleared
/// when they are read. A counter that rolls over asks for an interrupt if MSTAT_INTERRUPT_MASK has
/// its bit, until the bit was read. Octets count whole frames with their FCS.
class Pm3393Mstat {
 public:
  /// Numbers of counters (Linux 6.1 cxgb/pm3393.c names some; README.md#statistics the others).
  enum Counter : std::uint32_t {
    kRxFramesOk = 0,
    kRxOctetsOk = 1,
    kRxFrames = 2,
    kRxOctets = 3,
    kRxUnicast = 4,  // then multicast, broadcast
    kRxTagged = 7,
    kRxPause = 8,
    kRxControl = 9,
    kRxFcsErrors = 10,
    kRxLost = 11,
    kRxLengthErrors = 13,
    kRxTooLong = 15,
    kRxJabbers = 16,
    kRxFragments = 17,
    kRxUndersized = 18,
    kRxSizes = 19,  // seven ranges, the last one jumbo frames
    kRxJumboOctets = 26,
    kTxFramesOk = 32,
    kTxOctetsOk = 33,
    kTxOctets = 34,
    kTxSystemErrors = 36,
    kTxUnicastTried = 37,  // and sent; then multicast, broadcast
    kTxPause = 43,
    kTxControl = 44,
    kTxSizes = 45,
    kTxJumboOctets = 52,
  };

  /// `mac` counts control frames. `asks` tells whether a rollover asks for an interrupt.
  Pm3393Mstat(RegisterBank& bank, const EthMac& mac, std::function<void(bool)> asks);

  void count(Counter counter) { add(counter, 1); }
  /// Counts a frame that arrived, good or not.
  void arrived(const Frame& frame);
  /// Counts a good frame that the filter passed.
  void received(const Frame& frame);
  void sent(const Frame& frame);
  void reset();

 private:
  static constexpr std::uint64_t kMask = (1ULL << 40) - 1;

  void add(std::uint32_t counter, std::uint64_t by);
  void add_size(std::uint32_t sizes, std::uint32_t jumbo_octets, std::uint32_t octets);
  void settle();
  void command(std::uint32_t bits);
  std::uint32_t take_rollover(std::uint32_t word);
  void update();

  const EthMac& mac_;
  std::function<void(bool)> asks_;
  std::array<std::uint64_t, pm::kMstatCounters> live_{};
  std::array<std::uint64_t, pm::kMstatCounters> shown_{};
  std::uint64_t rolled_live_ = 0;   // since the last snapshot
  std::uint64_t rolled_shown_ = 0;  // until it is read
  std::uint64_t pauses_seen_ = 0;   // what the MAC had counted when settle() last looked
  std::uint64_t controls_seen_ = 0;
  std::uint64_t sent_pauses_seen_ = 0;
  Reg32 control_;
  Reg32 write_address_;
  std::deque<Reg32> registers_;
  std::deque<Reg32> mask_;
  std::deque<Reg32> write_data_;
};

}  // namespace longhaul::nic::terminator
