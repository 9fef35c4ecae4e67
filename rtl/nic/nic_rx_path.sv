// SPDX-License-Identifier: Apache-2.0
// The receive path: words of frames to host memory and descriptors.
//
// reset_i is the device's reset. Frames are stored from enable_i on; the rest of a frame that was
// coming then is taken for a frame, and its FCS is bad. The sender of PAUSE frames forgets what it
// has to say when there is no carrier; a PAUSE frame that has begun goes out whole. TLM twin:
// models/nic/ixgb/ixgb_rx. Test: tests/rtl/nic/nic_top_bench.py.
module nic_rx_path
  import nic_pkg::*;
  import nic_held_pkg::*;
#(
  parameter int unsigned Entries      = 512,    // descriptors on chip
  parameter int unsigned LargestFetch = 64,     // that one read fetches
  parameter int unsigned BufferBytes  = 262144
) (
  input  logic        clk_i,                    // 156.25 MHz
  input  logic        rst_ni,                   // of power-up alone
  input  logic        reset_i,
  // Settings.
  input  rx_cfg_t     cfg_i,
  input  ring_cfg_t   ring_cfg_i,
  input  pause_cfg_t  pause_cfg_i,
  input  logic        resume_i,                 // RCTL was written
  input  logic [15:0] tail_i,
  input  logic        tail_set_i,
  input  logic [15:0] head_i,
  input  logic        head_set_i,
  input  logic        flush_i,                  // one clock: the receive timer expired
  output logic [15:0] head_o,
  output logic        settled_o,                // head_o is that of the present length
  output logic        rest_o,                   // no frame is begun, no write under way
  output logic [15:0] available_o,              // descriptors that no frame has
  // The filters' tables.
  output logic        table_ready_o,
  input  logic        table_we_i,
  input  logic        table_re_i,
  input  rx_table_e   table_i,
  input  logic [6:0]  table_place_i,
  input  logic [31:0] table_wdata_i,
  output logic [31:0] table_rdata_o,
  // The link.
  input  logic        enable_i,                 // frames are received
  input  logic        carrier_i,
  input  logic        honour_i,                 // PAUSE holds the transmitter
  output logic        paused_o,
  input  logic        word_valid_i,             // from the line
  input  line_word_t  word_i,
  // PAUSE frames.
  output logic        control_valid_o,
  input  logic        control_ready_i,
  output word_t       control_word_o,
  output logic        control_xon_o,
  // Host memory.
  output logic        ring_req_valid_o,
  input  logic        ring_req_ready_i,
  output span_t       ring_req_o,
  input  logic        ring_data_valid_i,
  output logic        ring_data_ready_o,
  input  read_word_t  ring_data_i,
  output logic        data_req_valid_o,
  input  logic        data_req_ready_i,
  output span_t       data_req_o,
  output logic        data_valid_o,
  input  logic        data_ready_i,
  output logic [63:0] data_o,
  input  logic        data_done_i,
  output logic        back_req_valid_o,
  input  logic        back_req_ready_i,
  output span_t       back_req_o,
  output logic        back_valid_o,
  input  logic        back_ready_i,
  output logic [63:0] back_o,
  input  logic        back_answered_i,
  input  logic        back_error_i,
  // Events, one clock each.
  output logic        low_o,                    // RXDMT0
  output logic        written_o,                // a frame's last descriptor was written back
  output logic        flushed_o,                // RXT0: what the timer told of is in memory
  output logic        event_valid_o,
  output rx_event_t   event_o,
  output logic        busy_o
);
  localparam int unsigned FillBits  = $clog2(BufferBytes) + 1;
  localparam int unsigned CountBits = $clog2(MaxFrameBytes / 8 + 2);

  logic reset_n;
  assign reset_n = rst_ni && !reset_i;

  // ---- What is known of a frame ----

  logic [47:0] address;
  rx_filter_t  filter;
  rx_sums_t    sums;
  logic        control, pause, xon, good, filter_busy, sums_busy;

  nic_rx_filter u_filter (
    .clk_i, .rst_ni(reset_n), .upe_i(cfg_i.upe), .mpe_i(cfg_i.mpe), .bam_i(cfg_i.bam),
    .mo_i(cfg_i.mo), .vfe_i(cfg_i.vfe), .cfien_i(cfg_i.cfien), .cfi_i(cfg_i.cfi),
    .table_ready_o, .table_we_i, .table_re_i, .table_i, .table_place_i, .table_wdata_i,
    .table_rdata_o, .address_o(address), .word_valid_i, .word_i(word_i.word),
    .filter_o(filter), .busy_o(filter_busy));

  nic_rx_checksum u_checksum (
    .clk_i, .rst_ni(reset_n), .word_valid_i, .word_i(word_i.word), .sums_o(sums),
    .busy_o(sums_busy));

  nic_pause_rx u_pause_rx (
    .clk_i, .rst_ni(reset_n), .honour_i, .address_i(address), .word_valid_i,
    .word_i(word_i.word), .good_i(good), .control_o(control), .pause_o(pause), .xon_o(xon),
    .paused_o);

  // ---- Buffer, and the PAUSE frames that its level makes ----

  logic [FillBits-1:0]  fill;
  logic                 info_valid, info_ready, frame_valid, frame_ready, release_it, buffer_busy;
  logic                 pause_busy;
  rx_info_t             info;
  logic [CountBits-1:0] info_words, release_words;
  word_t                frame_word;

  nic_rx_buffer #(.BufferBytes(BufferBytes)) u_buffer (
    .clk_i, .rst_ni(reset_n), .enable_i, .sbp_i(cfg_i.sbp), .cff_i(cfg_i.cff),
    .secrc_i(cfg_i.secrc), .vme_i(cfg_i.vme), .ipofl_i(cfg_i.ipofl), .tuofl_i(cfg_i.tuofl),
    .limit_i(cfg_i.limit), .descriptors_i(available_o != '0), .word_valid_i, .word_i,
    .filter_i(filter), .sums_i(sums), .control_i(control), .pause_i(pause), .xon_i(xon),
    .good_o(good), .event_valid_o, .event_o, .fill_o(fill), .info_valid_o(info_valid),
    .info_ready_i(info_ready), .info_o(info), .info_words_o(info_words),
    .word_valid_o(frame_valid), .word_ready_i(frame_ready), .word_o(frame_word),
    .release_i(release_it), .release_words_i(release_words), .busy_o(buffer_busy));

  nic_pause_tx #(.FillBits(FillBits)) u_pause_tx (
    .clk_i, .rst_ni, .send_i(pause_cfg_i.send && carrier_i && !reset_i),
    .xon_i(pause_cfg_i.xon), .quanta_i(pause_cfg_i.quanta), .high_i(FillBits'(pause_cfg_i.high)),
    .low_i(FillBits'(pause_cfg_i.low)), .fill_i(fill), .address_i(address),
    .word_valid_o(control_valid_o), .word_ready_i(control_ready_i), .word_o(control_word_o),
    .word_xon_o(control_xon_o), .busy_o(pause_busy));

  // ---- Engine and ring ----

  logic        desc_valid, desc_take, done_valid, done_report, written_valid, frame_written;
  descriptor_t desc, done;
  written_t    written;
  word_t       data_word;
  logic        ring_busy, engine_busy, fetch_error, drained, emptied, holds;
  nic_ring_pkg::available_t available;
  nic_ring_pkg::count_t     cached;

  assign available_o = available[15:0];

  nic_rx_engine u_engine (
    .clk_i, .rst_ni(reset_n), .enable_i(cfg_i.enable), .bsize_i(cfg_i.bsize),
    .rdmts_i(cfg_i.rdmts), .entries_i(ring_cfg_i.entries), .info_valid_i(info_valid),
    .info_ready_o(info_ready), .info_i(info), .info_words_i(info_words),
    .word_valid_i(frame_valid), .word_ready_o(frame_ready), .word_i(frame_word),
    .release_o(release_it), .release_words_o(release_words), .desc_valid_i(desc_valid),
    .desc_i(desc), .desc_take_o(desc_take), .available_i(available_o),
    .done_valid_o(done_valid), .done_o(done), .done_report_o(done_report),
    .req_valid_o(data_req_valid_o), .req_ready_i(data_req_ready_i), .req_o(data_req_o),
    .word_valid_o(data_valid_o), .word_ready_i(data_ready_i), .word_o(data_word),
    .done_i(data_done_i), .low_o, .written_o(frame_written), .rest_o, .busy_o(engine_busy));

  assign data_o = data_word.data;

  nic_ring #(.Entries(Entries), .LargestFetch(LargestFetch)) u_ring (
    .clk_i, .rst_ni(reset_n), .busy_o(ring_busy), .enable_i(cfg_i.enable),
    .resume_i, .base_i(ring_cfg_i.base[63:4]), .entries_i(ring_cfg_i.entries),
    .pthresh_i(ring_cfg_i.prefetch), .hthresh_i(ring_cfg_i.host),
    .wthresh_i(ring_cfg_i.write_back), .head_write_i(head_set_i), .head_i,
    .tail_write_i(tail_set_i), .tail_i, .flush_i, .cover_i(frame_written && holds), .flushed_o,
    .head_o, .settled_o,
    .available_o(available), .cached_o(cached), .drained_o(drained), .emptied_o(emptied),
    .desc_valid_o(desc_valid), .desc_o(desc), .desc_take_i(desc_take),
    .done_valid_i(done_valid), .done_i(done), .done_report_i(done_report),
    .written_valid_o(written_valid), .written_o(written), .fetch_error_o(fetch_error),
    .rd_req_valid_o(ring_req_valid_o), .rd_req_ready_i(ring_req_ready_i),
    .rd_req_o(ring_req_o), .rd_valid_i(ring_data_valid_i), .rd_ready_o(ring_data_ready_o),
    .rd_i(ring_data_i), .wr_req_valid_o(back_req_valid_o), .wr_req_ready_i(back_req_ready_i),
    .wr_req_o(back_req_o), .wr_valid_o(back_valid_o), .wr_ready_i(back_ready_i),
    .wr_o(back_o), .wr_answered_i(back_answered_i), .wr_error_i(back_error_i));

  // With a threshold the write-back itself may wait for the timer, which then starts before it.
  assign holds     = ring_cfg_i.write_back > 9'd1;
  assign written_o = holds ? frame_written : written_valid && written.some_eop;

  assign busy_o = filter_busy || sums_busy || buffer_busy || pause_busy || paused_o ||
                  engine_busy || ring_busy || written_valid || frame_written;

  logic unused_ring;
  assign unused_ring = ^{fetch_error, drained, emptied, available[16], cached, written.error,
                         written.some_ide, written.some_other, written.count, data_word.last,
                         data_word.lanes, pause_cfg_i.rpe, pause_cfg_i.cmdc};

  // Corners: a reset while a frame waits, and while one is written.
  ResetWithFrames: cover property (
    @(posedge clk_i) disable iff (!rst_ni) $rose(reset_i) && $past(info_valid));
  ResetInWrite: cover property (
    @(posedge clk_i) disable iff (!rst_ni) $rose(reset_i) && $past(data_valid_o));
endmodule
