// SPDX-License-Identifier: Apache-2.0
// Registers behind Wishbone B4, for tests of the bus's transactors.
//
// 0x00 to 0x3f are memory, byte by byte. 0x40 to 0x7f answer with ERR, 0x80 to 0xbf with RTY three
// times of four, 0xc0 and above never. Classic with Registered low: ACK in the clock of STB; else
// after a random time. Pipelined: STALL at random, answers in order after it.
module wishbone_regs #(
  parameter bit Pipelined  = 0,
  parameter bit Registered = 1
) (
  input  logic        clk_i,
  input  logic        rst_i,
  input  logic        cyc_i,
  input  logic        stb_i,
  input  logic        we_i,
  input  logic [7:0]  adr_i,
  input  logic [3:0]  sel_i,
  input  logic [31:0] dat_i,
  output logic [31:0] dat_o,
  output logic        ack_o,
  output logic        err_o,
  output logic        rty_o,
  output logic        stall_o
);
  logic [31:0] words_q [16];
  logic [15:0] lfsr_q;
  logic [1:0]  retries_q;
  logic        due_q, we_q;
  logic [7:0]  adr_q;
  logic [3:0]  sel_q;
  logic [31:0] dat_q;

  logic now, we;
  logic [7:0] adr;
  logic [3:0] sel;
  logic [31:0] dat;
  logic answer_q;
  logic pick;
  always_comb begin
    // The request that is answered in this clock.
    {we, adr, sel, dat} = Pipelined ? {we_q, adr_q, sel_q, dat_q} : {we_i, adr_i, sel_i, dat_i};
    if (Pipelined) now = due_q && lfsr_q[0];
    else if (Registered) now = answer_q && cyc_i && stb_i;
    else now = cyc_i && stb_i;
    now = now && adr[7:6] != 3;
    pick = now && adr[7:6] == 2 && retries_q != 3;
    err_o = now && adr[7:6] == 1;
    rty_o = pick;
    ack_o = now && !err_o && !pick;
    dat_o = words_q[adr[5:2]];
    stall_o = Pipelined && (lfsr_q[2] || (due_q && !now));
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      lfsr_q <= 16'hbeef;
      {due_q, retries_q, answer_q} <= '0;
      for (int unsigned i = 0; i < 16; i++) words_q[i] <= '0;
    end else begin
      lfsr_q <= {lfsr_q[14:0], lfsr_q[15] ^ lfsr_q[13] ^ lfsr_q[12] ^ lfsr_q[10]};
      answer_q <= cyc_i && stb_i && !now && lfsr_q[3];
      if (now) due_q <= 0;
      if (Pipelined && cyc_i && stb_i && !stall_o) begin
        due_q <= 1;
        {we_q, adr_q, sel_q, dat_q} <= {we_i, adr_i, sel_i, dat_i};
      end
      if (rty_o) retries_q <= retries_q + 1;
      else if (now) retries_q <= 0;
      if (ack_o && we && adr[7:6] == 0) begin
        for (int unsigned i = 0; i < 4; i++)
          if (sel[i]) words_q[adr[5:2]][8*i+:8] <= dat[8*i+:8];
      end
    end
  end
endmodule
