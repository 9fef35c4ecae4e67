// SPDX-License-Identifier: Apache-2.0
// The state of the link: lanes that align a while after a reset, carrier, what is enabled.
//
// The lanes are aligned LinkClocks after the last reset of the link or the device. The link is up
// when they are and there is carrier. A change of that is a cause of an interrupt (LSC). A loss of
// carrier ends a pause, and counts in LFC. Outputs follow carrier_i by one clock. TLM twin:
// Ixgb::reset_link, update_link, set_modes. Test: tests/rtl/nic/nic_regs_bench.py.
module nic_link #(
  parameter int unsigned LinkClocks = 1563   // 10 us
) (
  input  logic clk_i,                        // 156.25 MHz
  input  logic rst_ni,                       // of power-up alone
  input  logic reset_i,                      // one clock: CTRL0.RST or CTRL0.LRST
  input  logic carrier_i,                    // something comes, and no local fault
  input  logic rx_enable_i,                  // RCTL.EN
  input  logic rpe_i,                        // CTRL0.RPE, of PAUSE that comes
  input  logic cmdc_i,                       // CTRL0.CMDC: RPE has no effect
  output logic aligned_o,
  output logic up_o,
  output logic changed_o,                    // one clock: LSC
  output logic lost_o,                       // one clock: LFC
  output logic tx_enable_o,                  // frames may start
  output logic rx_enable_o,                  // frames are received
  output logic honour_o,                     // PAUSE holds the transmitter
  output logic busy_o                        // the lanes align, or an event is on its way
);
  localparam int unsigned TimeBits = $clog2(LinkClocks + 1);

  logic [TimeBits-1:0] left_q;
  logic                up_q, carrier_q, had_carrier_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || reset_i) left_q <= TimeBits'(LinkClocks);
    else if (left_q != '0) left_q <= left_q - TimeBits'(1);
  end

  assign aligned_o   = left_q == '0;
  assign up_o        = aligned_o && carrier_q;
  assign tx_enable_o = up_o;
  assign rx_enable_o = aligned_o && rx_enable_i;
  assign honour_o    = rpe_i && !cmdc_i && carrier_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      up_q          <= 1'b0;
      carrier_q     <= 1'b0;
      had_carrier_q <= 1'b0;
    end else begin
      up_q          <= up_o;
      carrier_q     <= carrier_i;
      had_carrier_q <= carrier_q;
    end
  end

  assign changed_o = up_o != up_q;
  assign lost_o    = had_carrier_q && !carrier_q;
  assign busy_o    = !aligned_o || changed_o || carrier_q != carrier_i ||
                     had_carrier_q != carrier_q;

  always_ff @(posedge clk_i) begin : checks
    if (rst_ni) begin
      // A link that is not aligned is down.
      DownWhileAligning: assert (left_q == '0 || (!up_o && !tx_enable_o && !rx_enable_o));
    end
  end

  // Corners: reset while up and while the lanes align, carrier that comes and goes meanwhile.
  ResetWhileUp: cover property (@(posedge clk_i) disable iff (!rst_ni) reset_i && up_o);
  ResetAgain: cover property (@(posedge clk_i) disable iff (!rst_ni) reset_i && !aligned_o);
  LostWhileDown: cover property (@(posedge clk_i) disable iff (!rst_ni) lost_o && !aligned_o);
  LostWhileUp: cover property (@(posedge clk_i) disable iff (!rst_ni) lost_o && up_q);
endmodule
