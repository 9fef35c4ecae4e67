// SPDX-License-Identifier: Apache-2.0
// Writes received frames to host memory, and then their descriptors.
//
// A frame takes one descriptor. Its buffer is aligned to 8 bytes; the frame begins RxPad bytes
// into it. The bursts of up to 2^PendingLog2 frames may wait for their answers. A descriptor is
// written back when the bus has answered all bursts of its frame, so a host that sees the
// descriptor sees the bytes. Frames stay in order: their bursts have one ID.
module mynic_rx_dma
  import mynic_pkg::*;
#(
  parameter int unsigned PendingLog2 = 4
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic [63:0] base_i,
  input  logic [3:0]  size_log2_i,
  // Frames.
  input  logic        frame_valid_i,
  output logic        frame_ready_o,
  input  logic [14:0] frame_bytes_i,
  input  logic        data_valid_i,
  output logic        data_ready_o,
  input  logic [63:0] data_i,
  // Descriptors.
  input  logic        desc_valid_i,
  output logic        desc_ready_o,
  input  logic [63:0] desc_addr_i,
  input  index_t      desc_index_i,
  // Data.
  output logic        req_valid_o,
  output burst_t      req_o,
  output logic        beat_valid_o,
  output wbeat_t      beat_o,
  input  logic        beat_ready_i,
  input  logic        done_i,
  input  logic        answered_i,
  // Write-back.
  output logic        wb_valid_o,
  output burst_t      wb_o,
  output wbeat_t      wb_beat_o,
  input  logic        wb_done_i
);
  // Bursts are counted modulo 2^12; fewer than 2^11 are unanswered.
  typedef logic [11:0] mark_t;

  typedef struct packed {
    index_t      index;
    logic [14:0] bytes;
    mark_t       mark;   // count of bursts after the frame's last
  } pending_t;

  logic        busy_q, first_q;
  logic [63:0] addr_q;
  logic [12:0] words_q;      // words of the frame that are not written
  logic [4:0]  beat_q;       // beats of the burst that are written
  logic [2:0]  tail_q;       // bytes in the last word, modulo 8
  logic [14:0] bytes_q;
  index_t      index_q;
  mark_t       issued_q, answered_q;

  logic [5:0]  to_boundary, beats;
  logic        last_burst, take, frame_done;
  logic [PendingLog2:0] level;

  assign take          = !busy_q && frame_valid_i && desc_valid_i && !level[PendingLog2];
  assign frame_ready_o = take;
  assign desc_ready_o  = take;

  assign to_boundary = 6'(BurstBeats) - {1'b0, addr_q[7:3]};
  assign last_burst  = words_q <= 13'(to_boundary);
  assign beats       = last_burst ? 6'(words_q) : to_boundary;
  assign frame_done  = done_i && last_burst;

  assign req_valid_o = busy_q;
  assign req_o       = '{addr: addr_q, len: 8'(beats) - 8'd1};

  // Lanes ahead of the frame and behind it are not written.
  logic       final_word;
  logic [7:0] head_strb, tail_strb;
  assign final_word   = last_burst && 6'(beat_q) == beats - 6'd1;
  assign head_strb    = first_q ? 8'hFF << RxPad : 8'hFF;
  assign tail_strb    = final_word && tail_q != '0 ? ~(8'hFF << tail_q) : 8'hFF;
  assign beat_valid_o = data_valid_i;
  assign beat_o       = '{data: data_i, strb: head_strb & tail_strb,
                          last: 6'(beat_q) == beats - 6'd1};
  assign data_ready_o = beat_ready_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_q     <= 1'b0;
      first_q    <= 1'b0;
      addr_q     <= '0;
      words_q    <= '0;
      beat_q     <= '0;
      tail_q     <= '0;
      bytes_q    <= '0;
      index_q    <= '0;
      issued_q   <= '0;
      answered_q <= '0;
    end else begin
      if (take) begin
        busy_q  <= 1'b1;
        first_q <= 1'b1;
        addr_q  <= {desc_addr_i[63:3], 3'b0};
        words_q <= 13'((frame_bytes_i + 15'(RxPad) + 15'd7) >> 3);
        tail_q  <= 3'(frame_bytes_i + 15'(RxPad));
        bytes_q <= frame_bytes_i;
        index_q <= desc_index_i;
      end else if (done_i) begin
        busy_q  <= !last_burst;
        addr_q  <= addr_q + {55'b0, beats, 3'b0};
        words_q <= words_q - 13'(beats);
      end
      if (data_valid_i && beat_ready_i) first_q <= 1'b0;
      if (done_i) beat_q <= '0;
      else if (data_valid_i && beat_ready_i) beat_q <= beat_q + 5'd1;
      issued_q   <= issued_q + mark_t'(done_i);
      answered_q <= answered_q + mark_t'(answered_i);
    end
  end

  // Frames whose bursts are on the bus.
  pending_t pending;
  logic     pending_valid;
  logic     answered;

  mynic_fifo #(.Width($bits(pending_t)), .DepthLog2(PendingLog2)) u_pending (
    .clk_i, .rst_ni, .in_valid_i(frame_done), .in_data_i({index_q, bytes_q, issued_q + 12'd1}),
    .out_valid_o(pending_valid), .out_ready_i(wb_done_i), .out_data_o(pending),
    .level_o(level));

  assign answered   = mark_t'(answered_q - pending.mark) < 12'h800;
  assign wb_valid_o = pending_valid && answered;
  assign wb_o.addr  = base_i + {44'b0, pending.index & ~(16'hFFFF << size_log2_i), 4'h8};
  assign wb_o.len   = '0;
  assign wb_beat_o  = '{data: {1'b1, 16'b0, pending.bytes, 32'b0}, strb: 8'hF0, last: 1'b1};

  logic unused_addr;
  assign unused_addr = ^desc_addr_i[2:0];

  // A frame is in the buffer before its burst begins.
  DataIsThere: assert property (
    @(posedge clk_i) disable iff (!rst_ni) beat_ready_i |-> data_valid_i);

  // Corners: a frame waits for a descriptor, a write-back waits for the bus's answers.
  WaitsForDescriptor: cover property (
    @(posedge clk_i) disable iff (!rst_ni) !busy_q && frame_valid_i && !desc_valid_i);
  WaitsForAnswers: cover property (
    @(posedge clk_i) disable iff (!rst_ni) pending_valid && !answered);
endmodule
