// SPDX-License-Identifier: Apache-2.0
// Software's side of the receive filter's tables: RAL and RAH, MTA, VFTA.
//
// An access reads its word in its clock; a write goes out in the next one, with the bytes that it
// leaves as they were. Accesses are two clocks apart. The address that comes from the EEPROM goes
// into exact entry 0, between accesses. A write while ready_i is low is lost, as the filter clears
// its tables then. TLM twin: models/nic/intel/filter_tables. Test: tests/rtl/nic/nic_regs_bench.py.
module nic_tables
  import nic_csr_pkg::*;
(
  input  logic        clk_i,            // 156.25 MHz
  input  logic        rst_ni,           // the device's reset, too
  // An access of a register of the tables.
  input  logic        valid_i,
  input  logic        write_i,
  input  logic [1:0]  table_i,          // 0: RAL and RAH, 1: MTA, 2: VFTA
  input  logic [6:0]  place_i,          // word in the table
  input  logic [31:0] wdata_i,
  input  logic [3:0]  strb_i,
  output logic [31:0] rdata_o,          // in the clock after valid_i; zero else
  // From the EEPROM.
  input  logic        address_valid_i,
  input  logic [47:0] address_i,        // first byte in [7:0]
  // nic_rx_filter.
  input  logic        ready_i,
  output logic        we_o,
  output logic        re_o,
  output logic [1:0]  table_o,          // as table_i
  output logic [6:0]  place_o,
  output logic [31:0] wdata_o,
  input  logic [31:0] rdata_i,          // in the clock after re_o
  output logic        busy_o
);
  localparam logic [1:0] Exact = 2'd0;

  logic        reads_q, writes_q;
  logic [1:0]  table_q;
  logic [6:0]  place_q;
  logic [31:0] data_q, mask, mask_q, merged;
  logic        low_q, high_q;           // of the EEPROM's address: still to be written
  logic [47:0] address_q;
  logic        loads;

  assign mask   = {{8{strb_i[3]}}, {8{strb_i[2]}}, {8{strb_i[1]}}, {8{strb_i[0]}}};
  assign merged = (rdata_i & ~mask_q) | (data_q & mask_q);
  assign loads  = (low_q || high_q) && ready_i && !valid_i && !writes_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      reads_q  <= 1'b0;
      writes_q <= 1'b0;
    end else begin
      reads_q  <= valid_i && !write_i;
      writes_q <= valid_i && write_i;
    end
  end

  always_ff @(posedge clk_i) begin
    if (valid_i) begin
      table_q <= table_i;
      place_q <= place_i;
      data_q  <= wdata_i;
      mask_q  <= table_i == Exact && place_i[0] ? mask & RahMask : mask;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      low_q  <= 1'b0;
      high_q <= 1'b0;
    end else if (address_valid_i) begin
      low_q  <= 1'b1;
      high_q <= 1'b1;
    end else if (loads) begin
      low_q  <= 1'b0;
      high_q <= low_q;
    end
  end

  always_ff @(posedge clk_i) begin
    if (address_valid_i) address_q <= address_i;
  end

  always_comb begin
    table_o = valid_i ? table_i : table_q;
    place_o = valid_i ? place_i : place_q;
    wdata_o = merged;
    if (loads) begin
      table_o = Exact;
      place_o = low_q ? 7'd0 : 7'd1;
      wdata_o = low_q ? address_q[31:0] : (32'd1 << RahAvLsb) | 32'(address_q[47:32]);
    end
  end

  assign re_o    = valid_i;
  assign we_o    = writes_q || loads;
  assign rdata_o = reads_q ? rdata_i : '0;
  assign busy_o  = valid_i || reads_q || writes_q || low_q || high_q;

  always_ff @(posedge clk_i) begin : checks
    if (rst_ni) begin
      // The filter reads or writes.
      NotBoth: assert (!(we_o && re_o));
    end
  end

  // Corners: some bytes of a word, the EEPROM's address that waits for an access.
  SomeBytes: cover property (
    @(posedge clk_i) disable iff (!rst_ni) valid_i && write_i && strb_i != '1 && strb_i != '0);
  LoadWaits: cover property (
    @(posedge clk_i) disable iff (!rst_ni) low_q && (valid_i || writes_q));
  LoadWaitsHalf: cover property (
    @(posedge clk_i) disable iff (!rst_ni) !low_q && high_q && (valid_i || writes_q));
  LoadWaitsClear: cover property (
    @(posedge clk_i) disable iff (!rst_ni) low_q && !ready_i && !valid_i && !writes_q);
endmodule
