// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/common/register_bank.h"

/// Registers of the PM3393 (S/UNI-1x10GE-XP): names, numbers and fields of Linux 6.1 cxgb
/// (suni1x10gexp_regs.h). A register has 16 bits; its offset on TPI is four times its number.
namespace longhaul::nic::terminator::pm {

inline constexpr std::uint32_t kRegisters = 0x3480;

constexpr std::uint32_t offset_of(std::uint32_t number) { return number << 2; }

/// A register of 16 bits.
struct Spec : RegisterSpec {
  constexpr Spec(const char* title, std::uint32_t number, Access rule = Access::kReadWrite,
                 std::uint32_t reset_value = 0)
      : RegisterSpec(title, offset_of(number), rule, reset_value, 0xffff) {}
  constexpr Spec(const char* title, std::uint32_t number, const RegisterFields& bit_fields,
                 Access rule = Access::kReadWrite, std::uint32_t reset_value = 0)
      : RegisterSpec(title, offset_of(number), bit_fields, rule, reset_value, 0xffff) {}
};

// ---- top

struct DeviceStatusFields : RegisterFields {
  RegisterField sxra_expired = bit("TOP_SXRA_EXPIRED", 9, "XAUI is stable");
  RegisterField mdio_busy = bit("TOP_MDIO_BUSY", 8, "never: MDIO goes through Elmer0");
  RegisterField dtrb = bit("TOP_DTRB", 7, "never");
  RegisterField expired = bit("TOP_EXPIRED", 6, "the timers of the reset have expired");
  RegisterField paused = bit("TOP_PAUSED", 5, "a PAUSE holds the transmitter");
  RegisterField id_dool = bit("TOP_PL4_ID_DOOL", 4, "input data: out of lock with the data");
  RegisterField is_dool = bit("TOP_PL4_IS_DOOL", 3, "input status: out of lock with the data");
  RegisterField id_rool = bit("TOP_PL4_ID_ROOL", 2, "input data: out of lock with the reference");
  RegisterField is_rool = bit("TOP_PL4_IS_ROOL", 1, "input status: the same");
  RegisterField out_rool = bit("TOP_PL4_OUT_ROOL", 0, "output: the same");
};
inline constexpr DeviceStatusFields kDeviceStatusFields;
struct MasterInterruptFields : RegisterFields {
  RegisterField pl4io = bit("TOP_PL4IO_INT", 15);
  RegisterField iram = bit("TOP_IRAM_INT", 14);
  RegisterField eram = bit("TOP_ERAM_INT", 13);
  RegisterField xaui = bit("TOP_XAUI_INT", 12);
  RegisterField mstat = bit("TOP_MSTAT_INT", 11);
  RegisterField rxxg = bit("TOP_RXXG_INT", 10);
  RegisterField txxg = bit("TOP_TXXG_INT", 9);
  RegisterField xrf = bit("TOP_XRF_INT", 8);
  RegisterField xtef = bit("TOP_XTEF_INT", 7);
  RegisterField mdio_busy = bit("TOP_MDIO_BUSY_INT", 6);
  RegisterField rxoam = bit("TOP_RXOAM_INT", 5);
  RegisterField txoam = bit("TOP_TXOAM_INT", 4);
  RegisterField iflx = bit("TOP_IFLX_INT", 3);
  RegisterField eflx = bit("TOP_EFLX_INT", 2);
  RegisterField pl4odp = bit("TOP_PL4ODP_INT", 1);
  RegisterField pl4idu = bit("TOP_PL4IDU_INT", 0);
};
inline constexpr MasterInterruptFields kMasterInterruptFields;
struct InterruptEnableFields : RegisterFields {
  RegisterField inte = bit("TOP_INTE", 15, "INTB follows MASTER_INTERRUPT_STATUS");
};
inline constexpr InterruptEnableFields kInterruptEnableFields;

inline constexpr Spec kIdentification{"IDENTIFICATION", 0x0000, Access::kReadOnly, 0x3393};
inline constexpr Spec kDeviceStatus{"DEVICE_STATUS", 0x0004, kDeviceStatusFields,
                                    Access::kReadOnly};
inline constexpr Spec kMasterInterruptStatus{"MASTER_INTERRUPT_STATUS", 0x000d,
                                             kMasterInterruptFields, Access::kReadOnly};
inline constexpr Spec kGlobalInterruptEnable{"GLOBAL_INTERRUPT_ENABLE", 0x000e,
                                             kInterruptEnableFields};

// ---- RXXG: the receive MAC

struct RxxgConfig1Fields : RegisterFields {
  RegisterField rxen = bit("RXXG_RXEN", 15, "receives");
  RegisterField rocf = unmodelled("RXXG_ROCF", 14);
  RegisterField pad_strip = unmodelled("RXXG_PAD_STRIP", 13);
  RegisterField purep = unmodelled("RXXG_PUREP", 10);
  RegisterField longp = unmodelled("RXXG_LONGP", 9);
  RegisterField parf = unmodelled("RXXG_PARF", 8);
  RegisterField flchk = bit("RXXG_FLCHK", 7, "counts and drops frames of a wrong length field");
  RegisterField pass_ctrl = bit("RXXG_PASS_CTRL", 5, "passes MAC control frames");
  RegisterField unknown4 = unmodelled("undocumented, written by cxgb (4)", 4);
  RegisterField crc_strip = bit("RXXG_CRC_STRIP", 3, "takes the FCS off");
  RegisterField unknown2 = unmodelled("undocumented, written by cxgb (2)", 2);
};
inline constexpr RxxgConfig1Fields kRxxgConfig1Fields;
struct RxxgInterruptFields : RegisterFields {
  RegisterField min_length = bit("RXXG_MIN_LERR", 15, "a runt");
  RegisterField max_length = bit("RXXG_MAX_LERR", 14, "a frame too long");
  RegisterField line = bit("RXXG_LINE_ERR", 12, "a wrong FCS");
  RegisterField overrun = bit("RXXG_RX_OVR", 10, "the ingress FIFO was full");
  RegisterField filtered = bit("RXXG_ADR_FILTER", 9, "a frame for another station");
  RegisterField error_filtered = bit("RXXG_ERR_FILTER", 8, "a damaged frame was dropped");
  RegisterField preamble = bit("RXXG_PRMB_ERR", 5, "does not occur in the model");
};
inline constexpr RxxgInterruptFields kRxxgInterruptFields;
struct FilterControlFields : RegisterFields {
  RegisterField filter0 = bits("FILTER_0", 0, 4, "FORWARD, VLAN, SRC_ADDR, MATCH of a filter");
  RegisterField filter1 = bits("FILTER_1", 4, 4, "filter 1 of 4");
  RegisterField filter2 = bits("FILTER_2", 8, 4, "filter 2 of 4");
  RegisterField filter3 = bits("FILTER_3", 12, 4, "filter 3 of 4");
};
inline constexpr FilterControlFields kFilterControlFields;
struct FilterControl2Fields : RegisterFields {
  RegisterField pmode = bit("RXXG_PMODE", 1, "promiscuous");
  RegisterField mhash_en = bit("RXXG_MHASH_EN", 0, "group addresses by the hash table");
};
inline constexpr FilterControl2Fields kFilterControl2Fields;

/// The longest frame after reset, FCS included: cxgb sets it with the MTU only.
inline constexpr std::uint32_t kMaxFrameReset = 1518;

inline constexpr Spec kRxxgConfig1{"RXXG_CONFIG_1", 0x2040, kRxxgConfig1Fields};
inline constexpr Spec kRxxgMaxFrameLength{"RXXG_MAX_FRAME_LENGTH", 0x2045, Access::kReadWrite,
                                          kMaxFrameReset};
inline constexpr Spec kRxxgFifoThreshold{"RXXG_RECEIVE_FIFO_THRESHOLD", 0x2049};
inline constexpr std::uint32_t kRxxgExactMatch = 0x204a;  // three for each of eight filters
inline constexpr std::uint32_t kRxxgExactVid = 0x2062;    // one for each filter
inline constexpr std::uint32_t kRxxgHash = 0x206a;        // four, low first
inline constexpr Spec kFilterControl0{"RXXG_ADDRESS_FILTER_CONTROL_0", 0x206e,
                                      kFilterControlFields};
inline constexpr Spec kFilterControl1{"RXXG_ADDRESS_FILTER_CONTROL_1", 0x206f,
                                      kFilterControlFields};
inline constexpr Spec kFilterControl2{"RXXG_ADDRESS_FILTER_CONTROL_2", 0x2070,
                                      kFilterControl2Fields};

// ---- MSTAT: statistics

struct MstatControlFields : RegisterFields {
  RegisterField write = bit("MSTAT_WRITE", 2, "writes a counter");
  RegisterField clear = bit("MSTAT_CLEAR", 1, "clears all counters");
  RegisterField snap = bit("MSTAT_SNAP", 0, "copies all counters for reading");
};
inline constexpr MstatControlFields kMstatControlFields;

inline constexpr std::uint32_t kMstatCounters = 54;
inline constexpr Spec kMstatControl{"MSTAT_CONTROL", 0x2100, kMstatControlFields, Access::kAction};
inline constexpr std::uint32_t kMstatRollover = 0x2101;  // four
inline constexpr std::uint32_t kMstatMask = 0x2105;      // four
inline constexpr Spec kMstatWriteAddress{"MSTAT_COUNTER_WRITE_ADDRESS", 0x2109};
inline constexpr std::uint32_t kMstatWriteData = 0x210a;  // three, low first
inline constexpr std::uint32_t kMstatCounter = 0x2110;    // four numbers for each counter

// ---- IFLX, EFLX: the FIFOs

struct FlxConfigFields : RegisterFields {
  RegisterField enable = bit("RCU_ENABLE", 15, "the FIFO operates");
  RegisterField idswt = unmodelled("DSWT_ENABLE", 14);
  RegisterField count = unmodelled("FD_CNT", 0, 14);
};
inline constexpr FlxConfigFields kFlxConfigFields;
struct ProvisionFields : RegisterFields {
  RegisterField provision = bit("PROV", 0, "the channel takes frames");
};
inline constexpr ProvisionFields kProvisionFields;
struct FlxLimitFields : RegisterFields {
  RegisterField limit = bits("LIM", 0, 10, "units of 16 blocks");
};
inline constexpr FlxLimitFields kFlxLimitFields;
struct FlxThresholdFields : RegisterFields {
  RegisterField reached = bit("FULL or EMPTY", 15, "the FIFO is full, or empty");
  RegisterField almost = bit("AFULL or AEMPTY", 14, "the threshold is reached");
  RegisterField threshold = bits("AFTH or AETH", 0, 14, "blocks");
};
inline constexpr FlxThresholdFields kFlxThresholdFields;

/// The registers of a FIFO.
struct FlxSpecs {
  Spec config;
  Spec provision;
  Spec low_limit;
  Spec high_limit;
  Spec almost_full;
  Spec almost_empty;
};
inline constexpr FlxSpecs kIflx{
    {"IFLX_GLOBAL_CONFIG", 0x2200, kFlxConfigFields},
    {"IFLX_CHANNEL_PROVISION", 0x2201, kProvisionFields},
    {"IFLX_INDIR_LOGICAL_FIFO_LOW_LIMIT_PROVISION", 0x220e, kFlxLimitFields},
    {"IFLX_INDIR_LOGICAL_FIFO_HIGH_LIMIT", 0x220f, kFlxLimitFields},
    {"IFLX_INDIR_FULL_ALMOST_FULL_STATUS_LIMIT", 0x2210, kFlxThresholdFields},
    {"IFLX_INDIR_EMPTY_ALMOST_EMPTY_STATUS_LIMIT", 0x2211, kFlxThresholdFields}};
inline constexpr FlxSpecs kEflx{
    {"EFLX_GLOBAL_CONFIG", 0x3200, kFlxConfigFields},
    {"EFLX_CHANNEL_PROVISION", 0x3210, kProvisionFields},
    {"EFLX_INDIR_FIFO_LOW_LIMIT", 0x3203, kFlxLimitFields},
    {"EFLX_INDIR_FIFO_HIGH_LIMIT", 0x3204, kFlxLimitFields},
    {"EFLX_INDIR_FULL_ALMOST_FULL_STATUS_AND_LIMIT", 0x3205, kFlxThresholdFields},
    {"EFLX_INDIR_EMPTY_ALMOST_EMPTY_STATUS_AND_LIMIT", 0x3206, kFlxThresholdFields}};

// ---- PL4: SPI-4.2

struct Pl4MosConfigFields : RegisterFields {
  RegisterField re_init = unmodelled("PL4MOS_RE_INIT", 3);
  RegisterField en = bit("PL4MOS_EN", 2, "sends to the Terminator");
  RegisterField no_status = unmodelled("PL4MOS_NO_STATUS", 1);
  RegisterField unknown0 = unmodelled("undocumented, written by cxgb (0)", 0);
};
inline constexpr Pl4MosConfigFields kPl4MosConfigFields;
struct Pl4TransferFields : RegisterFields {
  RegisterField blocks = bits("PL4MOS_MAX_TRANSFER", 0, 8, "blocks of a burst");
};
inline constexpr Pl4TransferFields kPl4TransferFields;
struct Pl4PortFields : RegisterFields {
  RegisterField en_ports = bit("EN_PORTS", 1, "the ports operate");
  RegisterField en_dfwd = bit("EN_DFWD", 0, "data go through");
  RegisterField rest = unmodelled("training, rules", 2, 14);
};
inline constexpr Pl4PortFields kPl4PortFields;
struct Pl4LockFields : RegisterFields {
  RegisterField out_rool = bit("PL4IO_OUT_ROOL", 15);
  RegisterField is_rool = bit("PL4IO_IS_ROOL", 12);
  RegisterField dip2 = bit("PL4IO_DIP2_ERR", 11);
  RegisterField id_rool = bit("PL4IO_ID_ROOL", 8);
  RegisterField is_dool = bit("PL4IO_IS_DOOL", 4);
  RegisterField id_dool = bit("PL4IO_ID_DOOL", 0);
};
inline constexpr Pl4LockFields kPl4LockFields;

inline constexpr Spec kPl4MosConfig{"PL4MOS_CONFIG", 0x2240, kPl4MosConfigFields};
inline constexpr Spec kPl4MosTransferSize{"PL4MOS_TRANSFER_SIZE", 0x2245, kPl4TransferFields};
inline constexpr Spec kPl4OdpConfig{"PL4ODP_CONFIG", 0x2280, kPl4PortFields};
inline constexpr Spec kPl4IduConfig{"PL4IDU_CONFIG", 0x3280, kPl4PortFields};
inline constexpr Spec kPl4IoLockStatus{"PL4IO_LOCK_DETECT_STATUS", 0x2300, kPl4LockFields,
                                       Access::kReadOnly};
inline constexpr Spec kPl4IoConfig{"PL4IO_CONFIG", 0x2305};

// ---- TXXG: the transmit MAC

struct TxxgConfig1Fields : RegisterFields {
  RegisterField txen0 = bit("TXXG_TXEN0", 15, "sends");
  RegisterField hostpause = bit("TXXG_HOSTPAUSE", 13, "sends PAUSE as if the FIFO were full");
  RegisterField ipgt = unmodelled("TXXG_IPGT", 7, 6);
  RegisterField align32 = unmodelled("TXXG_32BIT_ALIGN", 5);
  RegisterField crcen = unmodelled("TXXG_CRCEN", 4);
  RegisterField fctx = bit("TXXG_FCTX", 3, "sends PAUSE");
  RegisterField fcrx = bit("TXXG_FCRX", 2, "obeys PAUSE");
  RegisterField paden = unmodelled("TXXG_PADEN", 1);
  RegisterField spre = unmodelled("TXXG_SPRE", 0);
};
inline constexpr TxxgConfig1Fields kTxxgConfig1Fields;
struct TxxgInterruptFields : RegisterFields {
  RegisterField fifo = bit("TXXG_FIFO_ERR", 15, "does not occur in the model");
  RegisterField underrun = bit("TXXG_FIFO_UDR", 14, "does not occur in the model");
  RegisterField max_length = bit("TXXG_MAX_LERR", 13, "a frame too long");
  RegisterField min_length = bit("TXXG_MIN_LERR", 12, "does not occur: frames are padded");
  RegisterField xfer = bit("TXXG_XFER", 11, "does not occur in the model");
};
inline constexpr TxxgInterruptFields kTxxgInterruptFields;
struct TxxgStatusFields : RegisterFields {
  RegisterField active = bit("TXXG_TXACTIVE", 1, "a frame is on the wire");
  RegisterField paused = bit("TXXG_PAUSED", 0, "a PAUSE holds the transmitter");
};
inline constexpr TxxgStatusFields kTxxgStatusFields;

inline constexpr Spec kTxxgConfig1{"TXXG_CONFIG_1", 0x3040, kTxxgConfig1Fields};
inline constexpr Spec kTxxgStatus{"TXXG_STATUS", 0x3044, kTxxgStatusFields, Access::kReadOnly};
inline constexpr Spec kTxxgMaxFrameSize{"TXXG_MAX_FRAME_SIZE", 0x3045, Access::kReadWrite,
                                        kMaxFrameReset};
inline constexpr std::uint32_t kTxxgSa = 0x3047;  // three registers, low first
inline constexpr Spec kTxxgPauseTimer{"TXXG_PAUSE_TIMER", 0x304d, Access::kReadWrite, 0xffff};
inline constexpr std::uint32_t kTxxgPauseInterval = 0x304e;  // its reset value is a parameter

}  // namespace longhaul::nic::terminator::pm
