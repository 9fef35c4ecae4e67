// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// Registers of the XMAC II, by the offset x that its documents give them, and bits. Reserved bits
/// are left out. A 16-bit register lies at bus offset kBase + 2 * x; a wider one takes the next
/// ones too, low half first. Sources: Linux 6.1 drivers/net/ethernet/marvell/skge.h; Linux 2.6
/// drivers/net/sk98lin/h/xmac_ii.h. Names as there.
namespace longhaul::nic::genesis::xm {

constexpr std::uint32_t kBase = 0x2000;
constexpr std::uint32_t kEnd = 0x380;  // of x
constexpr std::uint32_t bus_offset(std::uint32_t x) { return kBase + 2 * x; }

constexpr std::uint32_t kMmuCmd = 0x000;
constexpr std::uint32_t kPoff = 0x008;
constexpr std::uint32_t kBurst = 0x00c;
constexpr std::uint32_t k1lVlanTag = 0x010;
constexpr std::uint32_t k2lVlanTag = 0x014;
constexpr std::uint32_t kTxCmd = 0x020;
constexpr std::uint32_t kTxRtLim = 0x024;
constexpr std::uint32_t kTxStime = 0x028;
constexpr std::uint32_t kTxIpg = 0x02c;
constexpr std::uint32_t kRxCmd = 0x030;
constexpr std::uint32_t kPhyAddr = 0x034;
constexpr std::uint32_t kPhyData = 0x038;
constexpr std::uint32_t kGpPort = 0x040;
constexpr std::uint32_t kImsk = 0x044;
constexpr std::uint32_t kIsrc = 0x048;
constexpr std::uint32_t kHwCfg = 0x04c;
constexpr std::uint32_t kTxLoWm = 0x060;
constexpr std::uint32_t kTxHiWm = 0x062;
constexpr std::uint32_t kTxThr = 0x064;
constexpr std::uint32_t kHtThr = 0x066;
constexpr std::uint32_t kPauseDa = 0x068;
constexpr std::uint32_t kCtlPara = 0x070;
constexpr std::uint32_t kMacOpcode = 0x074;
constexpr std::uint32_t kMacPtime = 0x076;
constexpr std::uint32_t kTxStat = 0x078;
constexpr std::uint32_t kExm = 0x080;  // 16 addresses, 8 apart
constexpr std::uint32_t kSrcChk = 0x100;
constexpr std::uint32_t kSa = 0x108;
constexpr std::uint32_t kHsm = 0x110;
constexpr std::uint32_t kRxLoWm = 0x118;
constexpr std::uint32_t kRxHiWm = 0x11a;
constexpr std::uint32_t kRxThr = 0x11c;
constexpr std::uint32_t kDevId = 0x120;
constexpr std::uint32_t kMode = 0x124;
constexpr std::uint32_t kLsa = 0x128;
constexpr std::uint32_t kTsRead = 0x130;
constexpr std::uint32_t kTsLoad = 0x134;
constexpr std::uint32_t kStatCmd = 0x200;
constexpr std::uint32_t kRxCntEv = 0x204;
constexpr std::uint32_t kTxCntEv = 0x208;
constexpr std::uint32_t kRxEvMsk = 0x20c;
constexpr std::uint32_t kTxEvMsk = 0x210;
// Statistics: 0x280 to 0x37c, see xmac_stats.cc

namespace mmu_cmd {
constexpr std::uint16_t kPhyRdy = 1U << 12;   // read only; of an external PHY
constexpr std::uint16_t kPhyBusy = 1U << 11;  // read only; of an external PHY
constexpr std::uint16_t kIgnPf = 1U << 10;
constexpr std::uint16_t kEnaRx = 1U << 1;
constexpr std::uint16_t kEnaTx = 1U << 0;
}  // namespace mmu_cmd

namespace rx_cmd {
constexpr std::uint16_t kLenerrOk = 1U << 8;
constexpr std::uint16_t kBigPkOk = 1U << 7;
constexpr std::uint16_t kStripFcs = 1U << 4;
}  // namespace rx_cmd

namespace gp_port {
constexpr std::uint16_t kAnip = 1U << 6;    // read only
constexpr std::uint16_t kFrcInt = 1U << 5;  // self-clearing, as are the next two
constexpr std::uint16_t kResMac = 1U << 3;
constexpr std::uint16_t kResStat = 1U << 2;
constexpr std::uint16_t kInpAss = 1U << 0;  // read only
}  // namespace gp_port

/// ISRC's bits, and what IMSK masks where set.
namespace cause {
constexpr std::uint16_t kLnkAe = 1U << 14;
constexpr std::uint16_t kFrcInt = 1U << 12;
constexpr std::uint16_t kInpAss = 1U << 11;  // a level
constexpr std::uint16_t kAnd = 1U << 7;
constexpr std::uint16_t kRxfOv = 1U << 3;
constexpr std::uint16_t kTxComp = 1U << 1;
constexpr std::uint16_t kRxComp = 1U << 0;
}  // namespace cause

namespace mode {
constexpr std::uint32_t kSpoeE = 1U << 25;    // send PAUSE on the edges of the external request
constexpr std::uint32_t kTxPause = 1U << 20;  // self-clearing
constexpr std::uint32_t kSpolI = 1U << 18;    // send XON when the receive FIFO is down to LO_WM
constexpr std::uint32_t kSpohI = 1U << 17;    // send XOFF when it is up to HI_WM
constexpr std::uint32_t kEnaHash = 1U << 15;
constexpr std::uint32_t kCsa = 1U << 14;
constexpr std::uint32_t kCaa = 1U << 13;
constexpr std::uint32_t kRxMctrl = 1U << 12;
constexpr std::uint32_t kRxRunt = 1U << 11;
constexpr std::uint32_t kRxIrle = 1U << 10;
constexpr std::uint32_t kRxLong = 1U << 9;
constexpr std::uint32_t kRxCrce = 1U << 8;
constexpr std::uint32_t kRxErr = 1U << 7;
constexpr std::uint32_t kDisUc = 1U << 6;
constexpr std::uint32_t kDisMc = 1U << 5;
constexpr std::uint32_t kDisBc = 1U << 4;
constexpr std::uint32_t kEnaProm = 1U << 3;
constexpr std::uint32_t kFtf = 1U << 1;  // self-clearing
constexpr std::uint32_t kFrf = 1U << 0;  // self-clearing
}  // namespace mode

namespace stat_cmd {
constexpr std::uint16_t kSnpRxc = 1U << 5;  // self-clearing, as all but the two that copy
constexpr std::uint16_t kSnpTxc = 1U << 4;
constexpr std::uint16_t kCpRxc = 1U << 3;
constexpr std::uint16_t kCpTxc = 1U << 2;
constexpr std::uint16_t kClrRxc = 1U << 1;
constexpr std::uint16_t kClrTxc = 1U << 0;
}  // namespace stat_cmd

/// The status word that follows a frame to memory.
namespace frame_status {
constexpr std::uint32_t kLengthShift = 18;  // 14 bits
constexpr std::uint32_t kLengthMost = 0x3fff;
constexpr std::uint32_t k1lVlan = 1U << 16;
constexpr std::uint32_t kBroadcast = 1U << 15;
constexpr std::uint32_t kMulticast = 1U << 14;
constexpr std::uint32_t kUnicast = 1U << 13;
constexpr std::uint32_t k8023 = 1U << 9;  // a length, not a type
constexpr std::uint32_t kInRangeLength = 1U << 6;
constexpr std::uint32_t kRunt = 1U << 4;
constexpr std::uint32_t kLong = 1U << 3;
constexpr std::uint32_t kFcs = 1U << 2;
constexpr std::uint32_t kErr = 1U << 1;
constexpr std::uint32_t kMacControl = 1U << 0;
}  // namespace frame_status

}  // namespace longhaul::nic::genesis::xm
