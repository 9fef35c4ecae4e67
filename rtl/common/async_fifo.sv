// SPDX-License-Identifier: Apache-2.0
// First-in first-out buffer between two unrelated clocks. The pointers cross as Gray code.
//
// The reader sees a written word after two to three read clocks. The writer sees a freed place
// after two to three write clocks. Words leave in the order in which they were written. A word is
// written in a clock in which wr_valid_i and wr_ready_o are both high. A writer that cannot wait
// must check wr_level_o first. Both levels are conservative: wr_level_o is never too small,
// rd_level_o is never too large. While rd_valid_o is high, rd_data_o shows the oldest word.
module async_fifo
  import common_pkg::*;
#(
  parameter  int unsigned Width     = 36,
  parameter  int unsigned DepthLog2 = 6,            // 2 to GrayBits - 1
  localparam int unsigned LevelBits = DepthLog2 + 1
) (
  input  logic                 wr_clk_i,
  input  logic                 wr_rst_ni,
  input  logic                 wr_valid_i,
  output logic                 wr_ready_o,
  input  logic [Width-1:0]     wr_data_i,
  output logic [LevelBits-1:0] wr_level_o,   // words

  input  logic                 rd_clk_i,
  input  logic                 rd_rst_ni,
  output logic                 rd_valid_o,
  input  logic                 rd_ready_i,
  output logic [Width-1:0]     rd_data_o,
  output logic [LevelBits-1:0] rd_level_o    // words
);
  localparam logic [LevelBits-1:0] Depth = LevelBits'(1) << DepthLog2;

  logic [Width-1:0] mem_q [2**DepthLog2];

  logic [LevelBits-1:0] wr_ptr_q, wr_gray_q, wr_gray_rd, wr_ptr_rd;
  logic [LevelBits-1:0] rd_ptr_q, rd_gray_q, rd_gray_wr, rd_ptr_wr;
  logic [LevelBits-1:0] wr_ptr_d, rd_ptr_d, wr_gray_d, rd_gray_d;
  logic                 wr_take, rd_take;

  // Write side.
  assign wr_take  = wr_valid_i && wr_ready_o;
  assign wr_ptr_d = wr_ptr_q + LevelBits'(wr_take);
  assign wr_gray_d = LevelBits'(bin_to_gray(GrayBits'(wr_ptr_d)));

  always_ff @(posedge wr_clk_i) begin
    if (!wr_rst_ni) begin
      wr_ptr_q  <= '0;
      wr_gray_q <= '0;
    end else begin
      wr_ptr_q  <= wr_ptr_d;
      wr_gray_q <= wr_gray_d;
    end
  end

  always_ff @(posedge wr_clk_i) begin
    if (wr_take) mem_q[wr_ptr_q[DepthLog2-1:0]] <= wr_data_i;
  end

  sync_bits #(.Width(LevelBits)) u_rd_gray (
    .clk_i(wr_clk_i), .rst_ni(wr_rst_ni), .d_i(rd_gray_q), .q_o(rd_gray_wr));
  assign rd_ptr_wr  = LevelBits'(gray_to_bin(GrayBits'(rd_gray_wr)));
  assign wr_level_o = wr_ptr_q - rd_ptr_wr;
  assign wr_ready_o = wr_level_o != Depth;

  // Read side.
  assign rd_take  = rd_valid_o && rd_ready_i;
  assign rd_ptr_d = rd_ptr_q + LevelBits'(rd_take);
  assign rd_gray_d = LevelBits'(bin_to_gray(GrayBits'(rd_ptr_d)));

  always_ff @(posedge rd_clk_i) begin
    if (!rd_rst_ni) begin
      rd_ptr_q  <= '0;
      rd_gray_q <= '0;
    end else begin
      rd_ptr_q  <= rd_ptr_d;
      rd_gray_q <= rd_gray_d;
    end
  end

  sync_bits #(.Width(LevelBits)) u_wr_gray (
    .clk_i(rd_clk_i), .rst_ni(rd_rst_ni), .d_i(wr_gray_q), .q_o(wr_gray_rd));
  assign wr_ptr_rd  = LevelBits'(gray_to_bin(GrayBits'(wr_gray_rd)));
  assign rd_level_o = wr_ptr_rd - rd_ptr_q;
  assign rd_valid_o = rd_level_o != '0;
  assign rd_data_o  = mem_q[rd_ptr_q[DepthLog2-1:0]];

  // No side sees more words than there are places. A Gray-coded pointer changes in one bit at a
  // time.
  always_ff @(posedge wr_clk_i) begin
    if (wr_rst_ni) begin
      WriteLevelInRange: assert (wr_level_o <= Depth);
      WritePointerIsGray: assert ($onehot0(wr_gray_q ^ wr_gray_d));
    end
  end
  always_ff @(posedge rd_clk_i) begin
    if (rd_rst_ni) begin
      ReadLevelInRange: assert (rd_level_o <= Depth);
      ReadPointerIsGray: assert ($onehot0(rd_gray_q ^ rd_gray_d));
    end
  end
  // The oldest word stays until it is taken.
  stream_rules #(.Width(Width)) u_head_rules (
    .clk_i(rd_clk_i), .rst_ni(rd_rst_ni), .valid_i(rd_valid_o), .ready_i(rd_ready_i),
    .payload_i(rd_data_o));

  // Corners that the test benches must meet.
  SeenFull: cover property (@(posedge wr_clk_i) disable iff (!wr_rst_ni) wr_valid_i && !wr_ready_o);
  SeenWriteWrap: cover property (@(posedge wr_clk_i) disable iff (!wr_rst_ni) wr_take && wr_ptr_q[DepthLog2-1:0] == '1);
  SeenReadWhileEmpty: cover property (@(posedge rd_clk_i) disable iff (!rd_rst_ni) rd_ready_i && !rd_valid_o);
  SeenReadWrap: cover property (@(posedge rd_clk_i) disable iff (!rd_rst_ni) rd_take && rd_ptr_q[DepthLog2-1:0] == '1);
  SeenLastWordTaken: cover property (@(posedge rd_clk_i) disable iff (!rd_rst_ni) rd_take && rd_level_o == LevelBits'(1));
endmodule
