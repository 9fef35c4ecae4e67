// SPDX-License-Identifier: Apache-2.0
// Descriptors to frames: data fetched, super-frames cut, sums made.
//
//            nic_tx_descriptor --> nic_tx_segment --spans--> nic_read
//  ring ---> descriptors             | pieces                  | data
//            that wait -----------> nic_tx_data <--------------+
//                                    | words of frames
//                                    +--> nic_tx_checksum --> nic_tx_buffer
//
// Several spans are under way: up to Ahead descriptors and as many pieces wait for their data.
// Descriptors are given back in order when their data are on chip, whatever became of the packet,
// with DD set if RS was. A frame that is too short or too long is dropped whole, as is one whose
// data or header could not be read.
// TLM twin: TxUnit of models/nic/intel as models/nic/ixgb uses it.
module nic_tx_engine
  import nic_pkg::*;
  import nic_tx_pkg::*;
#(
  parameter int unsigned Ahead = 32
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  // Registers.
  input  logic        enable_i,           // TCTL.TXEN: packets may begin
  input  logic        vlan_i,             // CTRL0.VME: tags may be inserted
  input  logic [15:0] segment_padding_i,  // TSPMT.TSPBP
  // Ring.
  input  logic        desc_valid_i,
  input  descriptor_t desc_i,
  output logic        desc_take_o,
  output logic        done_valid_o,       // the oldest descriptor that was taken is done
  output descriptor_t done_o,             // it, with DD if it is to be written back
  output logic        done_report_o,      // it is to be written back
  output logic        in_packet_o,        // a packet goes on with the next descriptor
  // nic_read, requester ReadTxData.
  output logic        req_valid_o,
  input  logic        req_ready_i,
  output span_t       req_o,
  input  logic        data_valid_i,
  output logic        data_ready_o,
  input  read_word_t  data_i,
  // nic_tx_buffer.
  input  room_t       room_i,
  input  logic        frame_room_i,
  output logic        take_o,
  output place_t      take_words_o,
  output logic        take_frame_o,
  output logic        item_valid_o,
  output tx_item_t    item_o,
  output logic        ready_valid_o,
  output tx_ready_t   ready_o,
  // Statistics, one clock each.
  output logic        tso_whole_o,        // TSCTC
  output logic        tso_failed_o,       // TSCTFC
  output logic        busy_o              // a descriptor is in hand or waits for its data
);
  localparam int unsigned LevelBits = $clog2(Ahead + 1);

  tx_work_t    work;
  tx_context_t tx_context;
  logic        work_valid, step, finish, keep_ready;
  length_t     step_bytes;

  nic_tx_descriptor u_descriptor (
    .clk_i, .rst_ni, .enable_i, .vlan_i, .desc_valid_i, .desc_i, .desc_take_o,
    .keep_ready_i(keep_ready), .work_valid_o(work_valid), .work_o(work), .context_o(tx_context),
    .step_i(step), .step_bytes_i(step_bytes), .finish_i(finish), .in_packet_o);

  tx_piece_t piece_in, piece;
  logic      piece_in_valid, piece_in_ready, piece_valid, piece_take;

  nic_tx_segment u_segment (
    .clk_i, .rst_ni, .work_valid_i(work_valid), .work_i(work), .context_i(tx_context),
    .step_o(step), .step_bytes_o(step_bytes), .finish_o(finish), .segment_padding_i,
    .room_i, .frame_room_i, .take_o, .take_words_o, .take_frame_o,
    .req_valid_o, .req_ready_i, .req_o,
    .piece_valid_o(piece_in_valid), .piece_ready_i(piece_in_ready), .piece_o(piece_in),
    .tso_whole_o, .tso_failed_o);

  // What waits for its data: descriptors, and the pieces that they were cut into.
  logic [LevelBits-1:0] kept, pieces;
  descriptor_t          oldest;
  tx_data_t             oldest_data;
  logic                 oldest_valid, done;

  sync_fifo #(.Width($bits(descriptor_t)), .Depth(Ahead)) u_kept (
    .clk_i, .rst_ni, .in_valid_i(desc_take_o), .in_ready_o(keep_ready), .in_data_i(desc_i),
    .out_valid_o(oldest_valid), .out_ready_i(done), .out_data_o(oldest), .level_o(kept));

  sync_fifo #(.Width($bits(tx_piece_t)), .Depth(Ahead)) u_pieces (
    .clk_i, .rst_ni, .in_valid_i(piece_in_valid), .in_ready_o(piece_in_ready),
    .in_data_i(piece_in), .out_valid_o(piece_valid), .out_ready_i(piece_take),
    .out_data_o(piece), .level_o(pieces));

  logic data_busy, sums_busy;

  nic_tx_data u_data (
    .clk_i, .rst_ni, .piece_valid_i(piece_valid), .piece_i(piece), .piece_take_o(piece_take),
    .desc_i(oldest), .done_o(done), .data_valid_i, .data_ready_o, .data_i,
    .item_valid_o, .item_o, .busy_o(data_busy));

  nic_tx_checksum u_checksum (
    .clk_i, .rst_ni, .item_valid_i(item_valid_o), .item_i(item_o), .ready_valid_o, .ready_o,
    .busy_o(sums_busy));

  assign oldest_data   = oldest;
  assign done_valid_o  = done;
  assign done_report_o = oldest_data.command[CmdRs];
  always_comb begin
    tx_data_t given;
    given = oldest_data;
    if (oldest_data.command[CmdRs]) given.status[TxDone] = 1'b1;
    done_o = given;
  end

  assign busy_o = oldest_valid || data_busy || sums_busy;

  logic unused_levels;
  assign unused_levels = ^{kept, pieces};

  always_ff @(posedge clk_i) begin : checks
    if (rst_ni) begin
      // A piece's descriptor waits.
      PieceHasDescriptor: assert (!piece_valid || oldest_valid);
      // One super-frame ends at a time.
      OneEnds: assert (!(tso_whole_o && tso_failed_o));
    end
  end

  // Corners: descriptors with and without RS; all that may wait do.
  SeenReport: cover property (@(posedge clk_i) disable iff (!rst_ni) done_valid_o && done_report_o);
  SeenSilent: cover property (@(posedge clk_i) disable iff (!rst_ni)
    done_valid_o && !done_report_o);
  SeenKeptFull: cover property (@(posedge clk_i) disable iff (!rst_ni) !keep_ready);
  SeenPiecesFull: cover property (@(posedge clk_i) disable iff (!rst_ni) !piece_in_ready);
endmodule
