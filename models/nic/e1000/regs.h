// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/common/register_bank.h"
#include "models/nic/intel/descriptors.h"
#include "models/nic/intel/regs.h"

/// Registers and descriptors of the Intel 82545 and 82546: offsets in BAR 0, and fields.
/// Reserved bits are left out. Sources: Intel 8254x Software Developer's Manual, chapters 3 and 13;
/// Linux 6.1 drivers/net/ethernet/intel/e1000/e1000_hw.h. Names as there.
namespace longhaul::nic::e1000::regs {

struct CtrlFields : intel::CtrlFields {
  RegisterField fd = bit("FD", 0, "full duplex");
  RegisterField bem = unmodelled("BEM", 1);
  RegisterField prior = unmodelled("PRIOR", 2);
  RegisterField asde = unmodelled("ASDE", 5);
  RegisterField slu = bit("SLU", 6, "sets the link up");
  RegisterField ilos = bit("ILOS", 7, "the transceiver's loss of signal counts inverted");
  RegisterField speed = bits("SPEED", 8, 2, "2: 1000 Mb/s");
  RegisterField frcspd = unmodelled("FRCSPD", 11);
  RegisterField frcdpx = unmodelled("FRCDPX", 12);
  RegisterField swdpin0 = bit("SWDPIN0", 18, "fibre: low lights the LED");
  RegisterField swdpin1 = bit("SWDPIN1", 19, "fibre: the optics see a signal");
  RegisterField swdpin2 = unmodelled("SWDPIN2", 20);
  RegisterField swdpin3 = unmodelled("SWDPIN3", 21);
  RegisterField swdpio0 = bit("SWDPIO0", 22, "SWDPIN0 is an output");
  RegisterField swdpio1 = unmodelled("SWDPIO1", 23);
  RegisterField swdpio2 = unmodelled("SWDPIO2", 24);
  RegisterField swdpio3 = unmodelled("SWDPIO3", 25);
  RegisterField rfce = bit("RFCE", 27, "PAUSE that comes is honoured");
  RegisterField tfce = bit("TFCE", 28, "PAUSE is sent");
  RegisterField phy_rst = bit("PHY_RST", 31, "the PHY is reset");
  std::uint32_t speed_1000 = speed.put(2);
};
inline constexpr CtrlFields kCtrlFields;

struct StatusFields : intel::StatusFields {
  RegisterField fd = bit("FD", 0, "full duplex");
  RegisterField func = bits("FUNC", 2, 2, "0: LAN A, 1: LAN B");
  RegisterField tbimode = bit("TBIMODE", 5, "the board has optics");
  RegisterField speed = bits("SPEED", 6, 2, "2: 1000 Mb/s");
  RegisterField asdv = unmodelled("ASDV", 8, 2);
  RegisterField mtxckok = unmodelled("MTXCKOK", 10);
  std::uint32_t speed_1000 = speed.put(2);
};
inline constexpr StatusFields kStatusFields;

struct EecdFields : intel::EecdFields {
  RegisterField req = bit("REQ", 6, "this function asks for the EEPROM");
  RegisterField gnt = bit("GNT", 7, "it has it");
  RegisterField pres = bit("PRES", 8, "there is an EEPROM");
  RegisterField size = unmodelled("SIZE", 9);
  std::uint32_t pins = sk | cs | di | req;  // bits that software drives
};
inline constexpr EecdFields kEecdFields;

struct EerdFields : RegisterFields {
  RegisterField start = bit("START", 0, "starts a read");
  RegisterField done = bit("DONE", 4, "DATA is there");
  RegisterField addr = bits("ADDR", 8, 8, "word of the EEPROM");
  RegisterField data = bits("DATA", 16, 16);
};
inline constexpr EerdFields kEerdFields;

struct CtrlExtFields : intel::CtrlExtFields {
  RegisterField asdchk = unmodelled("ASDCHK", 12);
  RegisterField ips = unmodelled("IPS", 14);
  RegisterField spd_byps = unmodelled("SPD_BYPS", 15);
  RegisterField link_mode = unmodelled("LINK_MODE", 22, 2);
};
inline constexpr CtrlExtFields kCtrlExtFields;

struct MdicFields : RegisterFields {
  RegisterField data = bits("DATA", 0, 16);
  RegisterField reg = bits("REG", 16, 5, "register of the PHY");
  RegisterField phy = bits("PHY", 21, 5, "address of the PHY");
  RegisterField op = bits("OP", 26, 2, "1: write, 2: read");
  RegisterField ready = bit("READY", 28, "the access is over");
  RegisterField int_en = bit("INT_EN", 29, "its end is the cause MDAC");
  RegisterField error = bit("ERROR", 30, "never set");
  std::uint32_t write = op.put(1);
  std::uint32_t read = op.put(2);
};
inline constexpr MdicFields kMdicFields;

struct CauseFields : intel::CauseFields {
  RegisterField reserved5 = unmodelled("reserved5", 5);  // ICS can set it
  RegisterField mdac = bit("MDAC", 9, "MDIC's access is over");
  RegisterField rxcfg = unmodelled("RXCFG", 10);
  RegisterField txd_low = unmodelled("TXD_LOW", 15);
  RegisterField srpd = unmodelled("SRPD", 16);
};
inline constexpr CauseFields kCauseFields;

struct RctlFields : intel::RctlFields {
  RegisterField lpe = bit("LPE", 5, "long frames are accepted");
  RegisterField lbm = bits("LBM", 6, 2, "loopback: 1 in the MAC, 3 in the board's transceiver");
  RegisterField dtyp = unmodelled("DTYP", 10, 2);
  RegisterField mdr = unmodelled("MDR", 14);
  RegisterField dpf = unmodelled("DPF", 22);
  RegisterField pmcf = bit("PMCF", 23, "MAC control frames are passed");
  RegisterField bsex = bit("BSEX", 25, "BSIZE counts 16 times as much");
  RegisterField flxbuf = unmodelled("FLXBUF", 27, 4);
  std::uint32_t lbm_mac = lbm.put(1);   // the MAC receives its own frames
  std::uint32_t lbm_tcvr = lbm.put(3);  // so does the serializer of a board with optics
};
inline constexpr RctlFields kRctlFields;

/// The word that ends exchange in negotiation (8254x SDM, 13.4.14): this end's in TXCW, the
/// partner's in RXCW.
struct ConfigWordFields : RegisterFields {
  RegisterField reserved0 = unmodelled("reserved0", 0, 5);
  RegisterField fd = bit("FD", 5, "full duplex");
  RegisterField hd = unmodelled("HD", 6);
  RegisterField pause = bit("PAUSE", 7, "symmetric PAUSE");
  RegisterField asm_dir = bit("ASM_DIR", 8, "asymmetric PAUSE");
  RegisterField reserved9 = unmodelled("reserved9", 9, 3);
  RegisterField rf = unmodelled("RF", 12, 2);
  RegisterField ack = bit("ACK", 14, "the other's word has come");
  RegisterField np = unmodelled("NP", 15);
  std::uint32_t word = mask();
};

struct TxcwFields : ConfigWordFields {
  RegisterField tx_config = unmodelled("TxConfig", 30);
  RegisterField ane = bit("ANE", 31, "negotiation is on");
};
inline constexpr TxcwFields kTxcwFields;

struct RxcwFields : ConfigWordFields {
  RegisterField nc = bit("NC", 26, "no carrier");
  RegisterField iv = unmodelled("IV", 27);
  RegisterField cc = bit("CC", 28, "the word has changed since this was read");
  RegisterField c = bit("C", 29, "/C/ ordered sets come in");
  RegisterField synch = bit("SYNCH", 30, "the receiver is synchronised");
  RegisterField anc = bit("ANC", 31, "negotiation is complete");
};
inline constexpr RxcwFields kRxcwFields;

struct TctlFields : intel::TctlFields {
  RegisterField psp = unmodelled("PSP", 3);
  RegisterField ct = unmodelled("CT", 4, 8);
  RegisterField cold = unmodelled("COLD", 12, 10);
  RegisterField swxoff = unmodelled("SWXOFF", 22);
  RegisterField rtlc = unmodelled("RTLC", 24);
};
inline constexpr TctlFields kTctlFields;

struct TipgFields : RegisterFields {
  RegisterField ipgt = unmodelled("IPGT", 0, 10);
  RegisterField ipgr1 = unmodelled("IPGR1", 10, 10);
  RegisterField ipgr2 = unmodelled("IPGR2", 20, 10);
};
inline constexpr TipgFields kTipgFields;

struct LedctlFields : RegisterFields {
  RegisterField led0_mode = bits("LED0_MODE", 0, 4, "14: on");
  RegisterField led0_blink_rate = unmodelled("LED0_BLINK_RATE", 5);
  RegisterField led0_ivrt = unmodelled("LED0_IVRT", 6);
  RegisterField led0_blink = unmodelled("LED0_BLINK", 7);
  RegisterField led1_mode = bits("LED1_MODE", 8, 4, "14: on");
  RegisterField led1_blink_rate = unmodelled("LED1_BLINK_RATE", 13);
  RegisterField led1_ivrt = unmodelled("LED1_IVRT", 14);
  RegisterField led1_blink = unmodelled("LED1_BLINK", 15);
  RegisterField led2_mode = bits("LED2_MODE", 16, 4, "14: on");
  RegisterField led2_blink_rate = unmodelled("LED2_BLINK_RATE", 21);
  RegisterField led2_ivrt = unmodelled("LED2_IVRT", 22);
  RegisterField led2_blink = unmodelled("LED2_BLINK", 23);
  RegisterField led3_mode = bits("LED3_MODE", 24, 4, "14: on");
  RegisterField led3_blink_rate = unmodelled("LED3_BLINK_RATE", 29);
  RegisterField led3_ivrt = unmodelled("LED3_IVRT", 30);
  RegisterField led3_blink = unmodelled("LED3_BLINK", 31);
};
inline constexpr LedctlFields kLedctlFields;

struct PbaFields : RegisterFields {
  RegisterField rxa = bits("RXA", 0, 16, "KiB of the packet buffer that receive");
  RegisterField txa = bits("TXA", 16, 16, "KiB that transmit: the rest");
};
inline constexpr PbaFields kPbaFields;

struct FcrtlFields : RegisterFields {
  RegisterField rtl = bits("RTL", 3, 13, "XON when no more bytes wait, in eights");
  RegisterField xone = bit("XONE", 31, "XON is sent");
};
inline constexpr FcrtlFields kFcrtlFields;

struct FcrthFields : RegisterFields {
  RegisterField rth = bits("RTH", 3, 13, "XOFF when as many bytes wait, in eights");
};
inline constexpr FcrthFields kFcrthFields;

struct RdtrFields : RegisterFields {
  RegisterField delay = bits("DELAY", 0, 16, "of the receive timer, in units of 1.024 us");
  RegisterField fpd = bit("FPD", 31, "the receive timers expire at once");
};
inline constexpr RdtrFields kRdtrFields;

/// RXDCTL and TXDCTL.
struct DescriptorControlFields : RegisterFields {
  RegisterField pthresh = bits("PTHRESH", 0, 6, "prefetch threshold");
  RegisterField hthresh = bits("HTHRESH", 8, 6, "host threshold");
  RegisterField wthresh = bits("WTHRESH", 16, 6, "write-back threshold");
  RegisterField gran = bit("GRAN", 24, "they count descriptors, else cache lines");
};
inline constexpr DescriptorControlFields kDescriptorControlFields;

struct RxcsumFields : intel::RxcsumFields {
  RegisterField pcss = bits("PCSS", 0, 8, "byte at which the packet checksum begins");
};
inline constexpr RxcsumFields kRxcsumFields;

struct RingBaseFields : RegisterFields {
  RegisterField base = bits("BASE", 4, 28, "low half of the ring's address, in sixteens");
};
inline constexpr RingBaseFields kRingBaseFields;

// General
constexpr RegisterSpec kCtrl{"CTRL", 0x0000, kCtrlFields};
constexpr RegisterSpec kCtrlDup{"CTRL_DUP", 0x0004, kCtrlFields};  // CTRL at a second offset
constexpr RegisterSpec kStatus{"STATUS", 0x0008, kStatusFields, Access::kReadOnly};
constexpr RegisterSpec kEecd{"EECD", 0x0010, kEecdFields, Access::kReadWrite, 0, kEecdFields.pins};
constexpr RegisterSpec kEerd{"EERD", 0x0014, kEerdFields};
constexpr RegisterSpec kCtrlExt{"CTRL_EXT", 0x0018, kCtrlExtFields};
constexpr RegisterSpec kMdic{"MDIC", 0x0020, kMdicFields};
constexpr RegisterSpec kFcal{"FCAL", 0x0028};
constexpr RegisterSpec kFcah{"FCAH", 0x002c, Access::kReadWrite, 0, 0xffff};
constexpr RegisterSpec kFct{"FCT", 0x0030, Access::kReadWrite, 0, 0xffff};
constexpr RegisterSpec kVet{"VET", 0x0038, Access::kReadWrite, intel::kVlanType, 0xffff};
// Interrupts
constexpr RegisterSpec kIcr{"ICR", 0x00c0, kCauseFields, Access::kReadOnly};
constexpr RegisterSpec kItr{"ITR", 0x00c4, Access::kReadWrite, 0, 0xffff};
constexpr RegisterSpec kIcs{"ICS", 0x00c8, kCauseFields, Access::kAction, 0, kCauseFields.mask()};
constexpr RegisterSpec kIms{"IMS", 0x00d0, kCauseFields, Access::kAction, 0, kCauseFields.mask()};
constexpr RegisterSpec kImc{"IMC", 0x00d8, kCauseFields, Access::kAction};
// Link and flow control
constexpr RegisterSpec kRctl{"RCTL", 0x0100, kRctlFields};
constexpr RegisterSpec kFcttv{"FCTTV", 0x0170, Access::kReadWrite, 0, 0xffff};
constexpr RegisterSpec kTxcw{
    "TXCW", 0x0178, kTxcwFields, Access::kReadWrite, 0, kTxcwFields.mask()};
constexpr RegisterSpec kRxcw{"RXCW", 0x0180, kRxcwFields, Access::kReadOnly};
constexpr RegisterSpec kTctl{"TCTL", 0x0400, kTctlFields};
constexpr RegisterSpec kTipg{
    "TIPG", 0x0410, kTipgFields, Access::kReadWrite, 0, kTipgFields.mask()};
constexpr RegisterSpec kAit{"AIT", 0x0458, Access::kReadWrite, 0, 0xffff};
constexpr RegisterSpec kLedctl{"LEDCTL", 0x0e00, kLedctlFields, Access::kReadWrite, 0x0706'8302};
constexpr RegisterSpec kPba{"PBA", 0x1000, kPbaFields};
constexpr RegisterSpec kFcrtl{
    "FCRTL", 0x2160, kFcrtlFields, Access::kReadWrite, 0, kFcrtlFields.mask()};
constexpr RegisterSpec kFcrth{
    "FCRTH", 0x2168, kFcrthFields, Access::kReadWrite, 0, kFcrthFields.mask()};
// Receive
constexpr RegisterSpec kRdfpc{"RDFPC", 0x2430, Access::kReadOnly};
constexpr RegisterSpec kRdbal{
    "RDBAL", 0x2800, kRingBaseFields, Access::kReadWrite, 0, kRingBaseFields.mask()};
constexpr RegisterSpec kRdbah{"RDBAH", 0x2804};
constexpr RegisterSpec kRdlen{"RDLEN",
                              0x2808,
                              intel::kRingLengthFields,
                              Access::kReadWrite,
                              0,
                              intel::kRingLengthFields.mask()};
constexpr RegisterSpec kRdh{"RDH", 0x2810, Access::kReadWrite, 0, 0xffff};
constexpr RegisterSpec kRdt{"RDT", 0x2818, Access::kReadWrite, 0, 0xffff};
constexpr RegisterSpec kRdtr{"RDTR", 0x2820, kRdtrFields};
constexpr RegisterSpec kRxdctl{"RXDCTL", 0x2828, kDescriptorControlFields};
constexpr RegisterSpec kRadv{"RADV", 0x282c, Access::kReadWrite, 0, 0xffff};
constexpr RegisterSpec kRsrpd{"RSRPD", 0x2c00, Access::kReadWrite, 0, 0xfff};
// Transmit
constexpr RegisterSpec kTdfpc{"TDFPC", 0x3430, Access::kReadOnly};
constexpr RegisterSpec kTdbal{
    "TDBAL", 0x3800, kRingBaseFields, Access::kReadWrite, 0, kRingBaseFields.mask()};
constexpr RegisterSpec kTdbah{"TDBAH", 0x3804};
constexpr RegisterSpec kTdlen{"TDLEN",
                              0x3808,
                              intel::kRingLengthFields,
                              Access::kReadWrite,
                              0,
                              intel::kRingLengthFields.mask()};
constexpr RegisterSpec kTdh{"TDH", 0x3810, Access::kReadWrite, 0, 0xffff};
constexpr RegisterSpec kTdt{"TDT", 0x3818, Access::kReadWrite, 0, 0xffff};
constexpr RegisterSpec kTidv{"TIDV", 0x3820, Access::kReadWrite, 0, 0xffff};
constexpr RegisterSpec kTxdctl{"TXDCTL", 0x3828, kDescriptorControlFields};
constexpr RegisterSpec kTadv{"TADV", 0x382c, Access::kReadWrite, 0, 0xffff};
constexpr RegisterSpec kTspmt{"TSPMT", 0x3830, intel::kTspmtFields, Access::kReadWrite,
                              0x0100'0400};
// Statistics: 0x4000 to 0x40fc, see e1000_stats.cc
// Filters and wake-up
constexpr RegisterSpec kRxcsum{"RXCSUM", 0x5000, kRxcsumFields};
constexpr std::uint32_t kMta = 0x5200;   // 128 words
constexpr std::uint32_t kRal = 0x5400;   // 16 pairs RAL, RAH
constexpr std::uint32_t kVfta = 0x5600;  // 128 words
constexpr RegisterSpec kWuc{"WUC", 0x5800, Access::kReadWrite, 0, 0xf};
constexpr RegisterSpec kWufc{"WUFC", 0x5808, Access::kReadWrite, 0, 0xffff};
constexpr RegisterSpec kWus{"WUS", 0x5810, Access::kReadOnly};
constexpr RegisterSpec kManc{"MANC", 0x5820};
constexpr std::uint32_t kBar0Bytes = 0x20000;

namespace rx_status = intel::rx_status;
namespace rx_error = intel::rx_error;

namespace tx {
using namespace intel::tx;                     // NOLINT: the layout that all controllers share
constexpr std::uint32_t kExtended = 1U << 29;  // DEXT; a descriptor without it is a legacy
                                               // descriptor
constexpr std::uint32_t kLegacyLengthMask = 0xffff;
constexpr std::uint32_t kLegacyOffsetShift = 16;     // CSO
constexpr std::uint32_t kLegacyChecksum = 1U << 26;  // IC
}  // namespace tx

}  // namespace longhaul::nic::e1000::regs
