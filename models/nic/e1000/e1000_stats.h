// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "models/common/register_bank.h"
#include "models/net/frame/frame.h"
#include "models/net/mac/eth_mac.h"
#include "models/nic/blocks/statistics_block.h"
#include "models/nic/intel/rx_unit.h"

namespace longhaul::nic::e1000 {

/// The statistics block of the 82545 and 82546 (8254x SDM, 13.7): registers 0x4000 to 0x40fc.
class E1000Stats {
 public:
  E1000Stats(RegisterBank& bank, const EthMac& mac);

  /// Counts a good received frame for this adapter. Bytes and octets include the FCS in all of
  /// these functions.
  void received_good(const Frame& frame, std::uint32_t bytes);
  /// Counts any received frame, good or bad, except PAUSE. The MAC counts PAUSE frames and does not
  /// pass them on.
  void received_any(std::uint32_t bytes);
  void sent(const Frame& frame, std::uint32_t bytes);
  static void count(std::uint32_t& counter) { StatisticsBlock::count(counter); }
  /// Device reset: sets all counters to zero.
  void reset() { block_.reset(); }

 private:
  static constexpr std::size_t kSizes = 6;  // 64, to 127, to 255, to 511, to 1023, longer
  using BySize = std::array<std::uint32_t*, kSizes>;
  BySize add_sizes(const std::array<const char*, kSizes>& names, std::uint32_t offset);
  static std::uint32_t& of_size(const BySize& counters, std::uint32_t bytes);

  StatisticsBlock block_;

 public:
  std::uint32_t& crc_errors;
  std::uint32_t& missed_packets;
  std::uint32_t& sequence_errors;
  std::uint32_t& receive_length_errors;
  std::uint32_t& receive_no_buffers;
  std::uint32_t& receive_undersize;
  std::uint32_t& receive_fragments;
  std::uint32_t& receive_oversize;
  std::uint32_t& receive_jabber;
  std::uint32_t& tso_contexts;
  std::uint32_t& tso_failures;

 private:
  BySize received_;
  BySize sent_;
  std::uint32_t& good_received_;
  std::uint32_t& broadcast_received_;
  std::uint32_t& multicast_received_;
  std::uint32_t& good_sent_;
  std::uint32_t& multicast_sent_;
  std::uint32_t& broadcast_sent_;
  std::uint64_t& total_received_;
  std::uint64_t& total_sent_;
  std::uint64_t& good_octets_received_;
  std::uint64_t& good_octets_sent_;
  std::uint64_t& total_octets_received_;
  std::uint64_t& total_octets_sent_;
};

}  // namespace longhaul::nic::e1000
