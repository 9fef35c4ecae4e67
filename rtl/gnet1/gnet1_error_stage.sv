// SPDX-License-Identifier: Apache-2.0
// Flips one bit of a data word if a 32-bit random number is below a threshold, and counts traffic.
//
// Every data word draws one number. The probability for each word is threshold / 2^32, and all of
// its 32 bits are equally likely. Stamp words are not changed. A last word may have fewer than four
// bytes. A flip outside of them has no effect and is not counted. The path has one register (32 ns)
// and moves one word a clock. Frames stay in order and none is lost. TLM twin: models/wan/gnet1.
module gnet1_error_stage
  import gnet1_pkg::*;
(
  input  logic        clk_i,           // 31.25 MHz
  input  logic        rst_ni,
  input  logic [31:0] threshold_i,     // 0: never
  input  logic        seed_valid_i,
  input  logic [63:0] seed_i,
  input  logic        in_valid_i,
  output logic        in_ready_o,
  input  word_t       in_word_i,
  output logic        out_valid_o,
  input  logic        out_ready_i,
  output word_t       out_word_o,
  output logic        word_o,          // one clock per data word
  output logic [2:0]  bytes_o,         // bytes in that word
  output logic        frame_o,         // one clock per last word
  output logic        flip_o           // one clock per bit flipped
);
  logic        take_data, hit;
  logic [31:0] random;
  logic [63:0] state;
  logic [4:0]  place;
  logic [31:0] in_use;

  assign in_ready_o = !out_valid_o || out_ready_i;
  assign take_data  = in_valid_i && in_ready_o && !is_stamp(in_word_i);

  lfsr64 u_random (.clk_i, .rst_ni, .seed_valid_i, .seed_i, .next_i(take_data), .random_o(random), .state_o(state));

  assign place  = state[36:32];  // bits of the previous number
  assign in_use = 32'hFFFF_FFFF << (6'd32 - {valid_bytes(in_word_i), 3'b0});
  assign hit    = take_data && random < threshold_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      out_valid_o <= 1'b0;
      out_word_o  <= '0;
      word_o      <= 1'b0;
      bytes_o     <= '0;
      frame_o     <= 1'b0;
      flip_o      <= 1'b0;
    end else begin
      word_o  <= take_data;
      bytes_o <= take_data ? valid_bytes(in_word_i) : 3'd0;
      frame_o <= take_data && in_word_i.eop;
      flip_o  <= hit && in_use[place];
      if (in_ready_o) begin
        out_valid_o <= in_valid_i;
        out_word_o  <= in_word_i;
        if (hit) out_word_o.data <= in_word_i.data ^ (32'd1 << place);
      end
    end
  end

  // A word that waits does not change.
  stream_rules #(.Width($bits(out_word_o))) u_out_rules (
    .clk_i, .rst_ni, .valid_i(out_valid_o), .ready_i(out_ready_i), .payload_i(out_word_o));
  // A flip changes one bit of the data. Tags are never changed.
  FlipsOneBitAtMost: assert property (
    @(posedge clk_i) disable iff (!rst_ni) flip_o |-> $onehot(out_word_o.data ^ $past(in_word_i.data)));

  // Corners that the test benches must meet.
  SeenFlip: cover property (@(posedge clk_i) disable iff (!rst_ni) hit && !in_word_i.eop);
  SeenFlipInLast: cover property (@(posedge clk_i) disable iff (!rst_ni) hit && in_word_i.eop && in_use[place]);
  SeenFlipOutsideOfLast: cover property (@(posedge clk_i) disable iff (!rst_ni) hit && in_word_i.eop && !in_use[place]);
  SeenStall: cover property (@(posedge clk_i) disable iff (!rst_ni) in_valid_i && !in_ready_o);
endmodule
