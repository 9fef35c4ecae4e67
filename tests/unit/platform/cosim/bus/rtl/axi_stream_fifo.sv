// SPDX-License-Identifier: Apache-2.0
// A FIFO of eight beats of AXI4-Stream, for tests: TREADY of its input is combinational and low at
// random.
module axi_stream_fifo (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        in_tvalid_i,
  output logic        in_tready_o,
  input  logic [63:0] in_tdata_i,
  input  logic [7:0]  in_tkeep_i,
  input  logic        in_tlast_i,
  input  logic        in_tuser_i,
  output logic        out_tvalid_o,
  input  logic        out_tready_i,
  output logic [63:0] out_tdata_o,
  output logic [7:0]  out_tkeep_o,
  output logic        out_tlast_o,
  output logic        out_tuser_o
);
  logic [73:0] beats_q [8];
  logic [3:0]  written_q, read_q;
  logic [15:0] lfsr_q;

  assign in_tready_o = in_tvalid_i && (written_q - read_q) != 8 && lfsr_q[1:0] != 0;
  assign out_tvalid_o = written_q != read_q;
  assign {out_tdata_o, out_tkeep_o, out_tlast_o, out_tuser_o} = beats_q[read_q[2:0]];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {written_q, read_q} <= '0;
      lfsr_q <= 16'h5eed;
    end else begin
      lfsr_q <= {lfsr_q[14:0], lfsr_q[15] ^ lfsr_q[13] ^ lfsr_q[12] ^ lfsr_q[10]};
      if (in_tvalid_i && in_tready_o) begin
        beats_q[written_q[2:0]] <= {in_tdata_i, in_tkeep_i, in_tlast_i, in_tuser_i};
        written_q <= written_q + 1;
      end
      if (out_tvalid_o && out_tready_i) read_q <= read_q + 1;
    end
  end
endmodule
