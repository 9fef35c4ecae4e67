// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/common/register_bank.h"
#include "models/nic/intel/descriptors.h"
#include "models/nic/intel/regs.h"

/// Registers and descriptors of the Intel 82545 and 82546: offsets in BAR 0, and bits. Reserved
/// bits are left out. Sources: Intel 8254x Software Developer's Manual, chapters 3 and 13;
/// Linux 6.1 drivers/net/ethernet/intel/e1000/e1000_hw.h. Names as there.
namespace longhaul::nic::e1000::regs {

namespace eecd {
using namespace intel::eecd;  // NOLINT: what all controllers have
constexpr std::uint32_t kReq = 1U << 6;
constexpr std::uint32_t kGnt = 1U << 7;
constexpr std::uint32_t kPres = 1U << 8;
constexpr std::uint32_t kPins = kSk | kCs | kDi | kReq;  // that software drives
}  // namespace eecd

namespace cause {
using namespace intel::cause;              // NOLINT: what all controllers have
constexpr std::uint32_t kRxseq = 1U << 3;  // fibre: synchronisation lost
constexpr std::uint32_t kMdac = 1U << 9;   // MDIC access complete
constexpr std::uint32_t kTxdLow = 1U << 15;
constexpr std::uint32_t kSrpd = 1U << 16;
constexpr std::uint32_t kAll = 0x1ffff;  // reserved ones too can be set through ICS
}  // namespace cause

namespace txcw {
constexpr std::uint32_t kFd = 1U << 5;
constexpr std::uint32_t kPause = 1U << 7;
constexpr std::uint32_t kAsmDir = 1U << 8;
constexpr std::uint32_t kAcknowledge = 1U << 14;
constexpr std::uint32_t kConfigMask = 0xffff;
constexpr std::uint32_t kTxConfig = 1U << 30;
constexpr std::uint32_t kAne = 1U << 31;
constexpr std::uint32_t kWritable = kConfigMask | kTxConfig | kAne;
}  // namespace txcw

constexpr std::uint32_t kFcMask = 0xfff8;
constexpr std::uint32_t kRingBaseMask = 0xffff'fff0;

// General
constexpr RegisterSpec kCtrl{"CTRL", 0x0000};
constexpr RegisterSpec kCtrlDup{"CTRL_DUP", 0x0004};  // the same register again
constexpr RegisterSpec kStatus{"STATUS", 0x0008, Access::kReadOnly};
constexpr RegisterSpec kEecd{"EECD", 0x0010, Access::kReadWrite, 0, eecd::kPins};
constexpr RegisterSpec kEerd{"EERD", 0x0014};
constexpr RegisterSpec kCtrlExt{"CTRL_EXT", 0x0018};
constexpr RegisterSpec kMdic{"MDIC", 0x0020};
constexpr RegisterSpec kFcal{"FCAL", 0x0028};
constexpr RegisterSpec kFcah{"FCAH", 0x002c, Access::kReadWrite, 0, 0xffff};
constexpr RegisterSpec kFct{"FCT", 0x0030, Access::kReadWrite, 0, 0xffff};
constexpr RegisterSpec kVet{"VET", 0x0038, Access::kReadWrite, intel::kVlanType, 0xffff};
// Interrupts
constexpr RegisterSpec kIcr{"ICR", 0x00c0, Access::kReadOnly};
constexpr RegisterSpec kItr{"ITR", 0x00c4, Access::kReadWrite, 0, 0xffff};
constexpr RegisterSpec kIcs{"ICS", 0x00c8, Access::kAction, 0, cause::kAll};
constexpr RegisterSpec kIms{"IMS", 0x00d0, Access::kAction, 0, cause::kAll};
constexpr RegisterSpec kImc{"IMC", 0x00d8, Access::kAction};
// Link and flow control
constexpr RegisterSpec kRctl{"RCTL", 0x0100};
constexpr RegisterSpec kFcttv{"FCTTV", 0x0170, Access::kReadWrite, 0, 0xffff};
constexpr RegisterSpec kTxcw{"TXCW", 0x0178, Access::kReadWrite, 0, txcw::kWritable};
constexpr RegisterSpec kRxcw{"RXCW", 0x0180, Access::kReadOnly};
constexpr RegisterSpec kTctl{"TCTL", 0x0400};
constexpr RegisterSpec kTipg{"TIPG", 0x0410, Access::kReadWrite, 0, 0x3fff'ffff};
constexpr RegisterSpec kAit{"AIT", 0x0458, Access::kReadWrite, 0, 0xffff};
constexpr RegisterSpec kLedctl{"LEDCTL", 0x0e00, Access::kReadWrite, 0x0706'8302};
constexpr RegisterSpec kPba{"PBA", 0x1000};
constexpr RegisterSpec kFcrtl{"FCRTL", 0x2160, Access::kReadWrite, 0, kFcMask | intel::kFcrtlXone};
constexpr RegisterSpec kFcrth{"FCRTH", 0x2168, Access::kReadWrite, 0, kFcMask};
// Receive
constexpr RegisterSpec kRdfpc{"RDFPC", 0x2430, Access::kReadOnly};
constexpr RegisterSpec kRdbal{"RDBAL", 0x2800, Access::kReadWrite, 0, kRingBaseMask};
constexpr RegisterSpec kRdbah{"RDBAH", 0x2804};
constexpr RegisterSpec kRdlen{"RDLEN", 0x2808, Access::kReadWrite, 0, intel::kRingLengthMask};
constexpr RegisterSpec kRdh{"RDH", 0x2810, Access::kReadWrite, 0, 0xffff};
constexpr RegisterSpec kRdt{"RDT", 0x2818, Access::kReadWrite, 0, 0xffff};
constexpr RegisterSpec kRdtr{"RDTR", 0x2820};
constexpr RegisterSpec kRxdctl{"RXDCTL", 0x2828};
constexpr RegisterSpec kRadv{"RADV", 0x282c, Access::kReadWrite, 0, 0xffff};
constexpr RegisterSpec kRsrpd{"RSRPD", 0x2c00, Access::kReadWrite, 0, 0xfff};
// Transmit
constexpr RegisterSpec kTdfpc{"TDFPC", 0x3430, Access::kReadOnly};
constexpr RegisterSpec kTdbal{"TDBAL", 0x3800, Access::kReadWrite, 0, kRingBaseMask};
constexpr RegisterSpec kTdbah{"TDBAH", 0x3804};
constexpr RegisterSpec kTdlen{"TDLEN", 0x3808, Access::kReadWrite, 0, intel::kRingLengthMask};
constexpr RegisterSpec kTdh{"TDH", 0x3810, Access::kReadWrite, 0, 0xffff};
constexpr RegisterSpec kTdt{"TDT", 0x3818, Access::kReadWrite, 0, 0xffff};
constexpr RegisterSpec kTidv{"TIDV", 0x3820, Access::kReadWrite, 0, 0xffff};
constexpr RegisterSpec kTxdctl{"TXDCTL", 0x3828};
constexpr RegisterSpec kTadv{"TADV", 0x382c, Access::kReadWrite, 0, 0xffff};
constexpr RegisterSpec kTspmt{"TSPMT", 0x3830, Access::kReadWrite, 0x0100'0400};
// Statistics: 0x4000 to 0x40fc, see e1000_stats.cc
// Filters and wake-up
constexpr RegisterSpec kRxcsum{"RXCSUM", 0x5000};
constexpr std::uint32_t kMta = 0x5200;   // 128 words
constexpr std::uint32_t kRal = 0x5400;   // 16 pairs RAL, RAH
constexpr std::uint32_t kVfta = 0x5600;  // 128 words
constexpr RegisterSpec kWuc{"WUC", 0x5800, Access::kReadWrite, 0, 0xf};
constexpr RegisterSpec kWufc{"WUFC", 0x5808, Access::kReadWrite, 0, 0xffff};
constexpr RegisterSpec kWus{"WUS", 0x5810, Access::kReadOnly};
constexpr RegisterSpec kManc{"MANC", 0x5820};
constexpr std::uint32_t kBar0Bytes = 0x20000;

namespace ctrl {
using namespace intel::ctrl;  // NOLINT: what all controllers have; LRST: the fibre's link is in
                              // reset
constexpr std::uint32_t kFd = 1U << 0;
constexpr std::uint32_t kAsde = 1U << 5;
constexpr std::uint32_t kSlu = 1U << 6;   // set link up
constexpr std::uint32_t kIlos = 1U << 7;  // the transceiver's loss of signal counts inverted
constexpr std::uint32_t kSpeed1000 = 2U << 8;
constexpr std::uint32_t kSwdpin0 = 1U << 18;  // fibre: low lights the LED
constexpr std::uint32_t kSwdpin1 = 1U << 19;  // fibre: the optics see a signal
constexpr std::uint32_t kSwdpio0 = 1U << 22;
constexpr std::uint32_t kRfce = 1U << 27;
constexpr std::uint32_t kTfce = 1U << 28;
constexpr std::uint32_t kPhyRst = 1U << 31;
}  // namespace ctrl

using intel::kEeRst;

namespace status {
using namespace intel::status;               // NOLINT: what all controllers have
constexpr std::uint32_t kFunctionShift = 2;  // 0: LAN A, 1: LAN B
constexpr std::uint32_t kFd = 1U << 0;
constexpr std::uint32_t kTbi = 1U << 5;
constexpr std::uint32_t kSpeed1000 = 2U << 6;
}  // namespace status

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

namespace rctl {
using namespace intel::rctl;             // NOLINT: what all controllers have
constexpr std::uint32_t kLpe = 1U << 5;  // long packets
constexpr std::uint32_t kLbmMask = 3U << 6;
constexpr std::uint32_t kLbmMac = 1U << 6;          // the MAC receives what it sends
constexpr std::uint32_t kLbmTransceiver = 3U << 6;  // so does the serializer of a board with optics
constexpr std::uint32_t kPmcf = 1U << 23;           // pass MAC control frames
constexpr std::uint32_t kBsex = 1U << 25;           // buffer sizes times 16
}  // namespace rctl

using intel::kTctlEn;

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
using namespace intel::rxcsum;  // NOLINT: what all controllers have
constexpr std::uint32_t kStartMask = 0xff;
}  // namespace rxcsum

using intel::kFcrtlXone;
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
