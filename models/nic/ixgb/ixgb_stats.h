// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/common/register_bank.h"
#include "models/net/frame/frame.h"
#include "models/net/mac/eth_mac.h"
#include "models/nic/blocks/statistics_block.h"
#include "models/nic/intel/rx_unit.h"

namespace longhaul::nic::ixgb {

/// The statistics block of the 82597EX.
class IxgbStats {
 public:
  IxgbStats(RegisterBank& bank, const EthMac& mac);

  /// Counts a good received frame for this adapter. `bytes` and octets include the FCS.
  void received_good(Cast cast, std::uint32_t bytes, bool vlan, bool jumbo,
                     bool broadcast_is_multicast);
  /// Counts any received frame, good or bad, except PAUSE. The MAC counts PAUSE frames and does not
  /// pass them on.
  void received_any(std::uint32_t bytes);
  void sent(const Frame& frame, std::uint32_t bytes, bool vlan, bool jumbo);
  void count(std::uint32_t& counter) { StatisticsBlock::count(counter); }
  /// Device reset: sets all counters to zero.
  void reset() { block_.reset(); }

 private:
  StatisticsBlock block_;

 public:
  std::uint32_t& receive_no_buffers;
  std::uint32_t& receive_undersize;
  std::uint32_t& receive_oversize;
  std::uint32_t& receive_length_errors;
  std::uint32_t& crc_errors;
  std::uint32_t& missed_packets;
  std::uint32_t& sent_below_64;
  std::uint32_t& tso_contexts;
  std::uint32_t& tso_failures;
  std::uint32_t& remote_faults;
  std::uint32_t& local_faults;
  std::uint32_t& receive_jabber;

 private:
  std::uint64_t& total_received_;
  std::uint64_t& good_received_;
  std::uint64_t& broadcast_received_;
  std::uint64_t& multicast_received_;
  std::uint64_t& unicast_received_;
  std::uint64_t& vlan_received_;
  std::uint64_t& jumbo_received_;
  std::uint64_t& good_octets_received_;
  std::uint64_t& total_octets_received_;
  std::uint64_t& total_sent_;
  std::uint64_t& good_sent_;
  std::uint64_t& broadcast_sent_;
  std::uint64_t& multicast_sent_;
  std::uint64_t& unicast_sent_;
  std::uint64_t& vlan_sent_;
  std::uint64_t& jumbo_sent_;
  std::uint64_t& good_octets_sent_;
  std::uint64_t& total_octets_sent_;
};

}  // namespace longhaul::nic::ixgb
