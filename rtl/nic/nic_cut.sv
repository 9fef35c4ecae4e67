// SPDX-License-Identifier: Apache-2.0
// The first burst of a span, and what is left of the span behind it. Without a clock.
//
// A burst ends at the end of the span or at the next multiple of BurstBytes, which divides 4 KB.
// Its address is that of a whole word. Test: tests/rtl/nic/nic_dma_bench.py.
module nic_cut
  import nic_pkg::*;
#(
  parameter int unsigned BurstBytes = 2048  // 64, 128, ... 2048
) (
  input  span_t      span_i,       // at least one byte
  output burst_t     burst_o,
  output logic [2:0] last_lane_o,  // of the burst's last beat
  output logic       last_o,       // the span ends with it
  output span_t      rest_o        // valid unless last_o
);
  localparam int unsigned OffsetBits = $clog2(BurstBytes);

  length_t room, bytes, reach;  // reach: from the first beat's lane 0 to the burst's last byte

  assign room    = length_t'(BurstBytes) - length_t'(span_i.addr[OffsetBits-1:0]);
  assign last_o  = span_i.bytes <= room;
  assign bytes   = last_o ? span_i.bytes : room;
  assign reach   = length_t'(span_i.addr[2:0]) + bytes - length_t'(1);

  assign burst_o      = '{addr: {span_i.addr[63:3], 3'b0}, len: reach[10:3]};
  assign last_lane_o  = reach[2:0];
  assign rest_o.addr  = {span_i.addr[63:OffsetBits] + 1'b1, OffsetBits'(0)};
  assign rest_o.bytes = span_i.bytes - room;

  logic unused_reach;
  assign unused_reach = ^reach[LengthBits-1:11];
endmodule
