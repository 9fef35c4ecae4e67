// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/common/register_bank.h"
#include "models/nic/genesis/isrc_fields.h"

/// Control registers of the GEnesis ASIC: offsets in BAR 0, and fields. Reserved bits are left out,
/// and the registers of the second MAC, which this board does not have. The queues' registers are
/// in bmu_regs.h, the XMAC's in xmac_regs.h.
///
/// Sources: Linux 6.1 drivers/net/ethernet/marvell/skge.h; Linux 2.6
/// drivers/net/sk98lin/h/skgehw.h. Names as there.
namespace longhaul::nic::genesis::regs {

constexpr std::uint32_t kBar0Bytes = 0x4000;
/// Bits that a write changes: of counters, and of commands that have no effect here and do not read
/// back.
constexpr std::uint32_t kCounter = 0x00ff'ffff;
constexpr std::uint32_t kNothing = 0;

/// Most control registers are commands in pairs, one bit to set and one to clear. Zero has no
/// effect.
struct CtstFields : RegisterFields {
  RegisterField rst_set = bit("RST_SET", 0, "software reset on; reads as its state");
  RegisterField rst_clr = bit("RST_CLR", 1, "software reset off; reads as its state");
  RegisterField mrst_set = bit("MRST_SET", 2, "master reset on; reads as its state");
  RegisterField mrst_clr = bit("MRST_CLR", 3, "master reset off; reads as its state");
  RegisterField stop_mast = bit("STOP_MAST", 4, "the chip starts no transaction on the bus");
  RegisterField stop_done = bit("STOP_DONE", 5, "none is under way any more");
  RegisterField cl_sw_irq = bit("CL_SW_IRQ", 6, "clears ISRC.IRQ_SW");
  RegisterField st_sw_irq = bit("ST_SW_IRQ", 7, "sets ISRC.IRQ_SW; reads as its state");
  RegisterField bus_slot_sz = bit("BUS_SLOT_SZ", 8, "the bus is 64 bits wide");
  RegisterField bus_clock = bit("BUS_CLOCK", 9, "the bus has 66 MHz");
  RegisterField led_stat_off =
      bit("LED_STAT_OFF", 16, "the status LED goes out; reads as its state");
  RegisterField led_stat_on = bit("LED_STAT_ON", 17, "the status LED is lit; reads as its state");
  RegisterField power_ctrl = unmodelled("POWER_CTRL", 24, 8);
};
inline constexpr CtstFields kCtstFields;

/// HWE_ISRC, HWE_IMSK and IRQM_HWE_MSK.
struct HweIsrcFields : RegisterFields {
  RegisterField parity = unmodelled("PAR_ERR", 0, 6);
  RegisterField no_tist = unmodelled("NO_TIST", 6, 2);
  RegisterField no_stat = unmodelled("NO_STAT", 8, 2);
  RegisterField irq_stat = bit("IRQ_STAT", 10, "an error bit is set in PCI's status register");
  RegisterField irq_mst_err = bit("IRQ_MST_ERR", 11, "a transaction of the device's was aborted");
};
inline constexpr HweIsrcFields kHweIsrcFields;

/// CTRL of the timers TI and IRQM.
struct TimerCtrlFields : RegisterFields {
  RegisterField clr_irq = bit("TIM_CLR_IRQ", 0, "TI: clears ISRC.TIMINT");
  RegisterField stop = bit("TIM_STOP", 1, "stops the timer");
  RegisterField start = bit("TIM_START", 2, "starts the timer; set while it runs");
};
inline constexpr TimerCtrlFields kTimerCtrlFields;

struct TstCtrl1Fields : RegisterFields {
  RegisterField cfg_write_off = unmodelled("CFG_WRITE_OFF", 0);
  RegisterField cfg_write_on = unmodelled("CFG_WRITE_ON", 1);
  RegisterField force_errors = unmodelled("FRC_ERR", 2, 6);
};
inline constexpr TstCtrl1Fields kTstCtrl1Fields;

struct GpIoFields : RegisterFields {
  RegisterField gp_io = unmodelled("GP_IO", 0, 10);
  RegisterField gp_dir = unmodelled("GP_DIR", 16, 10);
};
inline constexpr GpIoFields kGpIoFields;

/// BSC_CTRL, and BSC_STAT in the next byte.
struct BscCtrlFields : RegisterFields {
  RegisterField stop = bit("BSC_STOP", 0, "stops the blink source counter");
  RegisterField start = bit("BSC_START", 1, "starts it; set while it runs");
  RegisterField src = bit("BSC_SRC", 8, "its output: changes at each zero");
};
inline constexpr BscCtrlFields kBscCtrlFields;

/// CHIP_ID's DWORD: CONN_TYP, PMD_TYP, MAC_CFG, CHIP_ID.
struct ChipIdFields : RegisterFields {
  RegisterField conn_typ = bits("CONN_TYP", 0, 8, "connector, a letter");
  RegisterField pmd_typ = bits("PMD_TYP", 8, 8, "medium, a letter");
  RegisterField sng_mac = bit("SNG_MAC", 16, "one MAC");
  RegisterField dis_m2_clk = unmodelled("DIS_M2_CLK", 17);
  RegisterField chip_r = bits("CHIP_R", 20, 4, "revision of the chip");
  RegisterField chip_id = bits("CHIP_ID", 24, 8, "10: GEnesis");
};
inline constexpr ChipIdFields kChipIdFields;

/// RX_LED_CTRL and TX_LED_CTRL: a counter that starts at a frame. Its test register is the next
/// byte.
struct FrameLedFields : RegisterFields {
  RegisterField state = unmodelled("LED_STATE", 0);
  RegisterField stop = unmodelled("LED_STOP", 1);
  RegisterField start = unmodelled("LED_START", 2);
  RegisterField t_off = bit("LED_T_OFF", 9, "RX: the LED's test mode off");
  RegisterField t_on = bit("LED_T_ON", 10, "RX: test mode on; the LED is lit while VAL is not 0");
};
inline constexpr FrameLedFields kFrameLedFields;

struct LnkLedFields : RegisterFields {
  RegisterField off = unmodelled("LED_REG_OFF", 0);
  RegisterField on = unmodelled("LED_REG_ON", 1);
  RegisterField sync_off = unmodelled("LED_SYNC_OFF", 2);
  RegisterField sync_on = unmodelled("LED_SYNC_ON", 3);
  RegisterField blk_off = unmodelled("LED_BLK_OFF", 4);
  RegisterField blk_on = unmodelled("LED_BLK_ON", 5);
};
inline constexpr LnkLedFields kLnkLedFields;

// Block 0: visible in the lower half of the I/O window
constexpr RegisterSpec kRap{"RAP", 0x000, Access::kReadWrite, 0, 0x7f};
constexpr RegisterSpec kCtst{"CTST", 0x004, kCtstFields,
                             Access::kAction};  // 16 bits; LED at 006, POWER_CTRL at 007
constexpr std::uint32_t kLed = 0x006;
constexpr RegisterSpec kIsrc{"ISRC", 0x008, kIsrcFields, Access::kReadOnly};
constexpr RegisterSpec kImsk{"IMSK", 0x00c, kIsrcFields};
constexpr RegisterSpec kHweIsrc{"HWE_ISRC", 0x010, kHweIsrcFields, Access::kReadOnly};
constexpr RegisterSpec kHweImsk{"HWE_IMSK", 0x014, kHweIsrcFields};
constexpr RegisterSpec kSpIsrc{"SP_ISRC", 0x018, kIsrcFields, Access::kReadOnly};
constexpr std::uint32_t kXm1Imsk = 0x020;  // second addresses of the XMAC's registers
constexpr std::uint32_t kXm1Isrc = 0x028;
constexpr std::uint32_t kXm1PhyAddr = 0x030;
constexpr std::uint32_t kXm1PhyData = 0x034;
// Block 2: the board, timers
constexpr std::uint32_t kMac1 = 0x100;  // six bytes
constexpr std::uint32_t kMac2 = 0x108;
constexpr std::uint32_t kMac3 = 0x110;
constexpr std::uint32_t kConnTyp = 0x118;  // CONN_TYP, PMD_TYP, MAC_CFG, CHIP_ID: a byte each
constexpr std::uint32_t kEprom = 0x11c;    // E_0 to E_3: a byte each
constexpr RegisterSpec kFar{"FAR", 0x120, Access::kReadWrite, 0, kCounter};
constexpr RegisterSpec kFdp{"FDP", 0x124, Access::kReadWrite, 0, 0xff};
constexpr RegisterSpec kLdCtrl{"LD_CTRL", 0x128, Access::kReadWrite, 0, kNothing};
constexpr std::uint32_t kTiIni = 0x130;  // three registers INI, VAL and CTRL, as in all timers
constexpr std::uint32_t kIrqmIni = 0x140;
constexpr std::uint32_t kIrqmVal = 0x144;
constexpr std::uint32_t kIrqmCtrl = 0x148;
constexpr RegisterSpec kIrqmMsk{"IRQM_MSK", 0x14c, kIsrcFields};
constexpr RegisterSpec kIrqmHweMsk{"IRQM_HWE_MSK",     0x150, kHweIsrcFields,
                                   Access::kReadWrite, 0,     kHweIsrcFields.mask()};
constexpr RegisterSpec kTstCtrl1{"TST_CTRL1",        0x158, kTstCtrl1Fields,
                                 Access::kReadWrite, 0,     kNothing};
constexpr RegisterSpec kGpIo{"GP_IO",           0x15c, kGpIoFields, Access::kReadWrite, 0,
                             kGpIoFields.mask()};
constexpr RegisterSpec kI2cCtrl{"I2C_CTRL", 0x160};
constexpr RegisterSpec kI2cData{"I2C_DATA", 0x164};
constexpr RegisterSpec kI2cIrq{"I2C_IRQ", 0x168, Access::kReadWrite, 0, kNothing};
constexpr RegisterSpec kI2cSw{"I2C_SW", 0x16c, Access::kReadWrite, 0, 0xff};
constexpr std::uint32_t kBscIni = 0x170;
// Block 3: RAM interface, MAC arbiter, packet arbiter. RAM_ADDR and RAM_DATA (180 to 188) are left
// out: the driver does not use them
// Twelve bytes, named after the first of each DWORD
constexpr RegisterSpec kRiWtoR1{"RI_WTO_R1", 0x190};
constexpr RegisterSpec kRiRtoXa1{"RI_RTO_XA1", 0x194};
constexpr RegisterSpec kRiWtoXs2{"RI_WTO_XS2", 0x198};
constexpr RegisterSpec kRiCtrl{"RI_CTRL", 0x1a0, Access::kReadWrite, 0, kNothing};  // commands
constexpr RegisterSpec kMaToini{"MA_TOINI", 0x1b0};                                 // four bytes
constexpr RegisterSpec kMaToCtrl{"MA_TO_CTRL", 0x1b8, Access::kReadWrite, 0, kNothing};
constexpr RegisterSpec kMaRcini{"MA_RCINI", 0x1c0};  // four bytes
constexpr RegisterSpec kMaRcCtrl{"MA_RC_CTRL", 0x1c8, Access::kReadWrite, 0, kNothing};
constexpr RegisterSpec kPaToiniRx1{"PA_TOINI_RX1", 0x1d0, Access::kReadWrite, 0, 0xffff};
constexpr RegisterSpec kPaToiniRx2{"PA_TOINI_RX2", 0x1d4, Access::kReadWrite, 0, 0xffff};
constexpr RegisterSpec kPaToiniTx1{"PA_TOINI_TX1", 0x1d8, Access::kReadWrite, 0, 0xffff};
constexpr RegisterSpec kPaToiniTx2{"PA_TOINI_TX2", 0x1dc, Access::kReadWrite, 0, 0xffff};
constexpr RegisterSpec kPaCtrl{"PA_CTRL", 0x1f0, Access::kReadWrite, 0, kNothing};
// Block 4: transmit arbiter
constexpr RegisterSpec kTxaItiIni{"TXA_ITI_INI", 0x200, Access::kReadWrite, 0, kCounter};
constexpr RegisterSpec kTxaLimIni{"TXA_LIM_INI", 0x208, Access::kReadWrite, 0, kCounter};
constexpr RegisterSpec kTxaCtrl{"TXA_CTRL", 0x210, Access::kReadWrite, 0, kNothing};
// Block 7: configuration space, 00 to 7f
constexpr std::uint32_t kCfgSpc = 0x380;
constexpr std::uint32_t kCfgSpcBytes = 0x80;
// Blocks 24, 26, 28: LEDs, descriptor poll timer
constexpr RegisterSpec kRxLedIni{"RX_LED_INI", 0xc20};
constexpr RegisterSpec kRxLedVal{"RX_LED_VAL", 0xc24};
constexpr RegisterSpec kRxLedCtrl{"RX_LED_CTRL", 0xc28, kFrameLedFields,
                                  Access::kAction};  // CTRL, TST: a byte each
constexpr RegisterSpec kLnkSyncIni{"LNK_SYNC_INI", 0xc30};
constexpr RegisterSpec kLnkSyncCtrl{"LNK_SYNC_CTRL", 0xc38, Access::kReadWrite, 0, kNothing};
constexpr RegisterSpec kLnkLedReg{"LNK_LED_REG",      0xc3c, kLnkLedFields,
                                  Access::kReadWrite, 0,     kNothing};
constexpr RegisterSpec kTxLedIni{"TX_LED_INI", 0xd20};
constexpr RegisterSpec kTxLedVal{"TX_LED_VAL", 0xd24};
constexpr RegisterSpec kTxLedCtrl{"TX_LED_CTRL",      0xd28, kFrameLedFields,
                                  Access::kReadWrite, 0,     kNothing};
constexpr RegisterSpec kDptIni{"DPT_INI", 0xe00, Access::kReadWrite, 0, kCounter};
constexpr RegisterSpec kDptCtrl{"DPT_CTRL", 0xe08, Access::kReadWrite, 0, kNothing};

// Device registers in configuration space, and offsets of its capabilities
namespace config {
constexpr std::uint32_t kOurReg1 = 0x40;
constexpr std::uint32_t kOurReg2 = 0x44;
constexpr std::uint8_t kPower = 0x48;
constexpr std::uint8_t kVpd = 0x50;
constexpr std::uint32_t kEnIo = 1U << 23;  // OUR_REG_1: the I/O BAR exists
constexpr std::uint32_t kOurReg1Writable =
    0x0080'3a00;                             // EN_IO, DIS_MRL, DIS_MRM, DIS_MWI, DISABLE_BURST
constexpr std::uint32_t kVpdRomShift = 14;   // OUR_REG_2: 256 B times a power of two
constexpr std::uint32_t kRevDesc = 1U << 2;  // OUR_REG_2: descriptors in reversed byte order
}  // namespace config

}  // namespace longhaul::nic::genesis::regs
