// SPDX-License-Identifier: Apache-2.0
// Discards one whole frame after it is armed: the next one, the n-th, or the first at or after a
// time.
//
// Arming again while armed starts over. A frame that is already passing when the stage is armed is
// not discarded. The path has one register (32 ns) and moves one word a clock. Frames stay in
// order. TLM twin: models/wan/gnet1.
module gnet1_discard_stage
  import gnet1_csr_pkg::*;
  import gnet1_pkg::*;
(
  input  logic          clk_i,            // 31.25 MHz
  input  logic          rst_ni,
  input  logic          arm_i,            // one clock
  input  logic          cancel_i,         // one clock
  input  discard_mode_e mode_i,
  input  logic [31:0]   arg_i,            // mode NTH: frames to let pass first; mode AT: a stamp_t
  input  stamp_t        now_i,
  input  logic          in_valid_i,
  output logic          in_ready_o,
  input  word_t         in_word_i,
  output logic          out_valid_o,
  input  logic          out_ready_i,
  output word_t         out_word_o,
  output logic          armed_o,
  output logic          discard_o,        // one clock per discarded frame
  output logic [31:0]   stamp_o           // stamp of the last discarded frame
);
  logic        take, starts, due, masking_q;
  logic [31:0] left_q;

  assign in_ready_o = !out_valid_o || out_ready_i;
  assign take       = in_valid_i && in_ready_o;
  assign starts     = take && is_stamp(in_word_i);

  always_comb begin
    unique case (mode_i)
      DiscardModeNth: due = left_q == '0;
      DiscardModeAt:  due = stamp_reached(now_i, arg_i);
      default:    due = 1'b1;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      armed_o   <= 1'b0;
      masking_q <= 1'b0;
      left_q    <= '0;
      discard_o <= 1'b0;
      stamp_o   <= '0;
    end else begin
      discard_o <= 1'b0;
      if (starts) begin
        masking_q <= armed_o && due;
        if (armed_o && due) begin
          armed_o   <= 1'b0;
          discard_o <= 1'b1;
          stamp_o   <= in_word_i.data;
        end else if (armed_o) begin
          left_q <= left_q - 32'd1;
        end
      end
      if (arm_i) begin
        armed_o <= 1'b1;
        left_q  <= arg_i;
      end else if (cancel_i) begin
        armed_o <= 1'b0;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      out_valid_o <= 1'b0;
      out_word_o  <= '0;
    end else if (in_ready_o) begin
      out_valid_o <= in_valid_i && !(starts ? armed_o && due : masking_q);
      out_word_o  <= in_word_i;
    end
  end

  // A word that waits does not change.
  stream_rules #(.Width($bits(out_word_o))) u_out_rules (
    .clk_i, .rst_ni, .valid_i(out_valid_o), .ready_i(out_ready_i), .payload_i(out_word_o));
  // Each arming discards one frame.
  OneFrameAnArming: assert property (
    @(posedge clk_i) disable iff (!rst_ni) discard_o |-> !armed_o || $past(arm_i));

  // Corners that the test benches must meet.
  SeenNext: cover property (@(posedge clk_i) disable iff (!rst_ni) starts && armed_o && due && mode_i == DiscardModeNext);
  SeenNth: cover property (@(posedge clk_i) disable iff (!rst_ni) starts && armed_o && due && mode_i == DiscardModeNth);
  SeenNthWaits: cover property (@(posedge clk_i) disable iff (!rst_ni) starts && armed_o && !due && mode_i == DiscardModeNth);
  SeenAt: cover property (@(posedge clk_i) disable iff (!rst_ni) starts && armed_o && due && mode_i == DiscardModeAt);
  SeenAtWaits: cover property (@(posedge clk_i) disable iff (!rst_ni) starts && armed_o && !due && mode_i == DiscardModeAt);
  SeenArmedInFrame: cover property (@(posedge clk_i) disable iff (!rst_ni) armed_o && take && !starts);
  SeenMaskedLast: cover property (@(posedge clk_i) disable iff (!rst_ni) take && masking_q && in_word_i.eop);
  SeenCancel: cover property (@(posedge clk_i) disable iff (!rst_ni) cancel_i && armed_o);
endmodule
