// SPDX-License-Identifier: Apache-2.0
// Interrupt causes, mask and moderation.
//
// A cause stays until the host writes a 1 to it; a new event wins over that write. irq_o is high
// while a cause is set that the mask lets through. With moderation it rises no sooner than
// interval_i microseconds after its last rise; it falls at once. A host that clears the causes it
// saw before it looks at its rings misses no event.
module mynic_irq
  import mynic_pkg::*;
#(
  parameter int unsigned ClocksPerUs = 125
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  cause_t      event_i,
  input  cause_t      clear_i,
  input  cause_t      mask_i,
  input  logic [15:0] interval_i,  // microseconds
  output cause_t      cause_o,
  output logic        irq_o,
  output logic        waits_o      // for the interval
);
  localparam int unsigned TickBits = $clog2(ClocksPerUs);

  logic [TickBits-1:0] tick_q;
  logic [15:0]         wait_q;     // microseconds until irq_o may rise
  logic                wanted, rises;

  assign waits_o = wait_q != '0;
  assign wanted = (cause_o & mask_i) != '0;
  assign rises  = wanted && !irq_o && wait_q == '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      cause_o <= '0;
      irq_o   <= 1'b0;
      tick_q  <= '0;
      wait_q  <= '0;
    end else begin
      cause_o <= (cause_o & ~clear_i) | event_i;
      irq_o   <= wanted && (irq_o || rises);
      if (rises) begin
        tick_q <= '0;
        wait_q <= interval_i;
      end else if (tick_q == TickBits'(ClocksPerUs - 1)) begin
        tick_q <= '0;
        if (wait_q != '0) wait_q <= wait_q - 16'd1;
      end else begin
        tick_q <= tick_q + 1'b1;
      end
    end
  end

  EventHolds: assert property (
    @(posedge clk_i) disable iff (!rst_ni)
    event_i != '0 |=> (cause_o & $past(event_i)) == $past(event_i));

  // Corners: moderation holds a rise back, a cause comes in the clock that clears it.
  RiseWaits: cover property (
    @(posedge clk_i) disable iff (!rst_ni) wanted && !irq_o && waits_o);
  SetWhileCleared: cover property (
    @(posedge clk_i) disable iff (!rst_ni) (event_i & clear_i) != '0);
endmodule
