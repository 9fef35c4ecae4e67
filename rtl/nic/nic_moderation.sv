// SPDX-License-Identifier: Apache-2.0
// When the NIC tells of what it has written back: RDTR and RAIDC for receive, TIDV for transmit.
//
// Each frame that is written restarts the receive timer, by RDTR or, with RAIDC.EN, by RAIDC.DELAY.
// With RAIDC.EN and few descriptors left RAIDC.POLL bounds the time, and with RAIDC.RXT_GATE it is
// the only one. RDT.FPDB ends the wait. The end of a wait, in either direction, is a flush: the
// ring writes back what its threshold holds. The causes RXT0 and TXDW follow when the ring says
// that the flush has ended. Delays are in units of 819.2 ns. TLM twin: IxgbRx::packet_written,
// IxgbTx::reported. Test: tests/rtl/nic/nic_control_bench.py.
module nic_moderation (
  input  logic        clk_i,           // 156.25 MHz
  input  logic        rst_ni,
  // Receive.
  input  logic [15:0] rdtr_i,
  input  logic [5:0]  high_thrs_i,     // RAIDC.HIGHTHRS: eights of descriptors
  input  logic [8:0]  delay_i,         // RAIDC.DELAY
  input  logic [8:0]  poll_i,          // RAIDC.POLL
  input  logic        gate_i,          // RAIDC.RXT_GATE
  input  logic        adaptive_i,      // RAIDC.EN
  input  logic        written_i,       // one clock: a frame's last descriptor was written back
  input  logic [15:0] available_i,     // descriptors that the host has given and no frame has
  input  logic        flush_i,         // one clock: RDT.FPDB
  output logic        rx_expired_o,    // one clock: a flush
  // Transmit.
  input  logic [15:0] tidv_i,
  input  logic        report_later_i,  // one clock: descriptors with RS and IDE were written back
  output logic        tx_expired_o,    // one clock: a flush
  output logic        busy_o
);
  logic backlog, gated, delay_fired, poll_fired, tidv_fired;
  logic delay_busy, poll_busy, tidv_busy, delays;

  assign backlog = adaptive_i && available_i <= {7'b0, high_thrs_i, 3'b0};
  assign gated   = backlog && gate_i;

  nic_delay_timer u_delay (
    .clk_i, .rst_ni, .restart_i(written_i && !gated), .start_i(1'b0), .cancel_i(1'b0),
    .delay_i(adaptive_i ? {7'b0, delay_i} : rdtr_i), .fired_o(delay_fired),
    .busy_o(delay_busy));

  nic_delay_timer #(.DelayBits(9)) u_poll (
    .clk_i, .rst_ni, .restart_i(1'b0), .start_i(written_i && backlog), .cancel_i(1'b0),
    .delay_i(poll_i), .fired_o(poll_fired), .busy_o(poll_busy));

  assign rx_expired_o = delay_fired || poll_fired || flush_i;

  assign delays = report_later_i && tidv_i != '0;

  nic_delay_timer u_tidv (
    .clk_i, .rst_ni, .restart_i(delays), .start_i(1'b0), .cancel_i(1'b0), .delay_i(tidv_i),
    .fired_o(tidv_fired), .busy_o(tidv_busy));

  assign tx_expired_o = tidv_fired || (report_later_i && !delays);
  assign busy_o       = delay_busy || poll_busy || tidv_busy;

  // Corners: few descriptors with the gate and without it, a delay of zero for transmit.
  Gated: cover property (@(posedge clk_i) disable iff (!rst_ni) written_i && gated);
  Backlog: cover property (@(posedge clk_i) disable iff (!rst_ni) written_i && backlog && !gate_i);
  NoTxDelay: cover property (
    @(posedge clk_i) disable iff (!rst_ni) report_later_i && tidv_i == '0);
endmodule
