// SPDX-License-Identifier: Apache-2.0
// First-in first-out buffer between two unrelated clocks: the pointers cross as gray code.
//
// The writer cannot wait: the reader must be fast enough that the buffer never fills. A word is
// readable three read clocks after it was written. Both resets must overlap.
module mynic_async_fifo #(
  parameter int unsigned Width     = 64,
  parameter int unsigned DepthLog2 = 4
) (
  input  logic             wr_clk_i,
  input  logic             wr_rst_ni,
  input  logic             wr_valid_i,
  input  logic [Width-1:0] wr_data_i,
  input  logic             rd_clk_i,
  input  logic             rd_rst_ni,
  output logic             rd_valid_o,
  input  logic             rd_ready_i,
  output logic [Width-1:0] rd_data_o
);
  typedef logic [DepthLog2:0] ptr_t;

  function automatic ptr_t to_gray(input ptr_t bin);
    return bin ^ (bin >> 1);
  endfunction

  logic [Width-1:0] mem_q [2**DepthLog2];
  ptr_t wr_ptr_q, wr_ptr_d, wr_gray_q, wr_gray_rd;
  ptr_t rd_ptr_q, rd_ptr_d, rd_gray_q;

  assign wr_ptr_d = wr_ptr_q + ptr_t'(wr_valid_i);

  always_ff @(posedge wr_clk_i) begin
    if (!wr_rst_ni) begin
      wr_ptr_q  <= '0;
      wr_gray_q <= '0;
    end else begin
      wr_ptr_q  <= wr_ptr_d;
      wr_gray_q <= to_gray(wr_ptr_d);
    end
  end

  always_ff @(posedge wr_clk_i) begin
    if (wr_valid_i) mem_q[wr_ptr_q[DepthLog2-1:0]] <= wr_data_i;
  end

  mynic_sync #(.Width(DepthLog2 + 1)) u_sync (
    .clk_i(rd_clk_i), .d_i(wr_gray_q), .q_o(wr_gray_rd));

  assign rd_valid_o = rd_gray_q != wr_gray_rd;
  assign rd_ptr_d   = rd_ptr_q + ptr_t'(rd_valid_o && rd_ready_i);
  assign rd_data_o  = mem_q[rd_ptr_q[DepthLog2-1:0]];

  always_ff @(posedge rd_clk_i) begin
    if (!rd_rst_ni) begin
      rd_ptr_q  <= '0;
      rd_gray_q <= '0;
    end else begin
      rd_ptr_q  <= rd_ptr_d;
      rd_gray_q <= to_gray(rd_ptr_d);
    end
  end
endmodule
