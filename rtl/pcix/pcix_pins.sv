// SPDX-License-Identifier: Apache-2.0
// The pins: registers of all inputs and outputs, parity, the pattern at the end of the reset.
//
// A value on the bus in clock n is in bus_o in clock n + 1. A value of a drive input in clock n is
// on the bus in clock n + 1. An agent so reacts two clocks after an event. FRAME#, IRDY#, DEVSEL#,
// TRDY#, STOP#, REQ64#, ACK64# and PERR# are driven high for one clock before they are let go.
//
// PAR and PAR64 follow AD by one clock. Of a target's data they cover C/BE# as it was a clock
// before AD, which is the newest that a registered target knows. low_bad_o and high_bad_o tell of
// the clock before that of bus_o. Test: tests/rtl/pcix/pcix_config_bench.py.
module pcix_pins
  import pcix_pkg::*;
(
  input  logic             clk_i,        // CLK
  input  logic             rst_pin_ni,   // RST#: lets all outputs go at once
  input  logic             rst_ni,       // the same, synchronous
  // Pins: input, output, output enable.
  input  logic [63:0]      ad_i,
  output logic [63:0]      ad_o,
  output logic             ad_oe_o,      // AD[31:0]
  output logic             ad64_oe_o,    // AD[63:32]
  input  logic [7:0]       cbe_ni,
  output logic [7:0]       cbe_no,
  output logic             cbe_oe_o,
  output logic             cbe64_oe_o,
  input  logic             par_i,
  output logic             par_o,
  output logic             par_oe_o,
  input  logic             par64_i,
  output logic             par64_o,
  output logic             par64_oe_o,
  input  logic             frame_ni,
  output logic             frame_no,
  output logic             frame_oe_o,
  input  logic             irdy_ni,
  output logic             irdy_no,
  output logic             irdy_oe_o,
  input  logic             trdy_ni,
  output logic             trdy_no,
  input  logic             stop_ni,
  output logic             stop_no,
  input  logic             devsel_ni,
  output logic             devsel_no,
  output logic             target_oe_o,  // TRDY#, STOP#, DEVSEL#
  input  logic             idsel_i,
  output logic             req_no,
  output logic             req_oe_o,
  input  logic             gnt_ni,
  input  logic             req64_ni,
  output logic             req64_no,
  output logic             req64_oe_o,
  input  logic             ack64_ni,
  output logic             ack64_no,
  output logic             ack64_oe_o,
  input  logic             perr_ni,
  output logic             perr_no,
  output logic             perr_oe_o,
  output logic             serr_oe_o,    // open drain: low when driven
  output logic             inta_oe_o,    // open drain
  // The core.
  output bus_t             bus_o,
  output logic             low_bad_o,    // PAR was wrong
  output logic             high_bad_o,   // PAR64 was wrong
  input  initiator_drive_t initiator_i,
  input  target_drive_t    target_i,
  input  logic             req_i,
  input  logic             perr_i,
  input  logic             serr_i,
  input  logic             inta_i,
  output logic             is_pcix_o,    // the pattern asks for PCI-X
  output logic             is_wide_o     // the slot has 64 bits
);
  bus_t        bus_d;
  logic [63:0] last_ad_q;
  logic [7:0]  last_cbe_q;
  logic        mode_q, wide_q;
  logic        frame_q, irdy_q, target_q, req64_q, ack64_q, perr_q;
  logic        frame_en_q, irdy_en_q, target_en_q, req64_en_q, ack64_en_q, perr_en_q;
  logic        ad_en_q, ad64_en_q, cbe_en_q, cbe64_en_q, par_en_q, par64_en_q;
  logic        req_q, serr_q, inta_q;
  logic [7:0]  par_cbe;

  assign bus_d = '{frame: !frame_ni, irdy: !irdy_ni, trdy: !trdy_ni, stop: !stop_ni,
                   devsel: !devsel_ni, idsel: idsel_i, gnt: !gnt_ni, req64: !req64_ni,
                   ack64: !ack64_ni, perr: !perr_ni, par: par_i, par64: par64_i, cbe: cbe_ni,
                   ad: ad_i};

  always_ff @(posedge clk_i) begin
    if (!rst_ni) bus_o <= '0;
    else bus_o <= bus_d;
    last_ad_q  <= bus_o.ad;
    last_cbe_q <= bus_o.cbe;
  end

  assign low_bad_o  = ^{last_ad_q[31:0], last_cbe_q[3:0], bus_o.par};
  assign high_bad_o = ^{last_ad_q[63:32], last_cbe_q[7:4], bus_o.par64};

  // The last clock of RST# counts. DEVSEL# asserted stands for modes of PCI-X 2.0.
  always_ff @(posedge clk_i) begin
    if (!rst_pin_ni) begin
      mode_q <= !bus_d.devsel && (bus_d.stop || bus_d.trdy);
      wide_q <= bus_d.req64;
    end
  end

  assign is_pcix_o = mode_q;
  assign is_wide_o = wide_q;

  // Outputs.
  assign par_cbe = cbe_en_q ? cbe_no : bus_o.cbe;

  always_ff @(posedge clk_i) begin
    ad_o    <= initiator_i.ad_en ? initiator_i.ad : {32'b0, target_i.ad};
    cbe_no  <= initiator_i.cbe;
    par_o   <= ^{ad_o[31:0], par_cbe[3:0]};
    par64_o <= ^{ad_o[63:32], par_cbe[7:4]};
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {frame_q, irdy_q, target_q, req64_q, ack64_q, perr_q}                         <= '0;
      {frame_en_q, irdy_en_q, target_en_q, req64_en_q, ack64_en_q, perr_en_q}       <= '0;
      {ad_en_q, ad64_en_q, cbe_en_q, cbe64_en_q, par_en_q, par64_en_q}              <= '0;
      {req_q, serr_q, inta_q}                                                       <= '0;
      {devsel_no, trdy_no, stop_no}                                                 <= '1;
    end else begin
      frame_q     <= initiator_i.frame;
      irdy_q      <= initiator_i.irdy;
      req64_q     <= initiator_i.req64;
      target_q    <= target_i.active;
      ack64_q     <= target_i.ack64;
      perr_q      <= perr_i;
      frame_en_q  <= initiator_i.frame || frame_q;
      irdy_en_q   <= initiator_i.irdy || irdy_q;
      req64_en_q  <= initiator_i.req64 || req64_q;
      target_en_q <= target_i.active || target_q;
      ack64_en_q  <= target_i.ack64 || ack64_q;
      perr_en_q   <= perr_i || perr_q;
      devsel_no   <= !target_i.devsel;
      trdy_no     <= !target_i.trdy;
      stop_no     <= !target_i.stop;
      ad_en_q     <= initiator_i.ad_en || target_i.ad_en;
      ad64_en_q   <= initiator_i.ad_en && wide_q;
      cbe_en_q    <= initiator_i.cbe_en;
      cbe64_en_q  <= initiator_i.cbe_en && wide_q;
      par_en_q    <= ad_en_q;
      par64_en_q  <= ad64_en_q;
      req_q       <= req_i;
      serr_q      <= serr_i;
      inta_q      <= inta_i;
    end
  end

  assign frame_no = !frame_q;
  assign irdy_no  = !irdy_q;
  assign req64_no = !req64_q;
  assign ack64_no = !ack64_q;
  assign perr_no  = !perr_q;
  assign req_no   = !req_q;

  assign frame_oe_o  = frame_en_q && rst_pin_ni;
  assign irdy_oe_o   = irdy_en_q && rst_pin_ni;
  assign target_oe_o = target_en_q && rst_pin_ni;
  assign req64_oe_o  = req64_en_q && rst_pin_ni;
  assign ack64_oe_o  = ack64_en_q && rst_pin_ni;
  assign perr_oe_o   = perr_en_q && rst_pin_ni;
  assign ad_oe_o     = ad_en_q && rst_pin_ni;
  assign ad64_oe_o   = ad64_en_q && rst_pin_ni;
  assign cbe_oe_o    = cbe_en_q && rst_pin_ni;
  assign cbe64_oe_o  = cbe64_en_q && rst_pin_ni;
  assign par_oe_o    = par_en_q && rst_pin_ni;
  assign par64_oe_o  = par64_en_q && rst_pin_ni;
  assign req_oe_o    = rst_pin_ni;
  assign serr_oe_o   = serr_q && rst_pin_ni;
  assign inta_oe_o   = inta_q && rst_pin_ni;

  // The core never is initiator and target of a transaction.
  OneDriver: assert property (
    @(posedge clk_i) disable iff (!rst_ni) !(initiator_i.ad_en && target_i.ad_en));
  // Nobody drives while RST# is asserted.
  ResetLetsGo: assert property (
    @(posedge clk_i) !rst_pin_ni |-> !(frame_oe_o || ad_oe_o || target_oe_o || req_oe_o));
  // A control signal is high in the clock before it is let go.
  FrameIsHighBefore: assert property (
    @(posedge clk_i) disable iff (!rst_ni || !rst_pin_ni)
    !frame_oe_o && $past(frame_oe_o) |-> $past(frame_no));
  TargetIsHighBefore: assert property (
    @(posedge clk_i) disable iff (!rst_ni || !rst_pin_ni)
    !target_oe_o && $past(target_oe_o) |-> $past(devsel_no && trdy_no && stop_no));

  // Corners: each kind of parity error; slots of 64 and of 32 bits; a reset in a burst.
  LowParity: cover property (@(posedge clk_i) disable iff (!rst_ni) perr_i && low_bad_o);
  HighParity: cover property (
    @(posedge clk_i) disable iff (!rst_ni) perr_i && high_bad_o && !low_bad_o);
  NarrowSlot: cover property (@(posedge clk_i) disable iff (!rst_ni) frame_q && !wide_q);
  WideSlot: cover property (@(posedge clk_i) disable iff (!rst_ni) frame_q && wide_q);
  ResetInBurst: cover property (@(posedge clk_i) frame_q && !rst_pin_ni);
  NotPcix: cover property (@(posedge clk_i) disable iff (!rst_ni) !mode_q && bus_o.frame);
endmodule
