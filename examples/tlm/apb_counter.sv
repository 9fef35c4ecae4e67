// SPDX-License-Identifier: Apache-2.0
// A counter behind APB3 (ARM IHI 0024): a write to 0 sets it, a read of 0 is its value; a clock
// adds one.
module apb_counter (
  input  logic        clk,
  input  logic        rst_n,
  input  logic [7:0]  paddr,
  input  logic        psel,
  input  logic        penable,
  input  logic        pwrite,
  input  logic [31:0] pwdata,
  output logic [31:0] prdata,
  output logic        pready,
  output logic        pslverr
);
  logic [31:0] count_q;

  assign prdata  = count_q;
  assign pready  = 1'b1;
  assign pslverr = psel && paddr != 0;

  always_ff @(posedge clk) begin
    if (!rst_n) count_q <= '0;
    else if (psel && penable && pwrite && paddr == 0) count_q <= pwdata;
    else count_q <= count_q + 1;
  end
endmodule
