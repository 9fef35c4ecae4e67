// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/common/register_bank.h"
#include "models/nic/intel/descriptors.h"
#include "models/nic/intel/regs.h"

/// Registers and descriptors of the Intel 82597EX: offsets in BAR 0, and fields. Reserved bits
/// are left out. Source: facts read from Linux 6.1 drivers/net/ethernet/intel/ixgb/ixgb_hw.h; names
/// as there.
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

inline constexpr intel::EecdFields kEecdFields;

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

inline constexpr intel::RxcsumFields kRxcsumFields;

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
  std::uint32_t old_protocol = st_code.put(1);
};
inline constexpr MscaFields kMscaFields;

struct MsrwdFields : RegisterFields {
  RegisterField write_data = bits("WRITE_DATA", 0, 16);
  RegisterField read_data = bits("READ_DATA", 16, 16);
};
inline constexpr MsrwdFields kMsrwdFields;

// General
constexpr RegisterSpec kCtrl0{"CTRL0", 0x000, kCtrl0Fields};
constexpr RegisterSpec kCtrl1{"CTRL1", 0x008, kCtrl1Fields};
constexpr RegisterSpec kStatus{"STATUS", 0x010, kStatusFields, Access::kReadOnly};
constexpr RegisterSpec kEecd{"EECD", 0x018, kEecdFields};
constexpr RegisterSpec kMfs{"MFS", 0x020, kMfsFields, Access::kReadWrite,
                            kMfsFields.mfs.put(intel::kStandardFrameBytes)};
// Interrupts
constexpr RegisterSpec kIcr{"ICR", 0x080, kCauseFields, Access::kReadOnly};
constexpr RegisterSpec kIcs{"ICS", 0x088, kCauseFields, Access::kAction, 0, kCauseFields.mask()};
constexpr RegisterSpec kIms{"IMS", 0x090, kCauseFields, Access::kAction, 0, kCauseFields.mask()};
constexpr RegisterSpec kImc{"IMC", 0x098, kCauseFields, Access::kAction};
// Receive
constexpr RegisterSpec kRctl{"RCTL", 0x100, kRctlFields};
constexpr RegisterSpec kFcrtl{"FCRTL", 0x108, kFcrtlFields};
constexpr RegisterSpec kFcrth{"FCRTH", 0x110, kFcrthFields};
constexpr RegisterSpec kRdbal{"RDBAL", 0x118};
constexpr RegisterSpec kRdbah{"RDBAH", 0x11c};
constexpr RegisterSpec kRdlen{"RDLEN", 0x120, intel::kRingLengthFields};
constexpr RegisterSpec kRdh{"RDH", 0x128, Access::kReadWrite, 0, 0xffff};
constexpr RegisterSpec kRdt{"RDT", 0x130, kRdtFields};
constexpr RegisterSpec kRdtr{"RDTR", 0x138};
constexpr RegisterSpec kRxdctl{"RXDCTL", 0x140, kRxdctlFields};
constexpr RegisterSpec kRaidc{"RAIDC", 0x148, kRaidcFields};
constexpr RegisterSpec kRxcsum{"RXCSUM", 0x158, kRxcsumFields};
constexpr std::uint32_t kRal = 0x180;   // 16 pairs RAL, RAH
constexpr std::uint32_t kMta = 0x200;   // 128 words
constexpr std::uint32_t kVfta = 0x400;  // 128 words
// Transmit
constexpr RegisterSpec kTctl{"TCTL", 0x600, kTctlFields};
constexpr RegisterSpec kTdbal{"TDBAL", 0x608};
constexpr RegisterSpec kTdbah{"TDBAH", 0x60c};
constexpr RegisterSpec kTdlen{"TDLEN", 0x610, intel::kRingLengthFields};
constexpr RegisterSpec kTdh{"TDH", 0x618, Access::kReadWrite, 0, 0xffff};
constexpr RegisterSpec kTdt{"TDT", 0x620};
constexpr RegisterSpec kTidv{"TIDV", 0x628};
constexpr RegisterSpec kTxdctl{"TXDCTL", 0x630, kTxdctlFields};
constexpr RegisterSpec kTspmt{"TSPMT", 0x638, intel::kTspmtFields, Access::kReadWrite, 0x0100'0400};
constexpr RegisterSpec kPap{"PAP", 0x640, kPapFields};
// Physical layer
constexpr RegisterSpec kPcsc1{"PCSC1", 0x700, kPcsc1Fields};
constexpr RegisterSpec kPcsc2{"PCSC2", 0x708, kPcsc2Fields, Access::kReadWrite,
                              1};  // 10GBASE-X, the XAUI side
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
// Wake-up
constexpr RegisterSpec kWufc{"WUFC", 0x808};
constexpr RegisterSpec kWus{"WUS", 0x810, Access::kReadOnly};
// Statistics: 0x2000 to 0x21d8, see ixgb_stats.cc
constexpr std::uint32_t kBar0Bytes = 0x20000;

constexpr std::uint32_t kExactAddresses = 16;
constexpr std::uint32_t kTableWords = 128;

namespace rx_status = intel::rx_status;
namespace rx_error = intel::rx_error;
namespace tx = intel::tx;

}  // namespace longhaul::nic::ixgb::regs
