// SPDX-License-Identifier: Apache-2.0
#include "models/nic/ixgb/ixgb_stats.h"

#include "models/net/frame/ethernet_header.h"

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
      receive_no_buffers(block_.add_word("RNBC", 0x2048)),
      receive_undersize(block_.add_word("RUC", 0x2050)),
      receive_oversize(block_.add_word("ROC", 0x2058)),
      receive_length_errors(block_.add_word("RLEC", 0x2060)),
      crc_errors(block_.add_word("CRCERRS", 0x2068)),
      missed_packets(block_.add_word("MPC", 0x2080)),
      sent_below_64(block_.add_word("PLT64C", 0x2150)),
      tso_contexts(block_.add_word("TSCTC", 0x2170)),
      tso_failures(block_.add_word("TSCTFC", 0x2178)),
      remote_faults(block_.add_word("RFC", 0x2188)),
      local_faults(block_.add_word("LFC", 0x2190)),
      receive_jabber(block_.add_word("RJC", 0x21d8)),
      total_received_(
          block_.add_pair("TPRL", "TPRH", 0x2000, [&mac] { return pauses_received(mac); })),
      good_received_(block_.add_pair("GPRCL", "GPRCH", 0x2008)),
      broadcast_received_(block_.add_pair("BPRCL", "BPRCH", 0x2010)),
      multicast_received_(block_.add_pair("MPRCL", "MPRCH", 0x2018)),
      unicast_received_(block_.add_pair("UPRCL", "UPRCH", 0x2020)),
      vlan_received_(block_.add_pair("VPRCL", "VPRCH", 0x2028)),
      jumbo_received_(block_.add_pair("JPRCL", "JPRCH", 0x2030)),
      good_octets_received_(block_.add_pair("GORCL", "GORCH", 0x2038)),
      total_octets_received_(
          block_.add_pair("TORL", "TORH", 0x2040,
                          [&mac] { return pauses_received(mac) * EthMac::kMinFrameBytes; })),
      total_sent_(block_.add_pair("TPTL", "TPTH", 0x2100, [&mac] { return pauses_sent(mac); })),
      good_sent_(block_.add_pair("GPTCL", "GPTCH", 0x2108)),
      broadcast_sent_(block_.add_pair("BPTCL", "BPTCH", 0x2110)),
      multicast_sent_(block_.add_pair("MPTCL", "MPTCH", 0x2118)),
      unicast_sent_(block_.add_pair("UPTCL", "UPTCH", 0x2120)),
      vlan_sent_(block_.add_pair("VPTCL", "VPTCH", 0x2128)),
      jumbo_sent_(block_.add_pair("JPTCL", "JPTCH", 0x2130)),
      good_octets_sent_(block_.add_pair("GOTCL", "GOTCH", 0x2138)),
      total_octets_sent_(block_.add_pair(
          "TOTL", "TOTH", 0x2140, [&mac] { return pauses_sent(mac) * EthMac::kMinFrameBytes; })) {
  block_.add_zero("ICBC", 0x2070);  // code violations do not occur on this wire
  block_.add_zero("ECBC", 0x2078);
  block_.add_zero("DC", 0x2148);  // a full-duplex MAC never defers
  block_.add_zero("IBIC", 0x2180);
  block_.add_follower("PFRC", 0x2198, [&mac] { return pauses_received(mac); });
  block_.add_follower("PFTC", 0x21a0, [&mac] { return pauses_sent(mac); });
  block_.add_follower("MCFRC", 0x21a8, [&mac] { return mac.rx_control.value(); });
  block_.add_zero("MCFTC", 0x21b0);  // software's MAC control frames are data to this MAC
  block_.add_follower("XONRXC", 0x21b8, [&mac] { return mac.rx_xon.value(); });
  block_.add_follower("XONTXC", 0x21c0, [&mac] { return mac.tx_xon.value(); });
  block_.add_follower("XOFFRXC", 0x21c8, [&mac] { return mac.rx_xoff.value(); });
  block_.add_follower("XOFFTXC", 0x21d0, [&mac] { return mac.tx_xoff.value(); });
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
