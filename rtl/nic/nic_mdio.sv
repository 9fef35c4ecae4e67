// SPDX-License-Identifier: Apache-2.0
// Management frames to the optics (IEEE 802.3, clauses 22.2.4 and 45.3), a bit of MDIO a clock of
// MDC.
//
// A frame has 32 ones of preamble and 32 bits. MDC has 64 clocks of the core, 409.6 ns; it stands
// still, low, between frames. A bit changes when MDC falls, and is taken when MDC rises. A start
// while busy_o is ignored. The data of a read are there when busy_o falls, and stay. TLM twin:
// models/nic/blocks/mdio. Test: tests/rtl/nic/nic_control_bench.py.
module nic_mdio (
  input  logic        clk_i,        // 156.25 MHz
  input  logic        rst_ni,       // stops a frame
  input  logic        start_i,
  input  logic        clause22_i,
  input  logic [1:0]  op_i,         // as in MSCA: address, write, read, read and increment
  input  logic [4:0]  port_i,
  input  logic [4:0]  device_i,     // of clause 22: the register
  input  logic [15:0] data_i,       // the address, or the data of a write
  output logic        busy_o,
  output logic [15:0] read_data_o,
  output logic        mdc_o,
  output logic        mdio_o,
  output logic        mdio_oe_o,
  input  logic        mdio_i
);
  typedef enum logic [1:0] {OpAddress = 2'd0, OpWrite = 2'd1, OpRead = 2'd2,
                            OpReadIncrement = 2'd3} op_e;

  localparam logic [5:0] TurnAround = 6'd46;  // the bit in which the optics take over
  localparam logic [5:0] FirstData  = 6'd48;
  localparam logic [5:0] RiseAt     = 6'd31;  // of MDC's 64 clocks: the last one in which it is low

  logic [5:0]  bit_q, phase_q;
  logic [31:0] frame_q;              // what is left to send behind the preamble
  logic        reads_q, reads;
  logic [1:0]  code;                 // of the operation on the wire
  logic [15:0] shift_q;

  // On the wire of clause 45, 3 is a read and 2 a read with increment; in MSCA it is the other way.
  assign reads = op_i == OpRead || op_i == OpReadIncrement;
  assign code  = !clause22_i && reads ? op_i ^ 2'd1 : op_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_o  <= 1'b0;
      bit_q   <= '0;
      phase_q <= '0;
    end else if (busy_o) begin
      phase_q <= phase_q + 6'd1;
      if (phase_q == '1) begin
        bit_q <= bit_q + 6'd1;
        if (bit_q == '1) busy_o <= 1'b0;
      end
    end else if (start_i) begin
      busy_o  <= 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (start_i && !busy_o) begin
      frame_q <= {1'b0, clause22_i, code, port_i, device_i, 2'b10, data_i};
      reads_q <= reads;
    end else if (busy_o && phase_q == '1 && bit_q >= 6'd32) begin
      frame_q <= {frame_q[30:0], 1'b0};
    end
  end

  always_ff @(posedge clk_i) begin
    if (busy_o && phase_q == RiseAt && bit_q >= FirstData) shift_q <= {shift_q[14:0], mdio_i};
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) read_data_o <= '0;
    else if (busy_o && reads_q && bit_q == '1 && phase_q == '1) read_data_o <= shift_q;
  end

  assign mdc_o     = busy_o && phase_q[5];
  assign mdio_oe_o = busy_o && !(reads_q && bit_q >= TurnAround);
  assign mdio_o    = bit_q[5] ? frame_q[31] : 1'b1;

  logic        mdc_was_q, mdio_was_q, oe_was_q, reads_was_q;
  logic [15:0] data_was_q;
  always_ff @(posedge clk_i) begin : checks
    mdc_was_q   <= mdc_o;
    mdio_was_q  <= mdio_o;
    oe_was_q    <= mdio_oe_o;
    reads_was_q <= reads_q;
    data_was_q  <= read_data_o;
    if (rst_ni) begin
      // MDIO stands still while MDC is high.
      StableWhileHigh: assert (
        !(mdc_o && mdc_was_q) || (mdio_o == mdio_was_q && mdio_oe_o == oe_was_q));
      // A result is there only of a read.
      KeepsResult: assert (read_data_o == data_was_q || reads_was_q);
    end
  end

  // Corners: each operation, and a start that comes too early.
  SeenRead22: cover property (
    @(posedge clk_i) disable iff (!rst_ni) start_i && !busy_o && clause22_i && reads);
  SeenRead45: cover property (
    @(posedge clk_i) disable iff (!rst_ni) start_i && !busy_o && !clause22_i && op_i == OpRead);
  SeenIncrement: cover property (
    @(posedge clk_i) disable iff (!rst_ni)
    start_i && !busy_o && !clause22_i && op_i == OpReadIncrement);
  SeenAddress: cover property (
    @(posedge clk_i) disable iff (!rst_ni) start_i && !busy_o && !clause22_i && op_i == OpAddress);
  SeenWrite: cover property (
    @(posedge clk_i) disable iff (!rst_ni) start_i && !busy_o && op_i == OpWrite);
  SeenTooEarly: cover property (@(posedge clk_i) disable iff (!rst_ni) start_i && busy_o);
endmodule
