// SPDX-License-Identifier: Apache-2.0
// Packs bytes of any lanes into whole words.
//
// Each input has the bytes of lanes first to lanes, or none. The bytes of a stream follow one
// another in the output; the first is at lane start_i. The last input of a stream gives an output
// with out_last_o, which has no bytes (out_none_o) if all bytes are out. Lanes without a byte are
// zero. An output comes in the clock of the input that completes it; if the last input has too many
// bytes for one word, the rest follows a clock later, and no input is taken in that clock. Order is
// kept, nothing is lost.
module nic_pack (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic [2:0]  start_i,     // counts while the first input of a stream is offered
  input  logic        in_valid_i,
  output logic        in_ready_o,
  input  logic        in_none_i,   // there are no bytes
  input  logic        in_last_i,
  input  logic [2:0]  in_first_i,
  input  logic [2:0]  in_lanes_i,  // the last lane that counts
  input  logic [63:0] in_data_i,
  output logic        out_valid_o,
  input  logic        out_ready_i,
  output logic        out_none_o,
  output logic        out_last_o,
  output logic [63:0] out_data_o
);
  logic [55:0]  hold_q;   // bytes that wait, from lane 0 on
  logic [2:0]   count_q;  // how many, lanes below the start included
  logic         begin_q;  // the next input is a stream's first
  logic         rest_q;   // the bytes that wait are the stream's last

  logic [2:0]   count;
  logic [3:0]   bytes, total;
  logic [63:0]  dense;
  logic [119:0] joined;
  logic         full, take;

  assign count  = begin_q ? start_i : count_q;
  assign bytes  = in_none_i ? 4'd0 : 4'(in_lanes_i) - 4'(in_first_i) + 4'd1;
  assign total  = 4'(count) + bytes;
  assign full   = total[3];

  always_comb begin
    dense  = '0;
    joined = '0;
    if (in_valid_i && !rest_q) begin
      dense  = (in_data_i >> {in_first_i, 3'b0}) & ~(~64'b0 << {bytes, 3'b0});
      joined = {64'b0, hold_q} | (120'(dense) << {count, 3'b0});
    end
  end

  assign in_ready_o  = !rest_q && (out_ready_i || !(full || in_last_i));
  assign take        = in_valid_i && in_ready_o;
  assign out_valid_o = rest_q || (in_valid_i && (full || in_last_i));
  assign out_none_o  = !rest_q && total == '0;
  assign out_last_o  = rest_q || (in_last_i && total <= 4'd8);
  assign out_data_o  = rest_q ? {8'b0, hold_q} : joined[63:0];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      hold_q  <= '0;
      count_q <= '0;
      begin_q <= 1'b1;
      rest_q  <= 1'b0;
    end else if (take) begin
      hold_q  <= full ? joined[119:64] : in_last_i ? '0 : joined[55:0];
      count_q <= total[2:0];
      begin_q <= in_last_i;
      rest_q  <= in_last_i && total > 4'd8;
    end else if (rest_q && out_ready_i) begin
      hold_q  <= '0;
      rest_q  <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin : checks_1
    if (rst_ni) begin
      // Lanes of an input are in order.
      LanesInOrder: assert (!(in_valid_i && !in_none_i) || in_first_i <= in_lanes_i);
    end
  end
  // An output stays until it is taken.
  stream_rules #(.Width($bits(out_data_o) + 1)) u_output_rules (
    .clk_i, .rst_ni, .valid_i(out_valid_o), .ready_i(out_ready_i),
    .payload_i({out_data_o, out_last_o}));
  always_ff @(posedge clk_i) begin : checks_2
    if (rst_ni) begin
      // Nothing waits between two streams.
      StartsEmpty: assert (!(begin_q && !rest_q) || hold_q == '0);
    end
  end

  // Corners: a rest; an end without bytes, with and without bytes that wait; a stalled output.
  SeenRest: cover property (@(posedge clk_i) disable iff (!rst_ni) rest_q);
  SeenExactEnd: cover property (@(posedge clk_i) disable iff (!rst_ni)
    take && in_last_i && total == 4'd8);
  SeenEndWithNothing: cover property (@(posedge clk_i) disable iff (!rst_ni)
    out_valid_o && out_none_o);
  SeenEndWithoutBytes: cover property (@(posedge clk_i) disable iff (!rst_ni)
    take && in_none_i && in_last_i && total != '0);
  SeenStart: cover property (@(posedge clk_i) disable iff (!rst_ni)
    take && begin_q && start_i != '0);
  SeenStall: cover property (@(posedge clk_i) disable iff (!rst_ni) out_valid_o && !out_ready_i);
endmodule
