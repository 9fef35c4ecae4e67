// SPDX-License-Identifier: Apache-2.0
// The registers that hold what software writes, and the settings that they are.
package nic_held_pkg;
  import nic_csr_pkg::*;

  typedef enum logic [5:0] {
    AtCtrl0, AtCtrl1, AtEecd, AtMfs, AtRctl, AtFcrtl, AtFcrth, AtRdbal, AtRdbah, AtRdlen, AtRdh,
    AtRdt, AtRdtr, AtRxdctl, AtRaidc, AtRxcsum, AtTctl, AtTdbal, AtTdbah, AtTdlen, AtTdh, AtTdt,
    AtTidv, AtTxdctl, AtTspmt, AtPap, AtPcsc1, AtPcsc2, AtUccr, AtXpcstc, AtMaca, AtApae, AtMsca,
    AtMsrwd, AtWufc, AtNone
  } held_e;
  localparam int unsigned Held = int'(AtNone);
  typedef logic [Held-1:0][31:0] held_t;

  // Which of them lies at an address of the bus.
  function automatic held_e held_at(input logic [16:2] word);
    unique case ({word, 2'b00})
      17'(Ctrl0Offset):  return AtCtrl0;
      17'(Ctrl1Offset):  return AtCtrl1;
      17'(EecdOffset):   return AtEecd;
      17'(MfsOffset):    return AtMfs;
      17'(RctlOffset):   return AtRctl;
      17'(FcrtlOffset):  return AtFcrtl;
      17'(FcrthOffset):  return AtFcrth;
      17'(RdbalOffset):  return AtRdbal;
      17'(RdbahOffset):  return AtRdbah;
      17'(RdlenOffset):  return AtRdlen;
      17'(RdhOffset):    return AtRdh;
      17'(RdtOffset):    return AtRdt;
      17'(RdtrOffset):   return AtRdtr;
      17'(RxdctlOffset): return AtRxdctl;
      17'(RaidcOffset):  return AtRaidc;
      17'(RxcsumOffset): return AtRxcsum;
      17'(TctlOffset):   return AtTctl;
      17'(TdbalOffset):  return AtTdbal;
      17'(TdbahOffset):  return AtTdbah;
      17'(TdlenOffset):  return AtTdlen;
      17'(TdhOffset):    return AtTdh;
      17'(TdtOffset):    return AtTdt;
      17'(TidvOffset):   return AtTidv;
      17'(TxdctlOffset): return AtTxdctl;
      17'(TspmtOffset):  return AtTspmt;
      17'(PapOffset):    return AtPap;
      17'(Pcsc1Offset):  return AtPcsc1;
      17'(Pcsc2Offset):  return AtPcsc2;
      17'(UccrOffset):   return AtUccr;
      17'(XpcstcOffset): return AtXpcstc;
      17'(MacaOffset):   return AtMaca;
      17'(ApaeOffset):   return AtApae;
      17'(MscaOffset):   return AtMsca;
      17'(MsrwdOffset):  return AtMsrwd;
      17'(WufcOffset):   return AtWufc;
      default:           return AtNone;
    endcase
  endfunction

  // Their reset values. Of EECD all is zero that software writes.
  function automatic held_t held_reset();
    held_t all;
    all            = '0;
    all[AtCtrl0]  = Ctrl0Reset;
    all[AtCtrl1]  = Ctrl1Reset;
    all[AtMfs]    = MfsReset;
    all[AtRctl]   = RctlReset;
    all[AtFcrtl]  = FcrtlReset;
    all[AtFcrth]  = FcrthReset;
    all[AtRdbal]  = RdbalReset;
    all[AtRdbah]  = RdbahReset;
    all[AtRdlen]  = RdlenReset;
    all[AtRdh]    = RdhReset;
    all[AtRdt]    = RdtReset;
    all[AtRdtr]   = RdtrReset;
    all[AtRxdctl] = RxdctlReset;
    all[AtRaidc]  = RaidcReset;
    all[AtRxcsum] = RxcsumReset;
    all[AtTctl]   = TctlReset;
    all[AtTdbal]  = TdbalReset;
    all[AtTdbah]  = TdbahReset;
    all[AtTdlen]  = TdlenReset;
    all[AtTdh]    = TdhReset;
    all[AtTdt]    = TdtReset;
    all[AtTidv]   = TidvReset;
    all[AtTxdctl] = TxdctlReset;
    all[AtTspmt]  = TspmtReset;
    all[AtPap]    = PapReset;
    all[AtPcsc1]  = Pcsc1Reset;
    all[AtPcsc2]  = Pcsc2Reset;
    all[AtUccr]   = UccrReset;
    all[AtXpcstc] = XpcstcReset;
    all[AtMaca]   = MacaReset;
    all[AtApae]   = ApaeReset;
    all[AtMsca]   = MscaReset;
    all[AtMsrwd]  = MsrwdReset;
    all[AtWufc]   = WufcReset;
    return all;
  endfunction

  // Bits that a write does not leave in the register: commands, and what hardware shows there.
  function automatic logic [31:0] not_held(input held_e place);
    unique case (place)
      AtCtrl0: return (32'd1 << Ctrl0RstLsb) | (32'd1 << Ctrl0LrstLsb);
      AtCtrl1: return 32'd1 << Ctrl1EeRstLsb;
      AtEecd:  return 32'd1 << EecdDataOutLsb;
      AtMsca:  return 32'd1 << MscaMdiCommandLsb;
      default: return '0;
    endcase
  endfunction

  // ---- Settings ----

  // Where a ring is, and when descriptors are fetched and written back. TXDCTL has 7 bits of each.
  typedef struct packed {
    logic [63:0] base;        // a multiple of 16
    logic [15:0] entries;     // descriptors, in eights
    logic [8:0]  prefetch;
    logic [8:0]  host;
    logic [8:0]  write_back;
  } ring_cfg_t;

  typedef struct packed {
    logic        enable;      // RCTL.EN
    logic        sbp;
    logic        upe;
    logic        mpe;
    logic [1:0]  rdmts;
    logic [1:0]  mo;
    logic        bam;
    logic [1:0]  bsize;
    logic        vfe;
    logic        cfien;
    logic        cfi;
    logic        cff;
    logic        secrc;
    logic        vme;         // CTRL0.VME
    logic        ipofl;       // RXCSUM.IPOFL
    logic        tuofl;
    logic [15:0] limit;       // longest frame without a tag: MFS with CTRL0.JFE, or 1518
  } rx_cfg_t;

  typedef struct packed {
    logic        enable;      // TCTL.EN
    logic        vme;         // CTRL0.VME
    logic [15:0] padding;     // TSPMT.TSPBP
    logic [3:0]  pace;        // PAP.TXPV
  } tx_cfg_t;

  // Of nic_moderation.
  typedef struct packed {
    logic [15:0] rdtr;
    logic [5:0]  high_thrs;
    logic [8:0]  delay;
    logic [8:0]  poll;
    logic        gate;
    logic        adaptive;
    logic [15:0] tidv;
  } delay_cfg_t;

  // Of nic_pause_tx and nic_link. The marks are in bytes.
  typedef struct packed {
    logic        send;
    logic        xon;
    logic [15:0] quanta;
    logic [17:0] high;
    logic [17:0] low;         // not above high
    logic        rpe;         // CTRL0.RPE
    logic        cmdc;
  } pause_cfg_t;

  localparam logic [15:0] StandardFrameBytes = 16'd1518;

  function automatic ring_cfg_t rx_ring_cfg_of(input logic [31:0] rdbah, rdbal, rdlen, rxdctl);
    ring_cfg_t cfg;
    cfg.base       = {rdbah, rdbal[31:4], 4'b0};
    cfg.entries    = {rdlen[RingLengthLenLsb +: RingLengthLenWidth], 3'b0};
    cfg.prefetch   = rxdctl[RxdctlPthreshLsb +: RxdctlPthreshWidth];
    cfg.host       = rxdctl[RxdctlHthreshLsb +: RxdctlHthreshWidth];
    cfg.write_back = rxdctl[RxdctlWthreshLsb +: RxdctlWthreshWidth];
    return cfg;
  endfunction

  function automatic ring_cfg_t tx_ring_cfg_of(input logic [31:0] tdbah, tdbal, tdlen, txdctl);
    ring_cfg_t cfg;
    cfg.base       = {tdbah, tdbal[31:4], 4'b0};
    cfg.entries    = {tdlen[RingLengthLenLsb +: RingLengthLenWidth], 3'b0};
    cfg.prefetch   = 9'(txdctl[TxdctlPthreshLsb +: TxdctlPthreshWidth]);
    cfg.host       = 9'(txdctl[TxdctlHthreshLsb +: TxdctlHthreshWidth]);
    cfg.write_back = 9'(txdctl[TxdctlWthreshLsb +: TxdctlWthreshWidth]);
    return cfg;
  endfunction

  function automatic rx_cfg_t rx_cfg_of(input logic [31:0] ctrl0, mfs, rctl, rxcsum);
    rx_cfg_t cfg;
    cfg.enable = rctl[RctlEnLsb];
    cfg.sbp    = rctl[RctlSbpLsb];
    cfg.upe    = rctl[RctlUpeLsb];
    cfg.mpe    = rctl[RctlMpeLsb];
    cfg.rdmts  = rctl[RctlRdmtsLsb +: RctlRdmtsWidth];
    cfg.mo     = rctl[RctlMoLsb +: RctlMoWidth];
    cfg.bam    = rctl[RctlBamLsb];
    cfg.bsize  = rctl[RctlBsizeLsb +: RctlBsizeWidth];
    cfg.vfe    = rctl[RctlVfeLsb];
    cfg.cfien  = rctl[RctlCfienLsb];
    cfg.cfi    = rctl[RctlCfiLsb];
    cfg.cff    = rctl[RctlCffLsb];
    cfg.secrc  = rctl[RctlSecrcLsb];
    cfg.vme    = ctrl0[Ctrl0VmeLsb];
    cfg.ipofl  = rxcsum[RxcsumIpoflLsb];
    cfg.tuofl  = rxcsum[RxcsumTuoflLsb];
    cfg.limit  = ctrl0[Ctrl0JfeLsb] ? mfs[MfsMfsLsb +: MfsMfsWidth]
                                            : StandardFrameBytes;
    return cfg;
  endfunction

  function automatic tx_cfg_t tx_cfg_of(input logic [31:0] ctrl0, tctl, tspmt, pap);
    tx_cfg_t cfg;
    cfg.enable  = tctl[TctlEnLsb];
    cfg.vme     = ctrl0[Ctrl0VmeLsb];
    cfg.padding = tspmt[TspmtTspbpLsb +: TspmtTspbpWidth];
    cfg.pace    = pap[PapTxpvLsb +: PapTxpvWidth];
    return cfg;
  endfunction

  function automatic delay_cfg_t delay_cfg_of(input logic [31:0] rdtr, raidc, tidv);
    delay_cfg_t cfg;
    cfg.rdtr      = rdtr[15:0];
    cfg.high_thrs = raidc[RaidcHighthrsLsb +: RaidcHighthrsWidth];
    cfg.delay     = raidc[RaidcDelayLsb +: RaidcDelayWidth];
    cfg.poll      = raidc[RaidcPollLsb +: RaidcPollWidth];
    cfg.gate      = raidc[RaidcRxtGateLsb];
    cfg.adaptive  = raidc[RaidcEnLsb];
    cfg.tidv      = tidv[15:0];
    return cfg;
  endfunction

  function automatic pause_cfg_t pause_cfg_of(input logic [31:0] ctrl0, fcrtl, fcrth, pap);
    pause_cfg_t  cfg;
    logic [17:0] low;
    low        = {fcrtl[FcrtlRtlLsb +: FcrtlRtlWidth], 3'b0};
    cfg.high   = {fcrth[FcrthRthLsb +: FcrthRthWidth], 3'b0};
    cfg.low    = low < cfg.high ? low : cfg.high;
    cfg.quanta = pap[PapTxpcLsb +: PapTxpcWidth];
    cfg.xon    = fcrtl[FcrtlXoneLsb];
    cfg.send   = ctrl0[Ctrl0TpeLsb] && cfg.high != '0 && cfg.quanta != '0;
    cfg.rpe    = ctrl0[Ctrl0RpeLsb];
    cfg.cmdc   = ctrl0[Ctrl0CmdcLsb];
    return cfg;
  endfunction
endpackage
