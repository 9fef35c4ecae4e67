// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/nic/intel/descriptors.h"
#include "models/nic/intel/rx_unit.h"

/// Registers and descriptors of the Intel 82545 and 82546: offsets in BAR 0, and bits. Reserved
/// bits are left out. Sources: Intel 8254x Software Developer's Manual, chapters 3 and 13;
/// Linux 6.1 drivers/net/ethernet/intel/e1000/e1000_hw.h. Names as there.
namespace longhaul::nic::e1000::regs {

// General
constexpr std::uint32_t kCtrl = 0x0000;
constexpr std::uint32_t kCtrlDup = 0x0004;  // the same register again
constexpr std::uint32_t kStatus = 0x0008;
constexpr std::uint32_t kEecd = 0x0010;
constexpr std::uint32_t kEerd = 0x0014;
constexpr std::uint32_t kCtrlExt = 0x0018;
constexpr std::uint32_t kMdic = 0x0020;
constexpr std::uint32_t kFcal = 0x0028;
constexpr std::uint32_t kFcah = 0x002c;
constexpr std::uint32_t kFct = 0x0030;
constexpr std::uint32_t kVet = 0x0038;
// Interrupts
constexpr std::uint32_t kIcr = 0x00c0;
constexpr std::uint32_t kItr = 0x00c4;
constexpr std::uint32_t kIcs = 0x00c8;
constexpr std::uint32_t kIms = 0x00d0;
constexpr std::uint32_t kImc = 0x00d8;
// Link and flow control
constexpr std::uint32_t kRctl = 0x0100;
constexpr std::uint32_t kFcttv = 0x0170;
constexpr std::uint32_t kTxcw = 0x0178;
constexpr std::uint32_t kRxcw = 0x0180;
constexpr std::uint32_t kTctl = 0x0400;
constexpr std::uint32_t kTipg = 0x0410;
constexpr std::uint32_t kAit = 0x0458;
constexpr std::uint32_t kLedctl = 0x0e00;
constexpr std::uint32_t kPba = 0x1000;
constexpr std::uint32_t kFcrtl = 0x2160;
constexpr std::uint32_t kFcrth = 0x2168;
// Receive
constexpr std::uint32_t kRdfpc = 0x2430;
constexpr std::uint32_t kRdbal = 0x2800;
constexpr std::uint32_t kRdbah = 0x2804;
constexpr std::uint32_t kRdlen = 0x2808;
constexpr std::uint32_t kRdh = 0x2810;
constexpr std::uint32_t kRdt = 0x2818;
constexpr std::uint32_t kRdtr = 0x2820;
constexpr std::uint32_t kRxdctl = 0x2828;
constexpr std::uint32_t kRadv = 0x282c;
constexpr std::uint32_t kRsrpd = 0x2c00;
// Transmit
constexpr std::uint32_t kTdfpc = 0x3430;
constexpr std::uint32_t kTdbal = 0x3800;
constexpr std::uint32_t kTdbah = 0x3804;
constexpr std::uint32_t kTdlen = 0x3808;
constexpr std::uint32_t kTdh = 0x3810;
constexpr std::uint32_t kTdt = 0x3818;
constexpr std::uint32_t kTidv = 0x3820;
constexpr std::uint32_t kTxdctl = 0x3828;
constexpr std::uint32_t kTadv = 0x382c;
constexpr std::uint32_t kTspmt = 0x3830;
// Statistics: 0x4000 to 0x40fc, see e1000_stats.cc
// Filters and wake-up
constexpr std::uint32_t kRxcsum = 0x5000;
constexpr std::uint32_t kMta = 0x5200;   // 128 words
constexpr std::uint32_t kRal = 0x5400;   // 16 pairs RAL, RAH
constexpr std::uint32_t kVfta = 0x5600;  // 128 words
constexpr std::uint32_t kWuc = 0x5800;
constexpr std::uint32_t kWufc = 0x5808;
constexpr std::uint32_t kWus = 0x5810;
constexpr std::uint32_t kManc = 0x5820;
constexpr std::uint32_t kBar0Bytes = 0x20000;

namespace ctrl {
constexpr std::uint32_t kFd = 1U << 0;
constexpr std::uint32_t kLrst = 1U << 3;  // fibre: the link is in reset
constexpr std::uint32_t kAsde = 1U << 5;
constexpr std::uint32_t kSlu = 1U << 6;   // set link up
constexpr std::uint32_t kIlos = 1U << 7;  // the transceiver's loss of signal counts inverted
constexpr std::uint32_t kSpeed1000 = 2U << 8;
constexpr std::uint32_t kSwdpin0 = 1U << 18;  // fibre: low lights the LED
constexpr std::uint32_t kSwdpin1 = 1U << 19;  // fibre: the optics see a signal
constexpr std::uint32_t kSwdpio0 = 1U << 22;
constexpr std::uint32_t kRst = 1U << 26;
constexpr std::uint32_t kRfce = 1U << 27;
constexpr std::uint32_t kTfce = 1U << 28;
constexpr std::uint32_t kVme = 1U << 30;
constexpr std::uint32_t kPhyRst = 1U << 31;
}  // namespace ctrl

constexpr std::uint32_t kCtrlExtEeRst = 1U << 13;

namespace status {
constexpr std::uint32_t kFunctionShift = 2;  // 0: LAN A, 1: LAN B
constexpr std::uint32_t kFd = 1U << 0;
constexpr std::uint32_t kLinkUp = 1U << 1;
constexpr std::uint32_t kTxOff = 1U << 4;
constexpr std::uint32_t kTbi = 1U << 5;
constexpr std::uint32_t kSpeed1000 = 2U << 6;
}  // namespace status

namespace eecd {
constexpr std::uint32_t kSk = 1U << 0;
constexpr std::uint32_t kCs = 1U << 1;
constexpr std::uint32_t kDi = 1U << 2;
constexpr std::uint32_t kDo = 1U << 3;
constexpr std::uint32_t kReq = 1U << 6;
constexpr std::uint32_t kGnt = 1U << 7;
constexpr std::uint32_t kPres = 1U << 8;
}  // namespace eecd

namespace eerd {
constexpr std::uint32_t kStart = 1U << 0;
constexpr std::uint32_t kDone = 1U << 4;
constexpr std::uint32_t kAddressShift = 8;
constexpr std::uint32_t kDataShift = 16;
}  // namespace eerd

namespace mdic {
constexpr std::uint32_t kRegisterShift = 16;
constexpr std::uint32_t kPhyShift = 21;
constexpr std::uint32_t kWrite = 1U << 26;
constexpr std::uint32_t kRead = 2U << 26;
constexpr std::uint32_t kReady = 1U << 28;
constexpr std::uint32_t kIntEnable = 1U << 29;
constexpr std::uint32_t kError = 1U << 30;
}  // namespace mdic

namespace cause {
constexpr std::uint32_t kTxdw = 1U << 0;    // transmit descriptor written back
constexpr std::uint32_t kTxqe = 1U << 1;    // transmit ring empty
constexpr std::uint32_t kLsc = 1U << 2;     // link status changed
constexpr std::uint32_t kRxseq = 1U << 3;   // fibre: synchronisation lost
constexpr std::uint32_t kRxdmt0 = 1U << 4;  // few receive descriptors left
constexpr std::uint32_t kRxo = 1U << 6;     // receive overrun
constexpr std::uint32_t kRxt0 = 1U << 7;    // receive timer
constexpr std::uint32_t kMdac = 1U << 9;    // MDIC access complete
constexpr std::uint32_t kTxdLow = 1U << 15;
constexpr std::uint32_t kSrpd = 1U << 16;
constexpr std::uint32_t kAll = 0x1ffff;  // reserved ones too can be set through ICS
}  // namespace cause

namespace rctl {
using namespace intel::rctl;             // NOLINT: what all controllers have
constexpr std::uint32_t kLpe = 1U << 5;  // long packets
constexpr std::uint32_t kLbmMask = 3U << 6;
constexpr std::uint32_t kLbmMac = 1U << 6;          // the MAC receives what it sends
constexpr std::uint32_t kLbmTransceiver = 3U << 6;  // so does the serializer of a board with optics
constexpr std::uint32_t kPmcf = 1U << 23;           // pass MAC control frames
constexpr std::uint32_t kBsex = 1U << 25;           // buffer sizes times 16
}  // namespace rctl

constexpr std::uint32_t kTctlEn = 1U << 1;

namespace txcw {
constexpr std::uint32_t kFd = 1U << 5;
constexpr std::uint32_t kPause = 1U << 7;
constexpr std::uint32_t kAsmDir = 1U << 8;
constexpr std::uint32_t kAcknowledge = 1U << 14;
constexpr std::uint32_t kConfigMask = 0xffff;
constexpr std::uint32_t kTxConfig = 1U << 30;
constexpr std::uint32_t kAne = 1U << 31;
}  // namespace txcw

namespace rxcw {
constexpr std::uint32_t kNoCarrier = 1U << 26;
constexpr std::uint32_t kChange = 1U << 28;
constexpr std::uint32_t kConfig = 1U << 29;  // /C/ ordered sets come in
constexpr std::uint32_t kSynch = 1U << 30;
constexpr std::uint32_t kAnComplete = 1U << 31;
}  // namespace rxcw

namespace txdctl {
constexpr std::uint32_t kGranDescriptors = 1U << 24;  // else cache lines
}

namespace rxcsum {
constexpr std::uint32_t kStartMask = 0xff;
constexpr std::uint32_t kIpofl = 1U << 8;
constexpr std::uint32_t kTuofl = 1U << 9;
}  // namespace rxcsum

constexpr std::uint32_t kFcrtlXone = 1U << 31;
constexpr std::uint32_t kFcMask = 0xfff8;
constexpr std::uint32_t kRdtrFpd = 1U << 31;

namespace rx_status = intel::rx_status;
namespace rx_error = intel::rx_error;

namespace tx {
using namespace intel::tx;                     // NOLINT: the layout that all controllers share
constexpr std::uint32_t kExtended = 1U << 29;  // DEXT; without it the descriptor is a legacy one
constexpr std::uint32_t kLegacyLengthMask = 0xffff;
constexpr std::uint32_t kLegacyOffsetShift = 16;     // CSO
constexpr std::uint32_t kLegacyChecksum = 1U << 26;  // IC
}  // namespace tx

}  // namespace longhaul::nic::e1000::regs
