// SPDX-License-Identifier: Apache-2.0
// Made from rtl/nic/nic.rdl by `./longhaul registers`; a change here is lost.
//
// Registers of 82597EX. Offsets are within a block; Width is the number of
// bits that a register or field has, from bit 0 or Lsb on.
package nic_csr_pkg;
  // Blocks of registers, of the kind exact.
  localparam int unsigned ExactCount = 16;
  localparam int unsigned ExactBase = 384;
  localparam int unsigned ExactStride = 8;

  // Blocks of registers, of the kind multicast.
  localparam int unsigned MulticastCount = 128;
  localparam int unsigned MulticastBase = 512;
  localparam int unsigned MulticastStride = 4;

  // Blocks of registers, of the kind vlan.
  localparam int unsigned VlanCount = 128;
  localparam int unsigned VlanBase = 1024;
  localparam int unsigned VlanStride = 4;

  // CTRL0: Device control.
  localparam logic [13:0] Ctrl0Offset = 14'h00;
  localparam logic [31:0] Ctrl0Reset = 32'h00000000;
  localparam int unsigned Ctrl0LrstLsb = 3;
  localparam int unsigned Ctrl0JfeLsb = 4;
  localparam int unsigned Ctrl0XleLsb = 5;
  localparam int unsigned Ctrl0MdcsLsb = 6;
  localparam int unsigned Ctrl0CmdcLsb = 7;
  localparam int unsigned Ctrl0Sdp0Lsb = 18;
  localparam int unsigned Ctrl0Sdp1Lsb = 19;
  localparam int unsigned Ctrl0Sdp2Lsb = 20;
  localparam int unsigned Ctrl0Sdp3Lsb = 21;
  localparam int unsigned Ctrl0SdpDirLsb = 22;
  localparam int unsigned Ctrl0SdpDirWidth = 4;
  localparam int unsigned Ctrl0RstLsb = 26;
  localparam int unsigned Ctrl0RpeLsb = 27;
  localparam int unsigned Ctrl0TpeLsb = 28;
  localparam int unsigned Ctrl0VmeLsb = 30;
  localparam logic [31:0] Ctrl0Mask = 32'h5FFC00F8;

  // CTRL1: Device control, continued. CTRL0.RST leaves it.
  localparam logic [13:0] Ctrl1Offset = 14'h08;
  localparam logic [31:0] Ctrl1Reset = 32'h00000000;
  localparam int unsigned Ctrl1GpiEnLsb = 0;
  localparam int unsigned Ctrl1GpiEnWidth = 4;
  localparam int unsigned Ctrl1SdpDataLsb = 4;
  localparam int unsigned Ctrl1SdpDataWidth = 4;
  localparam int unsigned Ctrl1SdpDirLsb = 8;
  localparam int unsigned Ctrl1SdpDirWidth = 4;
  localparam int unsigned Ctrl1EeRstLsb = 13;
  localparam int unsigned Ctrl1RoDisLsb = 17;
  localparam int unsigned Ctrl1PcixhmLsb = 22;
  localparam int unsigned Ctrl1PcixhmWidth = 2;
  localparam logic [31:0] Ctrl1Mask = 32'h00C22FFF;

  // STATUS: What the device is and how the link is.
  localparam logic [13:0] StatusOffset = 14'h10;
  localparam int unsigned StatusLuLsb = 1;
  localparam int unsigned StatusAipLsb = 2;
  localparam int unsigned StatusTxoffLsb = 4;
  localparam int unsigned StatusXauimeLsb = 5;
  localparam int unsigned StatusRisLsb = 7;
  localparam int unsigned StatusRieLsb = 8;
  localparam int unsigned StatusRlfLsb = 9;
  localparam int unsigned StatusRrfLsb = 10;
  localparam int unsigned StatusPci66Lsb = 11;
  localparam int unsigned StatusBus64Lsb = 12;
  localparam int unsigned StatusPcixModeLsb = 13;
  localparam int unsigned StatusPcixSpeedLsb = 14;
  localparam int unsigned StatusPcixSpeedWidth = 2;
  localparam int unsigned StatusRevIdLsb = 16;
  localparam int unsigned StatusRevIdWidth = 4;
  localparam logic [31:0] StatusMask = 32'h000FFFB6;

  // EECD: Pins of the EEPROM. CTRL0.RST leaves it.
  localparam logic [13:0] EecdOffset = 14'h18;
  localparam int unsigned EecdSkLsb = 0;
  localparam int unsigned EecdCsLsb = 1;
  localparam int unsigned EecdDiLsb = 2;
  localparam int unsigned EecdDataOutLsb = 3;
  localparam int unsigned EecdFweLsb = 4;
  localparam int unsigned EecdFweWidth = 2;
  localparam logic [31:0] EecdMask = 32'h0000003F;

  // MFS: Largest frame.
  localparam logic [13:0] MfsOffset = 14'h20;
  localparam logic [31:0] MfsReset = 32'h05EE0000;
  localparam int unsigned MfsMfsLsb = 16;
  localparam int unsigned MfsMfsWidth = 16;
  localparam logic [31:0] MfsMask = 32'hFFFF0000;

  // ICR: Causes that are latched. Reading takes them.
  localparam logic [13:0] IcrOffset = 14'h80;
  localparam logic [31:0] IcrReset = 32'h00000000;
  localparam int unsigned CauseTxdwLsb = 0;
  localparam int unsigned CauseTxqeLsb = 1;
  localparam int unsigned CauseLscLsb = 2;
  localparam int unsigned CauseRxseqLsb = 3;
  localparam int unsigned CauseRxdmt0Lsb = 4;
  localparam int unsigned CauseRxoLsb = 6;
  localparam int unsigned CauseRxt0Lsb = 7;
  localparam int unsigned CauseReserved8Lsb = 8;
  localparam int unsigned CauseAutoscanLsb = 9;
  localparam int unsigned CauseGpiLsb = 11;
  localparam int unsigned CauseGpiWidth = 4;
  localparam logic [31:0] CauseMask = 32'h00007BDF;

  // ICS: Causes that are set are latched. It reads as the latched ones.
  localparam logic [13:0] IcsOffset = 14'h88;
  localparam logic [31:0] IcsReset = 32'h00000000;

  // IMS: Causes that are set are enabled. It reads as the enabled ones.
  localparam logic [13:0] ImsOffset = 14'h90;
  localparam logic [31:0] ImsReset = 32'h00000000;

  // IMC: Causes that are set are disabled. It reads as the enabled ones.
  localparam logic [13:0] ImcOffset = 14'h98;
  localparam logic [31:0] ImcReset = 32'h00000000;

  // RCTL: Receive control.
  localparam logic [13:0] RctlOffset = 14'h100;
  localparam logic [31:0] RctlReset = 32'h00000000;
  localparam int unsigned RctlEnLsb = 1;
  localparam int unsigned RctlSbpLsb = 2;
  localparam int unsigned RctlUpeLsb = 3;
  localparam int unsigned RctlMpeLsb = 4;
  localparam int unsigned RctlRdmtsLsb = 8;
  localparam int unsigned RctlRdmtsWidth = 2;
  localparam int unsigned RctlMoLsb = 12;
  localparam int unsigned RctlMoWidth = 2;
  localparam int unsigned RctlBamLsb = 15;
  localparam int unsigned RctlBsizeLsb = 16;
  localparam int unsigned RctlBsizeWidth = 2;
  localparam int unsigned RctlVfeLsb = 18;
  localparam int unsigned RctlCfienLsb = 19;
  localparam int unsigned RctlCfiLsb = 20;
  localparam int unsigned RctlRpdaLsb = 21;
  localparam int unsigned RctlRpdaWidth = 2;
  localparam int unsigned RctlCffLsb = 23;
  localparam int unsigned RctlSecrcLsb = 26;
  localparam logic [31:0] RctlMask = 32'h04FFB31E;

  // FCRTL: Low mark of the receive buffer.
  localparam logic [13:0] FcrtlOffset = 14'h108;
  localparam logic [31:0] FcrtlReset = 32'h00000000;
  localparam int unsigned FcrtlRtlLsb = 3;
  localparam int unsigned FcrtlRtlWidth = 15;
  localparam int unsigned FcrtlXoneLsb = 31;
  localparam logic [31:0] FcrtlMask = 32'h8003FFF8;

  // FCRTH: High mark of the receive buffer.
  localparam logic [13:0] FcrthOffset = 14'h110;
  localparam logic [31:0] FcrthReset = 32'h00000000;
  localparam int unsigned FcrthRthLsb = 3;
  localparam int unsigned FcrthRthWidth = 15;
  localparam logic [31:0] FcrthMask = 32'h0003FFF8;

  // RDBAL: Address of the receive ring, low half.
  localparam logic [13:0] RdbalOffset = 14'h118;
  localparam logic [31:0] RdbalReset = 32'h00000000;
  localparam int unsigned RdbalWidth = 32;

  // RDBAH: Address of the receive ring, high half.
  localparam logic [13:0] RdbahOffset = 14'h11C;
  localparam logic [31:0] RdbahReset = 32'h00000000;
  localparam int unsigned RdbahWidth = 32;

  // RDLEN: Length of the receive ring.
  localparam logic [13:0] RdlenOffset = 14'h120;
  localparam logic [31:0] RdlenReset = 32'h00000000;
  localparam int unsigned RingLengthLenLsb = 7;
  localparam int unsigned RingLengthLenWidth = 13;
  localparam logic [31:0] RingLengthMask = 32'h000FFF80;

  // RDH: Head of the receive ring. A write counts while the unit is off and at rest.
  localparam logic [13:0] RdhOffset = 14'h128;
  localparam logic [31:0] RdhReset = 32'h00000000;
  localparam int unsigned RdhWidth = 16;

  // RDT: Tail of the receive ring.
  localparam logic [13:0] RdtOffset = 14'h130;
  localparam logic [31:0] RdtReset = 32'h00000000;
  localparam int unsigned RdtRdtLsb = 0;
  localparam int unsigned RdtRdtWidth = 16;
  localparam int unsigned RdtFpdbLsb = 31;
  localparam logic [31:0] RdtMask = 32'h8000FFFF;

  // RDTR: Delay of the receive interrupt, 16 bits, in units of 819.2 ns.
  localparam logic [13:0] RdtrOffset = 14'h138;
  localparam logic [31:0] RdtrReset = 32'h00000000;
  localparam int unsigned RdtrWidth = 32;

  // RXDCTL: Thresholds of the receive ring.
  localparam logic [13:0] RxdctlOffset = 14'h140;
  localparam logic [31:0] RxdctlReset = 32'h00000000;
  localparam int unsigned RxdctlPthreshLsb = 0;
  localparam int unsigned RxdctlPthreshWidth = 9;
  localparam int unsigned RxdctlHthreshLsb = 9;
  localparam int unsigned RxdctlHthreshWidth = 9;
  localparam int unsigned RxdctlWthreshLsb = 18;
  localparam int unsigned RxdctlWthreshWidth = 9;
  localparam logic [31:0] RxdctlMask = 32'h07FFFFFF;

  // RAIDC: Delays of the receive interrupt that adapt.
  localparam logic [13:0] RaidcOffset = 14'h148;
  localparam logic [31:0] RaidcReset = 32'h00000000;
  localparam int unsigned RaidcHighthrsLsb = 0;
  localparam int unsigned RaidcHighthrsWidth = 6;
  localparam int unsigned RaidcDelayLsb = 11;
  localparam int unsigned RaidcDelayWidth = 9;
  localparam int unsigned RaidcPollLsb = 20;
  localparam int unsigned RaidcPollWidth = 9;
  localparam int unsigned RaidcRxtGateLsb = 30;
  localparam int unsigned RaidcEnLsb = 31;
  localparam logic [31:0] RaidcMask = 32'hDFFFF83F;

  // RXCSUM: Sums of received packets.
  localparam logic [13:0] RxcsumOffset = 14'h158;
  localparam logic [31:0] RxcsumReset = 32'h00000000;
  localparam int unsigned RxcsumIpoflLsb = 8;
  localparam int unsigned RxcsumTuoflLsb = 9;
  localparam logic [31:0] RxcsumMask = 32'h00000300;

  // TCTL: Transmit control.
  localparam logic [13:0] TctlOffset = 14'h600;
  localparam logic [31:0] TctlReset = 32'h00000000;
  localparam int unsigned TctlTceLsb = 0;
  localparam int unsigned TctlEnLsb = 1;
  localparam int unsigned TctlTpdeLsb = 2;
  localparam logic [31:0] TctlMask = 32'h00000007;

  // TDBAL: Address of the transmit ring, low half.
  localparam logic [13:0] TdbalOffset = 14'h608;
  localparam logic [31:0] TdbalReset = 32'h00000000;
  localparam int unsigned TdbalWidth = 32;

  // TDBAH: Address of the transmit ring, high half.
  localparam logic [13:0] TdbahOffset = 14'h60C;
  localparam logic [31:0] TdbahReset = 32'h00000000;
  localparam int unsigned TdbahWidth = 32;

  // TDLEN: Length of the transmit ring.
  localparam logic [13:0] TdlenOffset = 14'h610;
  localparam logic [31:0] TdlenReset = 32'h00000000;

  // TDH: Head of the transmit ring. A write counts while the unit is off and at rest.
  localparam logic [13:0] TdhOffset = 14'h618;
  localparam logic [31:0] TdhReset = 32'h00000000;
  localparam int unsigned TdhWidth = 16;

  // TDT: Tail of the transmit ring, 16 bits.
  localparam logic [13:0] TdtOffset = 14'h620;
  localparam logic [31:0] TdtReset = 32'h00000000;
  localparam int unsigned TdtWidth = 32;

  // TIDV: Delay of the transmit interrupt, 16 bits, in units of 819.2 ns.
  localparam logic [13:0] TidvOffset = 14'h628;
  localparam logic [31:0] TidvReset = 32'h00000000;
  localparam int unsigned TidvWidth = 32;

  // TXDCTL: Thresholds of the transmit ring.
  localparam logic [13:0] TxdctlOffset = 14'h630;
  localparam logic [31:0] TxdctlReset = 32'h00000000;
  localparam int unsigned TxdctlPthreshLsb = 0;
  localparam int unsigned TxdctlPthreshWidth = 7;
  localparam int unsigned TxdctlHthreshLsb = 8;
  localparam int unsigned TxdctlHthreshWidth = 7;
  localparam int unsigned TxdctlWthreshLsb = 16;
  localparam int unsigned TxdctlWthreshWidth = 7;
  localparam logic [31:0] TxdctlMask = 32'h007F7F7F;

  // TSPMT: Limits of segmentation.
  localparam logic [13:0] TspmtOffset = 14'h638;
  localparam logic [31:0] TspmtReset = 32'h01000400;
  localparam int unsigned TspmtTsmtLsb = 0;
  localparam int unsigned TspmtTsmtWidth = 16;
  localparam int unsigned TspmtTspbpLsb = 16;
  localparam int unsigned TspmtTspbpWidth = 16;
  localparam logic [31:0] TspmtMask = 32'hFFFFFFFF;

  // PAP: Pauses and pace.
  localparam logic [13:0] PapOffset = 14'h640;
  localparam logic [31:0] PapReset = 32'h00000000;
  localparam int unsigned PapTxpcLsb = 0;
  localparam int unsigned PapTxpcWidth = 16;
  localparam int unsigned PapTxpvLsb = 16;
  localparam int unsigned PapTxpvWidth = 4;
  localparam logic [31:0] PapMask = 32'h000FFFFF;

  // PCSC1: Control of the PCS.
  localparam logic [13:0] Pcsc1Offset = 14'h700;
  localparam logic [31:0] Pcsc1Reset = 32'h00000000;
  localparam int unsigned Pcsc1LoopbackLsb = 14;
  localparam logic [31:0] Pcsc1Mask = 32'h00004000;

  // PCSC2: Type of the PCS: 10GBASE-X, the XAUI side.
  localparam logic [13:0] Pcsc2Offset = 14'h708;
  localparam logic [31:0] Pcsc2Reset = 32'h00000001;
  localparam int unsigned Pcsc2PcsTypeLsb = 0;
  localparam int unsigned Pcsc2PcsTypeWidth = 2;
  localparam logic [31:0] Pcsc2Mask = 32'h00000003;

  // PCSS1: Status of the PCS.
  localparam logic [13:0] Pcss1Offset = 14'h710;
  localparam int unsigned Pcss1RxLinkStatusLsb = 2;
  localparam int unsigned Pcss1LocalFaultLsb = 7;
  localparam logic [31:0] Pcss1Mask = 32'h00000084;

  // PCSS2: Abilities and faults of the PCS.
  localparam logic [13:0] Pcss2Offset = 14'h718;
  localparam int unsigned Pcss2Can10gbrLsb = 0;
  localparam int unsigned Pcss2Can10gbxLsb = 1;
  localparam int unsigned Pcss2Can10gbwLsb = 2;
  localparam int unsigned Pcss2RxLfLsb = 10;
  localparam int unsigned Pcss2TxLfLsb = 11;
  localparam int unsigned Pcss2DevPresLsb = 14;
  localparam int unsigned Pcss2DevPresWidth = 2;
  localparam logic [31:0] Pcss2Mask = 32'h0000CC07;

  // XPCSS: Status of the XAUI lanes.
  localparam logic [13:0] XpcssOffset = 14'h720;
  localparam int unsigned XpcssLaneSyncLsb = 0;
  localparam int unsigned XpcssLaneSyncWidth = 4;
  localparam int unsigned XpcssPatternTestLsb = 11;
  localparam int unsigned XpcssAlignStatusLsb = 12;
  localparam logic [31:0] XpcssMask = 32'h0000180F;

  // UCCR: Holds what was written.
  localparam logic [13:0] UccrOffset = 14'h728;
  localparam logic [31:0] UccrReset = 32'h00000000;
  localparam int unsigned UccrWidth = 32;

  // XPCSTC: Holds what was written.
  localparam logic [13:0] XpcstcOffset = 14'h730;
  localparam logic [31:0] XpcstcReset = 32'h00000000;
  localparam int unsigned XpcstcWidth = 32;

  // MACA: Holds what was written.
  localparam logic [13:0] MacaOffset = 14'h738;
  localparam logic [31:0] MacaReset = 32'h00000000;
  localparam int unsigned MacaWidth = 32;

  // APAE: Holds what was written.
  localparam logic [13:0] ApaeOffset = 14'h740;
  localparam logic [31:0] ApaeReset = 32'h00000000;
  localparam int unsigned ApaeWidth = 32;

  // ARD: Zero.
  localparam logic [13:0] ArdOffset = 14'h748;
  localparam logic [31:0] ArdReset = 32'h00000000;
  localparam int unsigned ArdWidth = 32;

  // AIS: Zero.
  localparam logic [13:0] AisOffset = 14'h750;
  localparam logic [31:0] AisReset = 32'h00000000;
  localparam int unsigned AisWidth = 32;

  // MSCA: Command of the management bus.
  localparam logic [13:0] MscaOffset = 14'h758;
  localparam logic [31:0] MscaReset = 32'h00000000;
  localparam int unsigned MscaNpAddrLsb = 0;
  localparam int unsigned MscaNpAddrWidth = 16;
  localparam int unsigned MscaDevTypeLsb = 16;
  localparam int unsigned MscaDevTypeWidth = 5;
  localparam int unsigned MscaPhyAddrLsb = 21;
  localparam int unsigned MscaPhyAddrWidth = 5;
  localparam int unsigned MscaOpCodeLsb = 26;
  localparam int unsigned MscaOpCodeWidth = 2;
  localparam int unsigned MscaStCodeLsb = 28;
  localparam int unsigned MscaStCodeWidth = 2;
  localparam int unsigned MscaMdiCommandLsb = 30;
  localparam int unsigned MscaMdiInProgEnLsb = 31;
  localparam logic [31:0] MscaMask = 32'hFFFFFFFF;

  // MSRWD: Data of the management bus.
  localparam logic [13:0] MsrwdOffset = 14'h760;
  localparam logic [31:0] MsrwdReset = 32'h00000000;
  localparam int unsigned MsrwdWriteDataLsb = 0;
  localparam int unsigned MsrwdWriteDataWidth = 16;
  localparam int unsigned MsrwdReadDataLsb = 16;
  localparam int unsigned MsrwdReadDataWidth = 16;
  localparam logic [31:0] MsrwdMask = 32'hFFFFFFFF;

  // WUFC: Holds what was written.
  localparam logic [13:0] WufcOffset = 14'h808;
  localparam logic [31:0] WufcReset = 32'h00000000;
  localparam int unsigned WufcWidth = 32;

  // WUS: Zero.
  localparam logic [13:0] WusOffset = 14'h810;
  localparam logic [31:0] WusReset = 32'h00000000;
  localparam int unsigned WusWidth = 32;

  // TPRL: Frames received, all. Low half.
  localparam logic [13:0] TprlOffset = 14'h2000;
  localparam logic [31:0] TprlReset = 32'h00000000;
  localparam int unsigned TprlWidth = 32;

  // TPRH: Frames received, all. High half.
  localparam logic [13:0] TprhOffset = 14'h2004;
  localparam logic [31:0] TprhReset = 32'h00000000;
  localparam int unsigned TprhWidth = 32;

  // GPRCL: Good frames received that were wanted. Low half.
  localparam logic [13:0] GprclOffset = 14'h2008;
  localparam logic [31:0] GprclReset = 32'h00000000;
  localparam int unsigned GprclWidth = 32;

  // GPRCH: Good frames received that were wanted. High half.
  localparam logic [13:0] GprchOffset = 14'h200C;
  localparam logic [31:0] GprchReset = 32'h00000000;
  localparam int unsigned GprchWidth = 32;

  // BPRCL: Good broadcast frames received. Low half.
  localparam logic [13:0] BprclOffset = 14'h2010;
  localparam logic [31:0] BprclReset = 32'h00000000;
  localparam int unsigned BprclWidth = 32;

  // BPRCH: Good broadcast frames received. High half.
  localparam logic [13:0] BprchOffset = 14'h2014;
  localparam logic [31:0] BprchReset = 32'h00000000;
  localparam int unsigned BprchWidth = 32;

  // MPRCL: Good multicast frames received; with RCTL.MPE broadcast, too. Low half.
  localparam logic [13:0] MprclOffset = 14'h2018;
  localparam logic [31:0] MprclReset = 32'h00000000;
  localparam int unsigned MprclWidth = 32;

  // MPRCH: Good multicast frames received; with RCTL.MPE broadcast, too. High half.
  localparam logic [13:0] MprchOffset = 14'h201C;
  localparam logic [31:0] MprchReset = 32'h00000000;
  localparam int unsigned MprchWidth = 32;

  // UPRCL: Good unicast frames received. Low half.
  localparam logic [13:0] UprclOffset = 14'h2020;
  localparam logic [31:0] UprclReset = 32'h00000000;
  localparam int unsigned UprclWidth = 32;

  // UPRCH: Good unicast frames received. High half.
  localparam logic [13:0] UprchOffset = 14'h2024;
  localparam logic [31:0] UprchReset = 32'h00000000;
  localparam int unsigned UprchWidth = 32;

  // VPRCL: Good frames received with a VLAN tag. Low half.
  localparam logic [13:0] VprclOffset = 14'h2028;
  localparam logic [31:0] VprclReset = 32'h00000000;
  localparam int unsigned VprclWidth = 32;

  // VPRCH: Good frames received with a VLAN tag. High half.
  localparam logic [13:0] VprchOffset = 14'h202C;
  localparam logic [31:0] VprchReset = 32'h00000000;
  localparam int unsigned VprchWidth = 32;

  // JPRCL: Good jumbo frames received. Low half.
  localparam logic [13:0] JprclOffset = 14'h2030;
  localparam logic [31:0] JprclReset = 32'h00000000;
  localparam int unsigned JprclWidth = 32;

  // JPRCH: Good jumbo frames received. High half.
  localparam logic [13:0] JprchOffset = 14'h2034;
  localparam logic [31:0] JprchReset = 32'h00000000;
  localparam int unsigned JprchWidth = 32;

  // GORCL: Octets of good frames received. Low half.
  localparam logic [13:0] GorclOffset = 14'h2038;
  localparam logic [31:0] GorclReset = 32'h00000000;
  localparam int unsigned GorclWidth = 32;

  // GORCH: Octets of good frames received. High half.
  localparam logic [13:0] GorchOffset = 14'h203C;
  localparam logic [31:0] GorchReset = 32'h00000000;
  localparam int unsigned GorchWidth = 32;

  // TORL: Octets of all frames received. Low half.
  localparam logic [13:0] TorlOffset = 14'h2040;
  localparam logic [31:0] TorlReset = 32'h00000000;
  localparam int unsigned TorlWidth = 32;

  // TORH: Octets of all frames received. High half.
  localparam logic [13:0] TorhOffset = 14'h2044;
  localparam logic [31:0] TorhReset = 32'h00000000;
  localparam int unsigned TorhWidth = 32;

  // RNBC: Frames that found no receive descriptor.
  localparam logic [13:0] RnbcOffset = 14'h2048;
  localparam logic [31:0] RnbcReset = 32'h00000000;
  localparam int unsigned RnbcWidth = 32;

  // RUC: Frames under 64 octets with a good FCS.
  localparam logic [13:0] RucOffset = 14'h2050;
  localparam logic [31:0] RucReset = 32'h00000000;
  localparam int unsigned RucWidth = 32;

  // ROC: Frames over the limit with a good FCS.
  localparam logic [13:0] RocOffset = 14'h2058;
  localparam logic [31:0] RocReset = 32'h00000000;
  localparam int unsigned RocWidth = 32;

  // RLEC: Frames whose length field says more than came.
  localparam logic [13:0] RlecOffset = 14'h2060;
  localparam logic [31:0] RlecReset = 32'h00000000;
  localparam int unsigned RlecWidth = 32;

  // CRCERRS: Frames of proper length with a wrong FCS.
  localparam logic [13:0] CrcerrsOffset = 14'h2068;
  localparam logic [31:0] CrcerrsReset = 32'h00000000;
  localparam int unsigned CrcerrsWidth = 32;

  // ICBC: Zero: code violations do not occur on this wire.
  localparam logic [13:0] IcbcOffset = 14'h2070;
  localparam logic [31:0] IcbcReset = 32'h00000000;
  localparam int unsigned IcbcWidth = 32;

  // ECBC: Zero: code violations do not occur on this wire.
  localparam logic [13:0] EcbcOffset = 14'h2078;
  localparam logic [31:0] EcbcReset = 32'h00000000;
  localparam int unsigned EcbcWidth = 32;

  // MPC: Frames that found the receive buffer full.
  localparam logic [13:0] MpcOffset = 14'h2080;
  localparam logic [31:0] MpcReset = 32'h00000000;
  localparam int unsigned MpcWidth = 32;

  // TPTL: Frames sent, all. Low half.
  localparam logic [13:0] TptlOffset = 14'h2100;
  localparam logic [31:0] TptlReset = 32'h00000000;
  localparam int unsigned TptlWidth = 32;

  // TPTH: Frames sent, all. High half.
  localparam logic [13:0] TpthOffset = 14'h2104;
  localparam logic [31:0] TpthReset = 32'h00000000;
  localparam int unsigned TpthWidth = 32;

  // GPTCL: Frames of data sent. Low half.
  localparam logic [13:0] GptclOffset = 14'h2108;
  localparam logic [31:0] GptclReset = 32'h00000000;
  localparam int unsigned GptclWidth = 32;

  // GPTCH: Frames of data sent. High half.
  localparam logic [13:0] GptchOffset = 14'h210C;
  localparam logic [31:0] GptchReset = 32'h00000000;
  localparam int unsigned GptchWidth = 32;

  // BPTCL: Broadcast frames sent. Low half.
  localparam logic [13:0] BptclOffset = 14'h2110;
  localparam logic [31:0] BptclReset = 32'h00000000;
  localparam int unsigned BptclWidth = 32;

  // BPTCH: Broadcast frames sent. High half.
  localparam logic [13:0] BptchOffset = 14'h2114;
  localparam logic [31:0] BptchReset = 32'h00000000;
  localparam int unsigned BptchWidth = 32;

  // MPTCL: Multicast frames sent. Low half.
  localparam logic [13:0] MptclOffset = 14'h2118;
  localparam logic [31:0] MptclReset = 32'h00000000;
  localparam int unsigned MptclWidth = 32;

  // MPTCH: Multicast frames sent. High half.
  localparam logic [13:0] MptchOffset = 14'h211C;
  localparam logic [31:0] MptchReset = 32'h00000000;
  localparam int unsigned MptchWidth = 32;

  // UPTCL: Unicast frames sent. Low half.
  localparam logic [13:0] UptclOffset = 14'h2120;
  localparam logic [31:0] UptclReset = 32'h00000000;
  localparam int unsigned UptclWidth = 32;

  // UPTCH: Unicast frames sent. High half.
  localparam logic [13:0] UptchOffset = 14'h2124;
  localparam logic [31:0] UptchReset = 32'h00000000;
  localparam int unsigned UptchWidth = 32;

  // VPTCL: Frames sent with a VLAN tag. Low half.
  localparam logic [13:0] VptclOffset = 14'h2128;
  localparam logic [31:0] VptclReset = 32'h00000000;
  localparam int unsigned VptclWidth = 32;

  // VPTCH: Frames sent with a VLAN tag. High half.
  localparam logic [13:0] VptchOffset = 14'h212C;
  localparam logic [31:0] VptchReset = 32'h00000000;
  localparam int unsigned VptchWidth = 32;

  // JPTCL: Jumbo frames sent. Low half.
  localparam logic [13:0] JptclOffset = 14'h2130;
  localparam logic [31:0] JptclReset = 32'h00000000;
  localparam int unsigned JptclWidth = 32;

  // JPTCH: Jumbo frames sent. High half.
  localparam logic [13:0] JptchOffset = 14'h2134;
  localparam logic [31:0] JptchReset = 32'h00000000;
  localparam int unsigned JptchWidth = 32;

  // GOTCL: Octets of frames of data sent. Low half.
  localparam logic [13:0] GotclOffset = 14'h2138;
  localparam logic [31:0] GotclReset = 32'h00000000;
  localparam int unsigned GotclWidth = 32;

  // GOTCH: Octets of frames of data sent. High half.
  localparam logic [13:0] GotchOffset = 14'h213C;
  localparam logic [31:0] GotchReset = 32'h00000000;
  localparam int unsigned GotchWidth = 32;

  // TOTL: Octets of all frames sent. Low half.
  localparam logic [13:0] TotlOffset = 14'h2140;
  localparam logic [31:0] TotlReset = 32'h00000000;
  localparam int unsigned TotlWidth = 32;

  // TOTH: Octets of all frames sent. High half.
  localparam logic [13:0] TothOffset = 14'h2144;
  localparam logic [31:0] TothReset = 32'h00000000;
  localparam int unsigned TothWidth = 32;

  // DC: Zero: a full-duplex MAC never defers.
  localparam logic [13:0] DcOffset = 14'h2148;
  localparam logic [31:0] DcReset = 32'h00000000;
  localparam int unsigned DcWidth = 32;

  // PLT64C: Frames sent that were shorter than 64 octets.
  localparam logic [13:0] Plt64cOffset = 14'h2150;
  localparam logic [31:0] Plt64cReset = 32'h00000000;
  localparam int unsigned Plt64cWidth = 32;

  // TSCTC: Super-frames that were cut.
  localparam logic [13:0] TsctcOffset = 14'h2170;
  localparam logic [31:0] TsctcReset = 32'h00000000;
  localparam int unsigned TsctcWidth = 32;

  // TSCTFC: Super-frames that could not be cut.
  localparam logic [13:0] TsctfcOffset = 14'h2178;
  localparam logic [31:0] TsctfcReset = 32'h00000000;
  localparam int unsigned TsctfcWidth = 32;

  // IBIC: Zero.
  localparam logic [13:0] IbicOffset = 14'h2180;
  localparam logic [31:0] IbicReset = 32'h00000000;
  localparam int unsigned IbicWidth = 32;

  // RFC: Zero: remote faults are not counted.
  localparam logic [13:0] RfcOffset = 14'h2188;
  localparam logic [31:0] RfcReset = 32'h00000000;
  localparam int unsigned RfcWidth = 32;

  // LFC: Losses of the link.
  localparam logic [13:0] LfcOffset = 14'h2190;
  localparam logic [31:0] LfcReset = 32'h00000000;
  localparam int unsigned LfcWidth = 32;

  // PFRC: PAUSE frames received.
  localparam logic [13:0] PfrcOffset = 14'h2198;
  localparam logic [31:0] PfrcReset = 32'h00000000;
  localparam int unsigned PfrcWidth = 32;

  // PFTC: PAUSE frames sent.
  localparam logic [13:0] PftcOffset = 14'h21A0;
  localparam logic [31:0] PftcReset = 32'h00000000;
  localparam int unsigned PftcWidth = 32;

  // MCFRC: MAC control frames received that are not PAUSE.
  localparam logic [13:0] McfrcOffset = 14'h21A8;
  localparam logic [31:0] McfrcReset = 32'h00000000;
  localparam int unsigned McfrcWidth = 32;

  // MCFTC: Zero: software's MAC control frames are data to this MAC.
  localparam logic [13:0] McftcOffset = 14'h21B0;
  localparam logic [31:0] McftcReset = 32'h00000000;
  localparam int unsigned McftcWidth = 32;

  // XONRXC: PAUSE frames received that end a pause.
  localparam logic [13:0] XonrxcOffset = 14'h21B8;
  localparam logic [31:0] XonrxcReset = 32'h00000000;
  localparam int unsigned XonrxcWidth = 32;

  // XONTXC: PAUSE frames sent that end a pause.
  localparam logic [13:0] XontxcOffset = 14'h21C0;
  localparam logic [31:0] XontxcReset = 32'h00000000;
  localparam int unsigned XontxcWidth = 32;

  // XOFFRXC: PAUSE frames received with a time.
  localparam logic [13:0] XoffrxcOffset = 14'h21C8;
  localparam logic [31:0] XoffrxcReset = 32'h00000000;
  localparam int unsigned XoffrxcWidth = 32;

  // XOFFTXC: PAUSE frames sent with a time.
  localparam logic [13:0] XofftxcOffset = 14'h21D0;
  localparam logic [31:0] XofftxcReset = 32'h00000000;
  localparam int unsigned XofftxcWidth = 32;

  // RJC: Frames over the limit with a wrong FCS.
  localparam logic [13:0] RjcOffset = 14'h21D8;
  localparam logic [31:0] RjcReset = 32'h00000000;
  localparam int unsigned RjcWidth = 32;

  // RAL: Bytes 0 to 3 of an exact address; entry 0 is loaded from the EEPROM.
  localparam logic [13:0] RalOffset = 14'h00;
  localparam logic [31:0] RalReset = 32'h00000000;
  localparam int unsigned RalWidth = 32;

  // RAH: Bytes 4 and 5 of an exact address; entry 0 is loaded from the EEPROM.
  localparam logic [13:0] RahOffset = 14'h04;
  localparam logic [31:0] RahReset = 32'h00000000;
  localparam int unsigned RahRahLsb = 0;
  localparam int unsigned RahRahWidth = 16;
  localparam int unsigned RahAselLsb = 16;
  localparam int unsigned RahAselWidth = 2;
  localparam int unsigned RahAvLsb = 31;
  localparam logic [31:0] RahMask = 32'h8003FFFF;

  // MTA: Multicast addresses by 12 bits of theirs, a bit each.
  localparam logic [13:0] MtaOffset = 14'h00;
  localparam logic [31:0] MtaReset = 32'h00000000;
  localparam int unsigned MtaWidth = 32;

  // VFTA: VLANs, a bit each.
  localparam logic [13:0] VftaOffset = 14'h00;
  localparam logic [31:0] VftaReset = 32'h00000000;
  localparam int unsigned VftaWidth = 32;
endpackage
