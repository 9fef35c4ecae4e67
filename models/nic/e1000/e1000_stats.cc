// SPDX-License-Identifier: Apache-2.0
#include "models/nic/e1000/e1000_stats.h"

#include <algorithm>

namespace longhaul::nic::e1000 {
namespace {

std::uint64_t pauses_received(const EthMac& mac) {
  return mac.rx_xon.value() + mac.rx_xoff.value();
}
std::uint64_t pauses_sent(const EthMac& mac) { return mac.tx_xon.value() + mac.tx_xoff.value(); }

}  // namespace

E1000Stats::E1000Stats(RegisterBank& bank, const EthMac& mac)
    : block_(bank),
      crc_errors(block_.add_word("CRCERRS", 0x4000)),
      missed_packets(block_.add_word("MPC", 0x4010)),
      sequence_errors(block_.add_word("SEC", 0x4038)),
      receive_length_errors(block_.add_word("RLEC", 0x4040)),
      receive_no_buffers(block_.add_word("RNBC", 0x40a0)),
      receive_undersize(block_.add_word("RUC", 0x40a4)),
      receive_fragments(block_.add_word("RFC", 0x40a8)),
      receive_oversize(block_.add_word("ROC", 0x40ac)),
      receive_jabber(block_.add_word("RJC", 0x40b0)),
      tso_contexts(block_.add_word("TSCTC", 0x40f8)),
      tso_failures(block_.add_word("TSCTFC", 0x40fc)),
      received_(add_sizes({"PRC64", "PRC127", "PRC255", "PRC511", "PRC1023", "PRC1522"}, 0x405c)),
      sent_(add_sizes({"PTC64", "PTC127", "PTC255", "PTC511", "PTC1023", "PTC1522"}, 0x40d8)),
      good_received_(block_.add_word("GPRC", 0x4074)),
      broadcast_received_(block_.add_word("BPRC", 0x4078)),
      multicast_received_(block_.add_word("MPRC", 0x407c)),
      good_sent_(block_.add_word("GPTC", 0x4080)),
      multicast_sent_(block_.add_word("MPTC", 0x40f0)),
      broadcast_sent_(block_.add_word("BPTC", 0x40f4)),
      total_received_(block_.add_wide_word("TPR", 0x40d0, [&mac] { return pauses_received(mac); })),
      total_sent_(block_.add_wide_word("TPT", 0x40d4, [&mac] { return pauses_sent(mac); })),
      good_octets_received_(block_.add_pair("GORCL", "GORCH", 0x4088)),
      good_octets_sent_(block_.add_pair("GOTCL", "GOTCH", 0x4090)),
      total_octets_received_(
          block_.add_pair("TORL", "TORH", 0x40c0,
                          [&mac] { return pauses_received(mac) * EthMac::kMinFrameBytes; })),
      total_octets_sent_(block_.add_pair(
          "TOTL", "TOTH", 0x40c8, [&mac] { return pauses_sent(mac) * EthMac::kMinFrameBytes; })) {
  block_.add_follower("XONRXC", 0x4048, [&mac] { return mac.rx_xon.value(); });
  block_.add_follower("XONTXC", 0x404c, [&mac] { return mac.tx_xon.value(); });
  block_.add_follower("XOFFRXC", 0x4050, [&mac] { return mac.rx_xoff.value(); });
  block_.add_follower("XOFFTXC", 0x4054, [&mac] { return mac.tx_xoff.value(); });
  block_.add_follower("FCRUC", 0x4058, [&mac] { return mac.rx_control.value(); });
  // A full-duplex link has no collisions; this wire has no code violations, and there is no
  // management controller.
  struct Zero {
    const char* name;
    std::uint32_t offset;
  };
  static constexpr std::array<Zero, 14> kZeros{{{"ALGNERRC", 0x4004},
                                                {"SYMERRS", 0x4008},
                                                {"RXERRC", 0x400c},
                                                {"SCC", 0x4014},
                                                {"ECOL", 0x4018},
                                                {"MCC", 0x401c},
                                                {"LATECOL", 0x4020},
                                                {"COLC", 0x4028},
                                                {"DC", 0x4030},
                                                {"TNCRS", 0x4034},
                                                {"CEXTERR", 0x403c},
                                                {"MGTPRC", 0x40b4},
                                                {"MGTPDC", 0x40b8},
                                                {"MGTPTC", 0x40bc}}};
  for (const Zero& zero : kZeros) block_.add_zero(zero.name, zero.offset);
}

E1000Stats::BySize E1000Stats::add_sizes(const std::array<const char*, kSizes>& names,
                                         std::uint32_t offset) {
  BySize counters{};
  for (std::uint32_t i = 0; i < kSizes; ++i)
    counters.at(i) = &block_.add_word(names.at(i), offset + 4 * i);
  return counters;
}

std::uint32_t& E1000Stats::of_size(const BySize& counters, std::uint32_t bytes) {
  static constexpr std::array<std::uint32_t, kSizes - 1> kLargest{64, 127, 255, 511, 1023};
  const auto* const last =
      std::find_if(kLargest.begin(), kLargest.end(), [bytes](auto most) { return bytes <= most; });
  const auto place = static_cast<std::size_t>(last - kLargest.begin());
  return *counters.at(place);
}

void E1000Stats::received_any(std::uint32_t bytes) {
  ++total_received_;
  total_octets_received_ += bytes;
}

void E1000Stats::received_good(const Frame& frame, std::uint32_t bytes) {
  count(good_received_);
  count(of_size(received_, bytes));
  good_octets_received_ += bytes;
  const Cast cast = cast_of(frame);
  if (cast == Cast::kBroadcast) count(broadcast_received_);
  if (cast == Cast::kMulticast) count(multicast_received_);
}

void E1000Stats::sent(const Frame& frame, std::uint32_t bytes) {
  ++total_sent_;
  total_octets_sent_ += bytes;
  count(good_sent_);
  count(of_size(sent_, bytes));
  good_octets_sent_ += bytes;
  const Cast cast = cast_of(frame);
  if (cast == Cast::kBroadcast) count(broadcast_sent_);
  if (cast == Cast::kMulticast) count(multicast_sent_);
}

}  // namespace longhaul::nic::e1000
