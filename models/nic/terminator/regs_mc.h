// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/common/register_bank.h"

/// Registers of MC3 and MC4, the controllers of the packet and the context memory. Names, offsets
/// and fields are those of Linux 6.1 cxgb/regs.h.
namespace longhaul::nic::terminator::regs {

struct Mc3CfgFields : RegisterFields {
  RegisterField clk_enable = unmodelled("CLK_ENABLE", 0);
  RegisterField ready = unmodelled("READY", 1);
  RegisterField read_to_write_delay = unmodelled("READ_TO_WRITE_DELAY", 2, 3);
  RegisterField write_to_read_delay = unmodelled("WRITE_TO_READ_DELAY", 5, 3);
  RegisterField mc3_bank_cycle = unmodelled("MC3_BANK_CYCLE", 8, 4);
  RegisterField refresh_cycle = unmodelled("REFRESH_CYCLE", 12, 4);
  RegisterField precharge_cycle = unmodelled("PRECHARGE_CYCLE", 16, 2);
  RegisterField active_to_read_write_delay = unmodelled("ACTIVE_TO_READ_WRITE_DELAY", 18);
  RegisterField active_to_precharge_delay = unmodelled("ACTIVE_TO_PRECHARGE_DELAY", 19, 3);
  RegisterField write_recovery_delay = unmodelled("WRITE_RECOVERY_DELAY", 22, 2);
  RegisterField density = unmodelled("DENSITY", 24, 2);
  RegisterField organization = unmodelled("ORGANIZATION", 26);
  RegisterField banks = unmodelled("BANKS", 27);
  RegisterField unregistered = unmodelled("UNREGISTERED", 28);
  RegisterField mc3_width = unmodelled("MC3_WIDTH", 29, 2);
  RegisterField mc3_slow = unmodelled("MC3_SLOW", 31);
};
inline constexpr Mc3CfgFields kMc3CfgFields;

constexpr RegisterSpec kMc3Cfg{"MC3_CFG",          0x100, kMc3CfgFields,
                               Access::kReadWrite, 0,     kMc3CfgFields.mask()};

struct Mc3ModeFields : RegisterFields {
  RegisterField mc3_mode = unmodelled("MC3_MODE", 0, 14);
};
inline constexpr Mc3ModeFields kMc3ModeFields;

constexpr RegisterSpec kMc3Mode{"MC3_MODE",         0x104, kMc3ModeFields,
                                Access::kReadWrite, 0,     kMc3ModeFields.mask()};

struct Mc3ExtModeFields : RegisterFields {
  RegisterField mc3_extended_mode = unmodelled("MC3_EXTENDED_MODE", 0, 14);
};
inline constexpr Mc3ExtModeFields kMc3ExtModeFields;

constexpr RegisterSpec kMc3ExtMode{"MC3_EXT_MODE",     0x108, kMc3ExtModeFields,
                                   Access::kReadWrite, 0,     kMc3ExtModeFields.mask()};
constexpr RegisterSpec kMc3Precharg{"MC3_PRECHARG", 0x10c, Access::kReadWrite, 0, 0x7fff'ffff};

struct Mc3RefreshFields : RegisterFields {
  RegisterField refresh_enable = unmodelled("REFRESH_ENABLE", 0);
  RegisterField refresh_divisor = unmodelled("REFRESH_DIVISOR", 1, 14);
};
inline constexpr Mc3RefreshFields kMc3RefreshFields;

constexpr RegisterSpec kMc3Refresh{"MC3_REFRESH",      0x110, kMc3RefreshFields,
                                   Access::kReadWrite, 0,     kMc3RefreshFields.mask()};

struct Mc3StrobeFields : RegisterFields {
  RegisterField master_dll_reset = bit("MASTER_DLL_RESET", 0, "holds the delay lines in reset");
  RegisterField master_dll_tap_count = unmodelled("MASTER_DLL_TAP_COUNT", 1, 8);
  RegisterField master_dll_locked =
      bit("MASTER_DLL_LOCKED", 9, "they have locked; set while there is no reset");
  RegisterField master_dll_max_tap_count = unmodelled("MASTER_DLL_MAX_TAP_COUNT", 10);
  RegisterField slave_dll_reset = unmodelled("SLAVE_DLL_RESET", 11);
  RegisterField slave_dll_delta = unmodelled("SLAVE_DLL_DELTA", 12, 4);
  RegisterField slave_delay_line_manual_tap_count =
      unmodelled("SLAVE_DELAY_LINE_MANUAL_TAP_COUNT", 17, 6);
  RegisterField slave_delay_line_manual_tap_count_enable =
      unmodelled("SLAVE_DELAY_LINE_MANUAL_TAP_COUNT_ENABLE", 23);
  RegisterField slave_delay_line_tap_count = unmodelled("SLAVE_DELAY_LINE_TAP_COUNT", 24, 6);
};
inline constexpr Mc3StrobeFields kMc3StrobeFields;

constexpr RegisterSpec kMc3Strobe{"MC3_STROBE",
                                  0x114,
                                  kMc3StrobeFields,
                                  Access::kReadWrite,
                                  kMc3StrobeFields.master_dll_reset,
                                  kMc3StrobeFields.mask() & ~kMc3StrobeFields.master_dll_locked};

struct Mc3EccCntlFields : RegisterFields {
  RegisterField ecc_generation_enable = unmodelled("ECC_GENERATION_ENABLE", 0);
  RegisterField ecc_check_enable = unmodelled("ECC_CHECK_ENABLE", 1);
  RegisterField correctable_error_count = unmodelled("CORRECTABLE_ERROR_COUNT", 2, 8);
  RegisterField uncorrectable_error_count = unmodelled("UNCORRECTABLE_ERROR_COUNT", 10, 8);
};
inline constexpr Mc3EccCntlFields kMc3EccCntlFields;

constexpr RegisterSpec kMc3EccCntl{"MC3_ECC_CNTL",     0x118, kMc3EccCntlFields,
                                   Access::kReadWrite, 0,     kMc3EccCntlFields.mask()};

struct Mc3CeAddrFields : RegisterFields {
  RegisterField mc3_ce_addr = unmodelled("MC3_CE_ADDR", 4, 28);
};
inline constexpr Mc3CeAddrFields kMc3CeAddrFields;

constexpr RegisterSpec kMc3CeAddr{"MC3_CE_ADDR",      0x11c, kMc3CeAddrFields,
                                  Access::kReadWrite, 0,     kMc3CeAddrFields.mask()};
constexpr RegisterSpec kMc3CeData0{"MC3_CE_DATA0", 0x120};
constexpr RegisterSpec kMc3CeData1{"MC3_CE_DATA1", 0x124};
constexpr RegisterSpec kMc3CeData2{"MC3_CE_DATA2", 0x128};
constexpr RegisterSpec kMc3CeData3{"MC3_CE_DATA3", 0x12c};
constexpr RegisterSpec kMc3CeData4{"MC3_CE_DATA4", 0x130};

struct Mc3UeAddrFields : RegisterFields {
  RegisterField mc3_ue_addr = unmodelled("MC3_UE_ADDR", 4, 28);
};
inline constexpr Mc3UeAddrFields kMc3UeAddrFields;

constexpr RegisterSpec kMc3UeAddr{"MC3_UE_ADDR",      0x134, kMc3UeAddrFields,
                                  Access::kReadWrite, 0,     kMc3UeAddrFields.mask()};
constexpr RegisterSpec kMc3UeData0{"MC3_UE_DATA0", 0x138};
constexpr RegisterSpec kMc3UeData1{"MC3_UE_DATA1", 0x13c};
constexpr RegisterSpec kMc3UeData2{"MC3_UE_DATA2", 0x140};
constexpr RegisterSpec kMc3UeData3{"MC3_UE_DATA3", 0x144};
constexpr RegisterSpec kMc3UeData4{"MC3_UE_DATA4", 0x148};
constexpr RegisterSpec kMc3BdAddr{"MC3_BD_ADDR", 0x14c};
constexpr RegisterSpec kMc3BdData0{"MC3_BD_DATA0", 0x150};
constexpr RegisterSpec kMc3BdData1{"MC3_BD_DATA1", 0x154};
constexpr RegisterSpec kMc3BdData2{"MC3_BD_DATA2", 0x158};
constexpr RegisterSpec kMc3BdData3{"MC3_BD_DATA3", 0x15c};
constexpr RegisterSpec kMc3BdData4{"MC3_BD_DATA4", 0x160};
constexpr RegisterSpec kMc3BdOp{"MC3_BD_OP", 0x164};
constexpr RegisterSpec kMc3BistAddrBeg{"MC3_BIST_ADDR_BEG", 0x168};
constexpr RegisterSpec kMc3BistAddrEnd{"MC3_BIST_ADDR_END", 0x16c};
constexpr RegisterSpec kMc3BistData{"MC3_BIST_DATA", 0x170};

/// MC3_BIST_OP and MC4_BIST_OP. LENGTH is a name of ours for bits that drivers set.
struct McBistOpFields : RegisterFields {
  RegisterField operation =
      bit("OP", 0, "0 reads, 1 writes; a write of the register starts the test");
  RegisterField data_pattern = unmodelled("DATA_PATTERN", 1, 2);
  RegisterField continuous = unmodelled("CONTINUOUS", 3);
  RegisterField length = unmodelled("LENGTH", 4, 5);
  RegisterField busy = bit("BUSY", 31, "the test goes on");
};
inline constexpr McBistOpFields kMcBistOpFields;

constexpr RegisterSpec kMc3BistOp{"MC3_BIST_OP", 0x174, kMcBistOpFields, Access::kAction};
constexpr RegisterSpec kMc4BistOp{"MC4_BIST_OP", 0x1f4, kMcBistOpFields, Access::kAction};

/// MC3_INT_ENABLE and MC3_INT_CAUSE.
struct Mc3IntFields : RegisterFields {
  RegisterField mc3_corr_err = unmodelled("MC3_CORR_ERR", 0);
  RegisterField mc3_uncorr_err = unmodelled("MC3_UNCORR_ERR", 1);
  RegisterField mc3_parity_err = unmodelled("MC3_PARITY_ERR", 2, 8);
  RegisterField mc3_addr_err = unmodelled("MC3_ADDR_ERR", 10);
};
inline constexpr Mc3IntFields kMc3IntFields;

constexpr RegisterSpec kMc3IntEnable{"MC3_INT_ENABLE",   0x178, kMc3IntFields,
                                     Access::kReadWrite, 0,     kMc3IntFields.mask()};
constexpr RegisterSpec kMc3IntCause{"MC3_INT_CAUSE", 0x17c, kMc3IntFields, Access::kReadOnly};

struct Mc4CfgFields : RegisterFields {
  RegisterField power_up = unmodelled("POWER_UP", 0);
  RegisterField ready = unmodelled("READY", 1);
  RegisterField mc4_bank_cycle = unmodelled("MC4_BANK_CYCLE", 8, 3);
  RegisterField mc4_narrow = unmodelled("MC4_NARROW", 24);
  RegisterField mc4_slow = unmodelled("MC4_SLOW", 25);
};
inline constexpr Mc4CfgFields kMc4CfgFields;

constexpr RegisterSpec kMc4Cfg{"MC4_CFG",          0x180, kMc4CfgFields,
                               Access::kReadWrite, 0,     kMc4CfgFields.mask()};

struct Mc4ModeFields : RegisterFields {
  RegisterField mc4_mode = unmodelled("MC4_MODE", 0, 15);
};
inline constexpr Mc4ModeFields kMc4ModeFields;

constexpr RegisterSpec kMc4Mode{"MC4_MODE",         0x184, kMc4ModeFields,
                                Access::kReadWrite, 0,     kMc4ModeFields.mask()};

struct Mc4ExtModeFields : RegisterFields {
  RegisterField mc4_extended_mode = unmodelled("MC4_EXTENDED_MODE", 0, 15);
};
inline constexpr Mc4ExtModeFields kMc4ExtModeFields;

constexpr RegisterSpec kMc4ExtMode{"MC4_EXT_MODE",     0x188, kMc4ExtModeFields,
                                   Access::kReadWrite, 0,     kMc4ExtModeFields.mask()};
constexpr RegisterSpec kMc4Refresh{"MC4_REFRESH",      0x190, kMc3RefreshFields,
                                   Access::kReadWrite, 0,     kMc3RefreshFields.mask()};
constexpr RegisterSpec kMc4Strobe{"MC4_STROBE",
                                  0x194,
                                  kMc3StrobeFields,
                                  Access::kReadWrite,
                                  kMc3StrobeFields.master_dll_reset,
                                  kMc3StrobeFields.mask() & ~kMc3StrobeFields.master_dll_locked};
constexpr RegisterSpec kMc4EccCntl{"MC4_ECC_CNTL",     0x198, kMc3EccCntlFields,
                                   Access::kReadWrite, 0,     kMc3EccCntlFields.mask()};

struct Mc4CeAddrFields : RegisterFields {
  RegisterField mc4_ce_addr = unmodelled("MC4_CE_ADDR", 4, 24);
};
inline constexpr Mc4CeAddrFields kMc4CeAddrFields;

constexpr RegisterSpec kMc4CeAddr{"MC4_CE_ADDR",      0x19c, kMc4CeAddrFields,
                                  Access::kReadWrite, 0,     kMc4CeAddrFields.mask()};
constexpr RegisterSpec kMc4CeData0{"MC4_CE_DATA0", 0x1a0};
constexpr RegisterSpec kMc4CeData1{"MC4_CE_DATA1", 0x1a4};
constexpr RegisterSpec kMc4CeData2{"MC4_CE_DATA2", 0x1a8};
constexpr RegisterSpec kMc4CeData3{"MC4_CE_DATA3", 0x1ac};
constexpr RegisterSpec kMc4CeData4{"MC4_CE_DATA4", 0x1b0};

struct Mc4UeAddrFields : RegisterFields {
  RegisterField mc4_ue_addr = unmodelled("MC4_UE_ADDR", 4, 24);
};
inline constexpr Mc4UeAddrFields kMc4UeAddrFields;

constexpr RegisterSpec kMc4UeAddr{"MC4_UE_ADDR",      0x1b4, kMc4UeAddrFields,
                                  Access::kReadWrite, 0,     kMc4UeAddrFields.mask()};
constexpr RegisterSpec kMc4UeData0{"MC4_UE_DATA0", 0x1b8};
constexpr RegisterSpec kMc4UeData1{"MC4_UE_DATA1", 0x1bc};
constexpr RegisterSpec kMc4UeData2{"MC4_UE_DATA2", 0x1c0};
constexpr RegisterSpec kMc4UeData3{"MC4_UE_DATA3", 0x1c4};
constexpr RegisterSpec kMc4UeData4{"MC4_UE_DATA4", 0x1c8};

struct Mc4BdAddrFields : RegisterFields {
  RegisterField mc4_back_door_addr = unmodelled("MC4_BACK_DOOR_ADDR", 0, 28);
};
inline constexpr Mc4BdAddrFields kMc4BdAddrFields;

constexpr RegisterSpec kMc4BdAddr{"MC4_BD_ADDR",      0x1cc, kMc4BdAddrFields,
                                  Access::kReadWrite, 0,     kMc4BdAddrFields.mask()};
constexpr RegisterSpec kMc4BdData0{"MC4_BD_DATA0", 0x1d0};
constexpr RegisterSpec kMc4BdData1{"MC4_BD_DATA1", 0x1d4};
constexpr RegisterSpec kMc4BdData2{"MC4_BD_DATA2", 0x1d8};
constexpr RegisterSpec kMc4BdData3{"MC4_BD_DATA3", 0x1dc};
constexpr RegisterSpec kMc4BdData4{"MC4_BD_DATA4", 0x1e0};
constexpr RegisterSpec kMc4BdOp{"MC4_BD_OP", 0x1e4};
constexpr RegisterSpec kMc4BistAddrBeg{"MC4_BIST_ADDR_BEG", 0x1e8};
constexpr RegisterSpec kMc4BistAddrEnd{"MC4_BIST_ADDR_END", 0x1ec};
constexpr RegisterSpec kMc4BistData{"MC4_BIST_DATA", 0x1f0};

/// MC4_INT_ENABLE and MC4_INT_CAUSE.
struct Mc4IntFields : RegisterFields {
  RegisterField mc4_corr_err = unmodelled("MC4_CORR_ERR", 0);
  RegisterField mc4_uncorr_err = unmodelled("MC4_UNCORR_ERR", 1);
  RegisterField mc4_addr_err = unmodelled("MC4_ADDR_ERR", 2);
};
inline constexpr Mc4IntFields kMc4IntFields;

constexpr RegisterSpec kMc4IntEnable{"MC4_INT_ENABLE",   0x1f8, kMc4IntFields,
                                     Access::kReadWrite, 0,     kMc4IntFields.mask()};
constexpr RegisterSpec kMc4IntCause{"MC4_INT_CAUSE", 0x1fc, kMc4IntFields, Access::kReadOnly};

}  // namespace longhaul::nic::terminator::regs
