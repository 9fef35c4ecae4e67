// SPDX-License-Identifier: Apache-2.0
#include "models/nic/genesis/xmac_stats.h"

#include <algorithm>
#include <utility>

#include "models/nic/genesis/xmac_regs.h"

namespace longhaul::nic::genesis {
namespace {

struct CounterName {
  std::uint32_t x;
  const char* name;
};

// Names as in Linux 6.1 skge.h.
constexpr std::array<CounterName, 55> kCounterNames{
    {{0x280, "XM_TXF_OK"},      {0x284, "XM_TXO_OK_HI"},   {0x288, "XM_TXO_OK_LO"},
     {0x28c, "XM_TXF_BC_OK"},   {0x290, "XM_TXF_MC_OK"},   {0x294, "XM_TXF_UC_OK"},
     {0x298, "XM_TXF_LONG"},    {0x29c, "XM_TXE_BURST"},   {0x2a0, "XM_TXF_MPAUSE"},
     {0x2a4, "XM_TXF_MCTRL"},   {0x2a8, "XM_TXF_SNG_COL"}, {0x2ac, "XM_TXF_MUL_COL"},
     {0x2b0, "XM_TXF_ABO_COL"}, {0x2b4, "XM_TXF_LAT_COL"}, {0x2b8, "XM_TXF_DEF"},
     {0x2bc, "XM_TXF_EX_DEF"},  {0x2c0, "XM_TXE_FIFO_UR"}, {0x2c4, "XM_TXE_CS_ERR"},
     {0x2c8, "XM_TXP_UTIL"},    {0x2d0, "XM_TXF_64B"},     {0x2d4, "XM_TXF_127B"},
     {0x2d8, "XM_TXF_255B"},    {0x2dc, "XM_TXF_511B"},    {0x2e0, "XM_TXF_1023B"},
     {0x2e4, "XM_TXF_MAX_SZ"},  {0x300, "XM_RXF_OK"},      {0x304, "XM_RXO_OK_HI"},
     {0x308, "XM_RXO_OK_LO"},   {0x30c, "XM_RXF_BC_OK"},   {0x310, "XM_RXF_MC_OK"},
     {0x314, "XM_RXF_UC_OK"},   {0x318, "XM_RXF_MPAUSE"},  {0x31c, "XM_RXF_MCTRL"},
     {0x320, "XM_RXF_INV_MP"},  {0x324, "XM_RXF_INV_MOC"}, {0x328, "XM_RXE_BURST"},
     {0x32c, "XM_RXE_FMISS"},   {0x330, "XM_RXF_FRA_ERR"}, {0x334, "XM_RXE_FIFO_OV"},
     {0x338, "XM_RXF_JAB_PKT"}, {0x33c, "XM_RXE_CAR_ERR"}, {0x340, "XM_RXF_LEN_ERR"},
     {0x344, "XM_RXE_SYM_ERR"}, {0x348, "XM_RXE_SHT_ERR"}, {0x34c, "XM_RXE_RUNT"},
     {0x350, "XM_RXF_LNG_ERR"}, {0x354, "XM_RXF_FCS_ERR"}, {0x35c, "XM_RXF_CEX_ERR"},
     {0x360, "XM_RXP_UTIL"},    {0x368, "XM_RXF_64B"},     {0x36c, "XM_RXF_127B"},
     {0x370, "XM_RXF_255B"},    {0x374, "XM_RXF_511B"},    {0x378, "XM_RXF_1023B"},
     {0x37c, "XM_RXF_MAX_SZ"}}};

constexpr std::uint32_t kTxfOk = 0x280;
constexpr std::uint32_t kTxoHigh = 0x284;
constexpr std::uint32_t kTxfBroadcast = 0x28c;  // then multicast, unicast
constexpr std::uint32_t kTxfLong = 0x298;
constexpr std::uint32_t kTxfPause = 0x2a0;
constexpr std::uint32_t kTxfControl = 0x2a4;
constexpr std::uint32_t kTxfSizes = 0x2d0;
constexpr std::uint32_t kRxfOk = 0x300;
constexpr std::uint32_t kRxoHigh = 0x304;
constexpr std::uint32_t kRxfBroadcast = 0x30c;
constexpr std::uint32_t kRxfPause = 0x318;
constexpr std::uint32_t kRxfControl = 0x31c;
constexpr std::uint32_t kRxfSizes = 0x368;

constexpr std::uint32_t kFirstReceive = XmacStats::place(0x300);
constexpr std::uint32_t kLongestUntagged = 1518;

std::uint32_t cast_offset(Cast cast) {
  return cast == Cast::kBroadcast ? 0 : cast == Cast::kMulticast ? 4 : 8;
}

std::uint32_t size_offset(std::uint32_t bytes) {
  static constexpr std::array<std::uint32_t, 5> kLargest{64, 127, 255, 511, 1023};
  const auto* const last =
      std::find_if(kLargest.begin(), kLargest.end(), [bytes](auto most) { return bytes <= most; });
  return 4 * static_cast<std::uint32_t>(last - kLargest.begin());
}

// The probes have 64 bits, the chip's counters 32.
std::uint32_t pauses_received(const EthMac& mac) {
  return static_cast<std::uint32_t>(mac.rx_xon.value() + mac.rx_xoff.value());
}
std::uint32_t controls_received(const EthMac& mac) {
  return pauses_received(mac) + static_cast<std::uint32_t>(mac.rx_control.value());
}
std::uint32_t pauses_sent(const EthMac& mac) {
  return static_cast<std::uint32_t>(mac.tx_xon.value() + mac.tx_xoff.value());
}

}  // namespace

XmacStats::XmacStats(RegisterBank& bank, const EthMac& mac) : mac_(mac) {
  for (const CounterName& name : kCounterNames) {
    const std::uint32_t at = place(name.x);
    const std::uint32_t low = xm::bus_offset(name.x);
    registers_.emplace_back(bank, name.name, low, 0, Access::kReadOnly,
                            [this, at] { return shown(at) & 0xffffU; });
    registers_.emplace_back(bank, name.name, low + 4, 0, Access::kReadOnly,
                            [this, at] { return shown(at) >> 16U; });
  }
}

void XmacStats::add_octets(std::uint32_t high_x, std::uint32_t bytes) {
  std::uint32_t& low = live_.at(place(high_x) + 1);
  low += bytes;
  if (low < bytes) ++live_.at(place(high_x));
}

void XmacStats::received(Cast cast, std::uint32_t bytes) {
  count(kRxfOk);
  count(kRxfBroadcast + cast_offset(cast));
  count(kRxfSizes + size_offset(bytes));
  add_octets(kRxoHigh, bytes);
}

void XmacStats::sent(Cast cast, std::uint32_t bytes) {
  count(kTxfOk);
  count(kTxfBroadcast + cast_offset(cast));
  count(kTxfSizes + size_offset(bytes));
  if (bytes > kLongestUntagged) count(kTxfLong);
  add_octets(kTxoHigh, bytes);
}

std::uint32_t XmacStats::live(std::uint32_t at) const {
  switch (at) {
    case place(kTxfPause):
    case place(kTxfControl): return pauses_sent(mac_) - sent_pauses_seen_;
    case place(kRxfPause): return pauses_received(mac_) - received_pauses_seen_;
    case place(kRxfControl): return controls_received(mac_) - received_controls_seen_;
    default: return live_.at(at);
  }
}

std::uint32_t XmacStats::shown(std::uint32_t at) const {
  const bool follows = at < kFirstReceive ? follow_transmit_ : follow_receive_;
  return follows ? live(at) : snapshot_.at(at);
}

void XmacStats::snap(std::uint32_t begin, std::uint32_t end) {
  for (std::uint32_t at = begin; at < end; ++at) snapshot_.at(at) = live(at);
}

std::uint16_t XmacStats::command(std::uint16_t bits) {
  constexpr const auto& kBits = xm::kStatCmdFields;
  const bool followed_transmit = std::exchange(follow_transmit_, (bits & kBits.cp_txc) != 0);
  const bool followed_receive = std::exchange(follow_receive_, (bits & kBits.cp_rxc) != 0);
  // When copying ends, the last copy stays.
  if ((bits & kBits.snp_txc) != 0 || followed_transmit) snap(0, kFirstReceive);
  if ((bits & kBits.snp_rxc) != 0 || followed_receive) snap(kFirstReceive, kCounters);
  if ((bits & kBits.clr_txc) != 0) clear_transmit();
  if ((bits & kBits.clr_rxc) != 0) clear_receive();
  return bits & (kBits.cp_rxc | kBits.cp_txc);
}

void XmacStats::clear_transmit() {
  std::fill(live_.begin(), live_.begin() + kFirstReceive, 0);
  sent_pauses_seen_ = pauses_sent(mac_);
}

void XmacStats::clear_receive() {
  std::fill(live_.begin() + kFirstReceive, live_.end(), 0);
  received_pauses_seen_ = pauses_received(mac_);
  received_controls_seen_ = controls_received(mac_);
}

void XmacStats::clear() {
  clear_transmit();
  clear_receive();
}

void XmacStats::reset() {
  clear();
  snapshot_ = {};
  follow_receive_ = false;
  follow_transmit_ = false;
}

}  // namespace longhaul::nic::genesis
