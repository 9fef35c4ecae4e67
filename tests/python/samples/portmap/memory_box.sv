// SPDX-License-Identifier: Apache-2.0
// The box of stream_box.sv with a ZBT SRAM beside it, which it fills and reads again and again. The
// words depend on the input `seed`; with `spoil` one of them is written wrong. For tests of port
// maps.
module memory_box #(
  parameter int unsigned Latency = 2,  // clocks from address to data
  parameter int unsigned Late    = 0   // that read data are looked at too late
) (
  input  logic        clk,
  input  logic        rst_n,
  input  logic [35:0] seed,
  input  logic        spoil,
  output logic [9:0]  mem_address,
  output logic        mem_read,
  output logic        mem_write,
  output logic [35:0] mem_write_data,
  input  logic [35:0] mem_read_data,
  input  logic [63:0] west_rx_tdata,
  input  logic [7:0]  west_rx_tkeep,
  input  logic        west_rx_tlast,
  input  logic        west_rx_tvalid,
  output logic        west_rx_tready,
  output logic [63:0] west_tx_tdata,
  output logic [7:0]  west_tx_tkeep,
  output logic        west_tx_tlast,
  output logic        west_tx_tvalid,
  input  logic        west_tx_tready,
  input  logic [63:0] east_rx_tdata,
  input  logic [7:0]  east_rx_tkeep,
  input  logic        east_rx_tlast,
  input  logic        east_rx_tvalid,
  output logic        east_rx_tready,
  output logic [63:0] east_tx_tdata,
  output logic [7:0]  east_tx_tkeep,
  output logic        east_tx_tlast,
  output logic        east_tx_tvalid,
  input  logic        east_tx_tready
);
  stream_box #(.Users(1)) u_streams (
    .west_rx_tuser(1'b0), .east_rx_tuser(1'b0), .west_tx_tuser(), .east_tx_tuser(), .*
  );

  function automatic logic [35:0] pattern(logic [9:0] at);
    return seed ^ {26'h2aa_aaaa, at} ^ {at, 26'd0};
  endfunction

  logic [10:0] count_q;  // its top bit: read
  logic [9:0]  address_q [5];
  logic [4:0]  read_q, write_q;
  assign mem_address = address_q[0];
  assign mem_read    = read_q[0];
  assign mem_write   = write_q[0];
  always_ff @(posedge clk) begin
    count_q      <= count_q + 11'd1;
    address_q[0] <= count_q[9:0];
    read_q       <= {read_q[3:0], count_q[10]};
    write_q      <= {write_q[3:0], !count_q[10]};
    for (int i = 1; i < 5; i++) address_q[i] <= address_q[i-1];
    mem_write_data <= pattern(address_q[Latency-1])
                    ^ 36'(spoil && address_q[Latency-1] == 10'd700);
    if (!rst_n) begin
      count_q <= 11'd0;
      read_q  <= 5'd0;
      write_q <= 5'd0;
    end
  end

  // Named, as Verilator 5.006 takes no element of an array in an assertion.
  logic [9:0] back;
  logic       comes;
  assign back  = address_q[Latency+Late];
  assign comes = read_q[Latency+Late];
  WhatWasWrittenIsRead: assert property (@(posedge clk) disable iff (!rst_n)
    comes |-> mem_read_data == pattern(back))
  else $error("read %h at %h", mem_read_data, back);
endmodule
