// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/common/register_bank.h"

/// Control registers of the GEnesis ASIC: offsets in BAR 0, and bits. Reserved bits are left out,
/// and so is the second MAC's half, which this board has not. The queues' registers are in
/// bmu_regs.h, the XMAC's in xmac_regs.h. Sources: Linux 6.1 drivers/net/ethernet/marvell/skge.h;
/// Linux 2.6 drivers/net/sk98lin/h/skgehw.h. Names as there.
namespace longhaul::nic::genesis::regs {

constexpr std::uint32_t kBar0Bytes = 0x4000;

// Block 0: what every block of the I/O window's lower half shows
constexpr std::uint32_t kRap = 0x000;
constexpr RegisterSpec kCtst{"CTST", 0x004,
                             Access::kAction};  // 16 bits; LED at 006, POWER_CTRL at 007
constexpr std::uint32_t kLed = 0x006;
constexpr RegisterSpec kIsrc{"ISRC", 0x008, Access::kReadOnly};
constexpr RegisterSpec kImsk{"IMSK", 0x00c};
constexpr RegisterSpec kHweIsrc{"HWE_ISRC", 0x010, Access::kReadOnly};
constexpr RegisterSpec kHweImsk{"HWE_IMSK", 0x014};
constexpr RegisterSpec kSpIsrc{"SP_ISRC", 0x018, Access::kReadOnly};
constexpr std::uint32_t kXm1Imsk = 0x020;  // the XMAC's registers of these names again
constexpr std::uint32_t kXm1Isrc = 0x028;
constexpr std::uint32_t kXm1PhyAddr = 0x030;
constexpr std::uint32_t kXm1PhyData = 0x034;
// Block 2: the board, timers
constexpr std::uint32_t kMac1 = 0x100;  // six bytes
constexpr std::uint32_t kMac2 = 0x108;
constexpr std::uint32_t kMac3 = 0x110;
constexpr std::uint32_t kConnTyp = 0x118;  // CONN_TYP, PMD_TYP, MAC_CFG, CHIP_ID: a byte each
constexpr std::uint32_t kEprom = 0x11c;    // E_0 to E_3: a byte each
constexpr std::uint32_t kFar = 0x120;
constexpr std::uint32_t kFdp = 0x124;
constexpr std::uint32_t kLdCtrl = 0x128;
constexpr std::uint32_t kTiIni = 0x130;  // INI, VAL and CTRL: three registers; so are all timers
constexpr std::uint32_t kIrqmIni = 0x140;
constexpr std::uint32_t kIrqmVal = 0x144;
constexpr std::uint32_t kIrqmCtrl = 0x148;
constexpr RegisterSpec kIrqmMsk{"IRQM_MSK", 0x14c};
constexpr std::uint32_t kIrqmHweMsk = 0x150;
constexpr std::uint32_t kTstCtrl1 = 0x158;
constexpr std::uint32_t kGpIo = 0x15c;
constexpr std::uint32_t kI2cCtrl = 0x160;
constexpr std::uint32_t kI2cData = 0x164;
constexpr std::uint32_t kI2cIrq = 0x168;
constexpr std::uint32_t kI2cSw = 0x16c;
constexpr std::uint32_t kBscIni = 0x170;
// Block 3: RAM interface, MAC arbiter, packet arbiter. RAM_ADDR and RAM_DATA (180 to 188) are left
// out: the driver stays away from them
constexpr std::uint32_t kRiTo = 0x190;     // twelve bytes
constexpr std::uint32_t kRiCtrl = 0x1a0;   // commands
constexpr std::uint32_t kMaToini = 0x1b0;  // four bytes
constexpr std::uint32_t kMaToCtrl = 0x1b8;
constexpr std::uint32_t kMaRcini = 0x1c0;  // four bytes
constexpr std::uint32_t kMaRcCtrl = 0x1c8;
constexpr std::uint32_t kPaToiniRx1 = 0x1d0;
constexpr std::uint32_t kPaToiniRx2 = 0x1d4;
constexpr std::uint32_t kPaToiniTx1 = 0x1d8;
constexpr std::uint32_t kPaToiniTx2 = 0x1dc;
constexpr std::uint32_t kPaCtrl = 0x1f0;
// Block 4: transmit arbiter
constexpr std::uint32_t kTxaItiIni = 0x200;
constexpr std::uint32_t kTxaLimIni = 0x208;
constexpr std::uint32_t kTxaCtrl = 0x210;
// Block 7: configuration space, 00 to 7f
constexpr std::uint32_t kCfgSpc = 0x380;
constexpr std::uint32_t kCfgSpcBytes = 0x80;
// Blocks 24, 26, 28: LEDs, descriptor poll timer
constexpr std::uint32_t kRxLedIni = 0xc20;
constexpr RegisterSpec kRxLedVal{"RX_LED_VAL", 0xc24};
constexpr RegisterSpec kRxLedCtrl{"RX_LED_CTRL", 0xc28, Access::kAction};  // CTRL, TST: a byte each
constexpr std::uint32_t kLnkSyncIni = 0xc30;
constexpr std::uint32_t kLnkSyncCtrl = 0xc38;
constexpr std::uint32_t kLnkLedReg = 0xc3c;
constexpr std::uint32_t kTxLedIni = 0xd20;
constexpr std::uint32_t kTxLedVal = 0xd24;
constexpr std::uint32_t kTxLedCtrl = 0xd28;
constexpr std::uint32_t kDptIni = 0xe00;
constexpr std::uint32_t kDptCtrl = 0xe08;

/// Most control registers are commands in pairs, one bit to set and one to clear, where zero means
/// nothing.
namespace ctst {
constexpr std::uint32_t kRstSet = 1U << 0;
constexpr std::uint32_t kRstClr = 1U << 1;
constexpr std::uint32_t kMrstSet = 1U << 2;
constexpr std::uint32_t kMrstClr = 1U << 3;
constexpr std::uint32_t kStopMaster = 1U << 4;
constexpr std::uint32_t kStopDone = 1U << 5;
constexpr std::uint32_t kClSwIrq = 1U << 6;
constexpr std::uint32_t kStSwIrq = 1U << 7;
constexpr std::uint32_t kSlot64 = 1U << 8;   // read only
constexpr std::uint32_t kClock66 = 1U << 9;  // read only
}  // namespace ctst

namespace led {
constexpr std::uint32_t kShift = 16;  // the byte's place in CTST's word
constexpr std::uint32_t kOff = 1U << 0;
constexpr std::uint32_t kOn = 1U << 1;
}  // namespace led

/// Bits of ISRC and SP_ISRC beside the queues'.
namespace isrc {
constexpr std::uint32_t kHwErr = 1U << 31;
constexpr std::uint32_t kSw = 1U << 24;
constexpr std::uint32_t kTimint = 1U << 22;
constexpr std::uint32_t kMac1 = 1U << 21;
}  // namespace isrc

namespace hw_error {
constexpr std::uint32_t kMst = 1U << 11;   // a transaction of the device's own was aborted
constexpr std::uint32_t kStat = 1U << 10;  // an error bit is set in PCI's status register
}  // namespace hw_error

/// Commands of the timers TI and IRQM; bit 2 reads as one while the timer runs.
namespace timer {
constexpr std::uint32_t kStart = 1U << 2;
constexpr std::uint32_t kStop = 1U << 1;
constexpr std::uint32_t kClrIrq = 1U << 0;
}  // namespace timer

/// Commands of the blink source counter, and its output in the byte behind them.
namespace bsc {
constexpr std::uint32_t kStart = 1U << 1;
constexpr std::uint32_t kStop = 1U << 0;
constexpr std::uint32_t kSource = 1U << 8;
}  // namespace bsc

namespace tst_ctrl1 {
constexpr std::uint32_t kCfgWriteOn = 1U << 1;
constexpr std::uint32_t kCfgWriteOff = 1U << 0;
}  // namespace tst_ctrl1

namespace lnk_led {
constexpr std::uint32_t kOff = 1U << 0;
constexpr std::uint32_t kOn = 1U << 1;
constexpr std::uint32_t kSyncOff = 1U << 2;
constexpr std::uint32_t kSyncOn = 1U << 3;  // lit while the link is in sync
}  // namespace lnk_led

/// Commands of the receive and transmit LEDs: a counter that starts at a frame, and a test mode in
/// the byte behind.
namespace frame_led {
constexpr std::uint32_t kTestOn = 1U << 10;
constexpr std::uint32_t kTestOff = 1U << 9;
constexpr std::uint32_t kStart = 1U << 2;
constexpr std::uint32_t kStop = 1U << 1;
}  // namespace frame_led

// Device registers in configuration space, and where its capabilities are
namespace config {
constexpr std::uint32_t kOurReg1 = 0x40;
constexpr std::uint32_t kOurReg2 = 0x44;
constexpr std::uint8_t kPower = 0x48;
constexpr std::uint8_t kVpd = 0x50;
constexpr std::uint32_t kEnIo = 1U << 23;  // OUR_REG_1: the I/O BAR is there
constexpr std::uint32_t kOurReg1Writable =
    0x0080'3a00;                             // EN_IO, DIS_MRL, DIS_MRM, DIS_MWI, DISABLE_BURST
constexpr std::uint32_t kVpdRomShift = 14;   // OUR_REG_2: 256 B times a power of two
constexpr std::uint32_t kRevDesc = 1U << 2;  // OUR_REG_2: descriptors' bytes reversed
}  // namespace config

}  // namespace longhaul::nic::genesis::regs
