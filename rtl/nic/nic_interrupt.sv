// SPDX-License-Identifier: Apache-2.0
// Interrupt causes and their mask: ICR, ICS, IMS, IMC.
//
// A cause that comes in the clock in which software takes the causes stays for the next time. The
// request is high while a cause is latched and enabled; it follows by one clock. TLM twin:
// models/nic/blocks/interrupt_moderator. Test: tests/rtl/nic/nic_control_bench.py.
module nic_interrupt #(
  parameter int unsigned Width = 16
) (
  input  logic             clk_i,       // 156.25 MHz
  input  logic             rst_ni,
  input  logic [Width-1:0] event_i,     // causes that come in this clock
  input  logic [Width-1:0] set_i,       // software sets causes (ICS)
  input  logic             take_i,      // software reads and clears all (ICR)
  input  logic [Width-1:0] enable_i,    // into the mask (IMS)
  input  logic [Width-1:0] disable_i,   // out of the mask (IMC)
  output logic [Width-1:0] causes_o,
  output logic [Width-1:0] mask_o,
  output logic             request_o
);
  logic [Width-1:0] causes_d, mask_d;

  assign causes_d = (take_i ? '0 : causes_o) | event_i | set_i;
  assign mask_d   = (mask_o | enable_i) & ~disable_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      causes_o  <= '0;
      mask_o    <= '0;
      request_o <= 1'b0;
    end else begin
      causes_o  <= causes_d;
      mask_o    <= mask_d;
      request_o <= (causes_d & mask_d) != '0;
    end
  end

  logic [Width-1:0] event_was_q;
  always_ff @(posedge clk_i) begin : checks
    event_was_q <= rst_ni ? event_i : '0;
    if (rst_ni) begin
      // No cause is lost that comes while software takes the causes.
      NoneLost: assert ((causes_o & event_was_q) == event_was_q);
    end
  end

  // Corners: a cause meets the reading; the mask ends a request, and begins one.
  MeetsReading: cover property (@(posedge clk_i) disable iff (!rst_ni) take_i && |event_i);
  MaskEnds: cover property (
    @(posedge clk_i) disable iff (!rst_ni) request_o && |disable_i && (causes_d & mask_d) == '0);
  MaskBegins: cover property (
    @(posedge clk_i) disable iff (!rst_ni)
    !request_o && |enable_i && (causes_o & mask_d) != '0 && event_i == '0);
endmodule
