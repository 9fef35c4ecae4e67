// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/common/register_bank.h"

/// Registers of the DP83820: names, offsets and bits as Linux 6.1's ns83820.c has them; what that
/// driver does not name, as FreeBSD's if_ngereg.h has it.
namespace longhaul::nic::dp83820::regs {

constexpr std::uint32_t kMemoryBytes = 4096;
constexpr std::uint8_t kMemoryBar = 1;
constexpr std::uint32_t kPorts = 256;
constexpr std::uint8_t kPortBar = 0;
/// A copy of the configuration space, for reading.
constexpr std::uint32_t kConfigCopy = 0x200;
constexpr std::uint32_t kConfigCopyBytes = 0x100;

constexpr std::uint32_t kAddressMask = 0xffff'fff8;  // descriptors lie at multiples of 8

constexpr RegisterSpec kCr{"CR", 0x00, Access::kAction};
constexpr RegisterSpec kCfg{"CFG", 0x04, Access::kReadWrite, 0, 0x017f'dfff};
constexpr RegisterSpec kMear{"MEAR", 0x08, Access::kReadWrite, 0, 0x0000'007d};
constexpr RegisterSpec kPtscr{"PTSCR", 0x0c, Access::kAction};
constexpr RegisterSpec kIsr{"ISR", 0x10, Access::kReadOnly};
constexpr RegisterSpec kImr{"IMR", 0x14, Access::kReadWrite, 0, 0x7fff'ffff};
constexpr RegisterSpec kIer{"IER", 0x18, Access::kReadWrite, 0, 0x0000'0001};
constexpr RegisterSpec kIhr{"IHR", 0x1c, Access::kReadWrite, 0, 0x0000'01ff};
constexpr RegisterSpec kTxdp{"TXDP", 0x20, Access::kAction};
constexpr RegisterSpec kTxdpHi{"TXDP_HI", 0x24, Access::kAction};
constexpr RegisterSpec kTxcfg{"TXCFG", 0x28, Access::kReadWrite, 0x120, 0xf0f8'ffff};
constexpr RegisterSpec kGpior{"GPIOR", 0x2c, Access::kReadWrite, 0, 0x0000'03ff};
constexpr RegisterSpec kRxdp{"RXDP", 0x30, Access::kAction};
constexpr RegisterSpec kRxdpHi{"RXDP_HI", 0x34, Access::kAction};
constexpr RegisterSpec kRxcfg{"RXCFG", 0x38, Access::kReadWrite, 0x4, 0xfc70'003e};
constexpr RegisterSpec kPqcr{"PQCR", 0x3c, Access::kReadWrite, 0, 0x0000'000f};
constexpr RegisterSpec kWcsr{"WCSR", 0x40, Access::kReadWrite, 0, 0x0000'07ff};
constexpr RegisterSpec kPcr{"PCR", 0x44, Access::kReadWrite, 0, 0xe3fc'ffff};
constexpr RegisterSpec kRfcr{"RFCR", 0x48, Access::kReadWrite, 0, 0xfff8'03ff};
constexpr RegisterSpec kRfdr{"RFDR", 0x4c, Access::kAction};
constexpr RegisterSpec kSrr{"SRR", 0x58, Access::kReadOnly};
constexpr RegisterSpec kMibc{"MIBC", 0x5c, Access::kAction};
constexpr RegisterSpec kVrcr{"VRCR", 0xbc, Access::kReadWrite, 0, 0x0000'00ff};
constexpr RegisterSpec kVtcr{"VTCR", 0xc0, Access::kReadWrite, 0, 0x0000'000f};
constexpr RegisterSpec kVdr{"VDR", 0xc4, Access::kReadWrite, 0x81};
constexpr RegisterSpec kCcsr{"CCSR", 0xcc, Access::kReadWrite, 0, 0x0000'0101};
constexpr RegisterSpec kTbicr{"TBICR", 0xe0, Access::kReadWrite, 0, 0x0000'5200};
constexpr RegisterSpec kTbisr{"TBISR", 0xe4, Access::kReadOnly};
constexpr RegisterSpec kTanar{"TANAR", 0xe8, Access::kReadWrite, 0x1e0, 0x0000'b1e0};
constexpr RegisterSpec kTanlpar{"TANLPAR", 0xec, Access::kReadOnly};
constexpr RegisterSpec kTaner{"TANER", 0xf0, Access::kReadOnly};
constexpr RegisterSpec kTesr{"TESR", 0xf4, Access::kReadOnly, 0xc000};

namespace cr {
constexpr std::uint32_t kTxe = 1U << 0;
constexpr std::uint32_t kTxd = 1U << 1;
constexpr std::uint32_t kRxe = 1U << 2;
constexpr std::uint32_t kRxd = 1U << 3;
constexpr std::uint32_t kTxr = 1U << 4;
constexpr std::uint32_t kRxr = 1U << 5;
constexpr std::uint32_t kSwi = 1U << 7;
constexpr std::uint32_t kRst = 1U << 8;
}  // namespace cr

namespace cfg {
constexpr std::uint32_t kExtstsEn = 1U << 8;
constexpr std::uint32_t kM64Addr = 1U << 11;
constexpr std::uint32_t kData64En = 1U << 12;
constexpr std::uint32_t kPci64Det = 1U << 13;
constexpr std::uint32_t kPintLnksts = 1U << 19;
constexpr std::uint32_t kMode1000 = 1U << 22;
constexpr std::uint32_t kTbiEn = 1U << 24;
constexpr std::uint32_t kSpdsts0 = 1U << 29;  // drivers take speed and duplex bits as inverted
constexpr std::uint32_t kLnksts = 1U << 31;
}  // namespace cfg

namespace mear {
constexpr std::uint32_t kEedi = 1U << 0;
constexpr std::uint32_t kEedo = 1U << 1;
constexpr std::uint32_t kEeclk = 1U << 2;
constexpr std::uint32_t kEesel = 1U << 3;
constexpr std::uint32_t kMdio = 1U << 4;
}  // namespace mear

namespace ptscr {
constexpr std::uint32_t kEebistEn = 1U << 1;
constexpr std::uint32_t kEeloadEn = 1U << 2;
constexpr std::uint32_t kRbistDone = 1U << 9;
constexpr std::uint32_t kRbistEn = 1U << 10;
constexpr std::uint32_t kRbistRst = 1U << 13;
}  // namespace ptscr

namespace isr {
constexpr std::uint32_t kRxOk = 1U << 0;
constexpr std::uint32_t kRxDesc = 1U << 1;
constexpr std::uint32_t kRxErr = 1U << 2;
constexpr std::uint32_t kRxIdle = 1U << 4;
constexpr std::uint32_t kRxOrn = 1U << 5;
constexpr std::uint32_t kTxOk = 1U << 6;
constexpr std::uint32_t kTxDesc = 1U << 7;
constexpr std::uint32_t kTxErr = 1U << 8;
constexpr std::uint32_t kTxIdle = 1U << 9;
constexpr std::uint32_t kSwi = 1U << 12;
constexpr std::uint32_t kPhy = 1U << 14;
constexpr std::uint32_t kHibint = 1U << 15;
constexpr std::uint32_t kRtabt = 1U << 17;
constexpr std::uint32_t kRmabt = 1U << 18;
constexpr std::uint32_t kRxRcmp = 1U << 21;
constexpr std::uint32_t kTxRcmp = 1U << 22;
constexpr std::uint32_t kHigh = 0x7fff'0000;  // what HIBINT sums up
}  // namespace isr

namespace ihr {
constexpr std::uint32_t kTime = 0xff;
constexpr std::uint32_t kFromInterrupt = 1U << 8;
}  // namespace ihr

/// TXCFG and RXCFG: MXDMA, the longest burst.
constexpr std::uint32_t kMxdmaShift = 20;
constexpr std::uint32_t mxdma_bytes(std::uint32_t config) {
  const std::uint32_t code = config >> kMxdmaShift & 7;
  return code == 0 ? 1024 : 4U << code;
}

namespace txcfg {
constexpr std::uint32_t kAtp = 1U << 28;
constexpr std::uint32_t kMlb = 1U << 29;
}  // namespace txcfg

namespace rxcfg {
constexpr std::uint32_t kAlp = 1U << 27;
constexpr std::uint32_t kStripCrc = 1U << 29;
constexpr std::uint32_t kArp = 1U << 30;
constexpr std::uint32_t kAep = 1U << 31;
}  // namespace rxcfg

namespace pcr {
constexpr std::uint32_t kPauseCount = 0xffff;
constexpr std::uint32_t kDataLowShift = 18;
constexpr std::uint32_t kDataHighShift = 20;
constexpr std::uint32_t kEnable = 1U << 31;
}  // namespace pcr

namespace rfcr {
constexpr std::uint32_t kAddress = 0x3ff;
constexpr std::uint32_t kUhen = 1U << 20;
constexpr std::uint32_t kMhen = 1U << 21;
constexpr std::uint32_t kAarp = 1U << 22;
constexpr std::uint32_t kApm = 1U << 27;
constexpr std::uint32_t kAau = 1U << 28;
constexpr std::uint32_t kAam = 1U << 29;
constexpr std::uint32_t kAab = 1U << 30;
constexpr std::uint32_t kRfen = 1U << 31;
}  // namespace rfcr

namespace mibc {
constexpr std::uint32_t kFreeze = 1U << 1;
constexpr std::uint32_t kClear = 1U << 2;
}  // namespace mibc

namespace vrcr {
constexpr std::uint32_t kVtden = 1U << 0;
constexpr std::uint32_t kVtren = 1U << 1;
constexpr std::uint32_t kDvtf = 1U << 2;
constexpr std::uint32_t kDutf = 1U << 3;
constexpr std::uint32_t kIpen = 1U << 4;
constexpr std::uint32_t kRejectIp = 1U << 5;
constexpr std::uint32_t kRejectTcp = 1U << 6;
constexpr std::uint32_t kRejectUdp = 1U << 7;
}  // namespace vrcr

namespace vtcr {
constexpr std::uint32_t kVgti = 1U << 0;
constexpr std::uint32_t kVppti = 1U << 1;
constexpr std::uint32_t kGchk = 1U << 2;
constexpr std::uint32_t kPpchk = 1U << 3;
}  // namespace vtcr

namespace tbicr {
constexpr std::uint32_t kRestartAn = 1U << 9;
constexpr std::uint32_t kAnEnable = 1U << 12;
}  // namespace tbicr

namespace tbisr {
constexpr std::uint32_t kAnComplete = 1U << 2;
constexpr std::uint32_t kLinkStatus = 1U << 5;
}  // namespace tbisr

namespace tanar {
constexpr std::uint32_t kFullDuplex = 1U << 5;
constexpr std::uint32_t kHalfDuplex = 1U << 6;
constexpr std::uint32_t kPause = 1U << 7;
constexpr std::uint32_t kAsymmetric = 1U << 8;
constexpr std::uint32_t kAbilities = 0x1e0;
}  // namespace tanar

/// Words of a descriptor: what is asked and how it ended.
namespace cmdsts {
constexpr std::uint32_t kLength = 0xffff;
constexpr std::uint32_t kCrcError = 1U << 19;
constexpr std::uint32_t kRunt = 1U << 21;
constexpr std::uint32_t kLong = 1U << 22;
constexpr std::uint32_t kDestinationShift = 23;
constexpr std::uint32_t kOk = 1U << 27;
constexpr std::uint32_t kError = 1U << 28;
constexpr std::uint32_t kIntr = 1U << 29;
constexpr std::uint32_t kMore = 1U << 30;
constexpr std::uint32_t kOwn = 1U << 31;
}  // namespace cmdsts

namespace extsts {
constexpr std::uint32_t kTag = 0xffff;
constexpr std::uint32_t kTagged = 1U << 16;
constexpr std::uint32_t kIp = 1U << 17;
constexpr std::uint32_t kIpError = 1U << 18;
constexpr std::uint32_t kTcp = 1U << 19;
constexpr std::uint32_t kTcpError = 1U << 20;
constexpr std::uint32_t kUdp = 1U << 21;
constexpr std::uint32_t kUdpError = 1U << 22;
}  // namespace extsts

}  // namespace longhaul::nic::dp83820::regs
