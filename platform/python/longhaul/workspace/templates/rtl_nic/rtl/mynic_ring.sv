// SPDX-License-Identifier: Apache-2.0
// Reads a ring's descriptors from host memory ahead of their use.
//
// The host writes tail_i; descriptors between the last one read and tail_i are the NIC's, so
// only valid ones are read, and no memory is polled. A read takes up to four descriptors
// (64 bytes, aligned, so it never wraps). Up to 2^DepthLog2 descriptors are on their way or here.
// Descriptors come out in order.
module mynic_ring
  import mynic_pkg::*;
#(
  parameter int unsigned DepthLog2 = 4
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        enable_i,
  input  logic [63:0] base_i,
  input  logic [3:0]  size_log2_i,
  input  index_t      tail_i,
  // Reads.
  output logic        req_valid_o,
  input  logic        req_ready_i,
  output burst_t      req_o,
  input  logic        data_valid_i,
  input  logic [63:0] data_i,
  // Descriptors: the address of a buffer and the word of 32 bits that follows it.
  output logic        desc_valid_o,
  input  logic        desc_ready_i,
  output logic [63:0] desc_addr_o,
  output logic [31:0] desc_word_o,
  output index_t      desc_index_o,
  output index_t      head_o        // index of the next descriptor to use
);
  localparam logic [DepthLog2:0] Depth = (DepthLog2+1)'(1) << DepthLog2;

  index_t             fetch_q;     // next descriptor to read
  index_t             ready;       // descriptors that the host gave and that are not read
  logic [2:0]         group, count;
  logic [DepthLog2:0] held_q, room;
  logic [63:0]        low_q;
  logic               half_q;      // the first half of a descriptor is in low_q
  logic               take, unused_level;

  // As many as the host gave, to the next boundary of four, if there is room.
  assign ready = tail_i - fetch_q;
  assign group = 3'd4 - {1'b0, fetch_q[1:0]};
  assign count = ready < index_t'(group) ? ready[2:0] : group;
  assign room  = Depth - held_q;

  assign req_valid_o = enable_i && ready != '0 && room >= (DepthLog2+1)'(count);
  assign req_o.addr  = base_i + {44'b0, fetch_q & ~(16'hFFFF << size_log2_i), 4'b0};
  assign req_o.len   = {4'b0, count, 1'b0} - 8'd1;

  assign desc_index_o = head_o;
  assign take         = desc_valid_o && desc_ready_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      fetch_q <= '0;
      head_o  <= '0;
      held_q  <= '0;
      half_q  <= 1'b0;
    end else begin
      if (req_valid_o && req_ready_i) fetch_q <= fetch_q + index_t'(count);
      if (take) head_o <= head_o + 1'b1;
      if (data_valid_i) half_q <= !half_q;
      held_q <= held_q - (DepthLog2+1)'(take)
              + (req_valid_o && req_ready_i ? (DepthLog2+1)'(count) : '0);
    end
  end

  always_ff @(posedge clk_i) begin
    if (data_valid_i && !half_q) low_q <= data_i;
  end

  logic [DepthLog2:0] level;
  mynic_fifo #(.Width(96), .DepthLog2(DepthLog2)) u_fifo (
    .clk_i, .rst_ni, .in_valid_i(data_valid_i && half_q), .in_data_i({data_i[31:0], low_q}),
    .out_valid_o(desc_valid_o), .out_ready_i(desc_ready_i),
    .out_data_o({desc_word_o, desc_addr_o}), .level_o(level));
  assign unused_level = ^{level, data_i[63:32]};

  // There is room for all descriptors that are on their way.
  HeldInRange: assert property (@(posedge clk_i) disable iff (!rst_ni) held_q <= Depth);

  // Corners: the ring's last descriptor is taken, the index itself wraps, there is no room to read.
  RingWraps: cover property (
    @(posedge clk_i) disable iff (!rst_ni) take && (head_o | 16'hFFFF << size_log2_i) == '1);
  IndexWraps: cover property (@(posedge clk_i) disable iff (!rst_ni) take && head_o == '1);
  WaitsForRoom: cover property (
    @(posedge clk_i) disable iff (!rst_ni)
    enable_i && ready != '0 && room < (DepthLog2+1)'(count));
endmodule
