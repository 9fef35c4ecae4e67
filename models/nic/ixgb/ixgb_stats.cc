// SPDX-License-Identifier: Apache-2.0
#include "models/nic/ixgb/ixgb_stats.h"

#include "models/net/frame/ethernet_header.h"
#include "models/nic/ixgb/regs.h"

namespace longhaul::nic::ixgb {
namespace {

constexpr MacAddress kBroadcast{0xff, 0xff, 0xff, 0xff, 0xff, 0xff};

std::uint64_t pauses_received(const EthMac& mac) {
  return mac.rx_xon.value() + mac.rx_xoff.value();
}
std::uint64_t pauses_sent(const EthMac& mac) { return mac.tx_xon.value() + mac.tx_xoff.value(); }

}  // namespace

IxgbStats::IxgbStats(RegisterBank& bank, const EthMac& mac)
    : block_(bank),
      receive_no_buffers(block_.add_word(regs::kRnbc)),
      receive_undersize(block_.add_word(regs::kRuc)),
      receive_oversize(block_.add_word(regs::kRoc)),
      receive_length_errors(block_.add_word(regs::kRlec)),
      crc_errors(block_.add_word(regs::kCrcerrs)),
      missed_packets(block_.add_word(regs::kMpc)),
      sent_below_64(block_.add_word(regs::kPlt64c)),
      tso_contexts(block_.add_word(regs::kTsctc)),
      tso_failures(block_.add_word(regs::kTsctfc)),
      remote_faults(block_.add_word(regs::kRfc)),
      local_faults(block_.add_word(regs::kLfc)),
      receive_jabber(block_.add_word(regs::kRjc)),
      total_received_(
          block_.add_pair(regs::kTprl, regs::kTprh, [&mac] { return pauses_received(mac); })),
      good_received_(block_.add_pair(regs::kGprcl, regs::kGprch)),
      broadcast_received_(block_.add_pair(regs::kBprcl, regs::kBprch)),
      multicast_received_(block_.add_pair(regs::kMprcl, regs::kMprch)),
      unicast_received_(block_.add_pair(regs::kUprcl, regs::kUprch)),
      vlan_received_(block_.add_pair(regs::kVprcl, regs::kVprch)),
      jumbo_received_(block_.add_pair(regs::kJprcl, regs::kJprch)),
      good_octets_received_(block_.add_pair(regs::kGorcl, regs::kGorch)),
      total_octets_received_(
          block_.add_pair(regs::kTorl, regs::kTorh,
                          [&mac] { return pauses_received(mac) * EthMac::kMinFrameBytes; })),
      total_sent_(block_.add_pair(regs::kTptl, regs::kTpth, [&mac] { return pauses_sent(mac); })),
      good_sent_(block_.add_pair(regs::kGptcl, regs::kGptch)),
      broadcast_sent_(block_.add_pair(regs::kBptcl, regs::kBptch)),
      multicast_sent_(block_.add_pair(regs::kMptcl, regs::kMptch)),
      unicast_sent_(block_.add_pair(regs::kUptcl, regs::kUptch)),
      vlan_sent_(block_.add_pair(regs::kVptcl, regs::kVptch)),
      jumbo_sent_(block_.add_pair(regs::kJptcl, regs::kJptch)),
      good_octets_sent_(block_.add_pair(regs::kGotcl, regs::kGotch)),
      total_octets_sent_(block_.add_pair(
          regs::kTotl, regs::kToth, [&mac] { return pauses_sent(mac) * EthMac::kMinFrameBytes; })) {
  block_.add_zero(regs::kIcbc);  // code violations do not occur on this wire
  block_.add_zero(regs::kEcbc);
  block_.add_zero(regs::kDc);  // a full-duplex MAC never defers
  block_.add_zero(regs::kIbic);
  block_.add_follower(regs::kPfrc, [&mac] { return pauses_received(mac); });
  block_.add_follower(regs::kPftc, [&mac] { return pauses_sent(mac); });
  block_.add_follower(regs::kMcfrc, [&mac] { return mac.rx_control.value(); });
  block_.add_zero(regs::kMcftc);  // software's MAC control frames are data to this MAC
  block_.add_follower(regs::kXonrxc, [&mac] { return mac.rx_xon.value(); });
  block_.add_follower(regs::kXontxc, [&mac] { return mac.tx_xon.value(); });
  block_.add_follower(regs::kXoffrxc, [&mac] { return mac.rx_xoff.value(); });
  block_.add_follower(regs::kXofftxc, [&mac] { return mac.tx_xoff.value(); });
}

void IxgbStats::received_any(std::uint32_t bytes) {
  ++total_received_;
  total_octets_received_ += bytes;
}

void IxgbStats::received_good(Cast cast, std::uint32_t bytes, bool vlan, bool jumbo,
                              bool broadcast_is_multicast) {
  ++good_received_;
  good_octets_received_ += bytes;
  if (cast == Cast::kUnicast) ++unicast_received_;
  if (cast == Cast::kBroadcast) ++broadcast_received_;
  if (cast == Cast::kMulticast || (cast == Cast::kBroadcast && broadcast_is_multicast))
    ++multicast_received_;
  if (vlan) ++vlan_received_;
  if (jumbo) ++jumbo_received_;
}

void IxgbStats::sent(const Frame& frame, std::uint32_t bytes, bool vlan, bool jumbo) {
  const MacAddress to = ethernet::destination(frame);
  ++total_sent_;
  ++good_sent_;
  total_octets_sent_ += bytes;
  good_octets_sent_ += bytes;
  if (to == kBroadcast) {
    ++broadcast_sent_;
  } else if (ethernet::is_group(to)) {
    ++multicast_sent_;
  } else {
    ++unicast_sent_;
  }
  if (vlan) ++vlan_sent_;
  if (jumbo) ++jumbo_sent_;
}

}  // namespace longhaul::nic::ixgb
