// SPDX-License-Identifier: Apache-2.0
// All of the NIC that runs on the core's clock: registers, both paths, DMA, interrupts, statistics.
//
// A reset by software (CTRL0.RST) stops the DMA, and lasts until no burst is on the bus and the
// frame on the wire has ended. Software sees it last until the filters' tables are cleared, too.
//
// A read of RDH or TDH waits while that ring computes where its head is, some 90 clocks after its
// length or head was written. If DMA of that ring was under way then, it waits for the bus: a
// driver writes a ring's length at rest. TLM twin: models/nic/ixgb/ixgb. Test:
// tests/rtl/nic/nic_top_bench.py.
module nic_core
  import nic_pkg::*;
#(
  parameter  int unsigned RxBufferBytes = 262144,
  parameter  int unsigned TxBufferWords = nic_tx_pkg::BufferWords,
  parameter  int unsigned RxEntries     = 512,    // descriptors on chip
  parameter  int unsigned TxEntries     = 128,
  parameter  int unsigned LargestFetch  = 64,     // descriptors that one read fetches, at most
  parameter  int unsigned DmaEngines    = 2,      // 1: reads and writes take turns
  parameter  int unsigned Slots         = 4,      // read bursts under way
  parameter  int unsigned LinkClocks    = 1563,
  localparam int unsigned SlotBits      = $clog2(Slots)
) (
  input  logic                clk_i,              // 156.25 MHz
  input  logic                rst_ni,             // of power-up
  input  logic                test_mode_i,        // the paths' clocks do not stop
  output logic                busy_o,             // the clock has to run
  output logic                dma_busy_o,         // bursts are on the bus, or are to be
  output logic                dma_clk_o,          // of both DMA engines, for AXI4's crossing
  // Register accesses, of nic_axil.
  input  logic                write_i,
  input  logic                read_i,
  input  logic [16:0]         addr_i,
  input  logic [31:0]         data_i,
  input  logic [3:0]          strobes_i,
  output logic                done_o,
  output logic [31:0]         data_o,
  // AXI4, to nic_axi.
  output logic                ar_valid_o,
  input  logic                ar_ready_i,
  output logic [SlotBits-1:0] ar_id_o,
  output burst_t              ar_o,
  input  logic                r_valid_i,
  input  logic [SlotBits-1:0] r_id_i,
  input  read_beat_t          r_i,
  output logic                aw_valid_o,
  input  logic                aw_ready_i,
  output burst_t              aw_o,
  output logic                w_valid_o,
  input  logic                w_ready_i,
  output write_beat_t         w_o,
  input  logic                b_valid_i,
  input  logic                b_error_i,
  output logic                irq_o,
  // The wire.
  input  logic                local_fault_i,
  input  logic                word_valid_i,
  input  line_word_t          word_i,
  output logic [63:0]         xgmii_txd_o,
  output logic [7:0]          xgmii_txc_o,
  // The board.
  input  logic [4:0]          bus_mode_i,         // STATUS 15:11
  output logic                led_o,
  output logic                eeprom_sk_o,
  output logic                eeprom_cs_o,
  output logic                eeprom_di_o,
  input  logic                eeprom_do_i,
  output logic                mdc_o,
  output logic                mdio_o,
  output logic                mdio_oe_o,
  input  logic                mdio_i
);
  import nic_csr_pkg::*;
  import nic_held_pkg::*;

  logic control_clk, read_clk, write_clk, tx_clk, mac_clk, rx_clk;   // of the parts; made below

  // ---- Accesses wait for heads ----

  logic        rx_settled, tx_settled, head_moves, access_waits_q, access_valid;
  logic [16:0] word_addr;

  assign word_addr    = {addr_i[16:2], 2'b00};
  assign head_moves   = (word_addr == 17'(RdhOffset) && !rx_settled) ||
                        (word_addr == 17'(TdhOffset) && !tx_settled);
  assign access_valid = (write_i || read_i || access_waits_q) && !head_moves;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) access_waits_q <= 1'b0;
    else access_waits_q <= (write_i || read_i || access_waits_q) && head_moves;
  end

  logic access_writes_q;
  always_ff @(posedge clk_i) begin
    if (write_i || read_i) access_writes_q <= write_i;
  end

  // ---- Registers ----

  rx_cfg_t     rx_cfg;
  tx_cfg_t     tx_cfg;
  ring_cfg_t   rx_ring_cfg, tx_ring_cfg;
  delay_cfg_t  delay_cfg;
  pause_cfg_t  pause_cfg;
  logic        soft_reset, reset_waits, link_reset, regs_busy;
  logic [15:0] rx_tail, rx_head_set, rx_head, rx_available, tx_tail, tx_head_set, tx_head;
  logic        rx_resume, rx_tail_is_set, rx_flush, rx_head_is_set, rx_rest;
  logic        tx_resume, tx_tail_is_set, tx_head_is_set, tx_rest;
  logic        int_take;
  logic [15:0] int_set, int_enable, int_disable, int_causes, int_mask, int_event;
  logic        aligned, up, paused;
  logic        eeprom_load, eeprom_sk, eeprom_cs, eeprom_di, eeprom_do, address_valid;
  logic [47:0] address;
  logic        mdio_start, mdio_clause22, mdio_busy;
  logic [1:0]  mdio_op;
  logic [4:0]  mdio_port, mdio_device;
  logic [15:0] mdio_data, mdio_read_data;
  logic        stats_read;
  logic [8:2]  stats_addr;
  logic [31:0] stats_rdata, table_wdata, table_rdata;
  logic        table_ready, table_we, table_re;
  logic [1:0]  table_number;
  logic [6:0]  table_place;

  nic_regs u_regs (
    .clk_i(control_clk), .rst_ni, .access_valid_i(access_valid),
    .access_write_i(access_waits_q ? access_writes_q : write_i), .access_addr_i(addr_i),
    .access_wdata_i(data_i), .access_strb_i(strobes_i), .access_ready_o(done_o),
    .access_rdata_o(data_o), .rx_cfg_o(rx_cfg), .rx_ring_cfg_o(rx_ring_cfg),
    .tx_cfg_o(tx_cfg), .tx_ring_cfg_o(tx_ring_cfg), .delay_cfg_o(delay_cfg),
    .pause_cfg_o(pause_cfg), .led_o, .reset_o(soft_reset),
    .reset_wait_i(reset_waits || !table_ready), .link_reset_o(link_reset),
    .rx_resume_o(rx_resume), .rx_tail_o(rx_tail), .rx_tail_set_o(rx_tail_is_set),
    .rx_flush_o(rx_flush), .rx_head_o(rx_head_set), .rx_head_set_o(rx_head_is_set),
    .rx_head_i(rx_head), .rx_rest_i(rx_rest), .tx_resume_o(tx_resume), .tx_tail_o(tx_tail),
    .tx_tail_set_o(tx_tail_is_set), .tx_head_o(tx_head_set), .tx_head_set_o(tx_head_is_set),
    .tx_head_i(tx_head), .tx_rest_i(tx_rest), .int_take_o(int_take), .int_set_o(int_set),
    .int_enable_o(int_enable), .int_disable_o(int_disable), .int_causes_i(int_causes),
    .int_mask_i(int_mask), .aligned_i(aligned), .up_i(up), .paused_i(paused),
    .bus_i(bus_mode_i), .eeprom_load_o(eeprom_load), .eeprom_sk_o(eeprom_sk),
    .eeprom_cs_o(eeprom_cs), .eeprom_di_o(eeprom_di), .eeprom_do_i(eeprom_do),
    .address_valid_i(address_valid), .address_i(address), .mdio_start_o(mdio_start),
    .mdio_clause22_o(mdio_clause22), .mdio_op_o(mdio_op), .mdio_port_o(mdio_port),
    .mdio_device_o(mdio_device), .mdio_data_o(mdio_data), .mdio_busy_i(mdio_busy),
    .mdio_read_data_i(mdio_read_data), .stats_read_o(stats_read), .stats_addr_o(stats_addr),
    .stats_rdata_i(stats_rdata), .table_ready_i(table_ready), .table_we_o(table_we),
    .table_re_o(table_re), .table_o(table_number), .table_place_o(table_place),
    .table_wdata_o(table_wdata), .table_rdata_i(table_rdata), .busy_o(regs_busy));

  // ---- Reset by software ----

  logic reset_q, reset, read_idle, write_idle, frame_goes_out;

  assign reset       = soft_reset || reset_q;
  assign reset_waits = reset_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) reset_q <= 1'b0;
    else reset_q <= soft_reset || (reset_q && !(read_idle && write_idle && !frame_goes_out));
  end

  // ---- Link, EEPROM, optics ----

  logic link_changed, carrier_lost, tx_enable, rx_enable, honour, link_busy, eeprom_busy;

  nic_link #(.LinkClocks(LinkClocks)) u_link (
    .clk_i(control_clk), .rst_ni, .reset_i(link_reset), .carrier_i(!local_fault_i),
    .rx_enable_i(rx_cfg.enable), .rpe_i(pause_cfg.rpe), .cmdc_i(pause_cfg.cmdc),
    .aligned_o(aligned), .up_o(up), .changed_o(link_changed), .lost_o(carrier_lost),
    .tx_enable_o(tx_enable), .rx_enable_o(rx_enable), .honour_o(honour), .busy_o(link_busy));

  nic_eeprom u_eeprom (
    .clk_i(control_clk), .rst_ni, .load_i(eeprom_load), .busy_o(eeprom_busy),
    .address_valid_o(address_valid), .address_o(address), .sk_i(eeprom_sk), .cs_i(eeprom_cs),
    .di_i(eeprom_di), .do_o(eeprom_do), .eeprom_sk_o, .eeprom_cs_o, .eeprom_di_o, .eeprom_do_i);

  nic_mdio u_mdio (
    .clk_i(control_clk), .rst_ni(rst_ni && !reset), .start_i(mdio_start),
    .clause22_i(mdio_clause22), .op_i(mdio_op), .port_i(mdio_port), .device_i(mdio_device), .data_i(mdio_data),
    .busy_o(mdio_busy), .read_data_o(mdio_read_data), .mdc_o, .mdio_o, .mdio_oe_o, .mdio_i);

  // ---- DMA ----

  logic [Readers-1:0]       rd_req_valid, rd_req_ready, rd_valid, rd_ready;
  span_t [Readers-1:0]      rd_req;
  read_word_t [Readers-1:0] rd;
  logic [Writers-1:0]       wr_req_valid, wr_req_ready, wr_valid, wr_ready, wr_done, wr_answered;
  span_t [Writers-1:0]      wr_req;
  logic [Writers-1:0][63:0] wr;
  logic                     wr_error;
  logic                     rd_ar_valid, rd_ar_ready, wr_aw_valid, wr_aw_ready, wr_w_valid;
  logic                     wr_w_ready;

  nic_read #(.Slots(Slots)) u_read (
    .clk_i(read_clk), .rst_ni, .stop_i(reset), .idle_o(read_idle), .req_valid_i(rd_req_valid),
    .req_ready_o(rd_req_ready), .req_i(rd_req), .data_valid_o(rd_valid),
    .data_ready_i(rd_ready), .data_o(rd), .ar_valid_o(rd_ar_valid), .ar_ready_i(rd_ar_ready),
    .ar_id_o, .ar_o, .r_valid_i, .r_id_i, .r_i);

  nic_write u_write (
    .clk_i(write_clk), .rst_ni, .stop_i(reset), .idle_o(write_idle), .req_valid_i(wr_req_valid),
    .req_ready_o(wr_req_ready), .req_i(wr_req), .word_valid_i(wr_valid),
    .word_ready_o(wr_ready), .word_i(wr), .done_o(wr_done), .answered_o(wr_answered),
    .error_o(wr_error), .aw_valid_o(wr_aw_valid), .aw_ready_i(wr_aw_ready), .aw_o,
    .w_valid_o(wr_w_valid), .w_ready_i(wr_w_ready), .w_o, .b_valid_i, .b_error_i);

  nic_dma_turns #(.Engines(DmaEngines), .Slots(Slots)) u_turns (
    .clk_i, .rst_ni, .ar_valid_i(rd_ar_valid), .ar_ready_o(rd_ar_ready),
    .aw_valid_i(wr_aw_valid), .aw_ready_o(wr_aw_ready), .w_valid_i(wr_w_valid),
    .w_ready_o(wr_w_ready), .ar_valid_o, .ar_ready_i, .aw_valid_o, .aw_ready_i, .w_valid_o,
    .w_ready_i, .r_last_i(r_valid_i && r_i.last), .b_valid_i);

  assign dma_busy_o = !read_idle || !write_idle;

  // ---- Paths ----

  logic      control_valid, control_ready, control_xon;
  word_t     control_word;
  logic      tx_emptied, report_later, report, tso_whole, tso_failed, tx_event_valid, tx_busy;
  logic      tx_expired, tx_flushed, rx_flushed;
  logic      mac_busy;
  tx_event_t tx_event;
  logic      rx_low, rx_written, rx_event_valid, rx_expired, rx_busy;
  rx_event_t rx_event;

  nic_tx_path #(
    .Entries(TxEntries), .LargestFetch(LargestFetch), .Words(TxBufferWords)
  ) u_tx (
    .clk_i(tx_clk), .mac_clk_i(mac_clk), .rst_ni, .reset_i(reset), .wait_o(frame_goes_out),
    .cfg_i(tx_cfg), .ring_cfg_i(tx_ring_cfg), .resume_i(tx_resume), .tail_i(tx_tail),
    .tail_set_i(tx_tail_is_set), .head_i(tx_head_set), .head_set_i(tx_head_is_set),
    .flush_i(tx_expired), .head_o(tx_head), .settled_o(tx_settled), .rest_o(tx_rest),
    .enable_i(tx_enable),
    .paused_i(paused), .local_fault_i, .control_valid_i(control_valid),
    .control_ready_o(control_ready), .control_word_i(control_word),
    .control_xon_i(control_xon), .ring_req_valid_o(rd_req_valid[ReadTxRing]),
    .ring_req_ready_i(rd_req_ready[ReadTxRing]), .ring_req_o(rd_req[ReadTxRing]),
    .ring_data_valid_i(rd_valid[ReadTxRing]), .ring_data_ready_o(rd_ready[ReadTxRing]),
    .ring_data_i(rd[ReadTxRing]), .data_req_valid_o(rd_req_valid[ReadTxData]),
    .data_req_ready_i(rd_req_ready[ReadTxData]), .data_req_o(rd_req[ReadTxData]),
    .data_valid_i(rd_valid[ReadTxData]), .data_ready_o(rd_ready[ReadTxData]),
    .data_i(rd[ReadTxData]), .back_req_valid_o(wr_req_valid[WriteTxRing]),
    .back_req_ready_i(wr_req_ready[WriteTxRing]), .back_req_o(wr_req[WriteTxRing]),
    .back_valid_o(wr_valid[WriteTxRing]), .back_ready_i(wr_ready[WriteTxRing]),
    .back_o(wr[WriteTxRing]), .back_answered_i(wr_answered[WriteTxRing]),
    .back_error_i(wr_error), .emptied_o(tx_emptied), .report_later_o(report_later),
    .report_o(report), .flushed_o(tx_flushed), .tso_whole_o(tso_whole), .tso_failed_o(tso_failed),
    .event_valid_o(tx_event_valid), .event_o(tx_event), .xgmii_txd_o, .xgmii_txc_o,
    .mac_busy_o(mac_busy), .busy_o(tx_busy));

  nic_rx_path #(
    .Entries(RxEntries), .LargestFetch(LargestFetch), .BufferBytes(RxBufferBytes)
  ) u_rx (
    .clk_i(rx_clk), .rst_ni, .reset_i(reset), .cfg_i(rx_cfg), .ring_cfg_i(rx_ring_cfg),
    .pause_cfg_i(pause_cfg), .resume_i(rx_resume), .tail_i(rx_tail),
    .tail_set_i(rx_tail_is_set), .head_i(rx_head_set), .head_set_i(rx_head_is_set),
    .flush_i(rx_expired), .head_o(rx_head), .settled_o(rx_settled), .rest_o(rx_rest),
    .available_o(rx_available), .table_ready_o(table_ready), .table_we_i(table_we),
    .table_re_i(table_re), .table_i(rx_table_e'(table_number)), .table_place_i(table_place),
    .table_wdata_i(table_wdata), .table_rdata_o(table_rdata), .enable_i(rx_enable),
    .carrier_i(!local_fault_i), .honour_i(honour), .paused_o(paused), .word_valid_i, .word_i,
    .control_valid_o(control_valid), .control_ready_i(control_ready),
    .control_word_o(control_word), .control_xon_o(control_xon),
    .ring_req_valid_o(rd_req_valid[ReadRxRing]), .ring_req_ready_i(rd_req_ready[ReadRxRing]),
    .ring_req_o(rd_req[ReadRxRing]), .ring_data_valid_i(rd_valid[ReadRxRing]),
    .ring_data_ready_o(rd_ready[ReadRxRing]), .ring_data_i(rd[ReadRxRing]),
    .data_req_valid_o(wr_req_valid[WriteRxData]), .data_req_ready_i(wr_req_ready[WriteRxData]),
    .data_req_o(wr_req[WriteRxData]), .data_valid_o(wr_valid[WriteRxData]),
    .data_ready_i(wr_ready[WriteRxData]), .data_o(wr[WriteRxData]),
    .data_done_i(wr_done[WriteRxData]), .back_req_valid_o(wr_req_valid[WriteRxRing]),
    .back_req_ready_i(wr_req_ready[WriteRxRing]), .back_req_o(wr_req[WriteRxRing]),
    .back_valid_o(wr_valid[WriteRxRing]), .back_ready_i(wr_ready[WriteRxRing]),
    .back_o(wr[WriteRxRing]), .back_answered_i(wr_answered[WriteRxRing]),
    .back_error_i(wr_error), .low_o(rx_low), .written_o(rx_written), .flushed_o(rx_flushed),
    .event_valid_o(rx_event_valid), .event_o(rx_event), .busy_o(rx_busy));

  // ---- Interrupts and statistics ----

  logic delays_run;

  nic_moderation u_moderation (
    .clk_i, .rst_ni(rst_ni && !reset), .rdtr_i(delay_cfg.rdtr),
    .high_thrs_i(delay_cfg.high_thrs), .delay_i(delay_cfg.delay), .poll_i(delay_cfg.poll),
    .gate_i(delay_cfg.gate), .adaptive_i(delay_cfg.adaptive), .written_i(rx_written),
    .available_i(rx_available), .flush_i(rx_flush), .rx_expired_o(rx_expired),
    .tidv_i(delay_cfg.tidv), .report_later_i(report_later), .tx_expired_o(tx_expired),
    .busy_o(delays_run));

  always_comb begin
    int_event                 = '0;
    int_event[CauseTxdwLsb]   = report || tx_flushed;
    int_event[CauseTxqeLsb]   = tx_emptied;
    int_event[CauseLscLsb]    = link_changed;
    int_event[CauseRxdmt0Lsb] = rx_low;
    int_event[CauseRxoLsb]    = rx_event_valid && rx_event.missed;
    int_event[CauseRxt0Lsb]   = rx_flushed;
  end

  nic_interrupt u_interrupt (
    .clk_i, .rst_ni(rst_ni && !soft_reset), .event_i(int_event), .set_i(int_set),
    .take_i(int_take), .enable_i(int_enable), .disable_i(int_disable), .causes_o(int_causes),
    .mask_o(int_mask), .request_o(irq_o));

  nic_statistics u_statistics (
    .clk_i(control_clk), .rst_ni(rst_ni && !reset), .mpe_i(rx_cfg.mpe), .rx_valid_i(rx_event_valid),
    .rx_i(rx_event), .tx_valid_i(tx_event_valid), .tx_i(tx_event), .tso_whole_i(tso_whole),
    .tso_failed_i(tso_failed), .link_lost_i(carrier_lost), .read_i(stats_read),
    .addr_i(stats_addr), .rdata_o(stats_rdata));

  // ---- Clocks ----

  // Most of the time some parts have nothing to do. The clock of such a part stands still. A part
  // runs for what it says of itself, and for what reaches it from others.
  logic control_need, path_need, mac_need, read_need, write_need, paused_q;

  assign path_need    = write_i || read_i || access_waits_q || regs_busy || link_busy || reset;
  assign control_need = path_need || eeprom_busy || mdio_busy || !table_ready || rx_event_valid ||
                        tx_event_valid || tso_whole || tso_failed;
  assign mac_need     = path_need || mac_busy || control_valid || paused != paused_q;
  assign read_need    = !read_idle || rd_req_valid != '0 || reset;
  assign write_need   = !write_idle || wr_req_valid != '0 || reset;

  always_ff @(posedge clk_i) paused_q <= paused;

  nic_gated_clock u_control_clock (
    .clk_i, .rst_ni, .test_mode_i, .need_i(control_need), .clk_o(control_clk));
  nic_gated_clock u_read_clock (
    .clk_i, .rst_ni, .test_mode_i, .need_i(read_need), .clk_o(read_clk));
  nic_gated_clock u_write_clock (
    .clk_i, .rst_ni, .test_mode_i, .need_i(write_need), .clk_o(write_clk));
  nic_gated_clock u_dma_clock (
    .clk_i, .rst_ni, .test_mode_i, .need_i(read_need || write_need), .clk_o(dma_clk_o));
  nic_gated_clock u_tx_clock (
    .clk_i, .rst_ni, .test_mode_i, .need_i(path_need || tx_busy || mac_need || tx_expired),
    .clk_o(tx_clk));
  nic_gated_clock u_mac_clock (
    .clk_i, .rst_ni, .test_mode_i, .need_i(mac_need), .clk_o(mac_clk));
  nic_gated_clock u_rx_clock (
    .clk_i, .rst_ni, .test_mode_i, .need_i(path_need || rx_busy || word_valid_i || rx_expired),
    .clk_o(rx_clk));

  assign busy_o = path_need || eeprom_busy || mdio_busy || dma_busy_o || tx_busy || rx_busy ||
                  delays_run || word_valid_i;

  logic unused_done;
  assign unused_done = ^{wr_done[WriteRxRing], wr_done[WriteTxRing], wr_answered[WriteRxData]};

  always_ff @(posedge clk_i) begin : checks
    if (rst_ni) begin
      // Nothing is asked of the DMA while it gives up what it has.
      QuietInReset: assert (!reset_q || (rd_req_valid == '0 && wr_req_valid == '0));
    end
  end

  // Corners: a reset while reads and while writes are on the bus; a head that is waited for.
  ResetInRead: cover property (@(posedge clk_i) disable iff (!rst_ni) soft_reset && !read_idle);
  ResetInWrite: cover property (@(posedge clk_i) disable iff (!rst_ni) soft_reset && !write_idle);
  HeadWaits: cover property (@(posedge clk_i) disable iff (!rst_ni) access_waits_q && !head_moves);
endmodule
