// SPDX-License-Identifier: Apache-2.0
#include "models/nic/genesis/frame_status.h"

#include <algorithm>

#include "models/net/frame/ethernet_header.h"
#include "models/net/frame/length_field.h"
#include "models/net/mac/eth_mac.h"
#include "models/nic/genesis/rx_filter.h"
#include "models/nic/genesis/xmac_regs.h"

namespace longhaul::nic::genesis {
namespace {

constexpr std::uint32_t kLongestFrame = 1518;  // IEEE 802.3, 3.2.7: maxBasicFrameSize
constexpr std::uint32_t kVlanTagBytes = 4;

std::uint32_t cast_bit(Cast cast) {
  switch (cast) {
    case Cast::kBroadcast: return xm::frame_status::kBroadcast;
    case Cast::kMulticast: return xm::frame_status::kMulticast;
    case Cast::kUnicast: break;
  }
  return xm::frame_status::kUnicast;
}

/// The bits that follow from the type or length field at `at`.
std::uint32_t field_bits(const Frame& frame, std::uint32_t at) {
  namespace status = xm::frame_status;
  if (frame.size() >= at + 2 && read_be16(frame.head() + at) == ethernet::kTypeMacControl)
    return status::kMacControl;
  switch (ethernet::length_field(frame, at)) {
    case ethernet::LengthField::kRight: return status::k8023;
    case ethernet::LengthField::kWrong: return status::k8023 | status::kInRangeLength;
    case ethernet::LengthField::kType: break;
  }
  return 0;
}

}  // namespace

std::uint32_t frame_status(const Frame& frame, std::uint16_t rx_cmd, std::uint16_t vlan_type) {
  namespace status = xm::frame_status;
  constexpr std::uint32_t kTypeAt = 12;
  const bool tagged = frame.size() >= kTypeAt + 2 && ethernet::type(frame) == vlan_type;
  const bool strip = (rx_cmd & xm::kRxCmdFields.strip_fcs) != 0;

  std::uint32_t word = std::min(strip ? frame.size() : frame.octets(), status::kLengthMost)
                       << status::kLengthShift;
  word |= cast_bit(cast_of(ethernet::destination(frame)));
  word |= field_bits(frame, kTypeAt + (tagged ? kVlanTagBytes : 0));
  if (tagged) word |= status::k1lVlan;
  if (frame.octets() < EthMac::kMinFrameBytes) word |= status::kRunt;
  if (frame.octets() > kLongestFrame + (tagged ? kVlanTagBytes : 0)) word |= status::kLong;
  if (!frame.fcs_matches()) word |= status::kFcs;

  std::uint32_t errors = status::kFcs | status::kRunt;
  if ((rx_cmd & xm::kRxCmdFields.big_pk_ok) == 0) errors |= status::kLong;
  if ((rx_cmd & xm::kRxCmdFields.lenerr_ok) == 0) errors |= status::kInRangeLength;
  if ((word & errors) != 0) word |= status::kErr;
  return word;
}

}  // namespace longhaul::nic::genesis
