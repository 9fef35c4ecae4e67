// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/common/register_bank.h"

/// Registers of the DP83820: names, offsets and fields as in Linux 6.1's ns83820.c. Names that are
/// not in that driver are from FreeBSD's if_ngereg.h.
namespace longhaul::nic::dp83820::regs {

constexpr std::uint32_t kMemoryBytes = 4096;
constexpr std::uint8_t kMemoryBar = 1;
constexpr std::uint32_t kPorts = 256;
constexpr std::uint8_t kPortBar = 0;
/// A read-only copy of the configuration space.
constexpr std::uint32_t kConfigCopy = 0x200;
constexpr std::uint32_t kConfigCopyBytes = 0x100;

struct CrFields : RegisterFields {
  RegisterField txe = bit("TXE", 0, "starts transmission; set while it goes on");
  RegisterField txd = bit("TXD", 1, "stops it");
  RegisterField rxe = bit("RXE", 2, "starts reception; set while it goes on");
  RegisterField rxd = bit("RXD", 3, "stops it");
  RegisterField txr = bit("TXR", 4, "resets the transmitter");
  RegisterField rxr = bit("RXR", 5, "resets the receiver");
  RegisterField swi = bit("SWI", 7, "raises the cause SWI");
  RegisterField rst = bit("RST", 8, "resets the adapter; set while it does");
};
inline constexpr CrFields kCrFields;

struct CfgFields : RegisterFields {
  RegisterField bem = unmodelled("BEM", 0);
  RegisterField ext_125 = unmodelled("EXT_125", 1);
  RegisterField brom_dis = unmodelled("BROM_DIS", 2);
  RegisterField pesel = unmodelled("PESEL", 3);
  RegisterField exd = unmodelled("EXD", 4);
  RegisterField pow = unmodelled("POW", 5);
  RegisterField sb = unmodelled("SB", 6);
  RegisterField reqalg = unmodelled("REQALG", 7);
  RegisterField extsts_en = bit("EXTSTS_EN", 8, "descriptors have an extended status");
  RegisterField phy_dis = unmodelled("PHY_DIS", 9);
  RegisterField phy_rst = unmodelled("PHY_RST", 10);
  RegisterField m64addr = bit("M64ADDR", 11, "addresses in descriptors have 64 bits");
  RegisterField data64_en = bit("DATA64_EN", 12, "of 64-bit data; stored, the bus decides");
  RegisterField pci64_det = bit("PCI64_DET", 13, "the bus is 64 bits wide");
  RegisterField t64addr = unmodelled("T64ADDR", 14);
  RegisterField mwi_dis = unmodelled("MWI_DIS", 15);
  RegisterField mrm_dis = unmodelled("MRM_DIS", 16);
  RegisterField tmrtest = unmodelled("TMRTEST", 17);
  RegisterField pint_spdsts = unmodelled("PINT_SPDSTS", 18);
  RegisterField pint_lnksts = bit("PINT_LNKSTS", 19, "a change of LNKSTS is the cause PHY");
  RegisterField pint_dupsts = unmodelled("PINT_DUPSTS", 20);
  RegisterField auto_1000 = unmodelled("AUTO_1000", 21);
  RegisterField mode_1000 = bit("MODE_1000", 22, "1000 Mb/s; stored");
  RegisterField tbi_en = bit("TBI_EN", 24, "the ten-bit interface is in use");
  RegisterField dupsts = unmodelled("DUPSTS", 28);
  RegisterField spdsts0 = bit("SPDSTS0", 29, "drivers take speed and duplex bits as inverted");
  RegisterField spdsts1 = unmodelled("SPDSTS1", 30);
  RegisterField lnksts = bit("LNKSTS", 31, "link up");
  std::uint32_t stored = mask() & ~(pci64_det | dupsts | spdsts0 | spdsts1 | lnksts);
};
inline constexpr CfgFields kCfgFields;

struct MearFields : RegisterFields {
  RegisterField eedi = bit("EEDI", 0, "data into the EEPROM");
  RegisterField eedo = bit("EEDO", 1, "data out of the EEPROM");
  RegisterField eeclk = bit("EECLK", 2, "the EEPROM's clock");
  RegisterField eesel = bit("EESEL", 3, "the EEPROM's chip select");
  RegisterField mdio = bit("MDIO", 4, "pulled up: no PHY answers");
  RegisterField mddir = unmodelled("MDDIR", 5);
  RegisterField mdc = unmodelled("MDC", 6);
  std::uint32_t driven = mask() & ~eedo;  // pins that software drives
};
inline constexpr MearFields kMearFields;

struct PtscrFields : RegisterFields {
  RegisterField eebist_fail = unmodelled("EEBIST_FAIL", 0);
  RegisterField eebist_en = bit("EEBIST_EN", 1, "tests the EEPROM; set while it does");
  RegisterField eeload_en = bit("EELOAD_EN", 2, "reads the EEPROM anew; set while it does");
  RegisterField rbist_done = bit("RBIST_DONE", 9, "the memories' test is over");
  RegisterField rbist_en = bit("RBIST_EN", 10, "tests the memories; set while it does");
  RegisterField rbist_rst = bit("RBIST_RST", 13, "clears RBIST_DONE");
};
inline constexpr PtscrFields kPtscrFields;

/// ISR and IMR.
struct IsrFields : RegisterFields {
  RegisterField rx_ok = bit("RXOK", 0, "a frame was received");
  RegisterField rx_desc = bit("RXDESC", 1, "a receive descriptor asked for it");
  RegisterField rx_err = bit("RXERR", 2, "a frame was received with an error");
  RegisterField rx_early = unmodelled("RXEARLY", 3);
  RegisterField rx_idle = bit("RXIDLE", 4, "the receive list is at its end");
  RegisterField rx_orn = bit("RXORN", 5, "receive overrun");
  RegisterField tx_ok = bit("TXOK", 6, "a frame was sent");
  RegisterField tx_desc = bit("TXDESC", 7, "a transmit descriptor asked for it");
  RegisterField tx_err = bit("TXERR", 8, "a frame could not be sent");
  RegisterField tx_idle = bit("TXIDLE", 9, "the transmit list is at its end");
  RegisterField tx_urn = unmodelled("TXURN", 10);
  RegisterField mib = unmodelled("MIB", 11);
  RegisterField swi = bit("SWI", 12, "CR.SWI was written");
  RegisterField pme = unmodelled("PME", 13);
  RegisterField phy = bit("PHY", 14, "the link changed");
  RegisterField hibint = bit("HIBINT", 15, "one of bits 16 to 30");
  RegisterField rx_sovr = unmodelled("RXSOVR", 16);
  RegisterField rtabt = bit("RTABT", 17, "a transaction ended in a target abort");
  RegisterField rmabt = bit("RMABT", 18, "a transaction ended in a master abort");
  RegisterField sserr = unmodelled("SSERR", 19);
  RegisterField dperr = unmodelled("DPERR", 20);
  RegisterField rx_rcmp = bit("RXRCMP", 21, "the receiver's reset is over");
  RegisterField tx_rcmp = bit("TXRCMP", 22, "the transmitter's reset is over");
  RegisterField rx_desc_n = unmodelled("RXDESC0_3", 23, 4);
  RegisterField tx_desc_n = unmodelled("TXDESC0_3", 27, 4);
  std::uint32_t high = 0x7fff'0000;  // causes that HIBINT summarizes
};
inline constexpr IsrFields kIsrFields;

struct IerFields : RegisterFields {
  RegisterField ie = bit("IE", 0, "interrupts are on");
};
inline constexpr IerFields kIerFields;

struct IhrFields : RegisterFields {
  RegisterField ih = bits("IH", 0, 8, "hold-off, in units of 100 us");
  RegisterField ihctl = bit("IHCTL", 8, "it begins at the interrupt, else when ISR is read");
};
inline constexpr IhrFields kIhrFields;

/// TXDP and RXDP: descriptors lie at multiples of 8.
struct PointerFields : RegisterFields {
  RegisterField dp = bits("DP", 3, 29, "low half of the descriptor's address, in eights");
};
inline constexpr PointerFields kPointerFields;

/// TXCFG and RXCFG.
struct DmaConfigFields : RegisterFields {
  RegisterField mxdma = bits("MXDMA", 20, 3, "longest burst: 0: 1024 B, else 4 B << MXDMA");
};
inline constexpr DmaConfigFields kDmaConfigFields;
constexpr std::uint32_t mxdma_bytes(std::uint32_t config) {
  const std::uint32_t code = kDmaConfigFields.mxdma.get(config);
  return code == 0 ? 1024 : 4U << code;
}

struct TxcfgFields : DmaConfigFields {
  RegisterField drth = unmodelled("DRTH", 0, 8);
  RegisterField flth = unmodelled("FLTH", 8, 8);
  RegisterField brst_dis = unmodelled("BRST_DIS", 19);
  RegisterField ecretry = unmodelled("ECRETRY", 23);
  RegisterField atp = unmodelled("ATP", 28);
  RegisterField mlb = bit("MLB", 29, "the MAC receives what it sends");
  RegisterField hbi = unmodelled("HBI", 30);
  RegisterField csi = unmodelled("CSI", 31);
};
inline constexpr TxcfgFields kTxcfgFields;

struct GpiorFields : RegisterFields {
  RegisterField gp_out = unmodelled("GP_OUT", 0, 5);
  RegisterField gp_oe = unmodelled("GP_OE", 5, 5);
};
inline constexpr GpiorFields kGpiorFields;

struct RxcfgFields : DmaConfigFields {
  RegisterField drth = unmodelled("DRTH", 1, 5);
  RegisterField airl = unmodelled("AIRL", 26);
  RegisterField alp = bit("ALP", 27, "long frames are accepted");
  RegisterField rx_fd = unmodelled("RX_FD", 28);
  RegisterField strip_crc = bit("STRIPCRC", 29, "the FCS is stripped");
  RegisterField arp = bit("ARP", 30, "runts are accepted");
  RegisterField aep = bit("AEP", 31, "damaged frames are accepted");
};
inline constexpr RxcfgFields kRxcfgFields;

struct PcrFields : RegisterFields {
  RegisterField pause_cnt = bits("PAUSE_CNT", 0, 16, "quanta of a PAUSE that is sent");
  RegisterField fflo = bits("FFLO", 18, 2, "XON at as many bytes of receive data");
  RegisterField ffhi = bits("FFHI", 20, 2, "XOFF at as many");
  RegisterField stlo = unmodelled("STLO", 22, 2);
  RegisterField sthi = unmodelled("STHI", 24, 2);
  RegisterField ps_da = unmodelled("PS_DA", 29);
  RegisterField ps_mcast = unmodelled("PS_MCAST", 30);
  RegisterField psen = bit("PSEN", 31, "PAUSE is on");
};
inline constexpr PcrFields kPcrFields;

struct RfcrFields : RegisterFields {
  RegisterField rfaddr = bits("RFADDR", 0, 10, "byte of the filter's memory that RFDR shows");
  RegisterField ulm = unmodelled("ULM", 19);
  RegisterField uhen = bit("UHEN", 20, "unicast frames are accepted by the hash");
  RegisterField mhen = bit("MHEN", 21, "multicast frames are accepted by the hash");
  RegisterField aarp = bit("AARP", 22, "ARP is accepted");
  RegisterField apat = unmodelled("APAT", 23, 4);
  RegisterField apm = bit("APM", 27, "frames to the station are accepted");
  RegisterField aau = bit("AAU", 28, "every unicast frame is accepted");
  RegisterField aam = bit("AAM", 29, "every multicast frame is accepted");
  RegisterField aab = bit("AAB", 30, "broadcast frames are accepted");
  RegisterField rfen = bit("RFEN", 31, "the filter is on; off, nothing is accepted");
};
inline constexpr RfcrFields kRfcrFields;

struct MibcFields : RegisterFields {
  RegisterField wrn = unmodelled("WRN", 0);
  RegisterField frz = bit("FRZ", 1, "the counters stand still");
  RegisterField aclr = bit("ACLR", 2, "clears the counters");
  RegisterField mibs = unmodelled("MIBS", 3);
};
inline constexpr MibcFields kMibcFields;

struct VrcrFields : RegisterFields {
  RegisterField vtden = bit("VTDEN", 0, "VLAN tags are detected");
  RegisterField vtren = bit("VTREN", 1, "and stripped");
  RegisterField dvtf = bit("DVTF", 2, "tagged frames are dropped");
  RegisterField dutf = bit("DUTF", 3, "untagged frames are dropped");
  RegisterField ipen = bit("IPEN", 4, "sums of IP, TCP and UDP are verified");
  RegisterField ripe = bit("RIPE", 5, "frames with a wrong IP sum are dropped");
  RegisterField rtcpe = bit("RTCPE", 6, "frames with a wrong TCP sum are dropped");
  RegisterField rudpe = bit("RUDPE", 7, "frames with a wrong UDP sum are dropped");
};
inline constexpr VrcrFields kVrcrFields;

struct VtcrFields : RegisterFields {
  RegisterField vgti = bit("VGTI", 0, "every frame gets the tag of VDR");
  RegisterField vppti = bit("VPPTI", 1, "descriptors say which frame gets a tag");
  RegisterField gchk = bit("GCHK", 2, "every frame gets its sums");
  RegisterField ppchk = bit("PPCHK", 3, "descriptors say which frame gets sums");
};
inline constexpr VtcrFields kVtcrFields;

struct VdrFields : RegisterFields {
  RegisterField vtype = bits("VTYPE", 0, 16, "type of a tag, its bytes exchanged");
  RegisterField vtci = bits("VTCI", 16, 16, "tag of VGTI, its bytes exchanged");
};
inline constexpr VdrFields kVdrFields;

struct TbicrFields : RegisterFields {
  RegisterField mr_restart_an = bit("MR_RESTART_AN", 9, "negotiates anew; clears itself");
  RegisterField mr_an_enable = bit("MR_AN_ENABLE", 12, "the link negotiates");
  RegisterField mr_loopback = unmodelled("MR_LOOPBACK", 14);
};
inline constexpr TbicrFields kTbicrFields;

struct TbisrFields : RegisterFields {
  RegisterField mr_an_complete = bit("MR_AN_COMPLETE", 2, "negotiation is complete");
  RegisterField mr_link_status = bit("MR_LINK_STATUS", 5, "link up");
};
inline constexpr TbisrFields kTbisrFields;

/// TANAR and TANLPAR: the word of this end and of the far one (IEEE 802.3, 37.2.1).
struct TanarFields : RegisterFields {
  RegisterField full_dup = bit("FULL_DUP", 5);
  RegisterField half_dup = bit("HALF_DUP", 6);
  RegisterField ps1 = bit("PS1", 7, "symmetric PAUSE");
  RegisterField ps2 = bit("PS2", 8, "asymmetric PAUSE");
  RegisterField rf = unmodelled("RF", 12, 2);
  RegisterField np = unmodelled("NP", 15);
  std::uint32_t abilities = full_dup | half_dup | ps1 | ps2;
};
inline constexpr TanarFields kTanarFields;

constexpr RegisterSpec kCr{"CR", 0x00, kCrFields, Access::kAction};
constexpr RegisterSpec kCfg{"CFG", 0x04, kCfgFields, Access::kReadWrite, 0, kCfgFields.stored};
constexpr RegisterSpec kMear{"MEAR", 0x08, kMearFields, Access::kReadWrite, 0, kMearFields.driven};
constexpr RegisterSpec kPtscr{"PTSCR", 0x0c, kPtscrFields, Access::kAction};
constexpr RegisterSpec kIsr{"ISR", 0x10, kIsrFields, Access::kReadOnly};
constexpr RegisterSpec kImr{"IMR", 0x14, kIsrFields, Access::kReadWrite, 0, kIsrFields.mask()};
constexpr RegisterSpec kIer{"IER", 0x18, kIerFields, Access::kReadWrite, 0, kIerFields.mask()};
constexpr RegisterSpec kIhr{"IHR", 0x1c, kIhrFields, Access::kReadWrite, 0, kIhrFields.mask()};
constexpr RegisterSpec kTxdp{"TXDP", 0x20, kPointerFields, Access::kAction};
constexpr RegisterSpec kTxdpHi{"TXDP_HI", 0x24, Access::kAction};
constexpr RegisterSpec kTxcfg{
    "TXCFG", 0x28, kTxcfgFields, Access::kReadWrite, 0x120, kTxcfgFields.mask()};
constexpr RegisterSpec kGpior{
    "GPIOR", 0x2c, kGpiorFields, Access::kReadWrite, 0, kGpiorFields.mask()};
constexpr RegisterSpec kRxdp{"RXDP", 0x30, kPointerFields, Access::kAction};
constexpr RegisterSpec kRxdpHi{"RXDP_HI", 0x34, Access::kAction};
constexpr RegisterSpec kRxcfg{
    "RXCFG", 0x38, kRxcfgFields, Access::kReadWrite, 0x4, kRxcfgFields.mask()};
constexpr RegisterSpec kPqcr{"PQCR", 0x3c, Access::kReadWrite, 0, 0x0000'000f};
constexpr RegisterSpec kWcsr{"WCSR", 0x40, Access::kReadWrite, 0, 0x0000'07ff};
constexpr RegisterSpec kPcr{"PCR", 0x44, kPcrFields, Access::kReadWrite, 0, kPcrFields.mask()};
constexpr RegisterSpec kRfcr{"RFCR", 0x48, kRfcrFields, Access::kReadWrite, 0, kRfcrFields.mask()};
constexpr RegisterSpec kRfdr{"RFDR", 0x4c, Access::kAction};
constexpr RegisterSpec kSrr{"SRR", 0x58, Access::kReadOnly};
constexpr RegisterSpec kMibc{"MIBC", 0x5c, kMibcFields, Access::kAction};
constexpr RegisterSpec kVrcr{"VRCR", 0xbc, kVrcrFields, Access::kReadWrite, 0, kVrcrFields.mask()};
constexpr RegisterSpec kVtcr{"VTCR", 0xc0, kVtcrFields, Access::kReadWrite, 0, kVtcrFields.mask()};
constexpr RegisterSpec kVdr{"VDR", 0xc4, kVdrFields, Access::kReadWrite, 0x81};
constexpr RegisterSpec kCcsr{"CCSR", 0xcc, Access::kReadWrite, 0, 0x0000'0101};
constexpr RegisterSpec kTbicr{
    "TBICR", 0xe0, kTbicrFields, Access::kReadWrite, 0, kTbicrFields.mask()};
constexpr RegisterSpec kTbisr{"TBISR", 0xe4, kTbisrFields, Access::kReadOnly};
constexpr RegisterSpec kTanar{
    "TANAR", 0xe8, kTanarFields, Access::kReadWrite, 0x1e0, kTanarFields.mask()};
constexpr RegisterSpec kTanlpar{"TANLPAR", 0xec, kTanarFields, Access::kReadOnly};
constexpr RegisterSpec kTaner{"TANER", 0xf0, Access::kReadOnly};
constexpr RegisterSpec kTesr{"TESR", 0xf4, Access::kReadOnly, 0xc000};

/// Words of a descriptor: command and status.
namespace cmdsts {
constexpr std::uint32_t kLength = 0xffff;
constexpr std::uint32_t kCrcError = 1U << 19;
constexpr std::uint32_t kRunt = 1U << 21;
constexpr std::uint32_t kLong = 1U << 22;
constexpr std::uint32_t kDestinationShift = 23;
constexpr std::uint32_t kOk = 1U << 27;
constexpr std::uint32_t kError = 1U << 28;
constexpr std::uint32_t kIntr = 1U << 29;
constexpr std::uint32_t kMore = 1U << 30;
constexpr std::uint32_t kOwn = 1U << 31;
}  // namespace cmdsts

namespace extsts {
constexpr std::uint32_t kTag = 0xffff;
constexpr std::uint32_t kTagged = 1U << 16;
constexpr std::uint32_t kIp = 1U << 17;
constexpr std::uint32_t kIpError = 1U << 18;
constexpr std::uint32_t kTcp = 1U << 19;
constexpr std::uint32_t kTcpError = 1U << 20;
constexpr std::uint32_t kUdp = 1U << 21;
constexpr std::uint32_t kUdpError = 1U << 22;
}  // namespace extsts

}  // namespace longhaul::nic::dp83820::regs
