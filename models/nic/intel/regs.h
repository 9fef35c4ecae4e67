// SPDX-License-Identifier: Apache-2.0
// Made from rtl/nic/nic.rdl by `./longhaul registers`; a change here is lost.
// clang-format off
#pragma once

#include "models/common/register_field.h"

/// Fields of registers of the 82597EX that the maker's other adapters have, too; each adapter's own
/// header adds to them.
namespace longhaul::nic::intel {

struct CtrlFields : RegisterFields {
  RegisterField lrst = bit("LRST", 3, "the link is reset");
  RegisterField rst = bit("RST", 26, "the adapter is reset; clears itself");
  RegisterField vme = bit("VME", 30, "VLAN tags are stripped and inserted");
};
inline constexpr CtrlFields kCtrlFields;

struct CtrlExtFields : RegisterFields {
  RegisterField gpi_en = unmodelled("GPI_EN", 0, 4);
  RegisterField sdp_data = unmodelled("SDP_DATA", 4, 4);
  RegisterField sdp_dir = unmodelled("SDP_DIR", 8, 4);
  RegisterField ee_rst = bit("EE_RST", 13, "the EEPROM is read again; clears itself");
  RegisterField ro_dis = unmodelled("RO_DIS", 17);
};
inline constexpr CtrlExtFields kCtrlExtFields;

struct StatusFields : RegisterFields {
  RegisterField lu = bit("LU", 1, "link up");
  RegisterField txoff = bit("TXOFF", 4, "the far end's PAUSE holds the transmitter");
  RegisterField pci66 = bit("PCI66", 11, "PCI: 66 MHz");
  RegisterField bus64 = bit("BUS64", 12, "the bus is 64 bits wide");
  RegisterField pcix_mode = bit("PCIX_MODE", 13, "the bus is PCI-X");
  RegisterField pcix_speed = bits("PCIX_SPEED", 14, 2, "PCI-X: 66, 100, 133 MHz");
};
inline constexpr StatusFields kStatusFields;

struct EecdFields : RegisterFields {
  RegisterField sk = bit("SK", 0, "the EEPROM's clock");
  RegisterField cs = bit("CS", 1, "the EEPROM's chip select");
  RegisterField di = bit("DI", 2, "data into the EEPROM");
  RegisterField data_out = bit("DO", 3, "data out of the EEPROM");
  RegisterField fwe = unmodelled("FWE", 4, 2);
};
inline constexpr EecdFields kEecdFields;

struct CauseFields : RegisterFields {
  RegisterField txdw = bit("TXDW", 0, "transmit descriptor written back");
  RegisterField txqe = bit("TXQE", 1, "transmit ring empty");
  RegisterField lsc = bit("LSC", 2, "link status changed");
  RegisterField rxseq = bit("RXSEQ", 3, "fibre: synchronisation lost");
  RegisterField rxdmt0 = bit("RXDMT0", 4, "few receive descriptors left");
  RegisterField rxo = bit("RXO", 6, "receive overrun");
  RegisterField rxt0 = bit("RXT0", 7, "receive timer");
  RegisterField reserved8 = unmodelled("reserved8", 8);
  RegisterField gpi = unmodelled("GPI", 11, 4);
};
inline constexpr CauseFields kCauseFields;

struct RctlFields : RegisterFields {
  RegisterField en = bit("EN", 1, "the unit receives");
  RegisterField sbp = bit("SBP", 2, "damaged frames are stored");
  RegisterField upe = bit("UPE", 3, "every unicast frame is accepted");
  RegisterField mpe = bit("MPE", 4, "every multicast frame is accepted");
  RegisterField rdmts = bits("RDMTS", 8, 2, "RXDMT0 comes at 1/2, 1/4, 1/8 of the ring");
  RegisterField mo = bits("MO", 12, 2, "which bits of an address look into MTA");
  RegisterField bam = bit("BAM", 15, "broadcast frames are accepted");
  RegisterField bsize = bits("BSIZE", 16, 2, "size of a receive buffer");
  RegisterField vfe = bit("VFE", 18, "VFTA filters VLANs");
  RegisterField cfien = bit("CFIEN", 19, "a tag's CFI has to be that of CFI");
  RegisterField cfi = bit("CFI", 20, "the CFI that is wanted");
  RegisterField secrc = bit("SECRC", 26, "the FCS is stripped");
};
inline constexpr RctlFields kRctlFields;

struct RingLengthFields : RegisterFields {
  RegisterField len = bits("LEN", 7, 13, "of the ring, in eights of descriptors");
};
inline constexpr RingLengthFields kRingLengthFields;

struct RxcsumFields : RegisterFields {
  RegisterField ipofl = bit("IPOFL", 8, "IPv4 header sums are verified");
  RegisterField tuofl = bit("TUOFL", 9, "TCP and UDP sums are verified");
};
inline constexpr RxcsumFields kRxcsumFields;

struct RahFields : RegisterFields {
  RegisterField rah = bits("RAH", 0, 16, "bytes 4 and 5 of the address");
  RegisterField asel = bits("ASEL", 16, 2, "0: destination, 1: source address");
  RegisterField av = bit("AV", 31, "the entry is valid");
};
inline constexpr RahFields kRahFields;

struct TctlFields : RegisterFields {
  RegisterField en = bit("EN", 1, "the unit transmits");
};
inline constexpr TctlFields kTctlFields;

struct TspmtFields : RegisterFields {
  RegisterField tsmt = unmodelled("TSMT", 0, 16);
  RegisterField tspbp = bits("TSPBP", 16, 16, "padding for each segment, in bytes");
};
inline constexpr TspmtFields kTspmtFields;

}  // namespace longhaul::nic::intel
