// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/common/register_bank.h"

/// Registers and descriptors of mynic: rtl/mynic.rdl and ../README.md.
namespace mynic::regs {

using longhaul::Access;
using longhaul::RegisterSpec;

constexpr std::uint32_t kBarBytes = 64 * 1024;
constexpr std::uint32_t kLowByte = 0x3f;

constexpr RegisterSpec kId{"ID", 0x00, Access::kReadOnly, 0x4d59'4e43};
constexpr RegisterSpec kVersion{"VERSION", 0x04, Access::kReadOnly, 0x0001'0000};
constexpr RegisterSpec kCtrl{"CTRL", 0x08, Access::kReadWrite, 0, kLowByte};
constexpr RegisterSpec kStatus{"STATUS", 0x0c, Access::kReadOnly, 1};
constexpr RegisterSpec kCause{"CAUSE", 0x10, Access::kAction, 0, 0xf};
constexpr RegisterSpec kMask{"MASK", 0x14, Access::kReadWrite, 0, 0xf};
constexpr RegisterSpec kModeration{"MODERATION", 0x18, Access::kReadWrite, 0, 0xffff};
constexpr RegisterSpec kMacLow{"MAC_LOW", 0x20};
constexpr RegisterSpec kMacHigh{"MAC_HIGH", 0x24, Access::kReadWrite, 0, 0xffff};
constexpr RegisterSpec kHashLow{"HASH_LOW", 0x28};
constexpr RegisterSpec kHashHigh{"HASH_HIGH", 0x2c};
constexpr RegisterSpec kRxBufSize{"RX_BUF_SIZE", 0x30, Access::kReadWrite, 2048, 0x7fff};
/// From the begin of a ring's registers.
constexpr std::uint32_t kTxRing = 0x40;
constexpr std::uint32_t kRxRing = 0x60;
constexpr std::uint32_t kCounters = 0x80;

/// Counters, in the order of their registers.
enum Count : std::size_t {
  kRxGood,
  kRxFcs,
  kRxError,
  kRxRunt,
  kRxLong,
  kRxFiltered,
  kRxNoDesc,
  kRxOverrun,
  kTxGood,
  kTxBad,
  kCounts,
};

namespace ctrl {
constexpr std::uint32_t kReset = 1U << 0;
constexpr std::uint32_t kRxEnable = 1U << 1;
constexpr std::uint32_t kTxEnable = 1U << 2;
constexpr std::uint32_t kLoopback = 1U << 3;
constexpr std::uint32_t kPromiscuous = 1U << 4;
constexpr std::uint32_t kAllMulticast = 1U << 5;
}  // namespace ctrl

namespace cause {
constexpr std::uint32_t kRx = 1U << 0;
constexpr std::uint32_t kTx = 1U << 1;
constexpr std::uint32_t kRxDrop = 1U << 2;
constexpr std::uint32_t kFault = 1U << 3;
}  // namespace cause

namespace descriptor {
constexpr std::uint32_t kBytes = 16;
constexpr std::uint32_t kStatusAt = 12;
constexpr std::uint32_t kDone = 1U << 31;
constexpr std::uint32_t kEnd = 1U << 31;     // of a transmit descriptor's word
constexpr std::uint32_t kFragment = 0x3fff;  // of the same: bytes
}  // namespace descriptor

/// Where a received frame begins in its buffer.
constexpr std::uint32_t kRxPad = 2;
/// The buffers of both directions.
constexpr std::uint32_t kBufferBytes = 32 * 1024;

}  // namespace mynic::regs
