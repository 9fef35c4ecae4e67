// SPDX-License-Identifier: Apache-2.0
// Made from rtl/gnet1/gnet1.rdl by `./longhaul registers`; a change here is lost.
// clang-format off
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

/// Registers of GNET-1: words of 32 bits at byte offsets within their block.
namespace longhaul::wan::gnet1_regs {

/// Bytes that the bus addresses; those without a register read as zero.
inline constexpr std::uint32_t kMapBytes = 0x1000;

/// Blocks of registers of a port, and the address of one.
inline constexpr std::size_t kPortCount = 4;
constexpr std::uint32_t port_base(std::size_t port) {
  return 0x100 + 0x100 * static_cast<std::uint32_t>(port);
}

enum class ObsPoint : std::uint8_t {
  /// Words that the port received.
  kRx = 0,
  /// Words that left the external memory.
  kSram = 1,
  /// Words that left the discard stage.
  kDiscard = 2,
  /// Words that the delay released.
  kRelease = 3,
};

enum class DiscardMode : std::uint8_t {
  /// Discard the first frame to arrive.
  kNext = 0,
  /// Discard the frame after DISCARD_ARG others.
  kNth = 1,
  /// Discard the first frame to arrive at or after the time DISCARD_ARG.
  kAt = 2,
};

/// ID: "GNT1".
inline constexpr std::uint32_t kId = 0x00;
inline constexpr std::uint32_t kIdReset = 0x474e'5431;

/// VERSION: Version of the box.
inline constexpr std::uint32_t kVersion = 0x04;
inline constexpr std::uint32_t kVersionReset = 0x1'0000;
inline constexpr std::uint32_t kVersionMinorShift = 0;
inline constexpr std::uint32_t kVersionMinorMask = 0xffff;
inline constexpr std::uint32_t kVersionMajorShift = 16;
inline constexpr std::uint32_t kVersionMajorMask = 0xffff'0000;

/// CTRL: Switches of the box.
inline constexpr std::uint32_t kCtrl = 0x08;
inline constexpr std::uint32_t kCtrlReset = 0x4;
inline constexpr std::uint32_t kCtrlLatch = 1U << 0;
inline constexpr std::uint32_t kCtrlSwitch = 1U << 1;
inline constexpr std::uint32_t kCtrlLearn = 1U << 2;

/// TIME: Running time.
inline constexpr std::uint32_t kTime = 0x0c;

/// GPS_SECONDS: Seconds of the GPS time.
inline constexpr std::uint32_t kGpsSeconds = 0x10;

/// GPS_TENTHS: Time since the last GPS pulse.
inline constexpr std::uint32_t kGpsTenths = 0x14;
inline constexpr std::uint32_t kGpsTenthsMask = 0xff'ffff;

/// PPS_TICKS: Time between the last two GPS pulses.
inline constexpr std::uint32_t kPpsTicks = 0x18;

/// MAGIC: Number ahead of a GPS stamp in a frame.
inline constexpr std::uint32_t kMagic = 0x1c;
inline constexpr std::uint32_t kMagicReset = 0x474e'5431;

/// SAMPLE_CTRL: Runs the sampler.
inline constexpr std::uint32_t kSampleCtrl = 0x20;
inline constexpr std::uint32_t kSampleEnable = 1U << 0;
inline constexpr std::uint32_t kSampleCircular = 1U << 1;
inline constexpr std::uint32_t kSamplePortShift = 4;
inline constexpr std::uint32_t kSamplePortMask = 0x30;

/// SAMPLE_PERIOD: Time between samples; 625 is the paper's 20 us.
inline constexpr std::uint32_t kSamplePeriod = 0x24;
inline constexpr std::uint32_t kSamplePeriodReset = 0x271;
inline constexpr std::uint32_t kSamplePeriodLeast = 1;

/// SAMPLE_TOTAL: Samples taken.
inline constexpr std::uint32_t kSampleTotal = 0x28;

/// SAMPLE_INDEX: Sample that the next two registers show; moves on after SAMPLE_FRAMES was read.
inline constexpr std::uint32_t kSampleIndex = 0x2c;
inline constexpr std::uint32_t kSampleIndexMask = 0x3fff;

/// SAMPLE_WORDS: WORDS at the sample.
inline constexpr std::uint32_t kSampleWords = 0x30;

/// SAMPLE_FRAMES: FRAMES at the sample.
inline constexpr std::uint32_t kSampleFrames = 0x34;

/// OBS_SELECT: What the observation port shows.
inline constexpr std::uint32_t kObsSelect = 0x38;
inline constexpr std::uint32_t kObsPortShift = 0;
inline constexpr std::uint32_t kObsPortMask = 0x3;
inline constexpr std::uint32_t kObsPointShift = 4;
inline constexpr std::uint32_t kObsPointMask = 0x30;

/// MAC_LOW: Address for MAC_ENTRY, low 32 bits.
inline constexpr std::uint32_t kMacLow = 0x40;

/// MAC_HIGH: Address for MAC_ENTRY, high 16 bits.
inline constexpr std::uint32_t kMacHigh = 0x44;
inline constexpr std::uint32_t kMacHighMask = 0xffff;

/// MAC_ENTRY: A write sets an entry of the address table.
inline constexpr std::uint32_t kMacEntry = 0x48;
inline constexpr std::uint32_t kMacEntryEntryShift = 0;
inline constexpr std::uint32_t kMacEntryEntryMask = 0xf;
inline constexpr std::uint32_t kMacEntryPortShift = 8;
inline constexpr std::uint32_t kMacEntryPortMask = 0x300;
inline constexpr std::uint32_t kMacEntryStatic = 1U << 16;

/// MAC_FLUSH: Any write: learned entries leave.
inline constexpr std::uint32_t kMacFlush = 0x4c;

/// MAC_AGE: Ageing period; 0: none.
inline constexpr std::uint32_t kMacAge = 0x50;

/// MAC_VALID: Entries in use, a bit each.
inline constexpr std::uint32_t kMacValid = 0x54;
inline constexpr std::uint32_t kMacValidMask = 0xffff;

/// PORT_CTRL: Switches of the port.
inline constexpr std::uint32_t kPortCtrl = 0x00;
inline constexpr std::uint32_t kPortCtrlReset = 0x1;
inline constexpr std::uint32_t kPortRxEnable = 1U << 0;
inline constexpr std::uint32_t kPortFcsNew = 1U << 1;
inline constexpr std::uint32_t kPortStampTx = 1U << 2;
inline constexpr std::uint32_t kPortStampRx = 1U << 3;
inline constexpr std::uint32_t kPortRate = 1U << 4;
inline constexpr std::uint32_t kPortAtm = 1U << 5;
inline constexpr std::uint32_t kPortRed = 1U << 6;

/// ROUTE: Ports that received frames go to, a bit each; 2, 1, 8, 4 for ports 0 to 3.
inline constexpr std::array<std::uint32_t, 4> kRouteReset{0x2, 0x1, 0x8, 0x4};
inline constexpr std::uint32_t kRoute = 0x04;
inline constexpr std::uint32_t kRouteMask = 0xf;

/// DELAY: Delay of the line: below 3.36 s.
inline constexpr std::uint32_t kDelay = 0x08;
inline constexpr std::uint32_t kDelayMask = 0x3fff'ffff;

/// IFG: Least gap between frames that leave here, 8 to 63 bytes.
inline constexpr std::uint32_t kIfg = 0x0c;
inline constexpr std::uint32_t kIfgReset = 0xc;
inline constexpr std::uint32_t kIfgLeast = 8;
inline constexpr std::uint32_t kIfgMask = 0x3f;

/// ERROR_THRESHOLD: A word is hit if its random number is below this.
inline constexpr std::uint32_t kErrorThreshold = 0x10;

/// SEED_LOW: Low half of the seed.
inline constexpr std::uint32_t kSeedLow = 0x14;

/// SEED_HIGH: High half of the seed. A write loads both halves into the error stage's LFSR and
/// their complement into RED's. Sparse seeds take some thousand words to look random.
inline constexpr std::uint32_t kSeedHigh = 0x18;

/// DISCARD_CTRL: Arms the discard of one frame.
inline constexpr std::uint32_t kDiscardCtrl = 0x1c;
inline constexpr std::uint32_t kDiscardArm = 1U << 0;
inline constexpr std::uint32_t kDiscardArmed = 1U << 0;
inline constexpr std::uint32_t kDiscardCancel = 1U << 1;
inline constexpr std::uint32_t kDiscardModeShift = 2;
inline constexpr std::uint32_t kDiscardModeMask = 0xc;

/// DISCARD_ARG: Mode NTH: frames to let pass first. Mode AT: a time in the format T.
inline constexpr std::uint32_t kDiscardArg = 0x20;

/// DISCARD_STAMP: Time stamp of the last frame discarded.
inline constexpr std::uint32_t kDiscardStamp = 0x24;

/// CAPACITY: Words of memory to use; at least 4096 are.
inline constexpr std::uint32_t kCapacity = 0x28;
inline constexpr std::uint32_t kCapacityReset = 0x40'0000;
inline constexpr std::uint32_t kCapacityMask = 0x7f'ffff;

/// LEVEL: Words in the memory.
inline constexpr std::uint32_t kLevel = 0x2c;
inline constexpr std::uint32_t kLevelMask = 0x7f'ffff;

/// LEVEL_MAX: Largest LEVEL seen.
inline constexpr std::uint32_t kLevelMax = 0x30;
inline constexpr std::uint32_t kLevelMaxMask = 0x7f'ffff;

/// WORD_COST: Time that a word takes at the bottleneck, below 0.82 ms; with ATM, a cell. Last words
/// count whole.
inline constexpr std::uint32_t kWordCost = 0x34;
inline constexpr std::uint32_t kWordCostMask = 0x3'ffff;

/// COST_FRACTION: Fractions of the two costs.
inline constexpr std::uint32_t kCostFraction = 0x38;
inline constexpr std::uint32_t kCostFractionWordShift = 0;
inline constexpr std::uint32_t kCostFractionWordMask = 0xff;
inline constexpr std::uint32_t kCostFractionFrameShift = 8;
inline constexpr std::uint32_t kCostFractionFrameMask = 0xff00;

/// FRAME_COST: Time that each frame takes besides, below 0.82 ms.
inline constexpr std::uint32_t kFrameCost = 0x3c;
inline constexpr std::uint32_t kFrameCostMask = 0x3'ffff;

/// BURST: Time that an idle bottleneck saves up, below 3.36 s.
inline constexpr std::uint32_t kBurst = 0x40;
inline constexpr std::uint32_t kBurstMask = 0x3fff'ffff;

/// QUEUE_LIMIT: Tail drop from this queueing time on; 0: from 3.36 s on.
inline constexpr std::uint32_t kQueueLimit = 0x44;
inline constexpr std::uint32_t kQueueLimitMask = 0x7ff'ffff;

/// RED_MIN: Average queueing time from which RED drops.
inline constexpr std::uint32_t kRedMin = 0x48;
inline constexpr std::uint32_t kRedMinMask = 0x7ff'ffff;

/// RED_MAX: Average queueing time from which RED drops every frame.
inline constexpr std::uint32_t kRedMax = 0x4c;
inline constexpr std::uint32_t kRedMaxMask = 0x7ff'ffff;

/// RED_SLOPE: Probability, in 2^-32, for each 100 ns over RED_MIN.
inline constexpr std::uint32_t kRedSlope = 0x50;

/// RED_WEIGHT: The average moves 2^-w of the way at each frame.
inline constexpr std::uint32_t kRedWeight = 0x54;
inline constexpr std::uint32_t kRedWeightMask = 0xf;

/// ATM_OVERHEAD: Bytes that a frame needs in cells besides its own, to 47; AAL5: 8.
inline constexpr std::uint32_t kAtmOverhead = 0x58;
inline constexpr std::uint32_t kAtmOverheadMost = 47;
inline constexpr std::uint32_t kAtmOverheadMask = 0x3f;

/// STAMP_OFFSET: Bytes from the destination address to the magic number.
inline constexpr std::uint32_t kStampOffset = 0x5c;
inline constexpr std::uint32_t kStampOffsetMask = 0x3fff;

/// ONEWAY_COUNT: Frames measured; a write clears all six ONEWAY registers.
inline constexpr std::uint32_t kOnewayCount = 0x60;

/// ONEWAY_LAST: Latency of the last frame.
inline constexpr std::uint32_t kOnewayLast = 0x64;

/// ONEWAY_MIN: Least latency.
inline constexpr std::uint32_t kOnewayMin = 0x68;
inline constexpr std::uint32_t kOnewayMinReset = 0xffff'ffff;

/// ONEWAY_MAX: Largest latency.
inline constexpr std::uint32_t kOnewayMax = 0x6c;

/// ONEWAY_SUM_LOW: Sum of all latencies in 100 ns, low half.
inline constexpr std::uint32_t kOnewaySumLow = 0x70;

/// ONEWAY_SUM_HIGH: Sum of all latencies, high half.
inline constexpr std::uint32_t kOnewaySumHigh = 0x74;

/// BACKLOG: Queueing time now.
inline constexpr std::uint32_t kBacklog = 0x78;
inline constexpr std::uint32_t kBacklogMask = 0x7ff'ffff;

/// RED_AVERAGE: Average queueing time.
inline constexpr std::uint32_t kRedAverage = 0x7c;
inline constexpr std::uint32_t kRedAverageMask = 0x7ff'ffff;

/// Counters of a block, in the order of their registers, a word each.

enum class Counter : std::uint8_t {
  /// Frames received, good or bad.
  kRxFrames = 0,
  /// Frames received with a wrong FCS.
  kRxFcsBad = 1,
  /// Frames received with RX_ER, or cut.
  kRxError = 2,
  /// Frames that found no room, or the port off.
  kRxLost = 3,
  /// Carrier without a start delimiter.
  kRxNoSfd = 4,
  /// Frames dropped by QUEUE_LIMIT.
  kTailDrop = 5,
  /// Frames dropped by RED.
  kRedDrop = 6,
  /// Frames dropped for want of memory.
  kSramDrop = 7,
  /// Data words at the error stage, FCS included.
  kWords = 8,
  /// Frames at the error stage, those discarded later too.
  kFrames = 9,
  /// Bits flipped.
  kFlips = 10,
  /// Frames discarded.
  kDiscards = 11,
  /// Bytes at the error stage.
  kBytes = 12,
  /// Frames that this port sent.
  kTxFrames = 13,
  /// Frames that this port had to cut; none, unless a clock is off by far.
  kTxUnderrun = 14,
  /// Frames of this port without a destination.
  kNoRoute = 15,
};
inline constexpr std::uint32_t kCounters = 0x80;
inline constexpr std::size_t kCounterCount = 16;
constexpr std::uint32_t counter_offset(Counter counter) {
  return kCounters + 4 * static_cast<std::uint32_t>(counter);
}

}  // namespace longhaul::wan::gnet1_regs
