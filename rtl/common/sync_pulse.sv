// SPDX-License-Identifier: Apache-2.0
// Carries one-clock events into another clock domain by a toggle. Each event is one clock of
// pulse_o.
//
// Events must be at least two destination clocks and one source clock apart. Closer events merge.
module sync_pulse (
  input  logic src_clk_i,
  input  logic src_rst_ni,
  input  logic pulse_i,
  input  logic dst_clk_i,
  input  logic dst_rst_ni,
  output logic pulse_o
);
  logic toggle_q, toggle_dst, last_q;

  always_ff @(posedge src_clk_i) begin
    if (!src_rst_ni) begin
      toggle_q <= 1'b0;
    end else if (pulse_i) begin
      toggle_q <= !toggle_q;
    end
  end

  sync_bits u_toggle (.clk_i(dst_clk_i), .rst_ni(dst_rst_ni), .d_i(toggle_q), .q_o(toggle_dst));

  always_ff @(posedge dst_clk_i) begin
    if (!dst_rst_ni) begin
      last_q  <= 1'b0;
      pulse_o <= 1'b0;
    end else begin
      last_q  <= toggle_dst;
      pulse_o <= toggle_dst != last_q;
    end
  end
endmodule
