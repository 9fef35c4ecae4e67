// SPDX-License-Identifier: Apache-2.0
// First-in first-out buffer of one clock; any depth.
//
// A word that is written can be read in the next clock. Order is kept. A word is written in a clock
// with in_valid_i and in_ready_o high, and leaves in one with out_valid_o and out_ready_i high. A
// full buffer takes no word, even in a clock in which one leaves.
module sync_fifo #(
  parameter  int unsigned Width     = 36,
  parameter  int unsigned Depth     = 16,             // 2 and more
  localparam int unsigned LevelBits = $clog2(Depth + 1)
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic                 in_valid_i,
  output logic                 in_ready_o,
  input  logic [Width-1:0]     in_data_i,
  output logic                 out_valid_o,
  input  logic                 out_ready_i,
  output logic [Width-1:0]     out_data_o,
  output logic [LevelBits-1:0] level_o         // words
);
  localparam int unsigned PlaceBits = $clog2(Depth);
  typedef logic [PlaceBits-1:0] place_t;

  logic [Width-1:0] mem_q [Depth];
  place_t           in_q, out_q;
  logic             put, get;

  function automatic place_t after(input place_t place);
    return place == place_t'(Depth - 1) ? '0 : place + place_t'(1);
  endfunction

  assign put         = in_valid_i && in_ready_o;
  assign get         = out_valid_o && out_ready_i;
  assign in_ready_o  = level_o != LevelBits'(Depth);
  assign out_valid_o = level_o != '0;
  assign out_data_o  = mem_q[out_q];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      in_q    <= '0;
      out_q   <= '0;
      level_o <= '0;
    end else begin
      if (put) in_q <= after(in_q);
      if (get) out_q <= after(out_q);
      if (put != get) level_o <= put ? level_o + LevelBits'(1) : level_o - LevelBits'(1);
    end
  end

  always_ff @(posedge clk_i) begin
    if (put) mem_q[in_q] <= in_data_i;
  end

  always_ff @(posedge clk_i) begin : checks
    if (rst_ni) begin
      // There are never more words than places.
      LevelInRange: assert (level_o <= LevelBits'(Depth));
    end
  end
  // The head stays until it is taken.
  stream_rules #(.Width(Width)) u_head_rules (
    .clk_i, .rst_ni, .valid_i(out_valid_o), .ready_i(out_ready_i), .payload_i(out_data_o));

  // Corners: a full buffer refuses a word; the place to write and the place to read wrap.
  SeenFull: cover property (@(posedge clk_i) disable iff (!rst_ni) in_valid_i && !in_ready_o);
  SeenInWrap: cover property (
    @(posedge clk_i) disable iff (!rst_ni) put && in_q == place_t'(Depth - 1));
  SeenOutWrap: cover property (
    @(posedge clk_i) disable iff (!rst_ni) get && out_q == place_t'(Depth - 1));
endmodule
