// SPDX-License-Identifier: Apache-2.0
// AXI4 writes to Memory Write Block, or to Memory Write with byte enables.
//
// A burst is stored whole before it asks the bus, so its data come without wait states. If its
// bytes follow each other without a hole, it is a Memory Write Block from its first byte to its
// last one. Otherwise it is a Memory Write of all its words. A burst without any byte is answered
// without the bus. A target that takes a part is given the rest.
//
// B comes when the bus has taken all: OKAY; DECERR after a Master-Abort, SLVERR after a
// Target-Abort. PERR# does not reach B: it sets a bit of the status register. Bursts go in order.
// They have beats of 64 bits and incrementing addresses. Test: tests/rtl/pcix/pcix_write_bench.py.
module pcix_write
  import pcix_pkg::*;
#(
  parameter  int unsigned IdBits   = 4,
  parameter  int unsigned Words    = 512,   // of data; a power of two, 256 and more
  localparam int unsigned WordBits = $clog2(Words)
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  settings_t         settings_i,
  // AXI4's channels AW, W, B.
  input  logic              aw_valid_i,
  output logic              aw_ready_o,
  input  logic [IdBits-1:0] aw_id_i,
  input  logic [63:0]       aw_addr_i,
  input  logic              w_valid_i,
  output logic              w_ready_o,
  input  logic [63:0]       w_data_i,
  input  logic [7:0]        w_strobes_i,
  input  logic              w_last_i,
  output logic              b_valid_o,
  input  logic              b_ready_i,
  output logic [IdBits-1:0] b_id_o,
  output logic [1:0]        b_resp_o,
  // The initiator.
  output logic              work_valid_o,
  output work_t              work_o,
  input  logic              end_valid_i,
  input  end_t              end_i,
  input  logic [9:0]        word_i,
  output logic [63:0]       data_o,
  output logic [7:0]        strobes_o,
  // Whole bursts that have come, and those that the bus has ended.
  output logic              came_o,
  output logic              ended_o,
  output logic              busy_o         // a burst has begun, and B has not been taken
);
  typedef logic [WordBits-1:0] place_t;

  typedef struct packed {
    logic [IdBits-1:0] id;
    logic [60:0]       word;
  } address_t;

  typedef struct packed {
    logic [8:0] beats;
    logic       holes;
    logic       none;    // no byte at all
    logic [2:0] first;   // lane of its first byte
    logic [2:0] last;    // lane of its last byte
  } shape_t;

  function automatic logic [2:0] lowest(input logic [7:0] lanes);
    logic [2:0] at;
    at = 3'd0;
    for (int i = 7; i >= 0; i--) if (lanes[i]) at = 3'(i);
    return at;
  endfunction

  function automatic logic [2:0] highest(input logic [7:0] lanes);
    logic [2:0] at;
    at = 3'd0;
    for (int unsigned i = 0; i < 8; i++) if (lanes[i]) at = 3'(i);
    return at;
  endfunction

  // ---- Data that come ----

  logic [71:0] mem_q [Words];
  place_t      in_q, base_q;
  logic [WordBits:0] fill_q;
  logic        puts, starts_q, gap, shape_room, frees;
  logic [8:0]  beats_q;
  logic        holes_q, none_q;
  logic [2:0]  first_q;
  shape_t      shape;
  shape_t      now;                 // that of the burst in hand
  logic [7:0]  from_low, to_high;   // lanes between the first and the last one

  assign w_ready_o = fill_q != (WordBits + 1)'(Words) && shape_room;
  assign puts      = w_valid_i && w_ready_o;
  assign from_low  = 8'hFF << lowest(w_strobes_i);
  assign to_high   = 8'hFF >> (3'd7 - highest(w_strobes_i));

  // Within a beat, before its first byte in all beats but the first, or behind its last byte in all
  // but the last.
  assign gap = w_strobes_i != (from_low & to_high) || (!starts_q && !w_strobes_i[0]) ||
               (!w_last_i && !w_strobes_i[7]);

  assign shape.beats = starts_q ? 9'd1 : beats_q + 9'd1;
  assign shape.holes = gap || (!starts_q && holes_q);
  assign shape.none  = w_strobes_i == '0 && (starts_q || none_q);
  assign shape.first = starts_q ? lowest(w_strobes_i) : first_q;
  assign shape.last  = highest(w_strobes_i);
  assign came_o      = puts && w_last_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      in_q     <= '0;
      fill_q   <= '0;
      starts_q <= 1'b1;
    end else begin
      if (puts) begin
        in_q     <= in_q + place_t'(1);
        starts_q <= w_last_i;
      end
      fill_q <= fill_q + (WordBits + 1)'(puts) - (frees ? (WordBits + 1)'(now.beats) : '0);
    end
  end

  always_ff @(posedge clk_i) begin
    if (puts) begin
      mem_q[in_q] <= {w_strobes_i, w_data_i};
      beats_q     <= shape.beats;
      holes_q     <= shape.holes;
      none_q      <= shape.none;
      first_q     <= shape.first;
    end
  end

  // ---- Bursts ----

  address_t address;
  logic     address_valid, shape_valid, takes;

  sync_fifo #(.Width($bits(address_t)), .Depth(4)) u_addresses (
    .clk_i, .rst_ni, .in_valid_i(aw_valid_i), .in_ready_o(aw_ready_o),
    .in_data_i({aw_id_i, aw_addr_i[63:3]}), .out_valid_o(address_valid), .out_ready_i(frees),
    .out_data_o(address), .level_o());

  sync_fifo #(.Width($bits(shape_t)), .Depth(4)) u_shapes (
    .clk_i, .rst_ni, .in_valid_i(came_o), .in_ready_o(shape_room), .in_data_i(shape),
    .out_valid_o(shape_valid), .out_ready_i(frees), .out_data_o(now), .level_o());

  // ---- The one in hand ----

  typedef enum logic [1:0] {StIdle, StAsks, StAnswer} state_e;
  state_e      state_q, state_d;
  logic [63:0] addr_q, next_addr;
  count_t      bytes_q;
  place_t      at_q;             // of the word at addr_q
  logic [1:0]  resp_q;
  logic        rests;

  assign takes     = state_q == StIdle && address_valid && shape_valid;
  assign rests     = end_i.how == EndMoved && end_i.bytes != bytes_q;
  assign next_addr = addr_q + 64'(end_i.bytes);
  assign frees     = state_q == StAnswer && b_ready_i;
  assign busy_o    = state_q != StIdle || address_valid || shape_valid || fill_q != '0;

  always_comb begin
    state_d = state_q;
    ended_o = 1'b0;
    unique case (state_q)
      StIdle: if (takes) begin
        state_d = now.none ? StAnswer : StAsks;
        ended_o = now.none;
      end
      StAsks: if (end_valid_i && !rests && end_i.how != EndRetry) begin
        state_d = StAnswer;
        ended_o = 1'b1;
      end
      default: if (b_ready_i) state_d = StIdle;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= StIdle;
      base_q  <= '0;
    end else begin
      state_q <= state_d;
      if (frees) base_q <= base_q + place_t'(now.beats);
    end
  end

  always_ff @(posedge clk_i) begin
    if (takes) begin
      addr_q  <= {address.word, now.holes ? 3'd0 : now.first};
      bytes_q <= now.holes ? {1'b0, now.beats, 3'b0}
                           : {1'b0, now.beats, 3'b0} - count_t'(now.first) -
                             (count_t'(7) - count_t'(now.last));
      at_q    <= base_q;
      resp_q  <= 2'b00;
    end else if (end_valid_i) begin
      if (rests) begin
        addr_q  <= next_addr;
        bytes_q <= bytes_q - end_i.bytes;
        at_q    <= at_q + place_t'(next_addr[63:3] - addr_q[63:3]);
      end
      // A write has no Split Response: a target that gives one has failed.
      if (end_i.how == EndMasterAbort) resp_q <= 2'b11;
      else if (end_i.how inside {EndTargetAbort, EndSplit}) resp_q <= 2'b10;
    end
  end

  assign work_valid_o = state_q == StAsks && settings_i.master_en;
  assign work_o = '{command: now.holes ? CmdWrite : CmdWriteBlock, addr: addr_q,
                   attr: {8'b0, settings_i.id}, bytes: bytes_q};
  assign {strobes_o, data_o} = mem_q[at_q + place_t'(word_i)];

  assign b_valid_o = state_q == StAnswer;
  assign b_id_o    = address.id;
  assign b_resp_o  = resp_q;

  logic unused_addr;
  assign unused_addr = ^aw_addr_i[2:0];

  // Checks and corners.
  FillInRange: assert property (
    @(posedge clk_i) disable iff (!rst_ni) fill_q <= (WordBits + 1)'(Words));
  // The data of a burst have room, even if no other has left.
  BurstFits: assert property (
    @(posedge clk_i) disable iff (!rst_ni) shape.beats <= 9'd256 || !puts);
  BHolds: assert property (
    @(posedge clk_i) disable iff (!rst_ni) b_valid_o && !b_ready_i |=> b_valid_o);
  EndsWhatAsks: assert property (
    @(posedge clk_i) disable iff (!rst_ni) end_valid_i |-> state_q == StAsks);

  SeenBlock: cover property (
    @(posedge clk_i) disable iff (!rst_ni) work_valid_o && !now.holes && now.first != '0);
  SeenShortEnd: cover property (
    @(posedge clk_i) disable iff (!rst_ni) work_valid_o && !now.holes && now.last != 3'd7);
  SeenHoles: cover property (@(posedge clk_i) disable iff (!rst_ni) work_valid_o && now.holes);
  SeenNone: cover property (@(posedge clk_i) disable iff (!rst_ni) takes && now.none);
  SeenRest: cover property (@(posedge clk_i) disable iff (!rst_ni) end_valid_i && rests);
  SeenHalfWord: cover property (
    @(posedge clk_i) disable iff (!rst_ni) end_valid_i && rests && next_addr[2:0] != '0);
  SeenFull: cover property (
    @(posedge clk_i) disable iff (!rst_ni) w_valid_i && fill_q == (WordBits + 1)'(Words));
  SeenDataFirst: cover property (
    @(posedge clk_i) disable iff (!rst_ni) shape_valid && !address_valid);
  SeenAddressFirst: cover property (
    @(posedge clk_i) disable iff (!rst_ni) !shape_valid && address_valid);
  SeenBWaits: cover property (@(posedge clk_i) disable iff (!rst_ni) b_valid_o && !b_ready_i);
  SeenOff: cover property (
    @(posedge clk_i) disable iff (!rst_ni) state_q == StAsks && !settings_i.master_en);
endmodule
