// SPDX-License-Identifier: Apache-2.0
// The transmit path: descriptors in host memory to frames on XGMII.
//
// reset_i is the device's reset. It forgets all but the frame that is on the wire, which goes out
// whole; wait_o is high until it has. PAUSE frames come from nic_pause_tx. TLM twin:
// models/nic/ixgb/ixgb_tx. Test: tests/rtl/nic/nic_top_bench.py.
module nic_tx_path
  import nic_pkg::*;
  import nic_held_pkg::*;
  import nic_tx_pkg::*;
#(
  parameter int unsigned Entries      = 128,         // descriptors on chip
  parameter int unsigned LargestFetch = 64,          // that one read fetches
  parameter int unsigned Words        = BufferWords
) (
  input  logic        clk_i,                         // 156.25 MHz
  input  logic        mac_clk_i,                     // the same, of the MAC
  input  logic        rst_ni,                        // of power-up alone
  input  logic        reset_i,
  output logic        wait_o,                        // the reset waits for a frame's end
  // Settings.
  input  tx_cfg_t     cfg_i,
  input  ring_cfg_t   ring_cfg_i,
  input  logic        resume_i,                      // TCTL was written
  input  logic [15:0] tail_i,
  input  logic        tail_set_i,
  input  logic [15:0] head_i,
  input  logic        head_set_i,
  input  logic        flush_i,                       // one clock: TIDV expired
  output logic [15:0] head_o,
  output logic        settled_o,                     // head_o is that of the present length
  output logic        rest_o,                        // no packet is begun
  // The link.
  input  logic        enable_i,                      // frames may start
  input  logic        paused_i,                      // no frame of data starts
  input  logic        local_fault_i,
  // PAUSE frames.
  input  logic        control_valid_i,
  output logic        control_ready_o,
  input  word_t       control_word_i,
  input  logic        control_xon_i,
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
  input  logic        data_valid_i,
  output logic        data_ready_o,
  input  read_word_t  data_i,
  output logic        back_req_valid_o,
  input  logic        back_req_ready_i,
  output span_t       back_req_o,
  output logic        back_valid_o,
  input  logic        back_ready_i,
  output logic [63:0] back_o,
  input  logic        back_answered_i,
  input  logic        back_error_i,
  // Events, one clock each.
  output logic        emptied_o,                     // TXQE
  output logic        report_later_o,                // descriptors with IDE were written back
  output logic        report_o,                      // descriptors without IDE were
  output logic        flushed_o,                     // TXDW: what TIDV told of is in memory
  output logic        tso_whole_o,
  output logic        tso_failed_o,
  output logic        event_valid_o,
  output tx_event_t   event_o,
  // The wire.
  output logic [63:0] xgmii_txd_o,
  output logic [7:0]  xgmii_txc_o,
  output logic        mac_busy_o,                    // the MAC has something to do
  output logic        busy_o
);
  logic reset_n;
  assign reset_n = rst_ni && !reset_i;

  // ---- Ring ----

  logic        desc_valid, desc_take, done_valid, done_report, written_valid;
  descriptor_t desc, done;
  written_t    written;
  tx_data_t    done_data;
  logic        ring_busy, fetch_error, drained, holds, held_later, held_later_q;
  nic_ring_pkg::available_t available;
  nic_ring_pkg::count_t     cached;

  nic_ring #(.Entries(Entries), .LargestFetch(LargestFetch)) u_ring (
    .clk_i, .rst_ni(reset_n), .busy_o(ring_busy), .enable_i(cfg_i.enable),
    .resume_i, .base_i(ring_cfg_i.base[63:4]), .entries_i(ring_cfg_i.entries),
    .pthresh_i(ring_cfg_i.prefetch), .hthresh_i(ring_cfg_i.host),
    .wthresh_i(ring_cfg_i.write_back), .head_write_i(head_set_i), .head_i,
    .tail_write_i(tail_set_i), .tail_i, .flush_i, .cover_i(held_later), .flushed_o, .head_o,
    .settled_o,
    .available_o(available), .cached_o(cached), .drained_o(drained), .emptied_o,
    .desc_valid_o(desc_valid), .desc_o(desc), .desc_take_i(desc_take),
    .done_valid_i(done_valid), .done_i(done), .done_report_i(done_report),
    .written_valid_o(written_valid), .written_o(written), .fetch_error_o(fetch_error),
    .rd_req_valid_o(ring_req_valid_o), .rd_req_ready_i(ring_req_ready_i),
    .rd_req_o(ring_req_o), .rd_valid_i(ring_data_valid_i), .rd_ready_o(ring_data_ready_o),
    .rd_i(ring_data_i), .wr_req_valid_o(back_req_valid_o), .wr_req_ready_i(back_req_ready_i),
    .wr_req_o(back_req_o), .wr_valid_o(back_valid_o), .wr_ready_i(back_ready_i),
    .wr_o(back_o), .wr_answered_i(back_answered_i), .wr_error_i(back_error_i));

  // With a threshold the write-back itself may wait for TIDV, which then starts before it.
  assign done_data      = done;
  assign holds          = ring_cfg_i.write_back > 9'd1;
  assign held_later     = holds && done_valid && done_report && done_data.command[CmdIde];
  assign report_later_o = held_later_q || (!holds && written_valid && written.some_ide);
  assign report_o       = written_valid && written.some_other;

  always_ff @(posedge clk_i) held_later_q <= reset_n && held_later;

  // ---- Engine and buffer ----

  logic      in_packet, engine_busy, frame_room, take, take_frame, item_valid, ready_valid;
  logic      buffer_reset, empty, word_valid, word_ready;
  room_t     room;
  place_t    take_words;
  tx_item_t  item;
  tx_ready_t ready;
  word_t     word;
  length_t   frame_bytes;

  nic_tx_engine u_engine (
    .clk_i, .rst_ni(reset_n), .enable_i(cfg_i.enable), .vlan_i(cfg_i.vme),
    .segment_padding_i(cfg_i.padding), .desc_valid_i(desc_valid), .desc_i(desc),
    .desc_take_o(desc_take), .done_valid_o(done_valid), .done_o(done),
    .done_report_o(done_report), .in_packet_o(in_packet), .req_valid_o(data_req_valid_o),
    .req_ready_i(data_req_ready_i), .req_o(data_req_o), .data_valid_i, .data_ready_o, .data_i,
    .room_i(room), .frame_room_i(frame_room), .take_o(take), .take_words_o(take_words),
    .take_frame_o(take_frame), .item_valid_o(item_valid), .item_o(item),
    .ready_valid_o(ready_valid), .ready_o(ready), .tso_whole_o, .tso_failed_o,
    .busy_o(engine_busy));

  assign rest_o = !engine_busy && !in_packet;

  nic_tx_buffer #(.Words(Words)) u_buffer (
    .clk_i, .rst_ni(rst_ni && !buffer_reset), .room_o(room), .frame_room_o(frame_room),
    .take_i(take), .take_words_i(take_words), .take_frame_i(take_frame),
    .item_valid_i(item_valid), .item_i(item), .ready_valid_i(ready_valid), .ready_i(ready),
    .word_valid_o(word_valid), .word_ready_i(word_ready), .word_o(word),
    .frame_bytes_o(frame_bytes), .empty_o(empty));

  // ---- MAC ----

  logic in_frame_q;  // the MAC has some of a frame's words, and not all
  logic mac_busy;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) in_frame_q <= 1'b0;
    else if (word_valid && word_ready) in_frame_q <= !word.last;
  end

  assign wait_o       = reset_i && in_frame_q;
  assign buffer_reset = reset_i && !in_frame_q;

  nic_mac_tx u_mac (
    .clk_i(mac_clk_i), .rst_ni, .enable_i(enable_i && !reset_i), .paused_i, .local_fault_i,
    .pace_i(cfg_i.pace), .control_valid_i, .control_ready_o, .control_word_i, .control_xon_i,
    .frame_valid_i(word_valid), .frame_ready_o(word_ready), .frame_word_i(word),
    .frame_bytes_i(frame_bytes), .xgmii_txd_o, .xgmii_txc_o, .event_valid_o, .event_o,
    .busy_o(mac_busy));

  assign mac_busy_o = mac_busy || (word_valid && enable_i);

  assign busy_o = ring_busy || held_later_q || engine_busy || desc_valid ||
                  (!empty && enable_i) || mac_busy;

  logic unused_ring;
  assign unused_ring = ^{fetch_error, drained, available, cached, written.error,
                         written.some_eop, written.count, done_data};

  always_ff @(posedge clk_i) begin : checks
    if (rst_ni) begin
      // A frame that has begun has its words until its end.
      BegunGoesOut: assert (!in_frame_q || word_valid);
    end
  end

  // Corners: a reset within a frame, and within a packet that is no frame.
  ResetInFrame: cover property (@(posedge clk_i) disable iff (!rst_ni) $rose(reset_i) && in_frame_q);
  ResetInPacket: cover property (
    @(posedge clk_i) disable iff (!rst_ni) $rose(reset_i) && $past(in_packet) && !in_frame_q);
endmodule
