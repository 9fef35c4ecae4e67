// SPDX-License-Identifier: Apache-2.0
// Made from rtl/nic/nic.rdl by `./longhaul registers`; a change here is lost.
// clang-format off
#pragma once

#include <cstdint>

#include "models/common/register_bank.h"
#include "models/nic/intel/regs.h"

/// Registers of the 82597EX and their fields.
namespace longhaul::nic::ixgb::regs {

struct Ctrl0Fields : intel::CtrlFields {
  RegisterField jfe = bit("JFE", 4, "frames of up to MFS bytes are accepted");
  RegisterField xle = unmodelled("XLE", 5);
  RegisterField mdcs = unmodelled("MDCS", 6);
  RegisterField cmdc = bit("CMDC", 7, "with it RPE has no effect");
  RegisterField sdp0 = bit("SDP0", 18, "low: the LED is on");
  RegisterField sdp1 = unmodelled("SDP1", 19);
  RegisterField sdp2 = unmodelled("SDP2", 20);
  RegisterField sdp3 = unmodelled("SDP3", 21);
  RegisterField sdp_dir = unmodelled("SDP_DIR", 22, 4);
  RegisterField rpe = bit("RPE", 27, "PAUSE that comes is honoured");
  RegisterField tpe = bit("TPE", 28, "PAUSE is sent");
};
inline constexpr Ctrl0Fields kCtrl0Fields;

struct Ctrl1Fields : intel::CtrlExtFields {
  RegisterField pcixhm = unmodelled("PCIXHM", 22, 2);
};
inline constexpr Ctrl1Fields kCtrl1Fields;

struct StatusFields : intel::StatusFields {
  RegisterField aip = unmodelled("AIP", 2);
  RegisterField xauime = unmodelled("XAUIME", 5);
  RegisterField ris = unmodelled("RIS", 7);
  RegisterField rie = unmodelled("RIE", 8);
  RegisterField rlf = bit("RLF", 9, "local fault: no link");
  RegisterField rrf = unmodelled("RRF", 10);
  RegisterField rev_id = bits("REV_ID", 16, 4, "the chip's revision");
};
inline constexpr StatusFields kStatusFields;

using intel::kEecdFields;

struct MfsFields : RegisterFields {
  RegisterField mfs = bits("MFS", 16, 16, "longest frame with CTRL0.JFE, in bytes");
};
inline constexpr MfsFields kMfsFields;

struct CauseFields : intel::CauseFields {
  RegisterField autoscan = unmodelled("AUTOSCAN", 9);
};
inline constexpr CauseFields kCauseFields;

struct RctlFields : intel::RctlFields {
  RegisterField rpda = unmodelled("RPDA", 21, 2);
  RegisterField cff = bit("CFF", 23, "MAC control frames are filtered");
};
inline constexpr RctlFields kRctlFields;

struct FcrtlFields : RegisterFields {
  RegisterField rtl = bits("RTL", 3, 15, "XON when no more bytes wait, in eights");
  RegisterField xone = bit("XONE", 31, "XON is sent");
};
inline constexpr FcrtlFields kFcrtlFields;

struct FcrthFields : RegisterFields {
  RegisterField rth = bits("RTH", 3, 15, "XOFF when as many bytes wait, in eights");
};
inline constexpr FcrthFields kFcrthFields;

using intel::kRingLengthFields;

struct RdtFields : RegisterFields {
  RegisterField rdt = bits("RDT", 0, 16, "the tail");
  RegisterField fpdb = bit("FPDB", 31, "the receive timers expire at once");
};
inline constexpr RdtFields kRdtFields;

struct RxdctlFields : RegisterFields {
  RegisterField pthresh = bits("PTHRESH", 0, 9, "prefetch threshold, in descriptors");
  RegisterField hthresh = bits("HTHRESH", 9, 9, "host threshold");
  RegisterField wthresh = bits("WTHRESH", 18, 9, "write-back threshold");
};
inline constexpr RxdctlFields kRxdctlFields;

struct RaidcFields : RegisterFields {
  RegisterField highthrs = bits("HIGHTHRS", 0, 6, "in eights of descriptors that are available");
  RegisterField delay = bits("DELAY", 11, 9, "in units of RDTR");
  RegisterField poll = bits("POLL", 20, 9, "in units of RDTR");
  RegisterField rxt_gate = bit("RXT_GATE", 30, "POLL alone interrupts where descriptors are few");
  RegisterField en = bit("EN", 31, "DELAY is in force, not RDTR");
};
inline constexpr RaidcFields kRaidcFields;

using intel::kRxcsumFields;

using intel::kRahFields;

struct TctlFields : intel::TctlFields {
  RegisterField tce = unmodelled("TCE", 0);
  RegisterField tpde = unmodelled("TPDE", 2);
};
inline constexpr TctlFields kTctlFields;

struct TxdctlFields : RegisterFields {
  RegisterField pthresh = bits("PTHRESH", 0, 7, "prefetch threshold, in descriptors");
  RegisterField hthresh = bits("HTHRESH", 8, 7, "host threshold");
  RegisterField wthresh = bits("WTHRESH", 16, 7, "write-back threshold");
};
inline constexpr TxdctlFields kTxdctlFields;

using intel::kTspmtFields;

struct PapFields : RegisterFields {
  RegisterField txpc = bits("TXPC", 0, 16, "quanta of a PAUSE that is sent");
  RegisterField txpv = bits("TXPV", 16, 4, "pace in Gb/s; 0: 10, 15: WAN");
};
inline constexpr PapFields kPapFields;

struct Pcsc1Fields : RegisterFields {
  RegisterField loopback = unmodelled("LOOPBACK", 14);
};
inline constexpr Pcsc1Fields kPcsc1Fields;

struct Pcsc2Fields : RegisterFields {
  RegisterField pcs_type = unmodelled("PCS_TYPE", 0, 2);
};
inline constexpr Pcsc2Fields kPcsc2Fields;

struct Pcss1Fields : RegisterFields {
  RegisterField rx_link_status = bit("RX_LINK_STATUS", 2, "the lanes are aligned");
  RegisterField local_fault = bit("LOCAL_FAULT", 7, "they are not");
};
inline constexpr Pcss1Fields kPcss1Fields;

struct Pcss2Fields : RegisterFields {
  RegisterField can_10gbr = unmodelled("10GBR", 0);
  RegisterField can_10gbx = bit("10GBX", 1, "it is 10GBASE-X");
  RegisterField can_10gbw = unmodelled("10GBW", 2);
  RegisterField rx_lf = bit("RX_LF", 10, "fault in what comes");
  RegisterField tx_lf = unmodelled("TX_LF", 11);
  RegisterField dev_pres = bits("DEV_PRES", 14, 2, "1: present");
};
inline constexpr Pcss2Fields kPcss2Fields;

struct XpcssFields : RegisterFields {
  RegisterField lane_sync = bits("LANE_SYNC", 0, 4, "of lanes 0 to 3");
  RegisterField pattern_test = unmodelled("PATTERN_TEST", 11);
  RegisterField align_status = bit("ALIGN_STATUS", 12, "the lanes are aligned");
};
inline constexpr XpcssFields kXpcssFields;

struct MscaFields : RegisterFields {
  RegisterField np_addr = bits("NP_ADDR", 0, 16, "register of the device");
  RegisterField dev_type = bits("DEV_TYPE", 16, 5, "device; of the old protocol: register");
  RegisterField phy_addr = bits("PHY_ADDR", 21, 5, "port");
  RegisterField op_code = bits("OP_CODE", 26, 2, "0: address, 1: write, 2 and 3: read");
  RegisterField st_code = bits("ST_CODE", 28, 2, "0: clause 45, 1: clause 22");
  RegisterField mdi_command = bit("MDI_COMMAND", 30, "starts an access; set while it goes on");
  RegisterField mdi_in_prog_en = unmodelled("MDI_IN_PROG_EN", 31);
};
inline constexpr MscaFields kMscaFields;

struct MsrwdFields : RegisterFields {
  RegisterField write_data = bits("WRITE_DATA", 0, 16, "of the next write");
  RegisterField read_data = bits("READ_DATA", 16, 16, "of the last read");
};
inline constexpr MsrwdFields kMsrwdFields;

/// Bytes that the bus addresses.
constexpr std::uint32_t kBar0Bytes = 0x20000;

constexpr RegisterSpec kCtrl0{"CTRL0", 0x000, kCtrl0Fields};
constexpr RegisterSpec kCtrl1{"CTRL1", 0x008, kCtrl1Fields};
constexpr RegisterSpec kStatus{"STATUS", 0x010, kStatusFields, Access::kReadOnly};
constexpr RegisterSpec kEecd{"EECD", 0x018, kEecdFields};
constexpr RegisterSpec kMfs{"MFS", 0x020, kMfsFields, Access::kReadWrite, 0x5ee'0000};
constexpr RegisterSpec kIcr{"ICR", 0x080, kCauseFields, Access::kReadOnly};
constexpr RegisterSpec kIcs{"ICS", 0x088, kCauseFields, Access::kAction, 0x0, 0x7bdf};
constexpr RegisterSpec kIms{"IMS", 0x090, kCauseFields, Access::kAction, 0x0, 0x7bdf};
constexpr RegisterSpec kImc{"IMC", 0x098, kCauseFields, Access::kAction};
constexpr RegisterSpec kRctl{"RCTL", 0x100, kRctlFields};
constexpr RegisterSpec kFcrtl{"FCRTL", 0x108, kFcrtlFields};
constexpr RegisterSpec kFcrth{"FCRTH", 0x110, kFcrthFields};
constexpr RegisterSpec kRdbal{"RDBAL", 0x118};
constexpr RegisterSpec kRdbah{"RDBAH", 0x11c};
constexpr RegisterSpec kRdlen{"RDLEN", 0x120, kRingLengthFields};
constexpr RegisterSpec kRdh{"RDH", 0x128, Access::kReadWrite, 0x0, 0xffff};
constexpr RegisterSpec kRdt{"RDT", 0x130, kRdtFields, Access::kReadWrite, 0x0, 0x8000'ffff};
constexpr RegisterSpec kRdtr{"RDTR", 0x138};
constexpr RegisterSpec kRxdctl{"RXDCTL", 0x140, kRxdctlFields};
constexpr RegisterSpec kRaidc{"RAIDC", 0x148, kRaidcFields};
constexpr RegisterSpec kRxcsum{"RXCSUM", 0x158, kRxcsumFields};
constexpr RegisterSpec kTctl{"TCTL", 0x600, kTctlFields};
constexpr RegisterSpec kTdbal{"TDBAL", 0x608};
constexpr RegisterSpec kTdbah{"TDBAH", 0x60c};
constexpr RegisterSpec kTdlen{"TDLEN", 0x610, kRingLengthFields};
constexpr RegisterSpec kTdh{"TDH", 0x618, Access::kReadWrite, 0x0, 0xffff};
constexpr RegisterSpec kTdt{"TDT", 0x620};
constexpr RegisterSpec kTidv{"TIDV", 0x628};
constexpr RegisterSpec kTxdctl{"TXDCTL", 0x630, kTxdctlFields};
constexpr RegisterSpec kTspmt{"TSPMT", 0x638, kTspmtFields, Access::kReadWrite, 0x100'0400};
constexpr RegisterSpec kPap{"PAP", 0x640, kPapFields};
constexpr RegisterSpec kPcsc1{"PCSC1", 0x700, kPcsc1Fields};
constexpr RegisterSpec kPcsc2{"PCSC2", 0x708, kPcsc2Fields, Access::kReadWrite, 0x1};
constexpr RegisterSpec kPcss1{"PCSS1", 0x710, kPcss1Fields, Access::kReadOnly};
constexpr RegisterSpec kPcss2{"PCSS2", 0x718, kPcss2Fields, Access::kReadOnly};
constexpr RegisterSpec kXpcss{"XPCSS", 0x720, kXpcssFields, Access::kReadOnly};
constexpr RegisterSpec kUccr{"UCCR", 0x728};
constexpr RegisterSpec kXpcstc{"XPCSTC", 0x730};
constexpr RegisterSpec kMaca{"MACA", 0x738};
constexpr RegisterSpec kApae{"APAE", 0x740};
constexpr RegisterSpec kArd{"ARD", 0x748, Access::kReadOnly};
constexpr RegisterSpec kAis{"AIS", 0x750, Access::kReadOnly};
constexpr RegisterSpec kMsca{"MSCA", 0x758, kMscaFields};
constexpr RegisterSpec kMsrwd{"MSRWD", 0x760, kMsrwdFields};
constexpr RegisterSpec kWufc{"WUFC", 0x808};
constexpr RegisterSpec kWus{"WUS", 0x810, Access::kReadOnly};
constexpr RegisterSpec kTprl{"TPRL", 0x2000, Access::kReadOnly};
constexpr RegisterSpec kTprh{"TPRH", 0x2004, Access::kReadOnly};
constexpr RegisterSpec kGprcl{"GPRCL", 0x2008, Access::kReadOnly};
constexpr RegisterSpec kGprch{"GPRCH", 0x200c, Access::kReadOnly};
constexpr RegisterSpec kBprcl{"BPRCL", 0x2010, Access::kReadOnly};
constexpr RegisterSpec kBprch{"BPRCH", 0x2014, Access::kReadOnly};
constexpr RegisterSpec kMprcl{"MPRCL", 0x2018, Access::kReadOnly};
constexpr RegisterSpec kMprch{"MPRCH", 0x201c, Access::kReadOnly};
constexpr RegisterSpec kUprcl{"UPRCL", 0x2020, Access::kReadOnly};
constexpr RegisterSpec kUprch{"UPRCH", 0x2024, Access::kReadOnly};
constexpr RegisterSpec kVprcl{"VPRCL", 0x2028, Access::kReadOnly};
constexpr RegisterSpec kVprch{"VPRCH", 0x202c, Access::kReadOnly};
constexpr RegisterSpec kJprcl{"JPRCL", 0x2030, Access::kReadOnly};
constexpr RegisterSpec kJprch{"JPRCH", 0x2034, Access::kReadOnly};
constexpr RegisterSpec kGorcl{"GORCL", 0x2038, Access::kReadOnly};
constexpr RegisterSpec kGorch{"GORCH", 0x203c, Access::kReadOnly};
constexpr RegisterSpec kTorl{"TORL", 0x2040, Access::kReadOnly};
constexpr RegisterSpec kTorh{"TORH", 0x2044, Access::kReadOnly};
constexpr RegisterSpec kRnbc{"RNBC", 0x2048, Access::kReadOnly};
constexpr RegisterSpec kRuc{"RUC", 0x2050, Access::kReadOnly};
constexpr RegisterSpec kRoc{"ROC", 0x2058, Access::kReadOnly};
constexpr RegisterSpec kRlec{"RLEC", 0x2060, Access::kReadOnly};
constexpr RegisterSpec kCrcerrs{"CRCERRS", 0x2068, Access::kReadOnly};
constexpr RegisterSpec kIcbc{"ICBC", 0x2070, Access::kReadOnly};
constexpr RegisterSpec kEcbc{"ECBC", 0x2078, Access::kReadOnly};
constexpr RegisterSpec kMpc{"MPC", 0x2080, Access::kReadOnly};
constexpr RegisterSpec kTptl{"TPTL", 0x2100, Access::kReadOnly};
constexpr RegisterSpec kTpth{"TPTH", 0x2104, Access::kReadOnly};
constexpr RegisterSpec kGptcl{"GPTCL", 0x2108, Access::kReadOnly};
constexpr RegisterSpec kGptch{"GPTCH", 0x210c, Access::kReadOnly};
constexpr RegisterSpec kBptcl{"BPTCL", 0x2110, Access::kReadOnly};
constexpr RegisterSpec kBptch{"BPTCH", 0x2114, Access::kReadOnly};
constexpr RegisterSpec kMptcl{"MPTCL", 0x2118, Access::kReadOnly};
constexpr RegisterSpec kMptch{"MPTCH", 0x211c, Access::kReadOnly};
constexpr RegisterSpec kUptcl{"UPTCL", 0x2120, Access::kReadOnly};
constexpr RegisterSpec kUptch{"UPTCH", 0x2124, Access::kReadOnly};
constexpr RegisterSpec kVptcl{"VPTCL", 0x2128, Access::kReadOnly};
constexpr RegisterSpec kVptch{"VPTCH", 0x212c, Access::kReadOnly};
constexpr RegisterSpec kJptcl{"JPTCL", 0x2130, Access::kReadOnly};
constexpr RegisterSpec kJptch{"JPTCH", 0x2134, Access::kReadOnly};
constexpr RegisterSpec kGotcl{"GOTCL", 0x2138, Access::kReadOnly};
constexpr RegisterSpec kGotch{"GOTCH", 0x213c, Access::kReadOnly};
constexpr RegisterSpec kTotl{"TOTL", 0x2140, Access::kReadOnly};
constexpr RegisterSpec kToth{"TOTH", 0x2144, Access::kReadOnly};
constexpr RegisterSpec kDc{"DC", 0x2148, Access::kReadOnly};
constexpr RegisterSpec kPlt64c{"PLT64C", 0x2150, Access::kReadOnly};
constexpr RegisterSpec kTsctc{"TSCTC", 0x2170, Access::kReadOnly};
constexpr RegisterSpec kTsctfc{"TSCTFC", 0x2178, Access::kReadOnly};
constexpr RegisterSpec kIbic{"IBIC", 0x2180, Access::kReadOnly};
constexpr RegisterSpec kRfc{"RFC", 0x2188, Access::kReadOnly};
constexpr RegisterSpec kLfc{"LFC", 0x2190, Access::kReadOnly};
constexpr RegisterSpec kPfrc{"PFRC", 0x2198, Access::kReadOnly};
constexpr RegisterSpec kPftc{"PFTC", 0x21a0, Access::kReadOnly};
constexpr RegisterSpec kMcfrc{"MCFRC", 0x21a8, Access::kReadOnly};
constexpr RegisterSpec kMcftc{"MCFTC", 0x21b0, Access::kReadOnly};
constexpr RegisterSpec kXonrxc{"XONRXC", 0x21b8, Access::kReadOnly};
constexpr RegisterSpec kXontxc{"XONTXC", 0x21c0, Access::kReadOnly};
constexpr RegisterSpec kXoffrxc{"XOFFRXC", 0x21c8, Access::kReadOnly};
constexpr RegisterSpec kXofftxc{"XOFFTXC", 0x21d0, Access::kReadOnly};
constexpr RegisterSpec kRjc{"RJC", 0x21d8, Access::kReadOnly};
constexpr std::uint32_t kRal = 0x180;  // 16 of them, 8 bytes apart
constexpr std::uint32_t kRah = 0x184;  // 16 of them, 8 bytes apart
constexpr std::uint32_t kMta = 0x200;  // 128 of them, 4 bytes apart
constexpr std::uint32_t kVfta = 0x400;  // 128 of them, 4 bytes apart

}  // namespace longhaul::nic::ixgb::regs
