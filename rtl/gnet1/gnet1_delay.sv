// SPDX-License-Identifier: Apache-2.0
// Delays frames: holds the first word of each frame until its stamp plus the delay. The rest
// follows.
//
// Time is compared once a clock, so the delay is exact to 32 ns. A frame that is already late
// passes at once. Frames stay in order and none is lost. The path has no register. The delay may
// change at any time. After it became shorter, all frames that are due follow each other at line
// rate. TLM twin: models/wan/gnet1.
module gnet1_delay
  import gnet1_pkg::*;
(
  input  logic   clk_i,          // 31.25 MHz
  input  logic   rst_ni,
  input  stamp_t delay_i,        // less than 3.36 s
  input  stamp_t now_i,
  input  logic   in_valid_i,
  output logic   in_ready_o,
  input  word_t  in_word_i,
  output logic   out_valid_o,
  input  logic   out_ready_i,
  output word_t  out_word_o
);
  logic   begins, late, pass, released_q;
  stamp_t due;

  assign due  = stamp_add(stamp_t'(in_word_i.data), delay_i);
  assign pass = !is_stamp(in_word_i) || released_q || stamp_reached(now_i, due);

  assign begins = in_valid_i && is_stamp(in_word_i);
  assign late   = stamp_reached(now_i, due) && now_i != due;

  assign out_valid_o = in_valid_i && pass;
  assign in_ready_o  = out_ready_i && pass;
  assign out_word_o  = in_word_i;

  // A frame that was offered stays offered, even if the delay becomes longer.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) released_q <= 1'b0;
    else released_q <= out_valid_o && !out_ready_i;
  end

  // A word that waits does not change, and stays valid.
  stream_rules #(.Width($bits(out_word_o))) u_out_rules (
    .clk_i, .rst_ni, .valid_i(out_valid_o), .ready_i(out_ready_i), .payload_i(out_word_o));

  // Corners that the test benches must meet.
  SeenHeld: cover property (@(posedge clk_i) disable iff (!rst_ni) in_valid_i && !pass);
  SeenLate: cover property (@(posedge clk_i) disable iff (!rst_ni) begins && late);
  SeenOnTime: cover property (@(posedge clk_i) disable iff (!rst_ni) begins && now_i == due);
  SeenStall: cover property (@(posedge clk_i) disable iff (!rst_ni) out_valid_o && !out_ready_i);
endmodule
