// SPDX-License-Identifier: Apache-2.0
// A Wishbone manager that reads some words and writes them elsewhere, for tests of the memory side.
//
// Classic: one word after the other, CYC high for all. Pipelined: requests as fast as STALL lets
// them. ADR counts words of the bus.
module wishbone_copy #(
  parameter bit Pipelined = 0
) (
  input  logic        clk_i,
  input  logic        rst_i,
  input  logic        start_i,
  input  logic [15:0] from_i,   // in words
  input  logic [15:0] to_i,
  input  logic [4:0]  words_i,  // 1 to 16
  input  logic [3:0]  sel_i,    // of the writes
  output logic        busy_o,
  output logic        error_o,
  output logic        cyc_o,
  output logic        stb_o,
  output logic        we_o,
  output logic [15:0] adr_o,
  output logic [3:0]  sel_o,
  output logic [31:0] dat_o,
  input  logic [31:0] dat_i,
  input  logic        ack_i,
  input  logic        err_i,
  input  logic        stall_i
);
  logic [31:0] buffer_q [16];
  logic [4:0]  asked_q, done_q;
  logic        taken;

  assign busy_o = cyc_o;
  assign taken  = stb_o && (Pipelined ? !stall_i : (ack_i || err_i));
  assign adr_o  = (we_o ? to_i : from_i) + 16'(asked_q);
  assign sel_o  = we_o ? sel_i : '1;
  assign dat_o  = buffer_q[asked_q[3:0]];

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      {cyc_o, stb_o, we_o, error_o} <= '0;
      {asked_q, done_q} <= '0;
    end else if (!cyc_o) begin
      if (start_i) begin
        cyc_o <= 1;
        stb_o <= 1;
        we_o <= 0;
        error_o <= 0;
        {asked_q, done_q} <= '0;
      end
    end else begin
      if (taken) begin
        asked_q <= asked_q + 1;
        if (asked_q + 1 == words_i) stb_o <= 0;
      end
      if (ack_i || err_i) begin
        if (!we_o) buffer_q[done_q[3:0]] <= dat_i;
        if (err_i) error_o <= 1;
        done_q <= done_q + 1;
        if (done_q + 1 == words_i) begin
          {asked_q, done_q} <= '0;
          stb_o <= !we_o;
          we_o <= !we_o;
          cyc_o <= !we_o;
        end
      end
    end
  end
endmodule
