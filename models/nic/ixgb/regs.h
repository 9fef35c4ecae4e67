// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/nic/intel/descriptors.h"

/// Registers and descriptors of the Intel 82597EX: offsets in BAR 0, and bits. Reserved bits are
/// left out. Source: facts read from Linux 6.1 drivers/net/ethernet/intel/ixgb/ixgb_hw.h; names as
/// there.
namespace longhaul::nic::ixgb::regs {

// General
constexpr std::uint32_t kCtrl0 = 0x000;
constexpr std::uint32_t kCtrl1 = 0x008;
constexpr std::uint32_t kStatus = 0x010;
constexpr std::uint32_t kEecd = 0x018;
constexpr std::uint32_t kMfs = 0x020;
// Interrupts
constexpr std::uint32_t kIcr = 0x080;
constexpr std::uint32_t kIcs = 0x088;
constexpr std::uint32_t kIms = 0x090;
constexpr std::uint32_t kImc = 0x098;
// Receive
constexpr std::uint32_t kRctl = 0x100;
constexpr std::uint32_t kFcrtl = 0x108;
constexpr std::uint32_t kFcrth = 0x110;
constexpr std::uint32_t kRdbal = 0x118;
constexpr std::uint32_t kRdbah = 0x11c;
constexpr std::uint32_t kRdlen = 0x120;
constexpr std::uint32_t kRdh = 0x128;
constexpr std::uint32_t kRdt = 0x130;
constexpr std::uint32_t kRdtr = 0x138;
constexpr std::uint32_t kRxdctl = 0x140;
constexpr std::uint32_t kRaidc = 0x148;
constexpr std::uint32_t kRxcsum = 0x158;
constexpr std::uint32_t kRal = 0x180;   // 16 pairs RAL, RAH
constexpr std::uint32_t kMta = 0x200;   // 128 words
constexpr std::uint32_t kVfta = 0x400;  // 128 words
// Transmit
constexpr std::uint32_t kTctl = 0x600;
constexpr std::uint32_t kTdbal = 0x608;
constexpr std::uint32_t kTdbah = 0x60c;
constexpr std::uint32_t kTdlen = 0x610;
constexpr std::uint32_t kTdh = 0x618;
constexpr std::uint32_t kTdt = 0x620;
constexpr std::uint32_t kTidv = 0x628;
constexpr std::uint32_t kTxdctl = 0x630;
constexpr std::uint32_t kTspmt = 0x638;
constexpr std::uint32_t kPap = 0x640;
// Physical layer
constexpr std::uint32_t kPcsc1 = 0x700;
constexpr std::uint32_t kPcsc2 = 0x708;
constexpr std::uint32_t kPcss1 = 0x710;
constexpr std::uint32_t kPcss2 = 0x718;
constexpr std::uint32_t kXpcss = 0x720;
constexpr std::uint32_t kUccr = 0x728;
constexpr std::uint32_t kXpcstc = 0x730;
constexpr std::uint32_t kMaca = 0x738;
constexpr std::uint32_t kApae = 0x740;
constexpr std::uint32_t kArd = 0x748;
constexpr std::uint32_t kAis = 0x750;
constexpr std::uint32_t kMsca = 0x758;
constexpr std::uint32_t kMsrwd = 0x760;
// Wake-up
constexpr std::uint32_t kWufc = 0x808;
constexpr std::uint32_t kWus = 0x810;
// Statistics: 0x2000 to 0x21d8, see ixgb_stats.cc
constexpr std::uint32_t kBar0Bytes = 0x20000;

constexpr std::uint32_t kExactAddresses = 16;
constexpr std::uint32_t kTableWords = 128;

namespace ctrl0 {
constexpr std::uint32_t kLrst = 1u << 3;
constexpr std::uint32_t kJfe = 1u << 4;
constexpr std::uint32_t kCmdc = 1u << 7;
constexpr std::uint32_t kSdp0 = 1u << 18;  // low: the LED is on
constexpr std::uint32_t kRst = 1u << 26;
constexpr std::uint32_t kRpe = 1u << 27;
constexpr std::uint32_t kTpe = 1u << 28;
constexpr std::uint32_t kVme = 1u << 30;
}  // namespace ctrl0

namespace ctrl1 {
constexpr std::uint32_t kEeRst = 1u << 13;
}

namespace status {
constexpr std::uint32_t kLinkUp = 1u << 1;
constexpr std::uint32_t kTxOff = 1u << 4;
constexpr std::uint32_t kLocalFault = 1u << 9;
constexpr std::uint32_t kRevisionShift = 16;
}  // namespace status

namespace eecd {
constexpr std::uint32_t kSk = 1u << 0;
constexpr std::uint32_t kCs = 1u << 1;
constexpr std::uint32_t kDi = 1u << 2;
constexpr std::uint32_t kDo = 1u << 3;
}  // namespace eecd

namespace cause {
constexpr std::uint32_t kTxdw = 1u << 0;    // transmit descriptor written back
constexpr std::uint32_t kTxqe = 1u << 1;    // transmit ring empty
constexpr std::uint32_t kLsc = 1u << 2;     // link status changed
constexpr std::uint32_t kRxdmt0 = 1u << 4;  // few receive descriptors left
constexpr std::uint32_t kRxo = 1u << 6;     // receive overrun
constexpr std::uint32_t kRxt0 = 1u << 7;    // receive timer
constexpr std::uint32_t kAll = 0x7bdf;
}  // namespace cause

namespace rctl {
constexpr std::uint32_t kRxen = 1u << 1;
constexpr std::uint32_t kSbp = 1u << 2;
constexpr std::uint32_t kUpe = 1u << 3;
constexpr std::uint32_t kMpe = 1u << 4;
constexpr std::uint32_t kRdmtsShift = 8;
constexpr std::uint32_t kMoShift = 12;
constexpr std::uint32_t kBam = 1u << 15;
constexpr std::uint32_t kBsizeShift = 16;
constexpr std::uint32_t kVfe = 1u << 18;
constexpr std::uint32_t kCfien = 1u << 19;
constexpr std::uint32_t kCfi = 1u << 20;
constexpr std::uint32_t kCff = 1u << 23;
constexpr std::uint32_t kSecrc = 1u << 26;
}  // namespace rctl

constexpr std::uint32_t kFcrtlXone = 1u << 31;
constexpr std::uint32_t kFcMask = 0x3fff8;
constexpr std::uint32_t kRdtFpdb = 1u << 31;
constexpr std::uint32_t kRahValid = 1u << 31;
constexpr std::uint32_t kRahBySource = 1u << 16;

namespace raidc {
constexpr std::uint32_t kThresholdMask = 0x3f;  // units of eight descriptors
constexpr std::uint32_t kDelayShift = 11;
constexpr std::uint32_t kDelayMask = 0x1ff;
constexpr std::uint32_t kPollShift = 20;
constexpr std::uint32_t kPollMask = 0x1ff;
constexpr std::uint32_t kRxtGate = 1u << 30;
constexpr std::uint32_t kEnable = 1u << 31;
}  // namespace raidc

namespace rxcsum {
constexpr std::uint32_t kIpofl = 1u << 8;
constexpr std::uint32_t kTuofl = 1u << 9;
}  // namespace rxcsum

constexpr std::uint32_t kTctlTxen = 1u << 1;

namespace msca {
constexpr std::uint32_t kDeviceShift = 16;
constexpr std::uint32_t kPortShift = 21;
constexpr std::uint32_t kOpShift = 26;
constexpr std::uint32_t kOldProtocol = 1u << 28;
constexpr std::uint32_t kCommand = 1u << 30;
}  // namespace msca

namespace rx_status = intel::rx_status;
namespace rx_error = intel::rx_error;
namespace tx = intel::tx;

}  // namespace longhaul::nic::ixgb::regs
