// SPDX-License-Identifier: Apache-2.0
// The registers of nic.rdl: what software writes and reads, and what a write does.
//
// An access is one clock of access_valid_i. access_ready_o comes two clocks later, with the data of
// a read; the next access may come in that clock. Bytes without a strobe stay as they are. What no
// register has reads as zero and takes no write. Settings follow a write by one clock, and so do
// the one-clock outputs, but those to nic_interrupt and nic_statistics: they are in the access's
// clock. CTRL0.RST resets all registers but CTRL1 and EECD, and reads as one for ResetClocks and
// while reset_wait_i is high. Exact entry 0 has the EEPROM's address when the NIC has read it;
// the twin has it at once. TLM twin: models/nic/ixgb/ixgb. Test: tests/rtl/nic/nic_regs_bench.py.
module nic_regs
  import nic_held_pkg::*;
  import nic_csr_pkg::*;
#(
  parameter int unsigned ResetClocks = 156,    // 1 us
  parameter logic [3:0]  Revision    = 4'd2
) (
  input  logic        clk_i,                   // 156.25 MHz
  input  logic        rst_ni,                  // of power-up alone
  // Software, by nic_axil.
  input  logic        access_valid_i,
  input  logic        access_write_i,
  input  logic [16:0] access_addr_i,           // bytes; the two lowest bits are ignored
  input  logic [31:0] access_wdata_i,
  input  logic [3:0]  access_strb_i,
  output logic        access_ready_o,
  output logic [31:0] access_rdata_o,
  // Settings.
  output rx_cfg_t     rx_cfg_o,
  output ring_cfg_t   rx_ring_cfg_o,
  output tx_cfg_t     tx_cfg_o,
  output ring_cfg_t   tx_ring_cfg_o,
  output delay_cfg_t  delay_cfg_o,
  output pause_cfg_t  pause_cfg_o,
  output logic        led_o,                   // lit: CTRL0.SDP0 is low
  // Resets.
  output logic        reset_o,                 // one clock: all but the link's state starts again
  input  logic        reset_wait_i,            // something is still being reset
  output logic        link_reset_o,            // one clock: the lanes align again
  // Rings.
  output logic        rx_resume_o,             // one clock: RCTL was written
  output logic [15:0] rx_tail_o,
  output logic        rx_tail_set_o,           // one clock: RDT was written
  output logic        rx_flush_o,              // in that clock: RDT.FPDB
  output logic [15:0] rx_head_o,
  output logic        rx_head_set_o,           // one clock: RDH was written, at rest
  input  logic [15:0] rx_head_i,
  input  logic        rx_rest_i,               // no frame is begun, no write under way
  output logic        tx_resume_o,             // one clock: TCTL was written
  output logic [15:0] tx_tail_o,
  output logic        tx_tail_set_o,
  output logic [15:0] tx_head_o,
  output logic        tx_head_set_o,
  input  logic [15:0] tx_head_i,
  input  logic        tx_rest_i,
  // Interrupt causes.
  output logic        int_take_o,              // one clock: ICR is read
  output logic [15:0] int_set_o,
  output logic [15:0] int_enable_o,
  output logic [15:0] int_disable_o,
  input  logic [15:0] int_causes_i,
  input  logic [15:0] int_mask_i,
  // The link.
  input  logic        aligned_i,
  input  logic        up_i,
  input  logic        paused_i,
  input  logic [4:0]  bus_i,                   // STATUS 15:11: PCI66, BUS64, PCIX_MODE, PCIX_SPEED
  // EEPROM.
  output logic        eeprom_load_o,           // one clock: the address is to be read
  output logic        eeprom_sk_o,
  output logic        eeprom_cs_o,
  output logic        eeprom_di_o,
  input  logic        eeprom_do_i,
  input  logic        address_valid_i,
  input  logic [47:0] address_i,               // first byte in [7:0]
  // MDIO.
  output logic        mdio_start_o,
  output logic        mdio_clause22_o,
  output logic [1:0]  mdio_op_o,
  output logic [4:0]  mdio_port_o,
  output logic [4:0]  mdio_device_o,
  output logic [15:0] mdio_data_o,
  input  logic        mdio_busy_i,
  input  logic [15:0] mdio_read_data_i,
  // Statistics.
  output logic        stats_read_o,
  output logic [8:2]  stats_addr_o,
  input  logic [31:0] stats_rdata_i,           // in the clock after stats_read_o; zero else
  // Tables of nic_rx_filter.
  input  logic        table_ready_i,
  output logic        table_we_o,
  output logic        table_re_o,
  output logic [1:0]  table_o,                 // 0: RAL and RAH, 1: MTA, 2: VFTA
  output logic [6:0]  table_place_o,
  output logic [31:0] table_wdata_o,
  input  logic [31:0] table_rdata_i,           // in the clock after table_re_o
  output logic        busy_o
);
  // ---- Which register ----

  localparam logic [16:0] CounterBase = 17'(TprlOffset);
  localparam int unsigned CounterBits = 9;

  held_e       place;
  logic        write, read, is_exact, is_multi, is_vlan, is_table, is_counter;
  logic [31:0] mask, merged;

  assign write      = access_valid_i && access_write_i;
  assign read       = access_valid_i && !access_write_i;
  assign place      = access_valid_i ? held_at(access_addr_i[16:2]) : AtNone;
  assign is_exact   = access_addr_i[16:7] == 10'(ExactBase >> 7);
  assign is_multi   = access_addr_i[16:9] == 8'(MulticastBase >> 9);
  assign is_vlan    = access_addr_i[16:9] == 8'(VlanBase >> 9);
  assign is_table   = is_exact || is_multi || is_vlan;
  assign is_counter = access_addr_i[16:CounterBits] == CounterBase[16:CounterBits];
  assign mask       = {{8{access_strb_i[3]}}, {8{access_strb_i[2]}}, {8{access_strb_i[1]}},
                       {8{access_strb_i[0]}}};

  // ---- What is held ----

  held_t held_q;
  logic  resets, load_q;

  assign merged = ((place == AtNone ? '0 : held_q[place]) & ~mask) | (access_wdata_i & mask);
  assign resets = write && place == AtCtrl0 && merged[Ctrl0RstLsb];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      held_q <= held_reset();
    end else if (write && place != AtNone) begin
      if (resets) begin
        held_q          <= held_reset();
        held_q[AtCtrl1] <= held_q[AtCtrl1];
        held_q[AtEecd]  <= held_q[AtEecd];
      end
      held_q[place] <= merged & ~not_held(place);
    end
  end

  assign rx_cfg_o      = rx_cfg_of(held_q[AtCtrl0], held_q[AtMfs],
                                   held_q[AtRctl], held_q[AtRxcsum]);
  assign rx_ring_cfg_o = rx_ring_cfg_of(held_q[AtRdbah], held_q[AtRdbal],
                                        held_q[AtRdlen], held_q[AtRxdctl]);
  assign tx_cfg_o      = tx_cfg_of(held_q[AtCtrl0], held_q[AtTctl], held_q[AtTspmt], held_q[AtPap]);
  assign tx_ring_cfg_o = tx_ring_cfg_of(held_q[AtTdbah], held_q[AtTdbal],
                                        held_q[AtTdlen], held_q[AtTxdctl]);
  assign delay_cfg_o   = delay_cfg_of(held_q[AtRdtr], held_q[AtRaidc], held_q[AtTidv]);
  assign pause_cfg_o   = pause_cfg_of(held_q[AtCtrl0], held_q[AtFcrtl],
                                      held_q[AtFcrth], held_q[AtPap]);
  assign led_o         = !held_q[AtCtrl0][Ctrl0Sdp0Lsb];
  assign eeprom_sk_o   = held_q[AtEecd][EecdSkLsb];
  assign eeprom_cs_o   = held_q[AtEecd][EecdCsLsb];
  assign eeprom_di_o   = held_q[AtEecd][EecdDiLsb];
  assign rx_tail_o     = held_q[AtRdt][RdtRdtLsb +: RdtRdtWidth];
  assign rx_head_o     = held_q[AtRdh][RdhWidth-1:0];
  assign tx_tail_o     = held_q[AtTdt][15:0];
  assign tx_head_o     = held_q[AtTdh][TdhWidth-1:0];

  // ---- What a write does ----

  localparam int unsigned LeftBits = $clog2(ResetClocks + 1);
  logic [LeftBits-1:0] left_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      load_q        <= 1'b1;
      reset_o       <= 1'b0;
      link_reset_o  <= 1'b0;
      eeprom_load_o <= 1'b0;
      mdio_start_o  <= 1'b0;
      rx_resume_o   <= 1'b0;
      rx_tail_set_o <= 1'b0;
      rx_flush_o    <= 1'b0;
      rx_head_set_o <= 1'b0;
      tx_resume_o   <= 1'b0;
      tx_tail_set_o <= 1'b0;
      tx_head_set_o <= 1'b0;
    end else begin
      load_q        <= 1'b0;
      reset_o       <= resets;
      link_reset_o  <= write && place == AtCtrl0 && (merged[Ctrl0LrstLsb] || merged[Ctrl0RstLsb]);
      eeprom_load_o <= load_q || resets || (write && place == AtCtrl1 && merged[Ctrl1EeRstLsb]);
      mdio_start_o  <= write && place == AtMsca && merged[MscaMdiCommandLsb];
      rx_resume_o   <= write && place == AtRctl;
      rx_tail_set_o <= write && place == AtRdt;
      rx_flush_o    <= write && place == AtRdt && merged[RdtFpdbLsb];
      rx_head_set_o <= write && place == AtRdh && rx_rest_i && !rx_cfg_o.enable;
      tx_resume_o   <= write && place == AtTctl;
      tx_tail_set_o <= write && place == AtTdt;
      tx_head_set_o <= write && place == AtTdh && tx_rest_i && !tx_cfg_o.enable;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) left_q <= '0;
    else if (resets) left_q <= LeftBits'(ResetClocks);
    else if (left_q != '0) left_q <= left_q - LeftBits'(1);
  end

  assign mdio_clause22_o = held_q[AtMsca][MscaStCodeLsb];
  assign mdio_op_o       = held_q[AtMsca][MscaOpCodeLsb +: MscaOpCodeWidth];
  assign mdio_port_o     = held_q[AtMsca][MscaPhyAddrLsb +: MscaPhyAddrWidth];
  assign mdio_device_o   = held_q[AtMsca][MscaDevTypeLsb +: MscaDevTypeWidth];
  assign mdio_data_o     = !mdio_clause22_o && mdio_op_o == 2'd0
                           ? held_q[AtMsca][MscaNpAddrLsb +: MscaNpAddrWidth]
                           : held_q[AtMsrwd][MsrwdWriteDataLsb +: MsrwdWriteDataWidth];

  // Causes: of commands nothing is held, so bytes without a strobe are zero.
  logic [15:0] causes;
  logic [16:0] word_addr;
  assign word_addr     = {access_addr_i[16:2], 2'b00};
  assign causes        = write ? access_wdata_i[15:0] & mask[15:0] & CauseMask[15:0] : '0;
  assign int_take_o    = read && word_addr == 17'(IcrOffset);
  assign int_set_o     = word_addr == 17'(IcsOffset) ? causes : '0;
  assign int_enable_o  = word_addr == 17'(ImsOffset) ? causes : '0;
  assign int_disable_o = word_addr == 17'(ImcOffset) ? causes : '0;

  // ---- Reading ----

  logic [31:0] shown, rdata_q, table_rdata;
  logic        read_q, valid_q, tables_busy;

  always_comb begin
    shown = '0;
    if (read) begin
      shown = place == AtNone ? '0 : held_q[place];
      unique case (word_addr)
        17'(Ctrl0Offset):  shown[Ctrl0RstLsb] = left_q != '0 || reset_wait_i;
        17'(StatusOffset): begin
          shown[StatusLuLsb]                        = up_i;
          shown[StatusRlfLsb]                       = !up_i;
          shown[StatusTxoffLsb]                     = paused_i;
          shown[StatusPci66Lsb +: 5]                = bus_i;
          shown[StatusRevIdLsb +: StatusRevIdWidth] = Revision;
        end
        17'(EecdOffset):   shown[EecdDataOutLsb] = eeprom_do_i;
        17'(IcrOffset), 17'(IcsOffset): shown = 32'(int_causes_i);
        17'(ImsOffset), 17'(ImcOffset): shown = 32'(int_mask_i);
        17'(RdhOffset):    shown = 32'(rx_head_i);
        17'(RdtOffset):    shown = 32'(rx_tail_o);
        17'(TdhOffset):    shown = 32'(tx_head_i);
        17'(Pcss1Offset): begin
          shown[Pcss1RxLinkStatusLsb] = aligned_i;
          shown[Pcss1LocalFaultLsb]   = !aligned_i;
        end
        17'(Pcss2Offset): begin
          shown[Pcss2Can10gbxLsb]                   = 1'b1;
          shown[Pcss2DevPresLsb +: Pcss2DevPresWidth] = 2'd1;
          shown[Pcss2RxLfLsb]                       = !aligned_i;
        end
        17'(XpcssOffset): begin
          shown[XpcssLaneSyncLsb +: XpcssLaneSyncWidth] = {XpcssLaneSyncWidth{aligned_i}};
          shown[XpcssAlignStatusLsb]                    = aligned_i;
        end
        17'(MscaOffset):   shown[MscaMdiCommandLsb] = mdio_busy_i || mdio_start_o;
        17'(MsrwdOffset):  shown[MsrwdReadDataLsb +: MsrwdReadDataWidth] = mdio_read_data_i;
        default: ;
      endcase
    end
  end

  // First clock: write, and ask. Second: what was asked for is there. Third: the answer.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q        <= 1'b0;
      read_q         <= 1'b0;
      access_ready_o <= 1'b0;
    end else begin
      valid_q        <= access_valid_i;
      read_q         <= read;
      access_ready_o <= valid_q;
    end
  end

  always_ff @(posedge clk_i) begin
    if (read) rdata_q <= shown;
    if (read_q) access_rdata_o <= rdata_q | table_rdata | stats_rdata_i;
  end

  assign stats_read_o = read && is_counter;
  assign stats_addr_o = access_addr_i[8:2];

  nic_tables u_tables (
    .clk_i, .rst_ni(rst_ni && !reset_o), .valid_i(access_valid_i && is_table),
    .write_i(access_write_i), .table_i(is_exact ? 2'd0 : is_multi ? 2'd1 : 2'd2),
    .place_i(is_exact ? 7'(access_addr_i[6:2]) : access_addr_i[8:2]), .wdata_i(access_wdata_i),
    .strb_i(access_strb_i), .rdata_o(table_rdata), .address_valid_i, .address_i,
    .ready_i(table_ready_i), .we_o(table_we_o), .re_o(table_re_o), .table_o,
    .place_o(table_place_o), .wdata_o(table_wdata_o), .rdata_i(table_rdata_i),
    .busy_o(tables_busy));

  assign busy_o = access_valid_i || valid_q || load_q || reset_o || eeprom_load_o || left_q != '0 ||
                  tables_busy;

  logic access_was_q, rest_was_q;
  always_ff @(posedge clk_i) begin : checks
    access_was_q <= rst_ni && access_valid_i;
    rest_was_q   <= rx_rest_i && !rx_cfg_o.enable;
    if (rst_ni) begin
      // Accesses come two clocks apart.
      Apart: assert (!access_was_q || !access_valid_i);
      // A head is set at rest alone.
      HeadAtRest: assert (!rx_head_set_o || rest_was_q);
      // The low mark is not above the high one, and a pause that is sent has a time.
      Marks: assert (
        pause_cfg_o.low <= pause_cfg_o.high && (!pause_cfg_o.send || pause_cfg_o.quanta != '0));
    end
  end

  // Corners: both resets at once, a head that is refused, the next access at once, reset while one
  // goes on.
  BothResets: cover property (
    @(posedge clk_i) disable iff (!rst_ni) resets && merged[Ctrl0LrstLsb]);
  HeadRefused: cover property (
    @(posedge clk_i) disable iff (!rst_ni)
    write && place == AtRdh && !(rx_rest_i && !rx_cfg_o.enable));
  AtOnce: cover property (@(posedge clk_i) disable iff (!rst_ni) access_ready_o && access_valid_i);
  ResetAgain: cover property (@(posedge clk_i) disable iff (!rst_ni) resets && left_q != '0);
  ResetWaits: cover property (
    @(posedge clk_i) disable iff (!rst_ni)
    read && place == AtCtrl0 && left_q == '0 && reset_wait_i);
endmodule
