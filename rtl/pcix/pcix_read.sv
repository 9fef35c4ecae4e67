// SPDX-License-Identifier: Apache-2.0
// AXI4 reads to sequences of Memory Read Block, each of at most MMRBC bytes.
//
// One sequence at a time asks the bus. It is done with asking when it has its Split Response, or
// when a target has brought all of its data at once. A target that brings a part of them is asked
// for the rest with the same tag. No sequence begins beyond the number of outstanding splits that
// software allows. A Master-Abort is DECERR, a Target-Abort is SLVERR.
//
// Bursts have beats of 64 bits and incrementing addresses. A read begins at the first byte of its
// first word. Test: tests/rtl/pcix/pcix_read_bench.py.
module pcix_read
  import pcix_pkg::*;
#(
  parameter int unsigned IdBits = 4
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  settings_t         settings_i,
  // AXI4's channel AR.
  input  logic              ar_valid_i,
  output logic              ar_ready_o,
  input  logic [IdBits-1:0] ar_id_i,
  input  logic [63:0]       ar_addr_i,
  input  logic [7:0]        ar_len_i,
  // pcix_split.
  output logic              open_valid_o,
  input  logic              open_ready_i,
  output logic [IdBits-1:0] open_id_o,
  output logic [6:0]        open_lower_o,
  output logic [9:0]        open_words_o,
  output logic              open_last_o,
  input  logic [4:0]        open_tag_i,
  input  logic [5:0]        splits_i,
  output logic [4:0]        asked_tag_o,
  output logic              split_o,
  output logic              abort_o,
  output logic [1:0]        abort_resp_o,
  // The initiator.
  output logic              work_valid_o,
  output work_t              work_o,
  input  logic              end_valid_i,
  input  end_t              end_i,
  output logic              busy_o          // a burst is not asked for whole
);
  localparam logic [1:0] SlvErr = 2'b10;
  localparam logic [1:0] DecErr = 2'b11;

  typedef struct packed {
    logic [IdBits-1:0] id;
    logic [60:0]       word;   // address of the first word
    logic [7:0]        len;
  } burst_t;

  burst_t      next;
  logic        next_valid, cuts, opens, asks_q;
  logic [60:0] word;
  logic [8:0]  left_q;         // words of the burst in hand that are not asked for; 0: none
  logic [60:0] word_q;
  logic [IdBits-1:0] id_q;
  logic [9:0]  most, words;
  logic [4:0]  tag_q;
  logic [63:0] addr_q;
  count_t      bytes_q;

  sync_fifo #(.Width($bits(burst_t)), .Depth(4)) u_bursts (
    .clk_i, .rst_ni, .in_valid_i(ar_valid_i), .in_ready_o(ar_ready_o),
    .in_data_i({ar_id_i, ar_addr_i[63:3], ar_len_i}), .out_valid_o(next_valid),
    .out_ready_i(cuts), .out_data_o(next), .level_o());

  // ---- Sequences ----

  assign cuts   = left_q == '0;
  assign busy_o = next_valid || left_q != '0 || asks_q;
  assign most  = 10'd64 << settings_i.max_read;
  assign words = 10'(left_q) > most ? most : 10'(left_q);
  assign word  = word_q;

  assign open_valid_o = left_q != '0 && !asks_q;
  assign open_id_o    = id_q;
  assign open_lower_o = {word[3:0], 3'b0};
  assign open_words_o = words;
  assign open_last_o  = words == 10'(left_q);
  assign opens        = open_valid_o && open_ready_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) left_q <= '0;
    else if (cuts) left_q <= next_valid ? 9'(next.len) + 9'd1 : '0;
    else if (opens) left_q <= left_q - 9'(words);
  end

  always_ff @(posedge clk_i) begin
    if (cuts) begin
      word_q <= next.word;
      id_q   <= next.id;
    end else if (opens) begin
      word_q <= word_q + 61'(words);
    end
  end

  // ---- The one that asks ----

  logic rests;

  assign rests = end_i.how == EndMoved && end_i.bytes != bytes_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) asks_q <= 1'b0;
    else if (opens) asks_q <= 1'b1;
    else if (end_valid_i && !rests && end_i.how != EndRetry) asks_q <= 1'b0;
  end

  always_ff @(posedge clk_i) begin
    if (opens) begin
      tag_q   <= open_tag_i;
      addr_q  <= {word, 3'b0};
      bytes_q <= {words, 3'b0};
    end else if (end_valid_i && rests) begin
      addr_q  <= addr_q + 64'(end_i.bytes);
      bytes_q <= bytes_q - end_i.bytes;
    end
  end

  assign work_valid_o = asks_q && settings_i.master_en && splits_i < settings_i.max_splits;
  assign work_o = '{command: CmdReadBlock, addr: addr_q, attr: {3'b000, tag_q, settings_i.id},
                   bytes: bytes_q};

  assign asked_tag_o  = tag_q;
  assign split_o      = end_valid_i && end_i.how == EndSplit;
  assign abort_o      = end_valid_i && end_i.how inside {EndMasterAbort, EndTargetAbort};
  assign abort_resp_o = end_i.how == EndMasterAbort ? DecErr : SlvErr;

  logic unused_addr;
  assign unused_addr = ^ar_addr_i[2:0];

  // Checks and corners.
  AsksWithinMmrbc: assert property (
    @(posedge clk_i) disable iff (!rst_ni) work_valid_o |-> bytes_q != '0);
  EndsWhatAsks: assert property (
    @(posedge clk_i) disable iff (!rst_ni) end_valid_i |-> asks_q);

  SeenCut: cover property (@(posedge clk_i) disable iff (!rst_ni) opens && !open_last_o);
  SeenWhole: cover property (
    @(posedge clk_i) disable iff (!rst_ni) end_valid_i && end_i.how == EndMoved && !rests);
  SeenRest: cover property (@(posedge clk_i) disable iff (!rst_ni) end_valid_i && rests);
  SeenLimit: cover property (
    @(posedge clk_i) disable iff (!rst_ni) asks_q && splits_i >= settings_i.max_splits);
  SeenOff: cover property (
    @(posedge clk_i) disable iff (!rst_ni) asks_q && !settings_i.master_en);
  SeenArWaits: cover property (
    @(posedge clk_i) disable iff (!rst_ni) ar_valid_i && !ar_ready_o);
endmodule
