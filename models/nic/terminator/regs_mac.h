// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/common/register_bank.h"

/// Registers of TPI and ESPI in the Terminator's bank, and of Elmer0 behind TPI. Names, offsets and
/// fields are those of Linux 6.1 cxgb (regs.h, elmer0.h).
namespace longhaul::nic::terminator::mac_regs {

// ---- TPI: the bus to the chips beside the Terminator

struct TpiAddrFields : RegisterFields {
  RegisterField address = bits("TPI_ADDRESS", 0, 24, "byte address on the bus");
};
inline constexpr TpiAddrFields kTpiAddrFields;
struct TpiCsrFields : RegisterFields {
  RegisterField wr = bit("TPIWR", 0, "a write; else a read");
  RegisterField rdy = bit("TPIRDY", 1, "no access in progress");
  RegisterField int_dir = unmodelled("INT_DIR", 31);
};
inline constexpr TpiCsrFields kTpiCsrFields;
struct TpiParFields : RegisterFields {
  RegisterField par = bits("TPIPAR", 0, 7, "core clocks that an access is longer");
};
inline constexpr TpiParFields kTpiParFields;

inline constexpr RegisterSpec kTpiAddr{"TPI_ADDR",         0x280, kTpiAddrFields,
                                       Access::kReadWrite, 0,     0x00ff'ffff};
inline constexpr RegisterSpec kTpiWrData{"TPI_WR_DATA", 0x284};
inline constexpr RegisterSpec kTpiRdData{"TPI_RD_DATA", 0x288, Access::kReadOnly};
inline constexpr RegisterSpec kTpiCsr{"TPI_CSR", 0x28c, kTpiCsrFields, Access::kAction};
inline constexpr RegisterSpec kTpiPar{"TPI_PAR", 0x29c, kTpiParFields, Access::kReadWrite, 0, 0x7f};

// ---- ESPI: the Terminator's end of SPI-4.2

struct EspiWatermarkFields : RegisterFields {
  RegisterField mark = bits("ALMOST", 0, 16, "fill of the receive FIFO");
};
inline constexpr EspiWatermarkFields kEspiWatermarkFields;
struct PortConfigFields : RegisterFields {
  RegisterField rx_nports = bits("RX_NPORTS", 0, 8, "ports that receive");
  RegisterField tx_nports = bits("TX_NPORTS", 8, 8, "ports that send");
};
inline constexpr PortConfigFields kPortConfigFields;
struct EspiStatusEnableFields : RegisterFields {
  RegisterField rx_status = bit("RXSTATUSENABLE", 0, "tells the far end of the receive FIFO");
  RegisterField tx_drop = unmodelled("TXDROPENABLE", 1);
  RegisterField rx_endian = unmodelled("RXENDIANMODE", 2);
  RegisterField tx_endian = unmodelled("TXENDIANMODE", 3);
  RegisterField intel1010 = unmodelled("INTEL1010MODE", 4);
};
inline constexpr EspiStatusEnableFields kEspiStatusEnableFields;
struct EspiMaxBurstFields : RegisterFields {
  RegisterField starving = bits("MAXBURST1", 0, 16, "blocks of 16 B to a starving FIFO");
  RegisterField hungry = bits("MAXBURST2", 16, 16, "blocks of 16 B to a hungry FIFO");
};
inline constexpr EspiMaxBurstFields kEspiMaxBurstFields;
struct EspiTrainFields : RegisterFields {
  RegisterField alpha = bits("MAXTRAINALPHA", 0, 16, "repetitions of the training sequence");
  RegisterField data = bits("MAXTRAINDATA", 16, 16, "words between trainings; 0: none");
};
inline constexpr EspiTrainFields kEspiTrainFields;
struct EspiDropFields : RegisterFields {
  RegisterField port0 = bits("PORT0DROPCNT", 0, 16, "frames lost of port 0, or 2");
  RegisterField port1 = bits("PORT1DROPCNT", 16, 16, "frames lost of port 1, or 3");
};
inline constexpr EspiDropFields kEspiDropFields;
struct Dip4Fields : RegisterFields {
  RegisterField count = bits("DIP4ERRORCNT", 0, 12, "none occur in the model");
  RegisterField shadow = bits("DIP4ERRORCNTSHADOW", 12, 12, "none occur in the model");
  RegisterField train_error = bit("TRICN_RX_TRAIN_ERR", 24, "none occur in the model");
  RegisterField training = bit("TRICN_RX_TRAINING", 25, "the receive clock is not there");
  RegisterField train_ok = bit("TRICN_RX_TRAIN_OK", 26, "the receive clock is there");
};
inline constexpr Dip4Fields kDip4Fields;
struct EspiIntrFields : RegisterFields {
  RegisterField dip4 = bit("DIP4ERR", 0, "does not occur in the model");
  RegisterField rx_drop = bit("RXDROP", 1, "a received frame was lost");
  RegisterField tx_drop = bit("TXDROP", 2, "does not occur in the model");
  RegisterField rx_overflow = bit("RXOVERFLOW", 3, "the receive FIFO was full");
  RegisterField ram_parity = bit("RAMPARITYERR", 4, "does not occur in the model");
  RegisterField dip2 = bit("DIP2PARITYERR", 5, "DIP2_ERR_COUNT is not 0");
};
inline constexpr EspiIntrFields kEspiIntrFields;
struct EspiRxResetFields : RegisterFields {
  RegisterField link = unmodelled("ESPI_RX_LNK_RST", 0);
  RegisterField core = unmodelled("ESPI_RX_CORE_RST", 1);
  RegisterField clock = bit("RX_CLK_STATUS", 2, "the far end's clock is there");
};
inline constexpr EspiRxResetFields kEspiRxResetFields;
struct EspiMiscFields : RegisterFields {
  RegisterField out_of_sync = unmodelled("OUT_OF_SYNC_COUNT", 0, 4);
  RegisterField dip2_count_mode = unmodelled("DIP2_COUNT_MODE_ENABLE", 4);
  RegisterField dip2_threshold = unmodelled("DIP2_PARITY_ERR_THRES", 5, 4);
  RegisterField dip4_threshold = unmodelled("DIP4_THRES", 9, 12);
  RegisterField dip4_enable = unmodelled("DIP4_THRES_ENABLE", 21);
  RegisterField force_status = bit("FORCE_DISABLE_STATUS", 22, "no status to the far end");
  RegisterField deskew = unmodelled("DYNAMIC_DESKEW", 23);
  RegisterField port = unmodelled("MONITORED_PORT_NUM", 25, 2);
  RegisterField direction = unmodelled("MONITORED_DIRECTION", 27);
  RegisterField interface = unmodelled("MONITORED_INTERFACE", 28);
};
inline constexpr EspiMiscFields kEspiMiscFields;
struct Dip2Fields : RegisterFields {
  RegisterField count = bits("DIP2_ERR_CNT", 0, 4, "errors of the status channel");
};
inline constexpr Dip2Fields kDip2Fields;
struct EspiCommandFields : RegisterFields {
  RegisterField data = bits("WRITE_DATA", 0, 8, "of a write");
  RegisterField reg = bits("REGISTER_OFFSET", 8, 4, "register of a channel");
  RegisterField channel = bits("CHANNEL_ADDR", 12, 4, "lane, 0 for all of the module");
  RegisterField module = bits("MODULE_ADDR", 16, 2, "data, control or status");
  RegisterField bundle = bits("BUNDLE_ADDR", 20, 2, "only bundle 0 is there");
  RegisterField command = bits("SPI4_COMMAND", 24, 8, "11h reads, 21h writes");
};
inline constexpr EspiCommandFields kEspiCommandFields;
struct EspiGostatFields : RegisterFields {
  RegisterField data = bits("READ_DATA", 0, 8, "of the last read");
  RegisterField busy = bit("ESPI_CMD_BUSY", 8, "a command is in progress");
  RegisterField error = bit("ERROR_ACK", 9, "the last command was neither read nor write");
  RegisterField unmapped = bit("UNMAPPED_ERR", 10, "the last command met no module");
  RegisterField timer = unmodelled("TRANSACTION_TIMER", 16, 8);
};
inline constexpr EspiGostatFields kEspiGostatFields;

inline constexpr RegisterSpec kEspiSchToken0{"ESPI_SCH_TOKEN0", 0x880};
inline constexpr RegisterSpec kEspiSchToken1{"ESPI_SCH_TOKEN1", 0x884};
inline constexpr RegisterSpec kEspiSchToken2{"ESPI_SCH_TOKEN2", 0x888};
inline constexpr RegisterSpec kEspiSchToken3{"ESPI_SCH_TOKEN3", 0x88c};
inline constexpr RegisterSpec kEspiAlmostEmpty{"ESPI_RX_FIFO_ALMOST_EMPTY_WATERMARK",
                                               0x890,
                                               kEspiWatermarkFields,
                                               Access::kReadWrite,
                                               0,
                                               0xffff};
inline constexpr RegisterSpec kEspiAlmostFull{"ESPI_RX_FIFO_ALMOST_FULL_WATERMARK",
                                              0x894,
                                              kEspiWatermarkFields,
                                              Access::kReadWrite,
                                              0,
                                              0xffff};
inline constexpr RegisterSpec kEspiCalendarLength{"ESPI_CALENDAR_LENGTH", 0x898};
inline constexpr RegisterSpec kPortConfig{"PORT_CONFIG",      0x89c, kPortConfigFields,
                                          Access::kReadWrite, 0,     0xffff};
inline constexpr RegisterSpec kEspiFifoStatusEnable{
    "ESPI_FIFO_STATUS_ENABLE", 0x8a0, kEspiStatusEnableFields, Access::kReadWrite, 0, 0x1f};
inline constexpr RegisterSpec kEspiMaxBurst{"ESPI_MAXBURST1_MAXBURST2", 0x8a8, kEspiMaxBurstFields,
                                            Access::kReadWrite, 0x0080'0100};
inline constexpr RegisterSpec kEspiTrain{"ESPI_TRAIN", 0x8ac, kEspiTrainFields};
inline constexpr RegisterSpec kRamStatus{"RAM_STATUS", 0x8b0, Access::kReadOnly};
inline constexpr RegisterSpec kTxDropCount0{"TX_DROP_COUNT0", 0x8b4, kEspiDropFields,
                                            Access::kReadOnly};
inline constexpr RegisterSpec kTxDropCount1{"TX_DROP_COUNT1", 0x8b8, kEspiDropFields,
                                            Access::kReadOnly};
inline constexpr RegisterSpec kRxDropCount0{"RX_DROP_COUNT0", 0x8bc, kEspiDropFields,
                                            Access::kReadOnly};
inline constexpr RegisterSpec kRxDropCount1{"RX_DROP_COUNT1", 0x8c0, kEspiDropFields,
                                            Access::kReadOnly};
inline constexpr RegisterSpec kDip4ErrorCount{"DIP4_ERROR_COUNT", 0x8c4, kDip4Fields,
                                              Access::kReadOnly};
inline constexpr RegisterSpec kEspiIntrStatus{"ESPI_INTR_STATUS", 0x8c8, kEspiIntrFields,
                                              Access::kAction};
inline constexpr RegisterSpec kEspiIntrEnable{"ESPI_INTR_ENABLE", 0x8cc, kEspiIntrFields,
                                              Access::kReadWrite, 0,     0x3f};
inline constexpr RegisterSpec kRxDropThreshold{"RX_DROP_THRESHOLD", 0x8d0};
inline constexpr RegisterSpec kEspiRxReset{"ESPI_RX_RESET",    0x8ec, kEspiRxResetFields,
                                           Access::kReadWrite, 0,     3};
inline constexpr RegisterSpec kEspiMiscControl{"ESPI_MISC_CONTROL", 0x8f0, kEspiMiscFields,
                                               Access::kReadWrite,  0,     0x1eff'ffff};
inline constexpr RegisterSpec kEspiDip2ErrCount{"ESPI_DIP2_ERR_COUNT", 0x8f4, kDip2Fields,
                                                Access::kClearOnRead};
inline constexpr RegisterSpec kEspiCmdAddr{"ESPI_CMD_ADDR",    0x8f8, kEspiCommandFields,
                                           Access::kReadWrite, 0,     0xff33'ffff};
inline constexpr RegisterSpec kEspiGostat{"ESPI_GOSTAT", 0x8fc, kEspiGostatFields, Access::kAction};

// ---- Elmer0, a gate array behind TPI; offsets are from the base of the window

inline constexpr std::uint32_t kElmer0Base = 0x10'0000;
inline constexpr std::uint32_t kElmer0Bytes = 0x20;
inline constexpr std::uint32_t kMi1Base = 0x40'0000;
inline constexpr std::uint32_t kMi1Bytes = 0x10;

/// Pins of Elmer0, the same in all registers. Which pin is what follows from cxgb's subr.c and
/// my3126.c.
struct Elmer0PinFields : RegisterFields {
  RegisterField mac = bit("PM3393", 1, "INTB of the PM3393");
  RegisterField module = bit("MOD_DETECT", 5, "no XPAK module");
  RegisterField phy = bit("PHY", 6, "interrupt of the PHY");
};
inline constexpr Elmer0PinFields kElmer0PinFields;
struct Elmer0GpoFields : RegisterFields {
  RegisterField mac_run = bit("PM3393_RSTB", 0, "0: reset of the PM3393");
  RegisterField phy_run = bit("PHY_RST", 2, "0: reset of the PHY");
  RegisterField laser = bit("LASER", 15, "the transmitter is on");
  RegisterField power = bit("XPAK_POWER", 18, "power of the XPAK module");
  RegisterField link_led = bit("LINK_LED", 19, "0: the link LED is lit");
  RegisterField activity_led = bit("ACT_LED", 20, "0: the activity LED is lit");
};
inline constexpr Elmer0GpoFields kElmer0GpoFields;

inline constexpr RegisterSpec kElmer0Version{"ELMER0_VERSION", 0x00, Access::kReadOnly};
inline constexpr RegisterSpec kElmer0PhyCfg{"ELMER0_PHY_CFG", 0x04};
inline constexpr RegisterSpec kElmer0IntEnable{"ELMER0_INT_ENABLE", 0x08};
inline constexpr RegisterSpec kElmer0IntCause{"ELMER0_INT_CAUSE", 0x0c, kElmer0PinFields,
                                              Access::kAction};
inline constexpr RegisterSpec kElmer0GpiCfg{"ELMER0_GPI_CFG", 0x10};
inline constexpr RegisterSpec kElmer0GpiStat{"ELMER0_GPI_STAT", 0x14, kElmer0PinFields,
                                             Access::kReadOnly};
inline constexpr RegisterSpec kElmer0Gpo{"ELMER0_GPO", 0x18};

struct Mi1CfgFields : RegisterFields {
  RegisterField mdi_enable = unmodelled("MI1_MDI_ENABLE", 0);
  RegisterField mdi_invert = bit("MI1_MDI_INVERT", 1, "the board inverts MDI");
  RegisterField preamble = bit("MI1_PREAMBLE_ENABLE", 2, "frames have 32 bits of preamble");
  RegisterField sof = bits("MI1_SOF", 3, 2, "0: clause 45, 1: clause 22");
  RegisterField clk_div = bits("MI1_CLK_DIV", 5, 8, "MDC = clock / (2 (CLK_DIV + 1))");
};
inline constexpr Mi1CfgFields kMi1CfgFields;
struct Mi1AddrFields : RegisterFields {
  RegisterField reg = bits("MI1_REG_ADDR", 0, 5, "register, or device of clause 45");
  RegisterField phy = bits("MI1_PHY_ADDR", 5, 5, "port");
};
inline constexpr Mi1AddrFields kMi1AddrFields;
struct Mi1DataFields : RegisterFields {
  RegisterField data = bits("MI1_DATA", 0, 16, "written, read, or the address of clause 45");
};
inline constexpr Mi1DataFields kMi1DataFields;
struct Mi1OpFields : RegisterFields {
  RegisterField op = bits("MI1_OP", 0, 2, "operation code of the frame");
  RegisterField increment = unmodelled("MI1_ADDR_AUTOINC", 2);
  RegisterField busy = bit("MI1_OP_BUSY", 31, "a frame is in progress");
};
inline constexpr Mi1OpFields kMi1OpFields;

inline constexpr RegisterSpec kMi1Cfg{"MI1_CFG", 0x0, kMi1CfgFields, Access::kReadWrite, 0, 0x1fff};
inline constexpr RegisterSpec kMi1Addr{"MI1_ADDR",         0x4, kMi1AddrFields,
                                       Access::kReadWrite, 0,   0x3ff};
inline constexpr RegisterSpec kMi1Data{"MI1_DATA",         0x8, kMi1DataFields,
                                       Access::kReadWrite, 0,   0xffff};
inline constexpr RegisterSpec kMi1Op{"MI1_OP", 0xc, kMi1OpFields, Access::kReadWrite, 0, 7};

}  // namespace longhaul::nic::terminator::mac_regs
