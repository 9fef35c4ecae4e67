// SPDX-License-Identifier: Apache-2.0
// The transmit engine with its buffer, and alone: a small buffer, nic_pack.
//
// Python drives at the falling edge. What was handed over at the rising edge before, it sees in
// `_o` signals that are sampled there: a bit of moved_o for each handshake, and what was handed
// over.
`timescale 1ps/1ps
module nic_tx_tb
  import nic_pkg::*;
  import nic_tx_pkg::*;
;
  logic clk = 1'b0;
  logic rst_ni;
  always #3200 clk = !clk;

  // ---- Engine and buffer ----
  logic        enable_i, vlan_i, desc_valid_i, req_ready_i, data_valid_i, word_ready_i;
  logic [15:0] segment_padding_i;
  logic [127:0] desc_i;
  logic [71:0]  data_i;

  logic        desc_take, done_valid, done_report, in_packet, req_valid, data_ready;
  logic        frame_room, take, take_frame, item_valid, ready_valid, tso_whole, tso_failed;
  logic        busy, empty, word_valid;
  descriptor_t done;
  span_t       req;
  room_t       room;
  place_t      take_words;
  tx_item_t    item;
  tx_ready_t   ready;
  word_t       word;
  length_t     frame_bytes;

  nic_tx_engine u_engine (
    .clk_i(clk), .rst_ni, .enable_i, .vlan_i, .segment_padding_i, .desc_valid_i, .desc_i,
    .desc_take_o(desc_take), .done_valid_o(done_valid), .done_o(done),
    .done_report_o(done_report), .in_packet_o(in_packet), .req_valid_o(req_valid), .req_ready_i,
    .req_o(req), .data_valid_i, .data_ready_o(data_ready), .data_i, .room_i(room),
    .frame_room_i(frame_room), .take_o(take), .take_words_o(take_words),
    .take_frame_o(take_frame), .item_valid_o(item_valid), .item_o(item),
    .ready_valid_o(ready_valid), .ready_o(ready), .tso_whole_o(tso_whole),
    .tso_failed_o(tso_failed), .busy_o(busy));

  nic_tx_buffer u_buffer (
    .clk_i(clk), .rst_ni, .room_o(room), .frame_room_o(frame_room), .take_i(take),
    .take_words_i(take_words), .take_frame_i(take_frame), .item_valid_i(item_valid),
    .item_i(item), .ready_valid_i(ready_valid), .ready_i(ready), .word_valid_o(word_valid),
    .word_ready_i, .word_o(word), .frame_bytes_o(frame_bytes), .empty_o(empty));

  logic [10:0]  moved_o;
  logic [127:0] done_o;
  logic [78:0]  req_o;
  logic [67:0]  word_o;
  logic [12:0]  room_o;
  logic [14:0]  frame_bytes_o;
  always_ff @(posedge clk) begin
    moved_o <= {done_report, in_packet, busy, empty, tso_failed, tso_whole,
                word_valid && word_ready_i,
                data_valid_i && data_ready, req_valid && req_ready_i, done_valid, desc_take};
    room_o  <= room;
    if (done_valid) done_o <= done;
    if (req_valid && req_ready_i) req_o <= req;
    if (word_valid && word_ready_i) begin
      word_o        <= word;
      frame_bytes_o <= frame_bytes;
    end
  end

  // The engine is busy while it has a descriptor, and until the sums of its last frame are out.
  logic [9:0] taken_q;
  always_ff @(posedge clk) begin
    if (!rst_ni) taken_q <= '0;
    else taken_q <= taken_q + 10'(desc_take) - 10'(done_valid);
  end
  BusyWithDescriptor: assert property (
    @(posedge clk) disable iff (!rst_ni) taken_q != '0 |-> busy);
  BusyUntilSums: assert property (
    @(posedge clk) disable iff (!rst_ni) item_valid || ready_valid |-> busy);

  // ---- nic_pack ----
  logic        pack_valid_i, pack_none_i, pack_last_i, pack_out_ready_i;
  logic [2:0]  pack_start_i, pack_first_i, pack_lanes_i;
  logic [63:0] pack_data_i, pack_data;
  logic        pack_ready, pack_valid, pack_none, pack_last;
  nic_pack u_pack (
    .clk_i(clk), .rst_ni, .start_i(pack_start_i), .in_valid_i(pack_valid_i),
    .in_ready_o(pack_ready), .in_none_i(pack_none_i), .in_last_i(pack_last_i),
    .in_first_i(pack_first_i), .in_lanes_i(pack_lanes_i), .in_data_i(pack_data_i),
    .out_valid_o(pack_valid), .out_ready_i(pack_out_ready_i), .out_none_o(pack_none),
    .out_last_o(pack_last), .out_data_o(pack_data));
  logic [3:0]  pack_moved_o;
  logic [63:0] pack_data_o;
  always_ff @(posedge clk) begin
    pack_moved_o <= {pack_none, pack_last, pack_valid && pack_out_ready_i,
                     pack_valid_i && pack_ready};
    if (pack_valid && pack_out_ready_i) pack_data_o <= pack_data;
  end

  // ---- A buffer of 32 words and 4 frames ----
  logic         small_take_i, small_take_frame_i, small_item_i, small_close_i, small_drop_i;
  logic         small_word_i, small_ready_i, small_vlan_i, small_out_ready_i;
  logic [11:0]  small_take_words_i, small_index_i;
  logic [63:0]  small_data_i;
  logic [14:0]  small_bytes_i;
  logic [81:0]  small_info_i;
  tx_item_t     small_item;
  word_t        small_word;
  room_t        small_room;
  logic         small_frame_room, small_valid, small_empty;
  always_comb begin
    small_item       = '0;
    small_item.word  = small_word_i;
    small_item.index = small_index_i;
    small_item.data  = small_data_i;
    small_item.close = small_close_i;
    small_item.drop  = small_drop_i;
    small_item.bytes = small_bytes_i;
  end
  nic_tx_buffer #(.Words(32), .Frames(4)) u_small (
    .clk_i(clk), .rst_ni, .room_o(small_room), .frame_room_o(small_frame_room),
    .take_i(small_take_i), .take_words_i(small_take_words_i), .take_frame_i(small_take_frame_i),
    .item_valid_i(small_item_i), .item_i(small_item), .ready_valid_i(small_ready_i),
    .ready_i(small_info_i), .word_valid_o(small_valid), .word_ready_i(small_out_ready_i),
    .word_o(small_word), .frame_bytes_o(), .empty_o(small_empty));
  logic [2:0]  small_moved_o;
  logic [67:0] small_word_o;
  logic [12:0] small_room_o;
  always_ff @(posedge clk) begin
    small_moved_o <= {small_empty, small_frame_room, small_valid && small_out_ready_i};
    small_room_o  <= small_room;
    if (small_valid && small_out_ready_i) small_word_o <= small_word;
  end
endmodule
