// SPDX-License-Identifier: Apache-2.0
// The link's faults, from what comes on XGMII (IEEE 802.3, clause 46.3.4).
//
// A fault message is a column of a Sequence character and three bytes. Four messages of one kind,
// no two of them 128 columns or more apart, are a fault; 128 columns without a message end it.
// Outputs follow their column by one clock. Test: tests/rtl/nic/nic_line_bench.py.
module nic_link_fault
  import nic_pkg::*;
(
  input  logic        clk_i,           // 156.25 MHz of the far end
  input  logic        rst_ni,
  input  logic [63:0] xgmii_rxd_i,     // two columns, the first in [31:0]
  input  logic [7:0]  xgmii_rxc_i,
  output logic        local_fault_o,   // nothing is received
  output logic        remote_fault_o,  // the far end receives nothing
  output logic        busy_o           // it waits whether messages go on
);
  localparam logic [7:0] MaxColumns = 8'd128;
  localparam logic [1:0] Needed     = 2'd3;  // messages before the one that makes a fault

  typedef enum logic [1:0] {KindNone = 2'd0, KindLocal = 2'd1, KindRemote = 2'd2} kind_e;

  typedef struct packed {
    kind_e      kind;     // of the messages that are counted
    logic [1:0] count;    // of them, up to Needed
    logic [7:0] columns;  // since the last one, up to MaxColumns
    kind_e      fault;
  } state_t;

  function automatic kind_e kind_of(input logic [31:0] data, input logic [3:0] control);
    if (control != 4'h1 || data[23:0] != {16'h0, XgmiiSequence}) return KindNone;
    if (data[31:24] == 8'h01) return KindLocal;
    if (data[31:24] == 8'h02) return KindRemote;
    return KindNone;
  endfunction

  function automatic state_t after(input state_t now, input kind_e kind);
    state_t made;
    made = now;
    if (kind == KindNone) begin
      if (now.columns == MaxColumns - 8'd1) begin
        made.kind  = KindNone;
        made.count = '0;
        made.fault = KindNone;
      end
      if (now.columns != MaxColumns) made.columns = now.columns + 8'd1;
    end else begin
      made.columns = '0;
      made.kind    = kind;
      if (kind != now.kind) made.count = 2'd1;
      else if (now.count != Needed) made.count = now.count + 2'd1;
      else made.fault = kind;
    end
    return made;
  endfunction

  state_t state_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= '{kind: KindNone, count: '0, columns: MaxColumns, fault: KindNone};
    end else begin
      state_q <= after(after(state_q, kind_of(xgmii_rxd_i[31:0], xgmii_rxc_i[3:0])),
                       kind_of(xgmii_rxd_i[63:32], xgmii_rxc_i[7:4]));
    end
  end

  assign local_fault_o  = state_q.fault == KindLocal;
  assign remote_fault_o = state_q.fault == KindRemote;
  assign busy_o         = state_q.columns != MaxColumns;

  always_ff @(posedge clk_i) begin : checks
    if (rst_ni) begin
      // A fault has messages of its kind, and lasts no longer than they are missed.
      FaultHasMessages: assert (state_q.fault == KindNone || state_q.columns != MaxColumns);
    end
  end

  // Corners: each fault, one after the other, and the end of one.
  SeenLocal: cover property (@(posedge clk_i) disable iff (!rst_ni) $rose(local_fault_o));
  SeenRemote: cover property (@(posedge clk_i) disable iff (!rst_ni) $rose(remote_fault_o));
  SeenEnd: cover property (
    @(posedge clk_i) disable iff (!rst_ni)
    $fell(local_fault_o || remote_fault_o));
  SeenBroken: cover property (
    @(posedge clk_i) disable iff (!rst_ni)
    state_q.count != '0 && state_q.fault == KindNone && state_q.columns == MaxColumns - 8'd2);
endmodule
