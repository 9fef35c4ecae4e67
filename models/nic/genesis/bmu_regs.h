// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/common/register_bank.h"
#include "models/nic/genesis/isrc_fields.h"

/// Registers of GEnesis' queues, RAM buffers and MAC FIFOs, and its descriptors. Sources: Linux 6.1
/// drivers/net/ethernet/marvell/skge.h; Linux 2.6 drivers/net/sk98lin/h/skgehw.h; FreeBSD
/// sys/dev/sk/if_skreg.h.
namespace longhaul::nic::genesis::regs {

/// The value of a setting after a command with a pair of bits, one to set it and one to clear it.
/// If both are set, the clearing bit wins; if none is set, the setting stays.
constexpr bool after(std::uint32_t command, std::uint32_t yes, std::uint32_t no, bool before) {
  return (command & no) == 0 && ((command & yes) != 0 || before);
}

// Queues: the block of each queue, then offsets in a block.
constexpr std::uint32_t kR1 = 0x400;
constexpr std::uint32_t kXs1 = 0x600;
constexpr std::uint32_t kXa1 = 0x680;
// Second address of each CSR, in block 0.
constexpr std::uint32_t kR1CsrMirror = 0x060;
constexpr std::uint32_t kXs1CsrMirror = 0x068;
constexpr std::uint32_t kXa1CsrMirror = 0x06c;

namespace q {
constexpr std::uint32_t kD = 0x00;  // eight words: the current descriptor
constexpr std::uint32_t kDaL = 0x20;
constexpr std::uint32_t kDaH = 0x24;
constexpr std::uint32_t kAcL = 0x28;
constexpr std::uint32_t kAcH = 0x2c;
constexpr std::uint32_t kBc = 0x30;
constexpr std::uint32_t kCsr = 0x34;
constexpr std::uint32_t kF = 0x38;
}  // namespace q

/// CSR: bits come in pairs, one to set and one to undo.
struct CsrFields : RegisterFields {
  RegisterField irq_cl_c = bit("IRQ_CL_C", 0, "clears the check cause");
  RegisterField irq_cl_f = bit("IRQ_CL_F", 1, "clears the cause of a frame's end");
  RegisterField irq_cl_b = bit("IRQ_CL_B", 2, "clears the cause of a buffer's end");
  RegisterField irq_cl_p = unmodelled("IRQ_CL_P", 3);
  RegisterField start = bit("START", 4, "reads the descriptor at DA");
  RegisterField stop = bit("STOP", 5, "lets the descriptor in hand end");
  RegisterField dis_pol = unmodelled("DIS_POL", 6);
  RegisterField ena_pol = unmodelled("ENA_POL", 7);
  RegisterField trans_rst = bit("TRANS_RST", 8, "the transfer machine goes into reset");
  RegisterField trans_run = bit("TRANS_RUN", 9, "it comes out");
  RegisterField dwrite_rst = bit("DWRITE_RST", 10, "the descriptor write machine goes into reset");
  RegisterField dwrite_run = bit("DWRITE_RUN", 11, "it comes out");
  RegisterField dread_rst = bit("DREAD_RST", 12, "the descriptor read machine goes into reset");
  RegisterField dread_run = bit("DREAD_RUN", 13, "it comes out");
  RegisterField sv_rst = bit("SV_RST", 14, "the supervisor goes into reset");
  RegisterField sv_run = bit("SV_RUN", 15, "it comes out");
  RegisterField hpi_rst = bit("HPI_RST", 16, "the HPI machine goes into reset");
  RegisterField hpi_run = bit("HPI_RUN", 17, "it comes out");
  RegisterField fifo_set = bit("FIFO_SET", 18, "the FIFO goes into reset");
  RegisterField fifo_clr = bit("FIFO_CLR", 19, "it comes out");
  RegisterField desc_set = bit("DESC_SET", 20, "the descriptor unit goes into reset");
  RegisterField desc_clr = bit("DESC_CLR", 21, "it comes out");
  RegisterField sv_idle = bit("SV_IDLE", 24, "the queue is idle");
  /// The bits that take each of seven machines out of reset, and those that reset it.
  std::uint32_t run = trans_run | dwrite_run | dread_run | sv_run | hpi_run | fifo_clr | desc_clr;
  std::uint32_t rst = trans_rst | dwrite_rst | dread_rst | sv_rst | hpi_rst | fifo_set | desc_set;
};
inline constexpr CsrFields kCsrFields;

/// F.
struct FlagFields : RegisterFields {
  RegisterField water_mark = bits("WATER_MARK", 0, 11, "bytes that make a transfer worth while");
};
inline constexpr FlagFields kFlagFields;

struct DescriptorAddressFields : RegisterFields {
  RegisterField da = bits("DA_L", 3, 29, "low half of the descriptor's address, in quadwords");
};
inline constexpr DescriptorAddressFields kDescriptorAddressFields;

// RAM buffers: the block of each buffer, then offsets in a block.
constexpr std::uint32_t kRbR1 = 0x800;
constexpr std::uint32_t kRbXs1 = 0xa00;
constexpr std::uint32_t kRbXa1 = 0xa80;
namespace rb {
constexpr std::uint32_t kStart = 0x00;  // these are in quadwords
constexpr std::uint32_t kEnd = 0x04;
constexpr std::uint32_t kWp = 0x08;
constexpr std::uint32_t kRp = 0x0c;
constexpr std::uint32_t kUtpp = 0x10;
constexpr std::uint32_t kLtpp = 0x14;
constexpr std::uint32_t kUthp = 0x18;
constexpr std::uint32_t kLthp = 0x1c;
constexpr std::uint32_t kPc = 0x20;
constexpr std::uint32_t kLev = 0x24;
constexpr std::uint32_t kCtrl = 0x28;
}  // namespace rb

/// START, END, WP, RP, UTPP and LTPP.
struct RbPointerFields : RegisterFields {
  RegisterField quadword = bits("QUADWORD", 0, 19, "of the adapter's RAM");
};
inline constexpr RbPointerFields kRbPointerFields;

struct RbCtrlFields : RegisterFields {
  RegisterField rst_set = bit("RST_SET", 0, "into reset; reads as its state");
  RegisterField rst_clr = bit("RST_CLR", 1, "out of reset; reads as its state");
  RegisterField dis_op_md = bit("DIS_OP_MD", 2, "stops the buffer; reads as its state");
  RegisterField ena_op_md = bit("ENA_OP_MD", 3, "starts the buffer; reads as its state");
  RegisterField dis_stfwd = bit("DIS_STFWD", 4, "store and forward off; reads as its state");
  RegisterField ena_stfwd = bit("ENA_STFWD", 5, "store and forward on; reads as its state");
};
inline constexpr RbCtrlFields kRbCtrlFields;

// MAC FIFOs.
constexpr std::uint32_t kRxMff = 0xc00;
constexpr std::uint32_t kTxMff = 0xd00;
namespace mff {
constexpr std::uint32_t kCtrl1 = 0x18;
constexpr std::uint32_t kCtrl2 = 0x1c;
}  // namespace mff

struct RxMffCtrl1Fields : RegisterFields {
  RegisterField clr_instat = unmodelled("CLR_INSTAT", 0);
  RegisterField clr_intist = unmodelled("CLR_INTIST", 1);
  RegisterField tist = unmodelled("DIS_ENA_TIST", 2, 2);
  RegisterField flush = unmodelled("DIS_ENA_FLUSH", 4, 2);
  RegisterField dis_pause = bit("DIS_PAUSE", 6, "the RAM buffer's pause request ends here");
  RegisterField ena_pause = bit("ENA_PAUSE", 7, "it goes to the XMAC");
  RegisterField alm_ful = unmodelled("DIS_ENA_ALM_FUL", 8, 2);
  RegisterField tim_pat = unmodelled("DIS_ENA_TIM_PAT", 10, 2);
  RegisterField rdy_pat = unmodelled("DIS_ENA_RDY_PAT", 12, 2);
};
inline constexpr RxMffCtrl1Fields kRxMffCtrl1Fields;

struct TxMffCtrl1Fields : RegisterFields {
  RegisterField set_mac_rst = bit("SET_MAC_RST", 0, "the XMAC into reset; reads as its state");
  RegisterField clr_mac_rst = bit("CLR_MAC_RST", 1, "out of reset");
  RegisterField loopb = unmodelled("DIS_ENA_LOOPB", 2, 2);
  RegisterField pkt_rec = unmodelled("DIS_ENA_PKT_REC", 12, 2);
  RegisterField clr_perr = unmodelled("CLR_PERR", 15);
};
inline constexpr TxMffCtrl1Fields kTxMffCtrl1Fields;

struct MffCtrl2Fields : RegisterFields {
  RegisterField rst_set = bit("RST_SET", 0, "the FIFO goes into reset");
  RegisterField rst_clr = bit("RST_CLR", 1, "out of reset");
  RegisterField dis_op_md = bit("DIS_OP_MD", 2, "stops the FIFO");
  RegisterField ena_op_md = bit("ENA_OP_MD", 3, "starts it");
};
inline constexpr MffCtrl2Fields kMffCtrl2Fields;

constexpr RegisterSpec kRxMffCtrl1{"RX_MFF_CTRL1", kRxMff + mff::kCtrl1, kRxMffCtrl1Fields};
constexpr RegisterSpec kRxMffCtrl2{"RX_MFF_CTRL2", kRxMff + mff::kCtrl2, kMffCtrl2Fields,
                                   Access::kAction};
constexpr RegisterSpec kTxMffCtrl1{"TX_MFF_CTRL1", kTxMff + mff::kCtrl1, kTxMffCtrl1Fields,
                                   Access::kAction};
constexpr RegisterSpec kTxMffCtrl2{"TX_MFF_CTRL2", kTxMff + mff::kCtrl2, kMffCtrl2Fields,
                                   Access::kAction};

/// Control word of a descriptor.
namespace bmu {
constexpr std::uint32_t kOwn = 1U << 31;
constexpr std::uint32_t kStf = 1U << 30;
constexpr std::uint32_t kEof = 1U << 29;
constexpr std::uint32_t kIrqEob = 1U << 28;
constexpr std::uint32_t kIrqEof = 1U << 27;
constexpr std::uint32_t kStatVal = 1U << 25;  // receive
constexpr std::uint32_t kTistVal = 1U << 24;  // receive
constexpr std::uint32_t kCheckShift = 16;
constexpr std::uint32_t kCheckMask = 0xff;
constexpr std::uint32_t kCheckPlain = 0x55;
constexpr std::uint32_t kCheckTcp = 0x56;
constexpr std::uint32_t kCheckUdp = 0x57;
constexpr std::uint32_t kBytesMask = 0xffff;

constexpr std::uint32_t kDescriptorBytes = 32;
constexpr std::uint32_t kStatusOffset = 16;  // of the words that are written to a receive
                                             // descriptor
constexpr std::uint32_t kStatusBytes = 12;
}  // namespace bmu

}  // namespace longhaul::nic::genesis::regs
