// SPDX-License-Identifier: Apache-2.0
// Pipelined ZBT SRAM of 36 bits: an address is taken in one clock, its data two clocks later,
// either way. Places never written read as noise.
module bench_sram #(
  parameter int unsigned AddrBits = 22
) (
  input  logic                clk_i,
  input  logic                rst_ni,      // while low, and only then, a write may be left without its data
  input  logic [AddrBits-1:0] addr_i,
  input  logic                re_i,
  input  logic                we_i,
  input  logic [35:0]         wdata_i,
  input  logic                wdata_oe_i,
  output logic [35:0]         rdata_o
);
  logic [35:0]         mem [int unsigned];   // sparse
  logic [AddrBits-1:0] addr1_q, addr2_q;
  logic                re1_q = 1'b0, we1_q = 1'b0, we2_q = 1'b0;

  always @(posedge clk_i) begin
    {addr1_q, re1_q, we1_q} <= {addr_i, re_i, we_i};
    {addr2_q, we2_q}        <= {addr1_q, we1_q};
    if (we2_q) begin
      mem[32'(addr2_q)] = wdata_i;
    end
    rdata_o <= re1_q && mem.exists(32'(addr1_q)) != 0 ? mem[32'(addr1_q)] : 36'h5_A5A5_A5A5;
  end

  // Write data is driven when the SRAM takes it.
  DataIsDriven: assert property (@(posedge clk_i) disable iff (!rst_ni) we2_q |-> wdata_oe_i);
endmodule
