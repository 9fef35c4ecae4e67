// SPDX-License-Identifier: Apache-2.0
// Reset of the NIC, by pin or by CTRL.RESET.
//
// A soft reset first stops new bursts and waits until the bus has answered all that are under way;
// cutting a burst would hang the bus. It waits for the end of the frame on the line, too. Then all
// but the register interface is in reset for HoldClocks, long enough for the receive clock's
// domain.
module mynic_reset #(
  parameter int unsigned HoldClocks = 32
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic rx_clk_i,
  input  logic soft_i,        // one clock: begin a soft reset
  input  logic idle_i,        // nothing is under way on the bus, no frame is being sent
  output logic busy_o,        // a soft reset is under way
  output logic stop_o,        // begin no burst
  output logic core_rst_no,   // for clk_i
  output logic rx_rst_no      // for rx_clk_i
);
  typedef enum logic [1:0] {StRun, StDrain, StHold} state_e;
  state_e                      state_q;
  logic [$clog2(HoldClocks):0] hold_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q     <= StHold;
      hold_q      <= '0;
      core_rst_no <= 1'b0;
    end else begin
      core_rst_no <= state_q != StHold;
      unique case (state_q)
        StRun:   if (soft_i) state_q <= StDrain;
        StDrain: if (idle_i) state_q <= StHold;
        default: begin
          hold_q <= hold_q + 1'b1;
          if (hold_q == ($clog2(HoldClocks)+1)'(HoldClocks)) begin
            hold_q  <= '0;
            state_q <= StRun;
          end
        end
      endcase
    end
  end

  assign busy_o = state_q != StRun || !core_rst_no;
  assign stop_o = busy_o;

  mynic_sync u_rx (.clk_i(rx_clk_i), .d_i(core_rst_no), .q_o(rx_rst_no));

  // Corners: a soft reset finds the bus or the line at work, and comes while one is under way.
  WaitsForTheBus: cover property (
    @(posedge clk_i) disable iff (!rst_ni) state_q == StDrain && !idle_i);
  AskedTwice: cover property (@(posedge clk_i) disable iff (!rst_ni) soft_i && state_q != StRun);
endmodule
