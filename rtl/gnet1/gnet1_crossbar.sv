// SPDX-License-Identifier: Apache-2.0
// Connects each frame to its output ports: whole frames, to all their ports at once.
//
// A frame is granted when every port of its mask is free. Inputs with disjoint masks are granted in
// the same clock. The priority among the inputs rotates. The grant comes one clock after the stamp
// word arrives. Then one word moves each clock in which all ports of the frame are ready. A frame
// for several ports waits until the transmitters of all of them are empty. A transmitter that still
// had words to send would delay the frame, and the other transmitters would run dry in the middle
// of it. Frames of one input stay in order. A frame whose mask is zero is taken, lost and counted.
module gnet1_crossbar
  import gnet1_pkg::*;
(
  input  logic                        clk_i,        // 31.25 MHz
  input  logic                        rst_ni,
  input  logic  [Ports-1:0]            in_valid_i,
  output logic  [Ports-1:0]            in_ready_o,
  input  word_t [Ports-1:0]            in_word_i,
  input  logic  [Ports-1:0][Ports-1:0] in_mask_i,    // valid with stamp words
  output logic  [Ports-1:0]            out_valid_o,
  input  logic  [Ports-1:0]            out_ready_i,
  input  logic  [Ports-1:0]            out_drained_i, // the port's transmitter is empty
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
