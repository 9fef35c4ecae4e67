// SPDX-License-Identifier: Apache-2.0
// Registers behind APB4, for tests of the bus's transactors.
//
// 0x00 to 0x3f are memory, byte by byte. 0x40 to 0xbf answer with PSLVERR; 0xc0 and above never
// answer. With Waits a transfer waits for a random number of clocks; without, PREADY follows
// PENABLE in the same clock.
module apb_regs #(
  parameter bit Waits = 1
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic [7:0]  paddr_i,
  input  logic        psel_i,
  input  logic        penable_i,
  input  logic        pwrite_i,
  input  logic [31:0] pwdata_i,
  input  logic [3:0]  pstrb_i,
  output logic [31:0] prdata_o,
  output logic        pready_o,
  output logic        pslverr_o
);
  logic [31:0] words_q [16];
  logic [15:0] lfsr_q;

  assign pready_o  = psel_i && penable_i && paddr_i[7:6] != 3 && (!Waits || lfsr_q[1:0] == 0);
  assign pslverr_o = pready_o && paddr_i[7:6] != 0;
  assign prdata_o  = words_q[paddr_i[5:2]];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      lfsr_q <= 16'hace1;
      for (int unsigned i = 0; i < 16; i++) words_q[i] <= '0;
    end else begin
      lfsr_q <= {lfsr_q[14:0], lfsr_q[15] ^ lfsr_q[13] ^ lfsr_q[12] ^ lfsr_q[10]};
      if (pready_o && pwrite_i && !pslverr_o) begin
        for (int unsigned i = 0; i < 4; i++)
          if (pstrb_i[i]) words_q[paddr_i[5:2]][8*i+:8] <= pwdata_i[8*i+:8];
      end
    end
  end
endmodule
