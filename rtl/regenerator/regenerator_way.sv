// SPDX-License-Identifier: Apache-2.0
// One direction of the regenerator: an elastic buffer between the line's clock and the box's clock.
//
// A frame starts to leave when StartBytes of it are in the buffer. The buffer then does not run
// empty within the longest frame (16 KB), even if the sender is slower. A frame of fewer bytes
// starts after WaitClocks. Gaps are shortened to MinGapBytes, so that a faster sender does not fill
// the buffer. A receiver accepts gaps of 8 bytes (IEEE 802.3, 4A.4.2). A byte that finds the buffer
// full is lost, and the next byte of its frame leaves with TX_ER. If the next byte of a frame is
// not there in time, TX_ER is sent in its place.
module regenerator_way #(
  parameter int unsigned StartBytes  = 8,
  parameter int unsigned WaitClocks  = 16,
  parameter int unsigned MinGapBytes = 8
) (
  input  logic       rx_clk_i,   // 125 MHz of the line
  input  logic       rx_rst_ni,
  input  logic [7:0] rxd_i,
  input  logic       rx_dv_i,
  input  logic       rx_er_i,

  input  logic       tx_clk_i,   // 125 MHz of the box
  input  logic       tx_rst_ni,
  output logic [7:0] txd_o,
  output logic       tx_en_o,
  output logic       tx_er_o
);
  localparam int unsigned DepthLog2 = 6;
  localparam int unsigned LevelBits = DepthLog2 + 1;

  typedef struct packed {
    logic       last;
    logic       error;
    logic [7:0] data;
  } word_t;

  // Line side. A byte is written one clock later, when it is known whether it is the last of its
  // frame.
  word_t      wr_word;
  logic       held_q, held_er_q, lost_q, wr_valid, wr_ready;
  logic [7:0] held_data_q;

  assign wr_word  = '{last: !rx_dv_i, error: held_er_q || lost_q, data: held_data_q};
  assign wr_valid = held_q;

  always_ff @(posedge rx_clk_i) begin
    held_data_q <= rxd_i;
    held_er_q   <= rx_er_i;
    if (!rx_rst_ni) begin
      held_q <= 1'b0;
      lost_q <= 1'b0;
    end else begin
      held_q <= rx_dv_i;
      if (wr_valid) lost_q <= !wr_ready;
    end
  end

  // Box side.
  word_t                rd_word;
  logic                 rd_valid, rd_ready;
  logic [LevelBits-1:0] rd_level;

  async_fifo #(.Width($bits(word_t)), .DepthLog2(DepthLog2)) u_buffer (
    .wr_clk_i(rx_clk_i), .wr_rst_ni(rx_rst_ni), .wr_valid_i(wr_valid), .wr_ready_o(wr_ready), .wr_data_i(wr_word), .wr_level_o(),
    .rd_clk_i(tx_clk_i), .rd_rst_ni(tx_rst_ni), .rd_valid_o(rd_valid), .rd_ready_i(rd_ready), .rd_data_o(rd_word), .rd_level_o(rd_level));

  typedef enum logic [1:0] {StIdle, StFrame, StGap} state_e;
  state_e     state_q;
  logic [3:0] gap_q;
  logic [4:0] wait_q;   // clocks that the frame at the head has waited
  logic       start, ends;

  assign start    = rd_valid && (rd_level >= LevelBits'(StartBytes) || wait_q == 5'(WaitClocks));
  assign rd_ready = (state_q == StIdle && start) || state_q == StFrame;
  assign ends     = rd_valid && rd_word.last;

  always_ff @(posedge tx_clk_i) begin
    if (!tx_rst_ni) begin
      state_q <= StIdle;
      gap_q   <= '0;
      wait_q  <= '0;
      txd_o   <= '0;
      tx_en_o <= 1'b0;
      tx_er_o <= 1'b0;
    end else begin
      tx_en_o <= rd_ready;
      tx_er_o <= rd_ready && (!rd_valid || rd_word.error);
      txd_o   <= rd_ready && rd_valid ? rd_word.data : '0;
      wait_q  <= state_q == StIdle && rd_valid && !start ? wait_q + 5'd1 : '0;
      unique case (state_q)
        StIdle, StFrame: begin
          if (rd_ready) state_q <= ends ? StGap : StFrame;
          gap_q <= 4'(MinGapBytes);
        end
        StGap: begin
          gap_q <= gap_q - 4'd1;
          if (gap_q == 4'd1) state_q <= StIdle;
        end
        default: state_q <= StIdle;
      endcase
    end
  end

  // The buffer is deep enough, and a frame starts late enough, for the largest allowed clock
  // difference.
  NothingIsLate: assert property (@(posedge tx_clk_i) disable iff (!tx_rst_ni) state_q == StFrame |-> rd_valid);
  NothingIsLost: assert property (@(posedge rx_clk_i) disable iff (!rx_rst_ni) wr_valid |-> wr_ready);
  GapIsKept: assert property (@(posedge tx_clk_i) disable iff (!tx_rst_ni) state_q == StGap && gap_q != 4'(MinGapBytes) |-> !tx_en_o);

  // Corners that the test benches must meet.
  SeenShortFrame: cover property (@(posedge tx_clk_i) disable iff (!tx_rst_ni) state_q == StIdle && wait_q == 5'(WaitClocks));
  SeenLeastGap: cover property (@(posedge tx_clk_i) disable iff (!tx_rst_ni) $past(state_q) == StGap && state_q == StIdle && start);
  SeenError: cover property (@(posedge tx_clk_i) disable iff (!tx_rst_ni) tx_en_o && tx_er_o);
endmodule
