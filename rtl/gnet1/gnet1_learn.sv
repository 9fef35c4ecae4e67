// SPDX-License-Identifier: Apache-2.0
// Reads the source address of a port's frames and offers it to the switch's table after a good
// frame.
//
// The block only observes the stream. An address that is not taken before the next good frame ends
// is replaced by the address of that frame.
module gnet1_learn
  import gnet1_pkg::*;
(
  input  logic        clk_i,       // 31.25 MHz
  input  logic        rst_ni,
  input  logic        take_i,      // a word is transferred
  input  word_t       word_i,
  input  logic        fcs_bad_i,   // valid with a last word
  output logic        valid_o,
  input  logic        ready_i,
  output logic [47:0] address_o
);
  logic [1:0]  word_q;             // data words seen, up to 3
  logic [47:0] source_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      word_q    <= '0;
      source_q  <= '0;
      valid_o   <= 1'b0;
      address_o <= '0;
    end else begin
      if (ready_i) valid_o <= 1'b0;
      if (take_i) begin
        if (is_stamp(word_i)) begin
          word_q <= '0;
        end else begin
          if (word_q != 2'd3) word_q <= word_q + 2'd1;
          if (word_q == 2'd1) source_q[47:32] <= word_i.data[15:0];
          if (word_q == 2'd2) source_q[31:0] <= word_i.data;
          if (word_i.eop && !word_i.tv && !fcs_bad_i && word_q == 2'd3) begin
            valid_o   <= 1'b1;
            address_o <= source_q;
          end
        end
      end
    end
  end

  // Only good frames are learned from.
  OnlyGoodFrames: assert property (
    @(posedge clk_i) disable iff (!rst_ni) $rose(valid_o) |-> $past(take_i && word_i.eop && !fcs_bad_i));
endmodule
