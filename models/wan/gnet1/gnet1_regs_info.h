// SPDX-License-Identifier: Apache-2.0
// Made from rtl/gnet1/gnet1.rdl by `./longhaul registers`; a change here is lost.
// clang-format off
#pragma once

#include <array>

#include "models/common/register_info.h"

/// What models build the registers of GNET-1 from.
namespace longhaul::wan::gnet1_regs::info {

inline constexpr RegisterInfo kId{"ID", 0x00, 0x474e'5431, 0x0, 0x0, 0xffff'ffff, true};
inline constexpr RegisterInfo kVersion{"VERSION", 0x04, 0x1'0000, 0x0, 0x0, 0xffff'ffff, true};
inline constexpr RegisterInfo kCtrl{"CTRL", 0x08, 0x4, 0x7, 0x6, 0x6, true};
inline constexpr RegisterInfo kTime{"TIME", 0x0c, 0x0, 0x0, 0x0, 0xffff'ffff, false};
inline constexpr RegisterInfo kGpsSeconds{
    "GPS_SECONDS", 0x10, 0x0, 0xffff'ffff, 0x0, 0xffff'ffff, true};
inline constexpr RegisterInfo kGpsTenths{"GPS_TENTHS", 0x14, 0x0, 0x0, 0x0, 0xff'ffff, false};
inline constexpr RegisterInfo kPpsTicks{"PPS_TICKS", 0x18, 0x0, 0x0, 0x0, 0xffff'ffff, true};
inline constexpr RegisterInfo kMagic{
    "MAGIC", 0x1c, 0x474e'5431, 0xffff'ffff, 0xffff'ffff, 0xffff'ffff, true};
inline constexpr RegisterInfo kSampleCtrl{"SAMPLE_CTRL", 0x20, 0x0, 0x33, 0x33, 0x33, true};
inline constexpr RegisterInfo kSamplePeriod{
    "SAMPLE_PERIOD", 0x24, 0x271, 0xffff'ffff, 0xffff'ffff, 0xffff'ffff, true};
inline constexpr RegisterInfo kSampleTotal{"SAMPLE_TOTAL", 0x28, 0x0, 0x0, 0x0, 0xffff'ffff, true};
inline constexpr RegisterInfo kSampleIndex{"SAMPLE_INDEX", 0x2c, 0x0, 0x3fff, 0x3fff, 0x3fff, true};
inline constexpr RegisterInfo kSampleWords{"SAMPLE_WORDS", 0x30, 0x0, 0x0, 0x0, 0xffff'ffff, false};
inline constexpr RegisterInfo kSampleFrames{
    "SAMPLE_FRAMES", 0x34, 0x0, 0x0, 0x0, 0xffff'ffff, false};
inline constexpr RegisterInfo kObsSelect{"OBS_SELECT", 0x38, 0x0, 0x33, 0x33, 0x33, true};
inline constexpr RegisterInfo kMacLow{
    "MAC_LOW", 0x40, 0x0, 0xffff'ffff, 0xffff'ffff, 0xffff'ffff, true};
inline constexpr RegisterInfo kMacHigh{"MAC_HIGH", 0x44, 0x0, 0xffff, 0xffff, 0xffff, true};
inline constexpr RegisterInfo kMacEntry{"MAC_ENTRY", 0x48, 0x0, 0x1'030f, 0x0, 0x0, true};
inline constexpr RegisterInfo kMacFlush{"MAC_FLUSH", 0x4c, 0x0, 0xffff'ffff, 0x0, 0x0, true};
inline constexpr RegisterInfo kMacAge{
    "MAC_AGE", 0x50, 0x0, 0xffff'ffff, 0xffff'ffff, 0xffff'ffff, true};
inline constexpr RegisterInfo kMacValid{"MAC_VALID", 0x54, 0x0, 0x0, 0x0, 0xffff, true};
inline constexpr std::array kBoxRegisters{
    kId, kVersion, kCtrl, kTime, kGpsSeconds, kGpsTenths, kPpsTicks, kMagic, kSampleCtrl,
    kSamplePeriod, kSampleTotal, kSampleIndex, kSampleWords, kSampleFrames, kObsSelect, kMacLow,
    kMacHigh, kMacEntry, kMacFlush, kMacAge, kMacValid
};

inline constexpr RegisterInfo kPortCtrl{"PORT_CTRL", 0x00, 0x1, 0x7f, 0x7f, 0x7f, true};
inline constexpr RegisterInfo kRoute{"ROUTE", 0x04, 0x2, 0xf, 0xf, 0xf, true};
inline constexpr RegisterInfo kDelay{
    "DELAY", 0x08, 0x0, 0x3fff'ffff, 0x3fff'ffff, 0x3fff'ffff, true};
inline constexpr RegisterInfo kIfg{"IFG", 0x0c, 0xc, 0x3f, 0x3f, 0x3f, true};
inline constexpr RegisterInfo kErrorThreshold{
    "ERROR_THRESHOLD", 0x10, 0x0, 0xffff'ffff, 0xffff'ffff, 0xffff'ffff, true};
inline constexpr RegisterInfo kSeedLow{
    "SEED_LOW", 0x14, 0x0, 0xffff'ffff, 0xffff'ffff, 0xffff'ffff, true};
inline constexpr RegisterInfo kSeedHigh{"SEED_HIGH", 0x18, 0x0, 0xffff'ffff, 0x0, 0x0, true};
inline constexpr RegisterInfo kDiscardCtrl{"DISCARD_CTRL", 0x1c, 0x0, 0xf, 0xc, 0xd, true};
inline constexpr RegisterInfo kDiscardArg{
    "DISCARD_ARG", 0x20, 0x0, 0xffff'ffff, 0xffff'ffff, 0xffff'ffff, true};
inline constexpr RegisterInfo kDiscardStamp{
    "DISCARD_STAMP", 0x24, 0x0, 0x0, 0x0, 0xffff'ffff, true};
inline constexpr RegisterInfo kCapacity{
    "CAPACITY", 0x28, 0x40'0000, 0x7f'ffff, 0x7f'ffff, 0x7f'ffff, true};
inline constexpr RegisterInfo kLevel{"LEVEL", 0x2c, 0x0, 0x0, 0x0, 0x7f'ffff, true};
inline constexpr RegisterInfo kLevelMax{"LEVEL_MAX", 0x30, 0x0, 0x7f'ffff, 0x0, 0x7f'ffff, true};
inline constexpr RegisterInfo kWordCost{"WORD_COST", 0x34, 0x0, 0x3'ffff, 0x3'ffff, 0x3'ffff, true};
inline constexpr RegisterInfo kCostFraction{
    "COST_FRACTION", 0x38, 0x0, 0xffff, 0xffff, 0xffff, true};
inline constexpr RegisterInfo kFrameCost{
    "FRAME_COST", 0x3c, 0x0, 0x3'ffff, 0x3'ffff, 0x3'ffff, true};
inline constexpr RegisterInfo kBurst{
    "BURST", 0x40, 0x0, 0x3fff'ffff, 0x3fff'ffff, 0x3fff'ffff, true};
inline constexpr RegisterInfo kQueueLimit{
    "QUEUE_LIMIT", 0x44, 0x0, 0x7ff'ffff, 0x7ff'ffff, 0x7ff'ffff, true};
inline constexpr RegisterInfo kRedMin{
    "RED_MIN", 0x48, 0x0, 0x7ff'ffff, 0x7ff'ffff, 0x7ff'ffff, true};
inline constexpr RegisterInfo kRedMax{
    "RED_MAX", 0x4c, 0x0, 0x7ff'ffff, 0x7ff'ffff, 0x7ff'ffff, true};
inline constexpr RegisterInfo kRedSlope{
    "RED_SLOPE", 0x50, 0x0, 0xffff'ffff, 0xffff'ffff, 0xffff'ffff, true};
inline constexpr RegisterInfo kRedWeight{"RED_WEIGHT", 0x54, 0x0, 0xf, 0xf, 0xf, true};
inline constexpr RegisterInfo kAtmOverhead{"ATM_OVERHEAD", 0x58, 0x0, 0x3f, 0x3f, 0x3f, true};
inline constexpr RegisterInfo kStampOffset{"STAMP_OFFSET", 0x5c, 0x0, 0x3fff, 0x3fff, 0x3fff, true};
inline constexpr RegisterInfo kOnewayCount{
    "ONEWAY_COUNT", 0x60, 0x0, 0xffff'ffff, 0x0, 0xffff'ffff, true};
inline constexpr RegisterInfo kOnewayLast{"ONEWAY_LAST", 0x64, 0x0, 0x0, 0x0, 0xffff'ffff, true};
inline constexpr RegisterInfo kOnewayMin{
    "ONEWAY_MIN", 0x68, 0xffff'ffff, 0x0, 0x0, 0xffff'ffff, true};
inline constexpr RegisterInfo kOnewayMax{"ONEWAY_MAX", 0x6c, 0x0, 0x0, 0x0, 0xffff'ffff, true};
inline constexpr RegisterInfo kOnewaySumLow{
    "ONEWAY_SUM_LOW", 0x70, 0x0, 0x0, 0x0, 0xffff'ffff, true};
inline constexpr RegisterInfo kOnewaySumHigh{
    "ONEWAY_SUM_HIGH", 0x74, 0x0, 0x0, 0x0, 0xffff'ffff, true};
inline constexpr RegisterInfo kBacklog{"BACKLOG", 0x78, 0x0, 0x0, 0x0, 0x7ff'ffff, true};
inline constexpr RegisterInfo kRedAverage{"RED_AVERAGE", 0x7c, 0x0, 0x0, 0x0, 0x7ff'ffff, true};
inline constexpr RegisterInfo kRxFrames{"RX_FRAMES", 0x80, 0x0, 0x0, 0x0, 0xffff'ffff, true};
inline constexpr RegisterInfo kRxFcsBad{"RX_FCS_BAD", 0x84, 0x0, 0x0, 0x0, 0xffff'ffff, true};
inline constexpr RegisterInfo kRxError{"RX_ERROR", 0x88, 0x0, 0x0, 0x0, 0xffff'ffff, true};
inline constexpr RegisterInfo kRxLost{"RX_LOST", 0x8c, 0x0, 0x0, 0x0, 0xffff'ffff, true};
inline constexpr RegisterInfo kRxNoSfd{"RX_NO_SFD", 0x90, 0x0, 0x0, 0x0, 0xffff'ffff, true};
inline constexpr RegisterInfo kTailDrop{"TAIL_DROP", 0x94, 0x0, 0x0, 0x0, 0xffff'ffff, true};
inline constexpr RegisterInfo kRedDrop{"RED_DROP", 0x98, 0x0, 0x0, 0x0, 0xffff'ffff, true};
inline constexpr RegisterInfo kSramDrop{"SRAM_DROP", 0x9c, 0x0, 0x0, 0x0, 0xffff'ffff, true};
inline constexpr RegisterInfo kWords{"WORDS", 0xa0, 0x0, 0x0, 0x0, 0xffff'ffff, true};
inline constexpr RegisterInfo kFrames{"FRAMES", 0xa4, 0x0, 0x0, 0x0, 0xffff'ffff, true};
inline constexpr RegisterInfo kFlips{"FLIPS", 0xa8, 0x0, 0x0, 0x0, 0xffff'ffff, true};
inline constexpr RegisterInfo kDiscards{"DISCARDS", 0xac, 0x0, 0x0, 0x0, 0xffff'ffff, true};
inline constexpr RegisterInfo kBytes{"BYTES", 0xb0, 0x0, 0x0, 0x0, 0xffff'ffff, true};
inline constexpr RegisterInfo kTxFrames{"TX_FRAMES", 0xb4, 0x0, 0x0, 0x0, 0xffff'ffff, true};
inline constexpr RegisterInfo kTxUnderrun{"TX_UNDERRUN", 0xb8, 0x0, 0x0, 0x0, 0xffff'ffff, true};
inline constexpr RegisterInfo kNoRoute{"NO_ROUTE", 0xbc, 0x0, 0x0, 0x0, 0xffff'ffff, true};
inline constexpr std::array kPortRegisters{
    kPortCtrl, kRoute, kDelay, kIfg, kErrorThreshold, kSeedLow, kSeedHigh, kDiscardCtrl,
    kDiscardArg, kDiscardStamp, kCapacity, kLevel, kLevelMax, kWordCost, kCostFraction, kFrameCost,
    kBurst, kQueueLimit, kRedMin, kRedMax, kRedSlope, kRedWeight, kAtmOverhead, kStampOffset,
    kOnewayCount, kOnewayLast, kOnewayMin, kOnewayMax, kOnewaySumLow, kOnewaySumHigh, kBacklog,
    kRedAverage, kRxFrames, kRxFcsBad, kRxError, kRxLost, kRxNoSfd, kTailDrop, kRedDrop, kSramDrop,
    kWords, kFrames, kFlips, kDiscards, kBytes, kTxFrames, kTxUnderrun, kNoRoute
};

}  // namespace longhaul::wan::gnet1_regs::info
