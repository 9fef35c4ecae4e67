// SPDX-License-Identifier: Apache-2.0
// Keeps a coherent copy of a multi-bit word in another clock domain, by request and acknowledge
// toggles.
//
// Each value of dst_o was the value of src_i at one source clock. The copy follows within about
// three clocks of each domain. Values that last for less time may be skipped. Use it for settings
// and levels, not for events.
module sync_word #(
  parameter int unsigned Width = 32
) (
  input  logic             src_clk_i,
  input  logic             src_rst_ni,
  input  logic [Width-1:0] src_i,
  input  logic             dst_clk_i,
  input  logic             dst_rst_ni,
  output logic [Width-1:0] dst_o
);
  logic             req_q, ack_src;
  logic [Width-1:0] held_q;
  logic             req_dst, ack_q;

  always_ff @(posedge src_clk_i) begin
    if (!src_rst_ni) begin
      req_q  <= 1'b0;
      held_q <= '0;
    end else if (req_q == ack_src) begin
      req_q  <= !req_q;
      held_q <= src_i;
    end
  end

  sync_bits u_req (.clk_i(dst_clk_i), .rst_ni(dst_rst_ni), .d_i(req_q), .q_o(req_dst));
  sync_bits u_ack (.clk_i(src_clk_i), .rst_ni(src_rst_ni), .d_i(ack_q), .q_o(ack_src));

  always_ff @(posedge dst_clk_i) begin
    if (!dst_rst_ni) begin
      ack_q <= 1'b0;
      dst_o <= '0;
    end else if (req_dst != ack_q) begin
      ack_q <= req_dst;
      dst_o <= held_q;  // stable: the source waits for the acknowledge
    end
  end

  logic             waits_was_q;
  logic [Width-1:0] held_was_q;
  always_ff @(posedge src_clk_i) begin : checks
    waits_was_q <= src_rst_ni && req_q != ack_src;
    held_was_q  <= held_q;
    if (src_rst_ni) begin
      // The source holds the word until the destination has acknowledged it.
      HeldUntilTaken: assert (!waits_was_q || held_q == held_was_q);
    end
  end
endmodule
