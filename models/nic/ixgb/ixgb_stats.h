// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

#include "models/common/register_bank.h"
#include "models/net/frame/frame.h"
#include "models/net/mac/eth_mac.h"

namespace longhaul::nic::ixgb {

/// What the address filter said of a frame, as far as the statistics tell them apart.
enum class Cast { kUnicast, kMulticast, kBroadcast };

/// The statistics block of the 82597EX: 64-bit counters as pairs (low, high) and 32-bit counters,
/// all cleared by reading.
///
/// Reading the low half of a pair latches the high half and clears the counter, so that nothing
/// counted in between is lost or counted twice; reading the high half gives what was latched. A
/// high half read first gives the counter's upper bits and clears those. 32-bit counters stick at
/// their largest value.
class IxgbStats {
 public:
  IxgbStats(RegisterBank& bank, const EthMac& mac);

  /// A good frame received, addressed to this adapter; `bytes` and octets include the FCS.
  void received_good(Cast cast, std::uint32_t bytes, bool vlan, bool jumbo, bool broadcast_is_multicast);
  /// Any frame received, good or bad, but PAUSE, which the MAC keeps to itself and counts.
  void received_any(std::uint32_t bytes);
  void sent(const Frame& frame, std::uint32_t bytes, bool vlan, bool jumbo);
  void count(std::uint32_t& counter) {
    if (counter != ~std::uint32_t{0}) ++counter;
  }
  /// Device reset: all counters zero.
  void reset();

  std::uint32_t receive_no_buffers = 0;
  std::uint32_t receive_undersize = 0;
  std::uint32_t receive_oversize = 0;
  std::uint32_t receive_length_errors = 0;
  std::uint32_t crc_errors = 0;
  std::uint32_t missed_packets = 0;
  std::uint32_t sent_below_64 = 0;
  std::uint32_t tso_contexts = 0;
  std::uint32_t tso_failures = 0;
  std::uint32_t remote_faults = 0;
  std::uint32_t local_faults = 0;
  std::uint32_t receive_jabber = 0;

 private:
  /// A counter that lives in the MAC and never clears; take() gives its growth since the last time.
  struct Follower {
    std::function<std::uint64_t()> now;
    std::uint64_t seen = 0;
    std::uint64_t take();
  };
  struct Pair {
    std::uint64_t value = 0;
    std::uint32_t latched = 0;
    bool has_latch = false;
    Follower also{};  ///< what the MAC counts of the same
  };
  Pair& add_pair(const char* low_name, const char* high_name, std::uint32_t offset,
                 std::function<std::uint64_t()> also = {});
  void add_word(const char* name, std::uint32_t offset, std::uint32_t* counter);
  void add_follower(const char* name, std::uint32_t offset, std::function<std::uint64_t()> now);
  void add_zero(const char* name, std::uint32_t offset);

  RegisterBank& bank_;
  std::deque<Reg32> registers_;
  std::deque<Pair> pairs_;
  std::deque<Follower> followers_;
  std::vector<std::uint32_t*> words_;
  Pair& total_received_;
  Pair& good_received_;
  Pair& broadcast_received_;
  Pair& multicast_received_;
  Pair& unicast_received_;
  Pair& vlan_received_;
  Pair& jumbo_received_;
  Pair& good_octets_received_;
  Pair& total_octets_received_;
  Pair& total_sent_;
  Pair& good_sent_;
  Pair& broadcast_sent_;
  Pair& multicast_sent_;
  Pair& unicast_sent_;
  Pair& vlan_sent_;
  Pair& jumbo_sent_;
  Pair& good_octets_sent_;
  Pair& total_octets_sent_;
};

}  // namespace longhaul::nic::ixgb
