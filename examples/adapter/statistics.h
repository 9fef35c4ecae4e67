// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

#include "interrupts.h"
#include "models/common/register_bank.h"
#include "models/net/frame/frame.h"
#include "models/net/mac/eth_mac.h"

namespace tc9021 {

/// The statistics registers at 0xa8 to 0xff: counters of 16 and 32 bits, cleared by reading.
///
/// They count while MACCtrl's StatisticsEnabled is set and stick at their largest value. A counter
/// that passes the half of it asks to be read: UpdateStats. MAC control frames are counted by the
/// MAC, always and without asking.
class Statistics {
 public:
  Statistics(longhaul::RegisterBank& bank, const longhaul::EthMac& mac, const AccessCovers& covers,
             std::function<void()> half_full);

  void enable(bool on) { enabled_ = on; }
  bool enabled() const { return enabled_; }
  void received(const longhaul::Frame& frame);
  void sent(const longhaul::Frame& frame);
  void too_long() { count(kFrameTooLong); }
  void bad_fcs() { count(kFcsErrors); }
  void lost() { count(kLostRx); }
  void bad_sums(bool ip, bool tcp, bool udp);
  void reset();

 private:
  enum Index : std::size_t {
    kOctetsRcvd,
    kMcstOctetsRcvd,
    kBcstOctetsRcvd,
    kFramesRcvd,
    kMcstFramesRcvd,
    kRxJumbo,
    kBcstFramesRcvd,
    kTcpErrors,
    kIpErrors,
    kUdpErrors,
    kControlRcvd,
    kFrameTooLong,
    kFcsErrors,
    kLostRx,
    kOctetsSent,
    kMcstOctetsSent,
    kBcstOctetsSent,
    kFramesSent,
    kMcstFramesSent,
    kTxJumbo,
    kBcstFramesSent,
    kControlSent,
    kCounters
  };
  struct Counter {
    std::uint32_t value = 0;
    std::function<std::uint64_t()> also;  // a count that lives elsewhere and is part of this one
    std::uint64_t seen = 0;               // of it, at the last reading
  };

  void count(Index index, std::uint32_t amount = 1);
  std::uint32_t read_word(std::uint32_t word);
  std::uint32_t now(const Counter& counter) const;

  const AccessCovers& covers_;
  std::function<void()> half_full_;
  bool enabled_ = false;
  std::array<Counter, kCounters> counters_;
  std::deque<longhaul::Reg32> words_;
};

}  // namespace tc9021
