// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "models/common/big_endian.h"
#include "models/net/frame/frame.h"

/// Messages between driver and chip, CPL5: opcodes and layouts of Linux 6.1 cxgb/cpl5_cmd.h. Words
/// are in network byte order.
namespace longhaul::nic::terminator::cpl {

constexpr std::uint8_t kRxPkt = 0xad;
constexpr std::uint8_t kTxPkt = 0xb2;

/// Bytes of a message's first part: all of CPL_TX_PKT and CPL_RX_PKT, and opcode and TID of others.
constexpr std::uint32_t kHeadBytes = 8;
/// Bytes of the longest message to the driver without data: CPL_PASS_ACCEPT_REQ.
constexpr std::uint32_t kMostHeadBytes = 48;
using Head = std::array<std::uint8_t, kHeadBytes>;

/// Packet memory that a message from a command queue holds.
struct Room {
  std::uint32_t queue = 0;
  std::uint32_t bytes = 0;
};

/// A message from the driver.
struct Message {
  Head head{};
  Room room;
  FrameRef rest;  ///< the bytes behind the head; null if there are none
  std::uint8_t opcode() const { return head[0]; }
};

/// The fields of CPL_TX_PKT. The chip does not use its length.
struct TxPkt {
  bool no_ip_sum;
  bool no_l4_sum;
  bool tagged;
  std::uint16_t tag;
  explicit TxPkt(const Head& head)
      : no_ip_sum((head[1] & 0x10U) != 0),
        no_l4_sum((head[1] & 0x20U) != 0),
        tagged((head[1] & 0x40U) != 0),
        tag(read_be16(head.data() + 2)) {}
};

/// The fields of CPL_RX_PKT of port 0.
struct RxPkt {
  bool sum_valid = false;
  std::uint16_t sum = 0;  ///< over TCP or UDP with its pseudo header: 0xffff if it is right
  bool tagged = false;
  std::uint16_t tag = 0;
  std::uint16_t length = 0;
  Head head() const {
    Head bytes{};
    bytes[0] = kRxPkt;
    bytes[1] = static_cast<std::uint8_t>((sum_valid ? 0x10U : 0U) | (tagged ? 0x40U : 0U));
    write_be16(bytes.data() + 2, sum);
    write_be16(bytes.data() + 4, tag);
    write_be16(bytes.data() + 6, length);
    return bytes;
  }
};

}  // namespace longhaul::nic::terminator::cpl
