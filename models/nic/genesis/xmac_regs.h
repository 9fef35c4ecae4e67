// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/common/register_bank.h"

/// Registers of the XMAC II, by the offset x of its documents, and fields. A 16-bit register is at
/// bus offset kBase + 2 * x. A wider one also takes the next ones, low half first.
///
/// Sources: Linux 6.1 drivers/net/ethernet/marvell/skge.h; Linux 2.6
/// drivers/net/sk98lin/h/xmac_ii.h. Names as there.
namespace longhaul::nic::genesis::xm {

constexpr std::uint32_t kBase = 0x2000;
constexpr std::uint32_t kEnd = 0x380;  // largest x, exclusive
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

struct MmuCmdFields : RegisterFields {
  RegisterField ena_tx = bit("ENA_TX", 0, "the transmitter is on");
  RegisterField ena_rx = bit("ENA_RX", 1, "the receiver is on");
  RegisterField gmii_loop = unmodelled("GMII_LOOP", 2);
  RegisterField rat_ctrl = unmodelled("RAT_CTRL", 3);
  RegisterField gmii_fd = unmodelled("GMII_FD", 4);
  RegisterField no_pre = unmodelled("NO_PRE", 5);
  RegisterField sim_col = unmodelled("SIM_COL", 6);
  RegisterField frc_col = unmodelled("FRC_COL", 7);
  RegisterField reserved8 = unmodelled("reserved8", 8);
  RegisterField mac_lb = unmodelled("MAC_LB", 9);
  RegisterField ign_pf = bit("IGN_PF", 10, "PAUSE that comes is ignored");
  RegisterField phy_busy = unmodelled("PHY_BUSY", 11);  // of an external PHY
  RegisterField phy_rdy = unmodelled("PHY_RDY", 12);    // of an external PHY
  RegisterField reserved13 = unmodelled("reserved13", 13, 3);
  std::uint32_t stored = mask() & ~(phy_rdy | phy_busy);
};
inline constexpr MmuCmdFields kMmuCmdFields;

struct RxCmdFields : RegisterFields {
  RegisterField dis_cext = unmodelled("DIS_CEXT", 0);
  RegisterField strip_pad = unmodelled("STRIP_PAD", 1);
  RegisterField sam_line = unmodelled("SAM_LINE", 2);
  RegisterField self_rx = unmodelled("SELF_RX", 3);
  RegisterField strip_fcs = bit("STRIP_FCS", 4, "the FCS is stripped");
  RegisterField tp_md = unmodelled("TP_MD", 5);
  RegisterField ipg_cap = unmodelled("IPG_CAP", 6);
  RegisterField big_pk_ok = bit("BIG_PK_OK", 7, "a long frame is no error");
  RegisterField lenerr_ok = bit("LENERR_OK", 8, "a wrong length field is no error");
  RegisterField reserved9 = unmodelled("reserved9", 9, 7);
};
inline constexpr RxCmdFields kRxCmdFields;

/// PHY_ADDR.
struct PhyAddrFields : RegisterFields {
  RegisterField reg = bits("REG", 0, 5, "register of the PHY");
  RegisterField reserved5 = unmodelled("reserved5", 5, 3);
  RegisterField phy = bits("PHY", 8, 5, "0: the XMAC's own; at others nobody answers");
  RegisterField reserved13 = unmodelled("reserved13", 13, 3);
};
inline constexpr PhyAddrFields kPhyAddrFields;

struct GpPortFields : RegisterFields {
  RegisterField inp_ass = bit("INP_ASS", 0, "no synchronisation");
  RegisterField res_stat = bit("RES_STAT", 2, "clears the statistics; clears itself");
  RegisterField res_mac = bit("RES_MAC", 3, "resets the MAC and its FIFOs; clears itself");
  RegisterField frc_int = bit("FRC_INT", 5, "raises the cause FRC_INT; clears itself");
  RegisterField anip = bit("ANIP", 6, "negotiation is under way");
  std::uint32_t commands = frc_int | res_mac | res_stat;
};
inline constexpr GpPortFields kGpPortFields;

/// ISRC; and IMSK, where a set bit masks the cause.
struct CauseFields : RegisterFields {
  RegisterField rx_comp = bit("RX_COMP", 0, "a frame was received");
  RegisterField tx_comp = bit("TX_COMP", 1, "a frame was sent");
  RegisterField txf_ur = unmodelled("TXF_UR", 2);
  RegisterField rxf_ov = bit("RXF_OV", 3, "receive FIFO overflow");
  RegisterField txc_ov = unmodelled("TXC_OV", 4);
  RegisterField rxc_ov = unmodelled("RXC_OV", 5);
  RegisterField tsc_ov = unmodelled("TSC_OV", 6);
  RegisterField negotiated = bit("AND", 7, "negotiation is done");
  RegisterField tx_page = unmodelled("TX_PAGE", 8);
  RegisterField rx_page = unmodelled("RX_PAGE", 9);
  RegisterField lipa_rc = unmodelled("LIPA_RC", 10);
  RegisterField inp_ass = bit("INP_ASS", 11, "no synchronisation; a level");
  RegisterField frc_int = bit("FRC_INT", 12, "GP_PORT.FRC_INT was written");
  RegisterField tx_abort = unmodelled("TX_ABORT", 13);
  RegisterField lnk_ae = bit("LNK_AE", 14, "the light went");
  RegisterField reserved15 = unmodelled("reserved15", 15);
};
inline constexpr CauseFields kCauseFields;

/// MODE's lower half.
struct ModeLowFields : RegisterFields {
  RegisterField frf = bit("FRF", 0, "empties the receive FIFO; clears itself");
  RegisterField ftf = bit("FTF", 1, "empties the transmit FIFO; clears itself");
  RegisterField ena_be = unmodelled("ENA_BE", 2);
  RegisterField ena_prom = bit("ENA_PROM", 3, "every frame is accepted");
  RegisterField dis_bc = bit("DIS_BC", 4, "no broadcast frames");
  RegisterField dis_mc = bit("DIS_MC", 5, "no multicast frames");
  RegisterField dis_uc = bit("DIS_UC", 6, "no unicast frames");
  RegisterField rx_err = unmodelled("RX_ERR", 7);
  RegisterField rx_crce = bit("RX_CRCE", 8, "damaged frames are accepted");
  RegisterField rx_long = bit("RX_LONG", 9, "long frames are accepted");
  RegisterField rx_irle = bit("RX_IRLE", 10, "frames of a wrong length field are accepted");
  RegisterField rx_runt = bit("RX_RUNT", 11, "runts are accepted");
  RegisterField rx_mctrl = bit("RX_MCTRL", 12, "MAC control frames are accepted");
  RegisterField caa = bit("CAA", 13, "the 16 exact addresses are looked at");
  RegisterField csa = bit("CSA", 14, "the station's address is looked at");
  RegisterField ena_hash = bit("ENA_HASH", 15, "the hash is looked at");
};
inline constexpr ModeLowFields kModeLowFields;

/// MODE's upper half, which is a register of its own here.
struct ModeHighFields : RegisterFields {
  RegisterField cap = unmodelled("CAP", 0);
  RegisterField spoh_i = bit("SPOH_I", 1, "XOFF when the receive FIFO is up to HI_WM");
  RegisterField spol_i = bit("SPOL_I", 2, "XON when it is down to LO_WM");
  RegisterField ats = unmodelled("ATS", 3);
  RegisterField tx_pause = bit("TX_PAUSE", 4, "sends PAUSE; clears itself");
  RegisterField tx_cont = unmodelled("TX_CONT", 5);
  RegisterField le_stw = unmodelled("LE_STW", 6);
  RegisterField spoff_i = unmodelled("SPOFF_I", 7);
  RegisterField tx_rep = unmodelled("TX_REP", 8);
  RegisterField spoe_e = bit("SPOE_E", 9, "PAUSE on the edges of the RAM buffer's request");
  RegisterField ena_rej = unmodelled("ENA_REJ", 10);
  RegisterField reserved11 = unmodelled("reserved11", 11, 5);
};
inline constexpr ModeHighFields kModeHighFields;

struct StatCmdFields : RegisterFields {
  RegisterField clr_txc = bit("CLR_TXC", 0, "clears the transmit counters; clears itself");
  RegisterField clr_rxc = bit("CLR_RXC", 1, "clears the receive counters; clears itself");
  RegisterField cp_txc = bit("CP_TXC", 2, "the transmit counters that are read follow");
  RegisterField cp_rxc = bit("CP_RXC", 3, "the receive counters that are read follow");
  RegisterField snp_txc = bit("SNP_TXC", 4, "copies the transmit counters once; clears itself");
  RegisterField snp_rxc = bit("SNP_RXC", 5, "copies the receive counters once; clears itself");
  RegisterField reserved6 = unmodelled("reserved6", 6, 10);
};
inline constexpr StatCmdFields kStatCmdFields;

// Registers with a function, by their x. Registers that only store the written value:
// xmac_registers.cc
constexpr RegisterSpec kMmuCmdSpec{"XM_MMU_CMD",       kMmuCmd, kMmuCmdFields,
                                   Access::kReadWrite, 0,       kMmuCmdFields.stored};
constexpr RegisterSpec kPhyAddrSpec{
    "XM_PHY_ADDR",      kPhyAddr, kPhyAddrFields,
    Access::kReadWrite, 0,        kPhyAddrFields.reg | kPhyAddrFields.phy};
constexpr RegisterSpec kPhyDataSpec{"XM_PHY_DATA", kPhyData};
constexpr RegisterSpec kGpPortSpec{"XM_GP_PORT",       kGpPort, kGpPortFields,
                                   Access::kReadWrite, 0,       kGpPortFields.commands};
constexpr RegisterSpec kImskSpec{"XM_IMSK", kImsk, kCauseFields, Access::kReadWrite, 0xffff};
constexpr RegisterSpec kIsrcSpec{"XM_ISRC", kIsrc, kCauseFields, Access::kReadOnly};
constexpr RegisterSpec kModeLowSpec{"XM_MODE", kMode, kModeLowFields};
constexpr RegisterSpec kModeHighSpec{"XM_MODE", kMode + 2, kModeHighFields};
constexpr RegisterSpec kStatCmdSpec{"XM_STAT_CMD", kStatCmd, kStatCmdFields};

/// The status word that is written to memory after a frame.
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
