// SPDX-License-Identifier: Apache-2.0
#include "models/nic/ixgb/ixgb_stats.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "models/net/frame/ethernet_header.h"

namespace longhaul::nic::ixgb {
namespace {

constexpr MacAddress kBroadcast{0xff, 0xff, 0xff, 0xff, 0xff, 0xff};

std::uint64_t pauses_received(const EthMac& mac) { return mac.rx_xon.value() + mac.rx_xoff.value(); }
std::uint64_t pauses_sent(const EthMac& mac) { return mac.tx_xon.value() + mac.tx_xoff.value(); }

}  // namespace

IxgbStats::IxgbStats(RegisterBank& bank, const EthMac& mac)
    : bank_(bank),
      total_received_(add_pair("TPRL", "TPRH", 0x2000, [&mac] { return pauses_received(mac); })),
      good_received_(add_pair("GPRCL", "GPRCH", 0x2008)),
      broadcast_received_(add_pair("BPRCL", "BPRCH", 0x2010)),
      multicast_received_(add_pair("MPRCL", "MPRCH", 0x2018)),
      unicast_received_(add_pair("UPRCL", "UPRCH", 0x2020)),
      vlan_received_(add_pair("VPRCL", "VPRCH", 0x2028)),
      jumbo_received_(add_pair("JPRCL", "JPRCH", 0x2030)),
      good_octets_received_(add_pair("GORCL", "GORCH", 0x2038)),
      total_octets_received_(
          add_pair("TORL", "TORH", 0x2040, [&mac] { return pauses_received(mac) * EthMac::kMinFrameBytes; })),
      total_sent_(add_pair("TPTL", "TPTH", 0x2100, [&mac] { return pauses_sent(mac); })),
      good_sent_(add_pair("GPTCL", "GPTCH", 0x2108)),
      broadcast_sent_(add_pair("BPTCL", "BPTCH", 0x2110)),
      multicast_sent_(add_pair("MPTCL", "MPTCH", 0x2118)),
      unicast_sent_(add_pair("UPTCL", "UPTCH", 0x2120)),
      vlan_sent_(add_pair("VPTCL", "VPTCH", 0x2128)),
      jumbo_sent_(add_pair("JPTCL", "JPTCH", 0x2130)),
      good_octets_sent_(add_pair("GOTCL", "GOTCH", 0x2138)),
      total_octets_sent_(
          add_pair("TOTL", "TOTH", 0x2140, [&mac] { return pauses_sent(mac) * EthMac::kMinFrameBytes; })) {
  add_word("RNBC", 0x2048, &receive_no_buffers);
  add_word("RUC", 0x2050, &receive_undersize);
  add_word("ROC", 0x2058, &receive_oversize);
  add_word("RLEC", 0x2060, &receive_length_errors);
  add_word("CRCERRS", 0x2068, &crc_errors);
  add_zero("ICBC", 0x2070);  // code violations do not occur on this wire
  add_zero("ECBC", 0x2078);
  add_word("MPC", 0x2080, &missed_packets);
  add_zero("DC", 0x2148);  // a full-duplex MAC never defers
  add_word("PLT64C", 0x2150, &sent_below_64);
  add_word("TSCTC", 0x2170, &tso_contexts);
  add_word("TSCTFC", 0x2178, &tso_failures);
  add_zero("IBIC", 0x2180);
  add_word("RFC", 0x2188, &remote_faults);
  add_word("LFC", 0x2190, &local_faults);
  add_follower("PFRC", 0x2198, [&mac] { return pauses_received(mac); });
  add_follower("PFTC", 0x21a0, [&mac] { return pauses_sent(mac); });
  add_follower("MCFRC", 0x21a8, [&mac] { return mac.rx_control.value(); });
  add_zero("MCFTC", 0x21b0);  // software's MAC control frames are data to this MAC
  add_follower("XONRXC", 0x21b8, [&mac] { return mac.rx_xon.value(); });
  add_follower("XONTXC", 0x21c0, [&mac] { return mac.tx_xon.value(); });
  add_follower("XOFFRXC", 0x21c8, [&mac] { return mac.rx_xoff.value(); });
  add_follower("XOFFTXC", 0x21d0, [&mac] { return mac.tx_xoff.value(); });
  add_word("RJC", 0x21d8, &receive_jabber);
}

IxgbStats::Pair& IxgbStats::add_pair(const char* low_name, const char* high_name, std::uint32_t offset,
                                     std::function<std::uint64_t()> also) {
  Pair& pair = pairs_.emplace_back();
  pair.also.now = std::move(also);
  registers_.emplace_back(bank_, low_name, offset, 0, Access::kReadOnly, [&pair] {
    pair.value += pair.also.take();
    const auto low = static_cast<std::uint32_t>(pair.value);
    pair.latched = static_cast<std::uint32_t>(pair.value >> 32);
    pair.has_latch = true;
    pair.value = 0;
    return low;
  });
  registers_.emplace_back(bank_, high_name, offset + 4, 0, Access::kReadOnly, [&pair] {
    if (!pair.has_latch) {
      const auto high = static_cast<std::uint32_t>(pair.value >> 32);
      pair.value &= 0xffff'ffff;
      return high;
    }
    pair.has_latch = false;
    return pair.latched;
  });
  return pair;
}

void IxgbStats::add_word(const char* name, std::uint32_t offset, std::uint32_t* counter) {
  words_.push_back(counter);
  registers_.emplace_back(bank_, name, offset, 0, Access::kReadOnly, [counter] {
    const std::uint32_t value = *counter;
    *counter = 0;
    return value;
  });
}

void IxgbStats::add_follower(const char* name, std::uint32_t offset, std::function<std::uint64_t()> now) {
  Follower& follower = followers_.emplace_back(Follower{std::move(now), 0});
  registers_.emplace_back(bank_, name, offset, 0, Access::kReadOnly, [&follower] {
    return static_cast<std::uint32_t>(
        std::min<std::uint64_t>(follower.take(), std::numeric_limits<std::uint32_t>::max()));
  });
}

std::uint64_t IxgbStats::Follower::take() {
  if (!now) return 0;
  const std::uint64_t before = std::exchange(seen, now());
  return seen - before;
}

void IxgbStats::add_zero(const char* name, std::uint32_t offset) {
  registers_.emplace_back(bank_, name, offset, 0, Access::kReadOnly);
}

void IxgbStats::received_any(std::uint32_t bytes) {
  ++total_received_.value;
  total_octets_received_.value += bytes;
}

void IxgbStats::received_good(Cast cast, std::uint32_t bytes, bool vlan, bool jumbo, bool broadcast_is_multicast) {
  ++good_received_.value;
  good_octets_received_.value += bytes;
  if (cast == Cast::kUnicast) ++unicast_received_.value;
  if (cast == Cast::kBroadcast) ++broadcast_received_.value;
  if (cast == Cast::kMulticast || (cast == Cast::kBroadcast && broadcast_is_multicast)) ++multicast_received_.value;
  if (vlan) ++vlan_received_.value;
  if (jumbo) ++jumbo_received_.value;
}

void IxgbStats::sent(const Frame& frame, std::uint32_t bytes, bool vlan, bool jumbo) {
  const MacAddress to = ethernet::destination(frame);
  ++total_sent_.value;
  ++good_sent_.value;
  total_octets_sent_.value += bytes;
  good_octets_sent_.value += bytes;
  if (to == kBroadcast) {
    ++broadcast_sent_.value;
  } else if (ethernet::is_group(to)) {
    ++multicast_sent_.value;
  } else {
    ++unicast_sent_.value;
  }
  if (vlan) ++vlan_sent_.value;
  if (jumbo) ++jumbo_sent_.value;
}

void IxgbStats::reset() {
  for (Pair& pair : pairs_) {
    pair.value = 0;
    pair.has_latch = false;
    pair.also.take();
  }
  for (std::uint32_t* word : words_) *word = 0;
  for (Follower& follower : followers_) follower.take();
}

}  // namespace longhaul::nic::ixgb
