// SPDX-License-Identifier: Apache-2.0
// Finds the output ports of each frame: a fixed route, or the switch table's answer for its
// destination.
//
// A frame is held until its first two data words are here, at most 64 ns after the stamp. Both
// modes do this, so switch mode does not change the delay. In switch mode, a frame that ends within
// its destination address has no output port. Frames stay in order. The block moves one word a
// clock.
module gnet1_lookup
  import gnet1_pkg::*;
(
  input  logic             clk_i,            // 31.25 MHz
  input  logic             rst_ni,
  input  logic             switch_i,
  input  logic [Ports-1:0] route_i,          // output ports if switch_i is low
  output logic [47:0]      address_o,        // destination of the frame at the head
  input  logic [Ports-1:0] answer_i,         // the table's ports for it, without this port
  input  logic             in_valid_i,
  output logic             in_ready_o,
  input  word_t            in_word_i,
  output logic             out_valid_o,
  input  logic             out_ready_i,
  output word_t            out_word_o,
  output logic [Ports-1:0] out_mask_o        // valid with the stamp word
);
  localparam int unsigned Head = 3;  // stamp and two data words

  word_t [Head-1:0] word_q;          // word_q[0] leaves first
  logic  [Head-1:0] valid_q;
  logic             begins, short_frame, known, move;

  // Words fill from the front: word_q[n] is valid only if word_q[n-1] is.
  assign short_frame = (valid_q[1] && word_q[1].eop) || (valid_q[2] && word_q[2].eop && valid_bytes(word_q[2]) == 3'd1);
  assign known       = valid_q[2] || (valid_q[1] && word_q[1].eop);
  assign address_o   = {word_q[1].data, word_q[2].data[31:16]};

  assign begins      = is_stamp(word_q[0]);
  assign out_valid_o = valid_q[0] && (!begins || known);
  assign out_word_o  = word_q[0];
  assign out_mask_o  = !switch_i ? route_i : short_frame ? '0 : answer_i;
  assign move        = out_valid_o && out_ready_i;
  assign in_ready_o  = !valid_q[Head-1] || move;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q <= '0;
      word_q  <= '0;
    end else begin
      logic [Head-1:0]  valid;
      word_t [Head-1:0] word;
      valid = valid_q;
      word  = word_q;
      if (move) begin
        valid = {1'b0, valid_q[Head-1:1]};
        word  = {word_q[Head-1], word_q[Head-1:1]};
      end
      if (in_valid_i && in_ready_o) begin
        if (!valid[0]) word[0] = in_word_i;
        else if (!valid[1]) word[1] = in_word_i;
        else word[2] = in_word_i;
        valid = {valid[Head-2:0], 1'b1};
      end
      valid_q <= valid;
      word_q  <= word;
    end
  end

  // Words fill from the front.
  FillsFromTheFront: assert property (
    @(posedge clk_i) disable iff (!rst_ni) !(valid_q[2] && !valid_q[1]) && !(valid_q[1] && !valid_q[0]));
  // A word that waits does not change.
  stream_rules #(.Width($bits(out_word_o))) u_out_rules (
    .clk_i, .rst_ni, .valid_i(out_valid_o), .ready_i(out_ready_i), .payload_i(out_word_o));

  // Corners that the test benches must meet.
  SeenOneWordFrame: cover property (@(posedge clk_i) disable iff (!rst_ni) out_valid_o && begins && valid_q[1] && word_q[1].eop);
  SeenFrameBehindFrame: cover property (@(posedge clk_i) disable iff (!rst_ni) valid_q[0] && word_q[0].eop && valid_q[1]);
  SeenSwitched: cover property (@(posedge clk_i) disable iff (!rst_ni) move && switch_i && begins && !short_frame);
  SeenRefused: cover property (@(posedge clk_i) disable iff (!rst_ni) move && switch_i && begins && short_frame);
endmodule
