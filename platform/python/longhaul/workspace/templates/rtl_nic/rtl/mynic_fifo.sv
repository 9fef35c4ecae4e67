// SPDX-License-Identifier: Apache-2.0
// Small first-in first-out buffer of one clock. The head shows while out_valid_o is high.
//
// Who writes must look at level_o first, or keep count of what is on its way.
module mynic_fifo #(
  parameter int unsigned Width     = 32,
  parameter int unsigned DepthLog2 = 4
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  logic               in_valid_i,
  input  logic [Width-1:0]   in_data_i,
  output logic               out_valid_o,
  input  logic               out_ready_i,
  output logic [Width-1:0]   out_data_o,
  output logic [DepthLog2:0] level_o
);
  logic [Width-1:0]   mem_q [2**DepthLog2];
  logic [DepthLog2:0] wr_ptr_q, rd_ptr_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      wr_ptr_q <= '0;
      rd_ptr_q <= '0;
    end else begin
      if (in_valid_i) wr_ptr_q <= wr_ptr_q + 1'b1;
      if (out_valid_o && out_ready_i) rd_ptr_q <= rd_ptr_q + 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (in_valid_i) mem_q[wr_ptr_q[DepthLog2-1:0]] <= in_data_i;
  end

  assign level_o     = wr_ptr_q - rd_ptr_q;
  assign out_valid_o = level_o != '0;
  assign out_data_o  = mem_q[rd_ptr_q[DepthLog2-1:0]];

  NoOverflow: assert property (
    @(posedge clk_i) disable iff (!rst_ni) in_valid_i |-> !level_o[DepthLog2]);

  Full: cover property (@(posedge clk_i) disable iff (!rst_ni) level_o[DepthLog2]);
endmodule
