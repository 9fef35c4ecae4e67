// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

/// The register map of GNET-1 as rtl/gnet1/README.md has it: words of 32 bits at byte offsets.
namespace longhaul::wan::gnet1_regs {

inline constexpr std::uint32_t kMapBytes = 0x1000;  ///< 12 address bits; what is not listed reads as zero

inline constexpr std::uint32_t kId = 0x00;
inline constexpr std::uint32_t kVersion = 0x04;
inline constexpr std::uint32_t kCtrl = 0x08;
inline constexpr std::uint32_t kTime = 0x0c;
inline constexpr std::uint32_t kGpsSeconds = 0x10;
inline constexpr std::uint32_t kGpsTenths = 0x14;
inline constexpr std::uint32_t kPpsTicks = 0x18;
inline constexpr std::uint32_t kMagic = 0x1c;
inline constexpr std::uint32_t kSampleCtrl = 0x20;
inline constexpr std::uint32_t kSamplePeriod = 0x24;
inline constexpr std::uint32_t kSampleTotal = 0x28;
inline constexpr std::uint32_t kSampleIndex = 0x2c;
inline constexpr std::uint32_t kSampleWords = 0x30;
inline constexpr std::uint32_t kSampleFrames = 0x34;
inline constexpr std::uint32_t kObsSelect = 0x38;
inline constexpr std::uint32_t kMacLow = 0x40;
inline constexpr std::uint32_t kMacHigh = 0x44;
inline constexpr std::uint32_t kMacEntry = 0x48;
inline constexpr std::uint32_t kMacFlush = 0x4c;
inline constexpr std::uint32_t kMacAge = 0x50;
inline constexpr std::uint32_t kMacValid = 0x54;

/// The window of port `port`, 0 to 3; the offsets below are within it.
constexpr std::uint32_t port_base(std::size_t port) { return 0x100 * (static_cast<std::uint32_t>(port) + 1); }

inline constexpr std::uint32_t kPortCtrl = 0x00;
inline constexpr std::uint32_t kRoute = 0x04;
inline constexpr std::uint32_t kDelay = 0x08;
inline constexpr std::uint32_t kIfg = 0x0c;
inline constexpr std::uint32_t kErrorThreshold = 0x10;
inline constexpr std::uint32_t kSeedLow = 0x14;
inline constexpr std::uint32_t kSeedHigh = 0x18;
inline constexpr std::uint32_t kDiscardCtrl = 0x1c;
inline constexpr std::uint32_t kDiscardArg = 0x20;
inline constexpr std::uint32_t kDiscardStamp = 0x24;
inline constexpr std::uint32_t kCapacity = 0x28;
inline constexpr std::uint32_t kLevel = 0x2c;
inline constexpr std::uint32_t kLevelMax = 0x30;
inline constexpr std::uint32_t kWordCost = 0x34;
inline constexpr std::uint32_t kCostFraction = 0x38;
inline constexpr std::uint32_t kFrameCost = 0x3c;
inline constexpr std::uint32_t kBurst = 0x40;
inline constexpr std::uint32_t kQueueLimit = 0x44;
inline constexpr std::uint32_t kRedMin = 0x48;
inline constexpr std::uint32_t kRedMax = 0x4c;
inline constexpr std::uint32_t kRedSlope = 0x50;
inline constexpr std::uint32_t kRedWeight = 0x54;
inline constexpr std::uint32_t kAtmOverhead = 0x58;
inline constexpr std::uint32_t kStampOffset = 0x5c;
inline constexpr std::uint32_t kOnewayCount = 0x60;
inline constexpr std::uint32_t kOnewayLast = 0x64;
inline constexpr std::uint32_t kOnewayMin = 0x68;
inline constexpr std::uint32_t kOnewayMax = 0x6c;
inline constexpr std::uint32_t kOnewaySumLow = 0x70;
inline constexpr std::uint32_t kOnewaySumHigh = 0x74;
inline constexpr std::uint32_t kBacklog = 0x78;
inline constexpr std::uint32_t kRedAverage = 0x7c;
inline constexpr std::uint32_t kCounters = 0x80;  ///< of Counter, a word each, as latched

/// Counters of one port, in the order of their registers.
enum class Counter : std::uint8_t {
  kRxFrames,    ///< frames received, good or bad
  kRxFcsBad,    ///< of these, with a wrong FCS
  kRxError,     ///< of these, with RX_ER, or cut
  kRxLost,      ///< found no room, or the port off
  kRxNoSfd,     ///< carrier without a start delimiter
  kTailDrop,    ///< found the router queue full
  kRedDrop,     ///< dropped by RED
  kSramDrop,    ///< dropped for want of memory
  kWords,       ///< data words at the error stage
  kFrames,      ///< frames at the error stage
  kFlips,       ///< bits flipped
  kDiscards,    ///< frames discarded
  kBytes,       ///< bytes at the error stage
  kTxFrames,    ///< frames that this port sent
  kTxUnderrun,  ///< frames that this port had to cut
  kNoRoute,     ///< frames of this port without a destination
};
inline constexpr std::size_t kCounterCount = 16;
constexpr std::uint32_t counter_offset(Counter counter) { return kCounters + 4 * static_cast<std::uint32_t>(counter); }

inline constexpr std::uint32_t kIdValue = 0x474e'5431;  // "GNT1"
inline constexpr std::uint32_t kVersionValue = 0x0001'0000;

// CTRL
inline constexpr std::uint32_t kCtrlLatch = 1U << 0;
inline constexpr std::uint32_t kCtrlSwitch = 1U << 1;
inline constexpr std::uint32_t kCtrlLearn = 1U << 2;

// SAMPLE_CTRL
inline constexpr std::uint32_t kSampleEnable = 1U << 0;
inline constexpr std::uint32_t kSampleCircular = 1U << 1;
inline constexpr std::uint32_t kSamplePortShift = 4;

// OBS_SELECT
inline constexpr std::uint32_t kObsPointShift = 4;

// MAC_ENTRY
inline constexpr std::uint32_t kMacEntryPortShift = 8;
inline constexpr std::uint32_t kMacEntryStatic = 1U << 16;
inline constexpr std::size_t kMacEntries = 16;

// PORT_CTRL
inline constexpr std::uint32_t kPortRxEnable = 1U << 0;
inline constexpr std::uint32_t kPortFcsNew = 1U << 1;
inline constexpr std::uint32_t kPortStampTx = 1U << 2;
inline constexpr std::uint32_t kPortStampRx = 1U << 3;
inline constexpr std::uint32_t kPortRate = 1U << 4;
inline constexpr std::uint32_t kPortAtm = 1U << 5;
inline constexpr std::uint32_t kPortRed = 1U << 6;

// DISCARD_CTRL
inline constexpr std::uint32_t kDiscardArm = 1U << 0;
inline constexpr std::uint32_t kDiscardCancel = 1U << 1;
inline constexpr std::uint32_t kDiscardModeShift = 2;
/// Which frame an armed discard stage masks.
enum class DiscardMode : std::uint8_t {
  kNext = 0,  ///< the first to arrive
  kNth = 1,   ///< the one after DISCARD_ARG others
  kAt = 2,    ///< the first at or after the time DISCARD_ARG
};

// Fields that are narrower than their register.
inline constexpr std::uint32_t kTime30Mask = 0x3fff'ffff;    ///< DELAY, BURST: below 3.36 s
inline constexpr std::uint32_t kTime18Mask = 0x0003'ffff;    ///< WORD_COST, FRAME_COST: below 0.82 ms
inline constexpr std::uint32_t kTenths27Mask = 0x07ff'ffff;  ///< QUEUE_LIMIT, RED_MIN, RED_MAX
inline constexpr std::uint32_t kCapacityMask = 0x007f'ffff;
inline constexpr std::uint32_t kStampOffsetMask = 0x3fff;
inline constexpr std::uint32_t kRouteMask = 0xf;
inline constexpr std::uint32_t kIfgMask = 0x3f;
inline constexpr std::uint32_t kLeastIfg = 8;
inline constexpr std::uint32_t kMostAtmOverhead = 47;
inline constexpr std::uint32_t kLeastCapacity = 4096;

}  // namespace longhaul::wan::gnet1_regs
