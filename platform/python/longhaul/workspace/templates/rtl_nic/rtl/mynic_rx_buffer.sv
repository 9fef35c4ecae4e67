// SPDX-License-Identifier: Apache-2.0
// Judges received frames and keeps the good ones, whole, until the host has room for them.
//
// Words come from the receive clock and never wait. A frame's words go into the buffer at once; its
// end commits them or forgets them. Dropped are frames with a wrong FCS or RX_ER, runts, frames
// that do not fit into the host's buffers, frames for others, and frames that find this buffer
// full.
module mynic_rx_buffer
  import mynic_pkg::*;
#(
  parameter  int unsigned DepthLog2  = 12,  // words
  parameter  int unsigned FramesLog2 = 8
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  // Settings.
  input  logic        enable_i,
  input  logic        promiscuous_i,
  input  logic        all_multicast_i,
  input  logic [47:0] mac_i,             // the first byte on the wire is [7:0]
  input  logic [63:0] hash_i,
  input  logic [14:0] limit_i,           // bytes of a host's buffer
  input  logic        no_desc_i,         // the ring is empty: why the buffer is full
  // From the MAC.
  input  logic        rx_clk_i,
  input  logic        rx_rst_ni,
  input  logic        word_valid_i,
  input  rxword_t     word_i,
  // To the host: the frame's bytes, and its words.
  output logic        frame_valid_o,
  input  logic        frame_ready_i,
  output logic [14:0] frame_bytes_o,
  output logic        data_valid_o,
  input  logic        data_ready_i,
  output logic [63:0] data_o,
  // Events, one clock each; fields of the transmitter are zero.
  output events_t     events_o
);
  // Into this clock.
  rxword_t word;
  logic    valid;
  mynic_async_fifo #(.Width($bits(rxword_t)), .DepthLog2(4)) u_cross (
    .wr_clk_i(rx_clk_i), .wr_rst_ni(rx_rst_ni), .wr_valid_i(word_valid_i), .wr_data_i(word_i),
    .rd_clk_i(clk_i), .rd_rst_ni(rst_ni), .rd_valid_o(valid), .rd_ready_i(1'b1),
    .rd_data_o(word));

  // Filter: the destination is in the first word.
  logic [47:0] dest;
  logic        match;
  assign dest  = word.data[63:16];
  assign match = promiscuous_i || dest == mac_i || dest == '1
              || (dest[0] && (all_multicast_i || hash_i[hash_of(dest)]));

  // Length with the pad, until this word: it stops growing beyond all limits.
  logic [15:0] bytes_q, total;
  logic        first_q, match_q, enabled_q, lost_q;
  logic        write, ends, lost, enabled, for_us, fits, good, frame_room;
  logic        wanted;
  logic [DepthLog2:0] room;

  assign enabled = first_q ? enable_i : enabled_q;
  assign for_us = first_q ? match : match_q;
  assign total   = bytes_q + (word.last ? 16'(word.lanes) : 16'd8);
  assign fits    = total <= {1'b0, limit_i};
  assign ends    = valid && word.last;
  assign lost    = lost_q || (room == '0 && wanted);
  assign wanted = valid && enabled && fits && (!word.last || word.lanes != '0);
  assign write  = wanted && !lost;

  always_comb begin
    events_o = '0;
    good     = 1'b0;
    if (ends && enabled) begin
      if (word.error) events_o.rx_error = 1'b1;
      else if (total < 16'(MinBytes + RxPad)) events_o.rx_runt = 1'b1;
      else if (word.fcs_bad) events_o.rx_fcs = 1'b1;
      else if (!fits) events_o.rx_long = 1'b1;
      else if (!for_us) events_o.rx_filtered = 1'b1;
      else if (lost || !frame_room) begin
        events_o.rx_no_desc = no_desc_i;
        events_o.rx_overrun = !no_desc_i;
      end else begin
        events_o.rx_good = 1'b1;
        good             = 1'b1;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      first_q   <= 1'b1;
      bytes_q   <= '0;
      match_q   <= 1'b0;
      enabled_q <= 1'b0;
      lost_q    <= 1'b0;
    end else if (valid) begin
      first_q   <= word.last;
      bytes_q   <= word.last ? '0 : bytes_q[15] ? bytes_q : total;
      match_q   <= for_us;
      enabled_q <= enabled;
      lost_q    <= !word.last && lost;
    end
  end

  mynic_packet_fifo #(.Width(64), .DepthLog2(DepthLog2)) u_data (
    .clk_i, .rst_ni, .in_valid_i(write), .in_data_i(word.data), .commit_i(good),
    .rewind_i(ends && !good), .room_o(room), .out_valid_o(data_valid_o),
    .out_ready_i(data_ready_i), .out_data_o(data_o));

  logic [FramesLog2:0] frames;
  assign frame_room = !frames[FramesLog2];

  mynic_fifo #(.Width(15), .DepthLog2(FramesLog2)) u_frames (
    .clk_i, .rst_ni, .in_valid_i(good), .in_data_i(15'(total - 16'(RxPad))),
    .out_valid_o(frame_valid_o), .out_ready_i(frame_ready_i), .out_data_o(frame_bytes_o),
    .level_o(frames));

  // A frame is counted once.
  CountedOnce: assert property (@(posedge clk_i) disable iff (!rst_ni) $onehot0(events_o));

  // Corners: a good frame is dropped for lack of descriptors, or of room though there are some.
  DropsWithoutDescriptors: cover property (
    @(posedge clk_i) disable iff (!rst_ni) events_o.rx_no_desc);
  DropsSinceMemoryIsSlow: cover property (
    @(posedge clk_i) disable iff (!rst_ni) events_o.rx_overrun);
  DropsAfterItsBegin: cover property (
    @(posedge clk_i) disable iff (!rst_ni) ends && lost_q);
  BackToBack: cover property (@(posedge clk_i) disable iff (!rst_ni) ends && good && frames != '0);
endmodule
