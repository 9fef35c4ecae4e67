// SPDX-License-Identifier: Apache-2.0
// Connects frames to the ports they go to: whole frames, all their ports at once, rotating priority among those that want the same port.
//
// A frame is granted when every port of its mask is free; inputs that do not collide are granted in the same clock. One clock from the stamp
// word's arrival to its grant, then a word a clock while all of the frame's ports take it. A frame for several ports holds them until all
// have sent what they had: one that is behind would starve the others in the middle of the frame. Frames of one input stay in order. A frame
// without a port is taken and lost, and counted.
module gnet1_crossbar
  import gnet1_pkg::*;
(
  input  logic                        clk_i,        // 31.25 MHz
  input  logic                        rst_ni,
  input  logic  [Ports-1:0]            in_valid_i,
  output logic  [Ports-1:0]            in_ready_o,
  input  word_t [Ports-1:0]            in_word_i,
  input  logic  [Ports-1:0][Ports-1:0] in_mask_i,    // with stamp words
  output logic  [Ports-1:0]            out_valid_o,
  input  logic  [Ports-1:0]            out_ready_i,
  input  logic  [Ports-1:0]            out_drained_i, // nothing waits in the port's transmitter
  output word_t [Ports-1:0]            out_word_o,
  output logic  [Ports-1:0]            no_route_o    // one clock per frame lost
);
  logic [Ports-1:0]            active_q, active_d, begins;
  logic [Ports-1:0][Ports-1:0] mask_q, mask_d;
  logic [1:0]                  first_q;
  logic [Ports-1:0]            busy, waits;

  // Grants.
  always_comb begin
    logic [1:0] port;
    busy     = '0;
    active_d = active_q;
    mask_d   = mask_q;
    begins   = '0;
    for (int unsigned in = 0; in < Ports; in++) begin
      if (active_q[in]) busy |= mask_q[in];
    end
    for (int unsigned turn = 0; turn < Ports; turn++) begin
      port = first_q + 2'(turn);
      if (!active_q[port] && in_valid_i[port] && is_stamp(in_word_i[port]) && (in_mask_i[port] & busy) == '0) begin
        active_d[port] = 1'b1;
        mask_d[port]   = in_mask_i[port];
        begins[port]   = 1'b1;
        busy |= in_mask_i[port];
      end
    end
    for (int unsigned in = 0; in < Ports; in++) begin
      if (in_valid_i[in] && in_ready_o[in] && in_word_i[in].eop) active_d[in] = 1'b0;
    end
  end

  // Words.
  always_comb begin
    out_valid_o = '0;
    out_word_o  = '0;
    for (int unsigned in = 0; in < Ports; in++) begin
      waits[in]      = is_stamp(in_word_i[in]) && $countones(mask_q[in]) > 1 && (mask_q[in] & ~out_drained_i) != '0;
      in_ready_o[in] = active_q[in] && (~mask_q[in] | out_ready_i) == '1 && !waits[in];
      for (int unsigned out = 0; out < Ports; out++) begin
        if (active_q[in] && mask_q[in][out]) begin
          out_word_o[out]  = in_word_i[in];
          out_valid_o[out] = in_valid_i[in] && in_ready_o[in];
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      active_q   <= '0;
      mask_q     <= '0;
      first_q    <= '0;
      no_route_o <= '0;
    end else begin
      active_q <= active_d;
      mask_q   <= mask_d;
      if (begins != '0) first_q <= first_q + 2'd1;
      for (int unsigned in = 0; in < Ports; in++) no_route_o[in] <= begins[in] && in_mask_i[in] == '0;
    end
  end

  // A port carries one frame at a time.
  OneFrameAPort: assert property (
    @(posedge clk_i) disable iff (!rst_ni)
    (({4{active_q[0]}} & mask_q[0]) & ({4{active_q[1]}} & mask_q[1])) == '0 &&
    (({4{active_q[2]}} & mask_q[2]) & ({4{active_q[3]}} & mask_q[3])) == '0 &&
    ((({4{active_q[0]}} & mask_q[0]) | ({4{active_q[1]}} & mask_q[1])) &
     (({4{active_q[2]}} & mask_q[2]) | ({4{active_q[3]}} & mask_q[3]))) == '0);

  // Corners that the test benches must meet.
  SeenFourAtOnce: cover property (@(posedge clk_i) disable iff (!rst_ni) begins == '1);
  SeenConflict: cover property (@(posedge clk_i) disable iff (!rst_ni) (in_valid_i & ~active_q & ~begins) != '0);
  SeenMulticast: cover property (@(posedge clk_i) disable iff (!rst_ni) active_q[0] && $countones(mask_q[0]) == 3);
  SeenMulticastWaits: cover property (@(posedge clk_i) disable iff (!rst_ni) (active_q & in_valid_i & waits) != '0);
  SeenNoRoute: cover property (@(posedge clk_i) disable iff (!rst_ni) no_route_o != '0);
  SeenTwoStreams: cover property (@(posedge clk_i) disable iff (!rst_ni) $countones(out_valid_o) > 1);
endmodule
