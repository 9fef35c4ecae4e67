// SPDX-License-Identifier: Apache-2.0
// Buffer for whole frames in block RAM, one clock. The reader sees a word once it is committed.
//
// commit_i shows the reader all words up to the one that is written in the same clock.
// rewind_i forgets the words since the last commit, which is how a bad frame is dropped.
// A word is readable two clocks after its commit; a word a clock goes in and out.
module mynic_packet_fifo #(
  parameter int unsigned Width     = 64,
  parameter int unsigned DepthLog2 = 12
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  logic               in_valid_i,
  input  logic [Width-1:0]   in_data_i,
  input  logic               commit_i,
  input  logic               rewind_i,
  output logic [DepthLog2:0] room_o,       // words that can be written
  output logic               out_valid_o,
  input  logic               out_ready_i,
  output logic [Width-1:0]   out_data_o
);
  localparam logic [DepthLog2:0] Depth = (DepthLog2+1)'(1) << DepthLog2;

  logic [Width-1:0]   mem_q [2**DepthLog2];
  logic [DepthLog2:0] wr_ptr_q, wr_ptr_d, commit_q, rd_ptr_q, rd_ptr_d;

  assign wr_ptr_d = rewind_i ? commit_q : wr_ptr_q + (DepthLog2+1)'(in_valid_i);
  assign rd_ptr_d = rd_ptr_q + (DepthLog2+1)'(out_valid_o && out_ready_i);
  assign room_o   = Depth - (wr_ptr_q - rd_ptr_q);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      wr_ptr_q    <= '0;
      commit_q    <= '0;
      rd_ptr_q    <= '0;
      out_valid_o <= 1'b0;
    end else begin
      wr_ptr_q    <= wr_ptr_d;
      rd_ptr_q    <= rd_ptr_d;
      out_valid_o <= rd_ptr_d != commit_q;
      if (commit_i) commit_q <= wr_ptr_d;
    end
  end

  // The RAM: a write port, and a read port with a register behind it.
  always_ff @(posedge clk_i) begin
    if (in_valid_i) mem_q[wr_ptr_q[DepthLog2-1:0]] <= in_data_i;
    out_data_o <= mem_q[rd_ptr_d[DepthLog2-1:0]];
  end

  NoOverflow: assert property (
    @(posedge clk_i) disable iff (!rst_ni) in_valid_i && !rewind_i |-> room_o != '0);

  Full: cover property (@(posedge clk_i) disable iff (!rst_ni) room_o == '0);
endmodule
