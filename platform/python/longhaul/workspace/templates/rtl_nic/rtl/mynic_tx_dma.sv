// SPDX-License-Identifier: Apache-2.0
// Reads the fragments of frames to send into the transmit buffer, and writes descriptors back.
//
// A descriptor is a fragment: any address, 1 to 16383 bytes; bit 31 of its word ends the frame. It
// is cut at boundaries of 256 bytes into bursts. Several bursts, of several frames, are under way;
// their words go into the buffer as the bus brings them, with the lanes that belong to the frame.
// The last descriptor of a frame is written back once its last byte is here: the host may then
// free the frame.
module mynic_tx_dma
  import mynic_pkg::*;
#(
  parameter int unsigned RoomBits = 13
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic [63:0]       base_i,
  input  logic [3:0]        size_log2_i,
  output logic              fault_o,       // one clock: a descriptor without a byte
  // Descriptors.
  input  logic              desc_valid_i,
  output logic              desc_ready_o,
  input  logic [63:0]       desc_addr_i,
  input  logic [31:0]       desc_word_i,
  input  index_t            desc_index_i,
  // Reads.
  output logic              req_valid_o,
  input  logic              req_ready_i,
  output burst_t            req_o,
  input  logic              data_valid_i,
  input  logic [63:0]       data_i,
  input  logic              data_bad_i,
  input  logic              data_last_i,
  // Buffer.
  input  logic [RoomBits-1:0] room_i,
  output logic              word_valid_o,
  output txword_t           word_o,
  output logic              full_o,        // the frame is longer than the buffer
  // Write-back.
  output logic              wb_valid_o,
  output burst_t            wb_o,
  output wbeat_t            wb_beat_o,
  input  logic              wb_done_i
);
  localparam int unsigned InfoLog2 = 4;
  localparam int unsigned DoneLog2 = 4;

  // The facts of a burst that are needed when its data come.
  typedef struct packed {
    logic       eop;
    logic [2:0] first;
    logic [2:0] last;
    index_t     index;
  } info_t;
  info_t             info_in, info;
  logic [InfoLog2:0] info_level;
  logic              info_valid;

  // The fragment that is being cut.
  logic        busy_q, eop_q;
  logic [63:0] addr_q;
  logic [13:0] left_q;
  index_t      index_q;

  logic [13:0] to_boundary, bytes;
  logic [5:0]  beats;
  logic        issue, last_burst, space;

  assign to_boundary = 14'h100 - 14'(addr_q[BurstBytesLog2-1:0]);
  assign last_burst  = left_q <= to_boundary;
  assign bytes       = last_burst ? left_q : to_boundary;
  assign beats       = 6'((10'(addr_q[2:0]) + 10'(bytes) + 10'd7) >> 3);

  assign req_o.addr  = {addr_q[63:3], 3'b0};
  assign req_o.len   = 8'(beats) - 8'd1;
  assign req_valid_o = busy_q && space && !info_level[InfoLog2];
  assign issue       = req_valid_o && req_ready_i;

  // Frames between their last descriptor and its write-back; these have room in u_done.
  logic [DoneLog2:0] frames_q;
  logic              take, take_eop;
  assign desc_ready_o = (!busy_q || (issue && last_burst)) && !frames_q[DoneLog2];
  assign take         = desc_valid_i && desc_ready_o;
  assign take_eop     = take && desc_word_i[31] && desc_word_i[13:0] != '0;
  assign fault_o      = take && desc_word_i[13:0] == '0;

  logic unused_word;
  assign unused_word = ^desc_word_i[30:14];

  // Words that were asked for and are not here; the buffer keeps room for them.
  logic [RoomBits-1:0] coming_q;
  assign space  = room_i - coming_q >= RoomBits'(BurstBeats);
  assign full_o = busy_q && !space && coming_q == '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_q   <= 1'b0;
      eop_q    <= 1'b0;
      addr_q   <= '0;
      left_q   <= '0;
      index_q  <= '0;
      frames_q <= '0;
      coming_q <= '0;
    end else begin
      if (take) begin
        busy_q  <= desc_word_i[13:0] != '0;
        eop_q   <= desc_word_i[31];
        addr_q  <= desc_addr_i;
        left_q  <= desc_word_i[13:0];
        index_q <= desc_index_i;
      end else if (issue) begin
        busy_q <= !last_burst;
        addr_q <= addr_q + 64'(bytes);
        left_q <= left_q - bytes;
      end
      frames_q <= frames_q + (DoneLog2+1)'(take_eop) - (DoneLog2+1)'(wb_done_i);
      coming_q <= coming_q + (issue ? RoomBits'(beats) : '0) - RoomBits'(data_valid_i);
    end
  end

  // Data: the first and the last beat of a burst may hold bytes that are not of the frame.
  logic first_q;

  assign info_in = '{eop: eop_q && last_burst, first: addr_q[2:0],
                     last: 3'(addr_q[2:0] + bytes[2:0] - 3'd1), index: index_q};

  mynic_fifo #(.Width($bits(info_t)), .DepthLog2(InfoLog2)) u_info (
    .clk_i, .rst_ni, .in_valid_i(issue), .in_data_i(info_in), .out_valid_o(info_valid),
    .out_ready_i(data_valid_i && data_last_i), .out_data_o(info), .level_o(info_level));

  always_ff @(posedge clk_i) begin
    if (!rst_ni) first_q <= 1'b1;
    else if (data_valid_i) first_q <= data_last_i;
  end

  assign word_valid_o = data_valid_i;
  assign word_o = '{eop: info.eop && data_last_i, bad: data_bad_i,
                    first: first_q ? info.first : 3'd0, last: data_last_i ? info.last : 3'd7,
                    data: data_i};

  // Write-back: the status of a descriptor is its last 32 bits.
  index_t            done_index;
  logic [DoneLog2:0] done_level;
  logic              unused_done;

  mynic_fifo #(.Width($bits(index_t)), .DepthLog2(DoneLog2)) u_done (
    .clk_i, .rst_ni, .in_valid_i(word_valid_o && word_o.eop), .in_data_i(info.index),
    .out_valid_o(wb_valid_o), .out_ready_i(wb_done_i), .out_data_o(done_index),
    .level_o(done_level));

  assign wb_o.addr = base_i + {44'b0, done_index & ~(16'hFFFF << size_log2_i), 4'h8};
  assign wb_o.len  = '0;
  assign wb_beat_o = '{data: {32'h8000_0000, 32'b0}, strb: 8'hF0, last: 1'b1};
  assign unused_done = ^done_level;

  // The bus brings no more than it was asked for.
  DataWasAskedFor: assert property (
    @(posedge clk_i) disable iff (!rst_ni) data_valid_i |-> info_valid);

  // Corners: fragments that begin within a word, frames of several, the buffer or its list full.
  Unaligned: cover property (@(posedge clk_i) disable iff (!rst_ni) take && desc_addr_i[2:0] != '0);
  Scattered: cover property (@(posedge clk_i) disable iff (!rst_ni) take && !desc_word_i[31]);
  WaitsForRoom: cover property (@(posedge clk_i) disable iff (!rst_ni) busy_q && !space);
  LongerThanTheBuffer: cover property (@(posedge clk_i) disable iff (!rst_ni) full_o);
  EmptyFragment: cover property (@(posedge clk_i) disable iff (!rst_ni) fault_o);
endmodule
